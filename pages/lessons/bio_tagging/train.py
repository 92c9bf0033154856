"""Part: train one's own, and watch it beside a stored run."""

from pages.kit.training import finetune_watch
from pages.lessons.bio_tagging.setting import data_of
from pages.server.frame.page_frame import Page


def show(page: Page) -> None:
    """Show the stored run, or the learner's own with it, and the settings of a new one."""
    finetune_watch.show(page, data_of(page))
