"""What is stored for some alphas: encoders of two languages, and vocabularies of a model's size.

Each is shown by the means of its seeds, as curves over alpha.
"""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

from mlm_core.encoder.model_list import BILINGUAL, BUNDLED
from mlm_core.evaluation.seeds import SeedMean, seed_mean
from mlm_core.figures.charts import lines_chart, percent_axis
from mlm_core.figures.curves import Curve, Level
from mlm_core.pretraining.mixed_vocabulary import MixedVocabulary, ModelVocabulary
from mlm_core.small_runs.two_languages import (
    N_DRAWN,
    N_TESTED,
    LanguagesRun,
    languages_settings,
)
from mlm_core.stored.two_languages import SEEDS
from mlm_core.text.language_sampling import sampling_probabilities
from mlm_core.text.mini_world.second_language import KINSHIPS, in_second_language
from mlm_core.text.mini_world.world import WorldSentence
from pages.kit.part import Part
from pages.lessons.sentence_pairs import computed

EXAMPLE = ("Anna", "walks", "along", "the", "bank", ".")  # shown in both languages

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


def show_encoders(p: Part, controls: AbstractContextManager) -> None:
    """Draw what alpha does to both languages' losses and to the rare one's word order."""
    with controls:
        alpha = p.slider("alpha")
    example = WorldSentence(words=EXAMPLE, senses=())
    in_second = {one: in_second_language(example, one).rstrip(".") for one in KINSHIPS}
    p.say("encoders", sentence=example.text.rstrip("."), **in_second)
    found, related = computed.two_languages_runs(), related_runs()
    unrelated = [run for run in found if run not in related]
    losses = {
        "rare": means_of([(run.alpha, run.loss[1]) for run in related]),
        "frequent": means_of([(run.alpha, run.loss[0]) for run in related]),
    }
    accents = {
        "related": means_of([(run.alpha, run.accent) for run in related]),
        "unrelated": means_of([(run.alpha, run.accent) for run in unrelated]),
    }
    rows = [encoder_row(p, run) for run in found]
    left, right = p.columns()
    with left:
        draw_by_alpha(p, "losses", losses, rows, alpha, {"rangemode": "tozero"})
    with right:
        draw_by_alpha(p, "accents", accents, rows, alpha, percent_axis())
    near = nearest(losses["rare"], alpha)
    told: dict[str, Any] = {"alpha": near}
    for name, by_alpha in (losses | accents).items():
        one = by_alpha[1.0 if name == "unrelated" else near]
        told |= {name: one.mean, f"{name}_margin": one.margin}
    for name, by_alpha in cuts_of(related).items():
        told[f"{name}_subwords"] = by_alpha[near].mean
    p.say("encoders_found", **told)


def show_large(p: Part, controls: AbstractContextManager) -> None:
    """Draw how a vocabulary from Wikipedia cuts each language, next to that of the encoders."""
    with controls:
        alpha = p.slider("alpha")
    stored = computed.mixed_vocabularies()
    p.say("large", entries=stored.entries, words=stored.words, one_in=sum(stored.natural))
    large, small = cuts_of(stored.mixed), cuts_of(runs := related_runs())
    without, both = (stored.of_model(name) for name in (BUNDLED, BILINGUAL))
    english, german = stored.texts
    level = Level(name=p.plain("without_german"), value=without.subwords_per_word[1])
    axis = {"range": [0.9, level.value + 0.3]}  # both charts, with room for the level's name
    about = {
        "seed": stored.mixed[0].seed,
        "english": english.n_words,
        "german": german.n_words,
        "megabytes": (english.n_bytes + german.n_bytes) / 1e6,
    }
    left, right = p.columns()
    with left:
        rows = [_large_row(one) for one in (*stored.mixed, *stored.models)]
        draw_by_alpha(
            p,
            "large_cuts",
            large,
            rows,
            alpha,
            axis,
            [level],
            "large_source",
            without=level.value,
            **about,
        )
    with right:
        rows = [encoder_row(p, run) for run in runs]
        draw_by_alpha(p, "small_cuts", small, rows, alpha, axis)
    near = nearest(large["rare"], alpha)
    p.say(
        "large_found",
        alpha=near,
        q=sampling_probabilities(stored.natural, near)[1],
        rare=large["rare"][near].mean,
        frequent=large["frequent"][near].mean,
        gain=large["rare"][1.0].mean - large["rare"][0.0].mean,
        loss=large["frequent"][0.0].mean - large["frequent"][1.0].mean,
        without=without.name,
        without_rare=without.subwords_per_word[1],
        both=both.name,
        both_q=both.proportion,
        both_rare=both.subwords_per_word[1],
        both_frequent=both.subwords_per_word[0],
    )


def _large_row(one: MixedVocabulary | ModelVocabulary) -> dict[str, object]:
    """Return a row of the table; a model has neither alpha nor a seed of ours."""
    return {
        "alpha": getattr(one, "alpha", None),
        "seed": getattr(one, "seed", None),
        "q_rare": one.proportion,
        "subwords_frequent": one.subwords_per_word[0],
        "subwords_rare": one.subwords_per_word[1],
        "model": getattr(one, "name", ""),
    }
