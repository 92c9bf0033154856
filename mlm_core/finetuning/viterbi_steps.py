"""One word's row of Viterbi's table, with what each entry was made of.

    best[i, t] = log y_i[t] + max over s of best[i-1, s]  where t may follow s

For each tag t: the s it came from, that s's best so far, and the sum. Beside it stands the tag
that would have been best before if nothing were forbidden: where it differs from s, a rule has
spoken.

Source: Viterbi 1967; the notation as in ../tagging/decoding.py.

Read before this: ../tagging/decoding.py. Read next: ../tagging/decoding_comparison.py.
"""

from dataclasses import dataclass

from mlm_core.finetuning.tag_transitions import Transitions
from mlm_core.shapes import Float, Tensor
from mlm_core.tagging.decoding import ViterbiPath

NEGATIVE_INFINITY = float("-inf")


@dataclass(frozen=True, kw_only=True)
class StepEntry:
    """How the best legal path to one tag at one word is made."""

    tag: str
    log_probability: float  # of the tag at this word by itself, nats
    came_from: str | None  # the tag before; None at the first word
    best_before: float  # of the path up to there; 0 at the first word
    best: float  # of the path up to here; -inf if none is legal
    barred: str | None  # a likelier tag before, which this tag may not follow
    is_on_path: bool


def viterbi_step(
    log_probabilities: Float[Tensor, "word tag"],
    found: ViterbiPath,
    transitions: Transitions,
    word: int,
) -> tuple[StepEntry, ...]:
    """Return the entries of one word, tag by tag.

    Raises ValueError if there is no such word.
    """
    if not 0 <= word < len(log_probabilities):
        raise ValueError(
            f"word {word} of {len(log_probabilities)}: words are counted from 0 to"
            f" {len(log_probabilities) - 1}"
        )
    tags = transitions.tags
    unbarred = int(found.best[word - 1].argmax()) if word else -1
    entries = []
    for t, tag in enumerate(tags):
        source = int(found.came_from[word, t]) if word else -1
        best = found.best[word, t].item()
        is_barred = word > 0 and not bool(transitions.may_follow[unbarred, t])
        entries.append(
            StepEntry(
                tag=tag,
                log_probability=log_probabilities[word, t].item(),
                came_from=tags[source] if word and best > NEGATIVE_INFINITY else None,
                best_before=found.best[word - 1, source].item() if word else 0.0,
                best=best,
                barred=tags[unbarred] if is_barred else None,
                is_on_path=found.path[word] == t,
            )
        )
    return tuple(entries)
