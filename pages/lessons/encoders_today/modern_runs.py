"""What "BERT made modern" keeps: the stored runs, and the learner's own."""

from mlm_core.small_runs.settings import SmallRunSettings
from mlm_core.small_runs.text import PreparedText, prepare_at_once
from mlm_core.stored.made_modern import SWITCHES, ModernResults, read_results
from pages.kit.remember import read_words, remembered
from pages.kit.training import runs


@remembered(1)
def results() -> ModernResults:
    """Return the stored runs of BERT's recipe with one change each."""
    return read_results()


def lower_the_loss() -> str:
    """Return which changes clearly lower the loss, by name."""
    effects = {switch: results().effect(switch, "loss") for switch in SWITCHES}
    lower = [switch for switch, one in effects.items() if one.is_clear and one.mean < 0]
    words = read_words("encoders_today")
    return ", ".join(words.plain(f"made_modern_way_{switch}") for switch in lower)


@remembered(1)  # 1 MB
def _mini_world() -> PreparedText:
    return prepare_at_once(SmallRunSettings())


def start(settings: SmallRunSettings) -> str:
    """Start a run, or join one with equal settings; return a ticket. Raises NoRoomError."""
    return runs.begin_small_run(settings, _mini_world)


MINE = runs.RunList(
    prefix="made_modern",
    begin=start,
    settings_type=SmallRunSettings,
    without_weights={"checkpoints": ()},
    buttons="modern_",
)
