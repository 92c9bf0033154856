"""Part: train one's own, and watch it beside a stored run."""

from pages.parts.bio_tagging.setting import data_of
from pages.shared.frame.page_frame import Page
from pages.shared.training import finetune_watch


def show(page: Page) -> None:
    """Show the stored run, or the learner's own with it, and the settings of a new one."""
    finetune_watch.show(page, data_of(page))
