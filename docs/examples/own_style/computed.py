"""What this lesson works out and keeps for all visitors."""

from typing import NamedTuple

from mlm_core.prediction.fillers import score_positions
from pages.kit.remember import read, remembered


class Losses(NamedTuple):
    """The loss at each token of a text, in nats, when this token alone is masked."""

    tokens: tuple[str, ...]
    losses: tuple[float, ...]

    @property
    def mean(self) -> float:
        """Return the mean loss; e to its power is the pseudo-perplexity."""
        return sum(self.losses) / len(self.losses)


@remembered(256)  # some kilobytes each
def losses_of(model_name: str, text: str) -> Losses:
    """Mask each token of a text in turn, and return -log P of the token."""
    model, tokenized = read(model_name, text)
    scores = list(score_positions(model, tokenized))
    return Losses(
        tokens=tuple(tokenized.texts[one.position] for one in scores),
        losses=tuple(-one.log_probability for one in scores),
    )
