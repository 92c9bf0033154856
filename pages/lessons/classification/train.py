"""The learner's own training, watched next to a stored run."""

from mlm_core.finetuning.settings import SENTIMENT, Data
from pages.kit.part import Part, part
from pages.kit.training import finetune_runs, finetune_watch

# Besides sentiment, in the language that is read.
OTHERS: tuple[Data, ...] = ("entailment", "paraphrase", "passages", "own_classes")


def data_of(p: Part) -> tuple[Data, ...]:
    """Return the data whose runs are watched here, and taken home."""
    return finetune_runs.read_or_own(p, SENTIMENT, *OTHERS)


@part(redraws_page=True)  # what is watched, and the settings, are drawn again alone
def show(p: Part) -> None:
    """Show the stored run, or the learner's own with it, and the settings of a new one."""
    finetune_watch.show(p, data_of(p))
