"""A mask that is drawn, compared with the right one.

Read before this: ../exercise.py, ../../encoder/drawn_masks.py.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from mlm_core.exercises.exercise import UnreadableAnswerError, Verdict

if TYPE_CHECKING:
    from mlm_core.shapes import Bool, Tensor


def judge_mask(
    answer: str,
    right: "Bool[Tensor, 'query key']",
    mistakes: "Mapping[str, Bool[Tensor, 'query key']]",
    tokens: Sequence[str],
) -> Verdict:
    """Return whether a mask is right, the mistake that it is, or its first wrong cell."""
    from mlm_core.encoder.drawn_masks import mask_from_text

    try:
        drawn = mask_from_text(answer, len(tokens))
    except ValueError:
        raise UnreadableAnswerError("no_mask") from None
    wrong = (drawn != right).nonzero().tolist()
    if not wrong:
        return Verdict.right()
    for hint, mistake in mistakes.items():
        if (drawn == mistake).all():
            return Verdict.wrong(hint)
    i, j = wrong[0]
    hint = "too_open" if drawn[i, j] else "too_closed"
    return Verdict.wrong(hint, n_wrong=len(wrong), row=tokens[i], column=tokens[j])
