"""Part: train one's own, and watch it beside a stored run."""

from typing import TYPE_CHECKING

from pages.kit.training import finetune_runs, finetune_watch
from pages.server.frame.page_frame import Page

if TYPE_CHECKING:
    from mlm_core.finetuning.settings import Data

# Beside sentiment, in the language that is read.
OTHERS: "tuple[Data, ...]" = ("entailment", "paraphrase", "passages", "own_classes")


def data_of(page: Page) -> "tuple[Data, ...]":
    """Return the data whose runs are watched here, and taken home."""
    from mlm_core.finetuning.settings import SENTIMENT

    return finetune_runs.read_or_own(page, SENTIMENT, *OTHERS)


def show(page: Page) -> None:
    """Show the stored run, or the learner's own with it, and the settings of a new one."""
    finetune_watch.show(page, data_of(page))
