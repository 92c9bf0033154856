"""What is stored for some alphas: the means of the seeds, and their curves."""

from collections.abc import Mapping, Sequence
from typing import Any

from mlm_core.evaluation.seeds import SeedMean, seed_mean
from mlm_core.figures.charts import lines_chart
from mlm_core.figures.curves import Curve, Level
from mlm_core.pretraining.mixed_vocabulary import MixedVocabulary
from mlm_core.small_runs.two_languages import (
    N_DRAWN,
    N_TESTED,
    LanguagesRun,
    languages_settings,
)
from mlm_core.stored.two_languages import SEEDS
from pages.kit.part import Part
from pages.lessons.sentence_pairs import computed

HEIGHT = 300  # pixels, of a chart next to another one


def related_runs() -> list[LanguagesRun]:
    """Return the stored encoders of two related languages."""
    return [run for run in computed.two_languages_runs() if run.kinship == "related"]


def cuts_of(found: Sequence[LanguagesRun | MixedVocabulary]) -> dict[str, dict[float, SeedMean]]:
    """Return the subwords per word of each language by alpha."""
    return {
        name: means_of([(one.alpha, one.subwords_per_word[i]) for one in found])
        for name, i in (("rare", 1), ("frequent", 0))
    }


def means_of(values: Sequence[tuple[float, float]]) -> dict[float, SeedMean]:
    """Return the mean of each alpha's seeds; a single one has no interval, drawn as none."""
    by_alpha: dict[float, list[float]] = {}
    for alpha, value in values:
        by_alpha.setdefault(alpha, []).append(value)
    return {
        alpha: seed_mean(found) if len(found) > 1 else SeedMean(mean=found[0], margin=0.0)
        for alpha, found in by_alpha.items()
    }


def nearest(by_alpha: Mapping[float, object], alpha: float) -> float:
    """Return the stored alpha that is nearest to the chosen one."""
    return min(by_alpha, key=lambda stored: abs(stored - alpha))


def draw_by_alpha(
    p: Part,
    name: str,
    lines: Mapping[str, dict[float, SeedMean]],
    rows: list[dict[str, object]],
    alpha: float,
    axis: Mapping[str, object],
    levels: Sequence[Level] = (),
    source: str = "encoders_source",
    **about: Any,
) -> None:
    """Draw some of the numbers by alpha, with the intervals of the seeds."""
    settings = languages_settings(SEEDS[0])
    curves = [
        Curve(
            name=p.plain(f"{name}_{line}"),
            points=[(one, found.mean) for one, found in by_alpha.items()],
            errors=[found.margin for found in by_alpha.values()],
            pen=pen,
            dots=True,
        )
        for pen, (line, by_alpha) in enumerate(lines.items())
    ]
    chart = lines_chart(
        curves,
        x_title=p.plain("curve_x"),
        y_title=p.plain(f"{name}_y"),
        levels=levels,
        marks=[Level(name="", value=alpha)],
        y_axis=axis,
        height=HEIGHT,
    )
    told: dict[str, Any] = {
        "entries": settings.vocabulary_size,
        "steps": settings.n_steps,
        "drawn": N_DRAWN,
        "tested": N_TESTED,
        "n": len(SEEDS),
    }
    told |= {
        f"{line}_{end}": by_alpha[at].mean
        for line, by_alpha in lines.items()
        for end, at in (("all", min(by_alpha)), ("size", max(by_alpha)))
    }
    p.figure(name, chart, rows, source=source, **told | about)


def encoder_row(p: Part, run: LanguagesRun) -> dict[str, object]:
    """Return a row of the table of encoders."""
    return {
        "languages": p.plain(f"accents_{run.kinship}"),
        "alpha": run.alpha,
        "seed": run.seed,
        "q_rare": run.proportion,
        "loss_frequent": run.loss[0],
        "loss_rare": run.loss[1],
        "subwords_frequent": run.subwords_per_word[0],
        "subwords_rare": run.subwords_per_word[1],
        "accent": run.accent,
    }
