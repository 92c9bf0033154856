"""Many languages in one model: alpha moves the shares, the vocabulary, what an encoder learns."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from mlm_core.figures.charts import bars_chart, lines_chart, percent, percent_axis
from mlm_core.figures.curves import Curve, Level
from mlm_core.figures.text.tokens import cuts_html
from mlm_core.number_format import formatted
from mlm_core.text.language_sampling import read_languages, sampling_probabilities
from mlm_core.text.tokens import tokenize
from pages.parts.sentence_pairs.setting import choose_seed
from pages.shared.caches import cache_vocabularies
from pages.shared.course.equations import numbered
from pages.shared.kit.part import Part, part

if TYPE_CHECKING:
    from mlm_core.evaluation.seeds import SeedMean
    from mlm_core.small_runs.two_languages import LanguagesRun

ALGORITHMS = ("BPE", "Unigram")
SIZES = ("500", "800", "1200")
EXAMPLE = ("Anna", "walks", "along", "the", "bank", ".")  # told in both languages
HEIGHT = 300  # pixels, of a chart beside another one


@part(
    code=(
        "text.language_sampling:sampling_probabilities",
        "text.language_sampling:draw_sentences",
        "text.language_sampling:measure_use",
        "small_runs.two_languages:measure_languages",
    )
)
def show(p: Part) -> None:
    """Draw what alpha does to a vocabulary of six languages, or to an encoder of two."""
    p.say("lead")
    st.latex(numbered("11.5"))
    left, right = st.columns([2, 3], gap="medium")
    with left:
        effect = p.choice("effect")
    if effect == "encoder":
        _show_encoders(p, right)
    else:
        _show_vocabulary(p, right)
    p.say("ends")
    p.caption("only_small")


def _show_vocabulary(p: Part, controls: DeltaGenerator) -> None:
    """Draw shares under alpha, then learn the vocabulary that follows from them."""
    with controls, st.container(horizontal=True, vertical_alignment="bottom"):
        alpha = p.slider("alpha")
        with st.popover(p.label("settings"), icon=":material/tune:"):
            counted = p.choice("counted")
            algorithm = p.choice("algorithm", ALGORITHMS)
            size = int(p.choice("vocabulary", {size: formatted(int(size), ",") for size in SIZES}))
            seed = choose_seed(p)
    languages = read_languages()
    names = [p.plain(f"language_{language.code}") for language in languages]
    _draw_shares(p, names, [getattr(one, counted) for one in languages], alpha, counted)
    mixture = {"algorithm": algorithm, "size": size, "counted": counted, "seed": seed}
    p.say("vocabulary")
    _show_cuts(p, names, alpha, mixture)


def _draw_shares(p: Part, names: list[str], counts: list[int], alpha: float, counted: str) -> None:
    """Draw each language's share before and after; write out the rarest one's."""
    before, after = sampling_probabilities(counts, 1.0), sampling_probabilities(counts, alpha)
    rare = counts.index(min(counts))
    p_rare, q_rare = before[rare], after[rare]
    p.figure(
        "shares",
        bars_chart(names, {"p": before, "q": after}, written=percent, x_axis=percent_axis()),
        {
            "language": names,
            "words": counts,
            "p": before,
            "q": after,
            "alpha": [alpha] * len(counts),
        },
        rare=names[rare],
        before=p_rare,
        after=q_rare,
        counted=p.plain(f"count_source_{counted}"),
    )
    p.say("notice", rare=names[rare], p=p_rare, q=q_rare)


def _show_cuts(p: Part, names: list[str], alpha: float, mixture: Mapping[str, Any]) -> None:
    """Cut the learner's sentence with the vocabulary of alpha and with that of alpha 1."""
    sentence = p.text("sentence")
    cuts = []
    with st.spinner(p.label("learning")):
        for each in (alpha, 1.0):
            tokenizer, _ = cache_vocabularies.mixed_vocabulary(alpha=each, **mixture)
            cuts.append((p.plain("cuts_row", alpha=each), tokenize(tokenizer, sentence)))
        uses = cache_vocabularies.mixed_uses(alpha=alpha, **mixture)
    if not sentence.strip():
        p.note("empty", icon="edit")
        return
    p.figure(
        "cuts",
        partial(cuts_html, sentence, cuts),
        {
            p.plain("use_language"): names,
            p.plain("use_drawn"): [use.n_drawn for use in uses],
            p.plain("use_share"): [use.vocabulary_proportion for use in uses],
            p.plain("use_alone"): [use.n_alone for use in uses],
            p.plain("use_words"): [use.tokens_per_word for use in uses],
        },
        alpha=alpha,
        **mixture,
    )


