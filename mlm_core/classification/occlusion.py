"""Which words move a logit? Leave each word out once, and read the text again.

    move_k(word) = u_k(text) - u_k(text without the word)

A word with a positive move speaks for class k. Words act together, so the moves do not add up to
the logit, and a text with a gap is unlike those of training: a small move may mean little.

Source: Li et al. 2016 (representation erasure); Zeiler & Fergus 2014 (occlusion, on images).
Departs: Li et al. set a word's vector to 0; here the word is gone and the positions close up.

Read before this: head_steps.py.
"""

from dataclasses import dataclass

from mlm_core.classification.head_steps import class_steps
from mlm_core.finetuning.fine_tuned import FineTuned


@dataclass(frozen=True, kw_only=True)
class Occlusion:
    """A word, and by how much each class's logit falls without it."""

    word: str
    segment: int  # 0 in the first text, 1 in the second
    moves: tuple[float, ...]  # of the classes


def leave_words_out(
    model: FineTuned, text: str, pair: str | None = None, most: int | None = None
) -> tuple[Occlusion, ...]:
    """Return what each word of a text, or of two, does to the logits; at most for `most` words.

    Words are those of the model's tokenizer, inside its window.
    """
    steps = class_steps(model, text, pair)
    found = []
    for word in steps.text.words[:most]:
        left = [text, pair]
        whole = left[word.segment] or ""
        left[word.segment] = whole[: word.start] + whole[word.stop :]
        without = class_steps(model, left[0] or "", left[1])
        moves = (steps.logits - without.logits).tolist()
        found.append(Occlusion(word=word.text, segment=word.segment, moves=tuple(moves)))
    return tuple(found)
