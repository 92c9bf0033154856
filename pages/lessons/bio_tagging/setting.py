"""What several parts share: which tagger they ask, and which sentence of its test part."""

from collections.abc import Callable, Sequence

from mlm_core.figures.theme import printable
from mlm_core.finetuning.settings import TAGGED, Data
from mlm_core.finetuning.snapshot import FineTuneSnapshot
from mlm_core.labelled.examples import TaggedSentence
from pages.kit.part import Part
from pages.kit.training import finetune_runs

LONGEST_LISTED = 40  # characters of a test sentence


def data_of(p: Part) -> tuple[Data, ...]:
    """Return whose runs the lesson offers: the stored sentences that it reads, and own ones."""
    return finetune_runs.read_or_own(p, TAGGED, "own_tags")


def choose_tagger(
    p: Part, name: str = "which", *, with_weights: bool = True, folded: bool = False
) -> tuple[str, FineTuneSnapshot] | None:
    """Show the taggers; return the chosen one with its title, or say why it can't be used."""
    chosen = finetune_runs.choose(
        p, data_of(p), with_weights=with_weights, name=name, folded=folded
    )
    if chosen is None:
        return None
    if chosen[1].predictions is None or chosen[1].dataset is None:
        p.note("no_predictions", icon="hourglass")
        return None
    return chosen


def pick_test_sentence(
    p: Part, name: str, sentences: Sequence[TaggedSentence], wanted: Callable[[int], bool]
) -> int:
    """Show the test sentences as a list, and a button to the next one that is `wanted`."""
    n = len(sentences)

    def go_on() -> None:
        start = int(p.state.get(name) or 0)
        for away in range(1, n + 1):
            if wanted((start + away) % n):
                p.state[name] = str((start + away) % n)
                return
        p.toast("none_found")

    with p.row():
        shown = [printable(" ".join(one.words), LONGEST_LISTED) for one in sentences]
        first = next((i for i in range(n) if wanted(i)), 0)
        if p.state.get(name) not in map(str, range(n)):
            p.state.pop(name, None)
        number = p.position(name, shown, default=first, among=range(n))
        p.button(f"{name}_next", go_on, icon="skip_next")
    return number


def in_table(tag: str, *, is_chosen: bool = False) -> str:
    """Return a tag that a narrow table leaves on one line; a chosen one has a mark."""
    unbroken = tag.replace("-", "\N{NON-BREAKING HYPHEN}")
    return f"▶\N{NO-BREAK SPACE}{unbroken}" if is_chosen else unbroken