# An encoder for a frequent and a rare language, stored for some alphas.


def _show_encoders(p: Part, controls: DeltaGenerator) -> None:
    """Draw what alpha does to both languages' losses and to the rare one's word order."""
    from mlm_core.text.mini_world.second_language import KINSHIPS, in_second_language
    from mlm_core.text.mini_world.world import WorldSentence

    with controls:
        alpha = p.slider("alpha")
    example = WorldSentence(words=EXAMPLE, senses=())
    in_second = {one: in_second_language(example, one).rstrip(".") for one in KINSHIPS}
    p.say("encoders", sentence=example.text.rstrip("."), **in_second)
    found = cache_vocabularies.two_languages_runs()
    related, unrelated = (
        [run for run in found if run.kinship == kinship] for kinship in ("related", "unrelated")
    )
    numbers = {
        "frequent": _means([(run.alpha, run.loss[0]) for run in related]),
        "rare": _means([(run.alpha, run.loss[1]) for run in related]),
        "frequent_tokens": _means([(run.alpha, run.tokens_per_word[0]) for run in related]),
        "rare_tokens": _means([(run.alpha, run.tokens_per_word[1]) for run in related]),
        "related": _means([(run.alpha, run.accent) for run in related]),
        "unrelated": _means([(run.alpha, run.accent) for run in unrelated]),
    }
    rows = [_encoder_row(p, run) for run in found]
    charts = {
        "losses": (("rare", "frequent"), {"rangemode": "tozero"}),
        "accents": (("related", "unrelated"), percent_axis()),
    }
    for (name, (lines, axis)), column in zip(
        charts.items(), st.columns(2, gap="medium"), strict=True
    ):
        with column:
            _draw_encoders(p, name, {line: numbers[line] for line in lines}, rows, alpha, axis)
    near = min(numbers["rare"], key=lambda stored: abs(stored - alpha))
    told: dict[str, Any] = {"alpha": near}
    for name, by_alpha in numbers.items():
        one = by_alpha[1.0 if name == "unrelated" else near]
        told |= {name: one.mean, f"{name}_margin": one.margin}
    p.say("encoders_found", **told)


def _means(values: "Sequence[tuple[float, float]]") -> "dict[float, SeedMean]":
    """Return the mean of each alpha's seeds."""
    from mlm_core.evaluation.seeds import seed_mean

    alphas = dict.fromkeys(alpha for alpha, _ in values)
    return {one: seed_mean([value for alpha, value in values if alpha == one]) for one in alphas}


def _draw_encoders(
    p: Part,
    name: str,
    lines: "Mapping[str, dict[float, SeedMean]]",
    rows: list[dict[str, object]],
    alpha: float,
    axis: Mapping[str, object],
) -> None:
    """Draw some of the numbers by alpha, with the intervals of the seeds."""
    from mlm_core.small_runs.two_languages import N_DRAWN, N_TESTED, languages_settings
    from mlm_core.stored.two_languages import SEEDS

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
        marks=[Level(name="", value=alpha)],
        y_axis=axis,
        height=HEIGHT,
    )
    about: dict[str, Any] = {
        "entries": settings.vocabulary_size,
        "steps": settings.n_steps,
        "drawn": N_DRAWN,
        "tested": N_TESTED,
        "n": len(SEEDS),
    }
    about |= {
        f"{line}_{end}": by_alpha[at].mean
        for line, by_alpha in lines.items()
        for end, at in (("all", min(by_alpha)), ("size", max(by_alpha)))
    }
    p.figure(name, chart, rows, source="encoders_source", **about)


def _encoder_row(p: Part, run: "LanguagesRun") -> dict[str, object]:
    return {
        "languages": p.plain(f"accents_{run.kinship}"),
        "alpha": run.alpha,
        "seed": run.seed,
        "q_rare": run.proportion,
        "loss_frequent": run.loss[0],
        "loss_rare": run.loss[1],
        "tokens_frequent": run.tokens_per_word[0],
        "tokens_rare": run.tokens_per_word[1],
        "accent": run.accent,
    }
