"""What the opening shows, in words with its numbers."""

from typing import TYPE_CHECKING

from mlm_core.number_format import formatted
from pages.shared.frame import Page

if TYPE_CHECKING:
    from mlm_core.classification.errors import Contrast
    from mlm_core.finetuning.snapshot import FineTuneSnapshot

WAYS = ("head", "top", "all")


def one_sentence(page: Page, chosen: "Contrast") -> str:
    """Say what the three rows show, with their numbers."""
    first, *_, last = chosen.by_model
    rights = [one.is_right for one in chosen.by_model]
    case = (
        "all_right"
        if all(rights)
        else "all_wrong"
        if not any(rights)
        else "learnt"
        if last.is_right and not first.is_right
        else "lost"
        if first.is_right and not last.is_right
        else "mixed"
    )
    values = {
        f"p_{way}": formatted(j.p_label, ".2f")
        for way, j in zip(WAYS, chosen.by_model, strict=True)
    }
    said = {f"said_{way}": j.predicted for way, j in zip(WAYS, chosen.by_model, strict=True)}
    seen = page.words.section("three_ways.seen", label=chosen.example.label, **values, **said)
    return f"{seen} {page.words.section(f'three_ways.{case}')}"


def whole_test(page: Page, runs: "dict[str, FineTuneSnapshot]") -> str:
    """Say what one sentence doesn't: the share of the whole test part, and its error."""
    from mlm_core.evaluation.seeds import standard_error

    n = len(runs["head"].dataset.test)
    shares = {way: run.tests[-1].proportion_right for way, run in runs.items()}
    error = max(standard_error(share, n) for share in shares.values())
    return page.words.section(
        "three_ways.whole",
        n=n,
        error=formatted(100 * error, ".0f"),
        **{f"share_{way}": formatted(100 * share, ".0f") for way, share in shares.items()},
        **{f"n_{way}": formatted(run.n_trained, ",") for way, run in runs.items()},
    )
