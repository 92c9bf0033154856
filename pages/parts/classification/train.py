"""Part: train one's own, and watch it beside a stored run."""

from pages.shared import finetune_train
from pages.shared.frame import Page

DATA = ("sentiment", "entailment", "passages", "own_classes")


def show(page: Page) -> None:
    """Show the stored run, or the learner's own with it, and the settings of a new one."""
    finetune_train.show(page, DATA)
