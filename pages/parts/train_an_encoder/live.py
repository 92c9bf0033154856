"""What a run of one's own tells here: what its text was like, and what it has reached."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from mlm_core.number_format import formatted
from pages.shared.frame.page_frame import Page
from pages.shared.training.run_status import Telling

if TYPE_CHECKING:
    from mlm_core.small_runs.snapshot import Snapshot


def telling(page: Page) -> Telling:
    """Return what this lesson says of a run's snapshot."""
    return Telling(
        preparing=lambda snapshot: _preparing(page, snapshot),
        notes=lambda snapshot: _notes(page, snapshot),
        reached=lambda snapshot: _reached(page, snapshot),
    )


def _preparing(page: Page, snapshot: "Snapshot | None") -> str | None:
    if snapshot is None or snapshot.phase == "preparing":
        return page.words.label("status_preparing")
    return None


def _notes(page: Page, snapshot: "Snapshot") -> Iterable[str]:
    """Yield what is worth saying about the text that the run learns from."""
    facts = snapshot.facts
    if facts is None:
        return
    if facts.vocabulary_got < facts.vocabulary_asked:
        asked, got = formatted(facts.vocabulary_asked, ","), formatted(facts.vocabulary_got, ",")
        yield page.words.section("run.vocabulary", asked=asked, got=got)
    if facts.documents_were_cut:
        yield page.words.section("run.cut", n=facts.n_train_documents)
    if facts.unknown_proportion > 0:
        yield page.words.section(
            "run.unknown", share=formatted(100 * facts.unknown_proportion, ".2g")
        )


def _reached(page: Page, snapshot: "Snapshot") -> str:
    """Return what the run has reached at its last test, on one line."""
    if not snapshot.held_out:
        return ""
    point = snapshot.held_out[-1]
    pairs = point.next_sentence_accuracy
    values = {
        "held_out": formatted(point.loss, ".3f"),
        "perplexity": formatted(point.perplexity, ",.1f"),
        "accuracy": f"{formatted(100 * point.accuracy, '.1f')} %",
        "pairs": None if pairs is None else f"{formatted(100 * pairs, '.1f')} %",
        "speed": formatted(snapshot.tokens_a_second, ",.0f") if snapshot.step else None,
    }
    return " · ".join(
        page.words.label(f"reached_{name}", value=value)
        for name, value in values.items()
        if value is not None
    )
