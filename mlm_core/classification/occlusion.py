"""Which words move a logit? Leave each word out once, and read the text again.

    move_k(word) = u_k(text) - u_k(text without the word)

A word with a positive move speaks for class k. Words act together, so the moves do not add up to
the logit, and a text with a gap is unlike those of training: a small move may mean little.

Source: Li et al. 2016 (representation erasure); Zeiler & Fergus 2014 (occlusion, on images).
Departs: Li et al. set a word's vector to 0; here the word is gone and the positions close up.

Read before this: ../finetuning/fine_tuned.py.
"""

from dataclasses import dataclass

import torch

from mlm_core.finetuning.fine_tuned import FineTuned

TOKENS_AT_ONCE = 512  # that are read; of long texts many at once would take much memory


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
    read = model.read(text, pair)
    words, texts = read.words[:most], [read]
    for word in words:
        left = [text, pair]
        whole = left[word.segment] or ""
        left[word.segment] = whole[: word.start] + whole[word.stop :]
        texts.append(model.read(left[0] or "", left[1]))
    n_at_once = max(1, TOKENS_AT_ONCE // len(read.tokens))
    some = (texts[start : start + n_at_once] for start in range(0, len(texts), n_at_once))
    logits = torch.cat([model.logits_of(those) for those in some]).double()
    moves = (logits[0] - logits[1:]).tolist()
    return tuple(
        Occlusion(word=word.text, segment=word.segment, moves=tuple(move))
        for word, move in zip(words, moves, strict=True)
    )
