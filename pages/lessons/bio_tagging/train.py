"""Part: train a tagger, and watch it next to a stored run."""

from pages.kit.part import Part, part
from pages.kit.training import finetune_watch
from pages.lessons.bio_tagging.setting import data_of


@part(redraws_page=True)  # what is polled and the settings are two fragments inside
def show(p: Part) -> None:
    """Show the stored run, or the learner's own with it, and the settings of a new one."""
    finetune_watch.show(p, data_of(p))
