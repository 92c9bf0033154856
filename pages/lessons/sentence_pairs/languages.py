"""Many languages in one model: alpha moves the shares, the vocabulary, what an encoder learns.

Vocabularies of six languages are learnt here; those of a model's size and the encoders are stored.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from streamlit.delta_generator import DeltaGenerator

from mlm_core.encoder.model_list import BILINGUAL, BUNDLED
from mlm_core.figures.charts import bars_chart, lines_chart, percent, percent_axis
from mlm_core.figures.curves import Curve, Level
from mlm_core.figures.text.tokens import cuts_html
from mlm_core.number_format import formatted
from mlm_core.text.language_sampling import read_languages, sampling_probabilities
from mlm_core.text.tokens import tokenize
from pages.kit.part import Part, part
from pages.lessons.sentence_pairs import computed
from pages.lessons.sentence_pairs.setting import choose_seed
from pages.server.course.equations import numbered

if TYPE_CHECKING:
    from mlm_core.evaluation.seeds import SeedMean
    from mlm_core.pretraining.mixed_vocabulary import MixedVocabulary, ModelVocabulary
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
        "text.language_sampling:subwords_per_word",
        "pretraining.mixed_vocabulary:learn_mixture",
        "small_runs.two_languages:measure_languages",
    )
)
def show(p: Part) -> None:
    """Draw what alpha does to a small vocabulary, to a large one or to an encoder."""
    p.say("lead")
    p.formula(numbered("11.5"))
    left, right = p.columns()
    with left:
        effect = p.choice("effect")
    views = {"vocabulary": _show_vocabulary, "large": _show_large, "encoder": _show_encoders}
    views[effect](p, right)
    p.say("ends")
    if effect != "large":
        p.caption("only_small")


def _show_vocabulary(p: Part, controls: DeltaGenerator) -> None:
    """Draw shares under alpha, then learn the vocabulary that follows from them."""
    with controls, p.row():
        alpha = p.slider("alpha")
        with p.popover("settings", "tune"):
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
    with p.working("learning", is_timed=False):
        for each in (alpha, 1.0):
            tokenizer, _ = computed.mixed_vocabulary(alpha=each, **mixture)
            cuts.append((p.plain("cuts_row", alpha=each), tokenize(tokenizer, sentence)))
        uses = computed.mixed_uses(alpha=alpha, **mixture)
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


# Stored for some alphas: vocabularies of a model's size, and encoders of two languages.


def _show_large(p: Part, controls: DeltaGenerator) -> None:
    """Draw how a vocabulary from Wikipedia cuts each language, next to that of the encoders."""
    with controls:
        alpha = p.slider("alpha")
    stored = computed.mixed_vocabularies()
    p.say("large", entries=stored.entries, words=stored.words, one_in=sum(stored.natural))
    large, small = _cuts(stored.mixed), _cuts(runs := _related_runs())
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
        _draw_by_alpha(
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
        rows = [_encoder_row(p, run) for run in runs]
        _draw_by_alpha(p, "small_cuts", small, rows, alpha, axis)
    near = _nearest(large["rare"], alpha)
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


def _show_encoders(p: Part, controls: DeltaGenerator) -> None:
    """Draw what alpha does to both languages' losses and to the rare one's word order."""
    from mlm_core.text.mini_world.second_language import KINSHIPS, in_second_language
    from mlm_core.text.mini_world.world import WorldSentence

    with controls:
        alpha = p.slider("alpha")
    example = WorldSentence(words=EXAMPLE, senses=())
    in_second = {one: in_second_language(example, one).rstrip(".") for one in KINSHIPS}
    p.say("encoders", sentence=example.text.rstrip("."), **in_second)
    found, related = computed.two_languages_runs(), _related_runs()
    unrelated = [run for run in found if run not in related]
    losses = {
        "rare": _means([(run.alpha, run.loss[1]) for run in related]),
        "frequent": _means([(run.alpha, run.loss[0]) for run in related]),
    }
    accents = {
        "related": _means([(run.alpha, run.accent) for run in related]),
        "unrelated": _means([(run.alpha, run.accent) for run in unrelated]),
    }
    rows = [_encoder_row(p, run) for run in found]
    left, right = p.columns()
    with left:
        _draw_by_alpha(p, "losses", losses, rows, alpha, {"rangemode": "tozero"})
    with right:
        _draw_by_alpha(p, "accents", accents, rows, alpha, percent_axis())
    near = _nearest(losses["rare"], alpha)
    told: dict[str, Any] = {"alpha": near}
    for name, by_alpha in (losses | accents).items():
        one = by_alpha[1.0 if name == "unrelated" else near]
        told |= {name: one.mean, f"{name}_margin": one.margin}
    for name, by_alpha in _cuts(related).items():
        told[f"{name}_subwords"] = by_alpha[near].mean
    p.say("encoders_found", **told)


def _related_runs() -> "list[LanguagesRun]":
    return [run for run in computed.two_languages_runs() if run.kinship == "related"]


def _cuts(found: "Sequence[LanguagesRun | MixedVocabulary]") -> "dict[str, dict[float, SeedMean]]":
    """Return the subwords per word of each language by alpha."""
    return {
        name: _means([(one.alpha, one.subwords_per_word[i]) for one in found])
        for name, i in (("rare", 1), ("frequent", 0))
    }


def _means(values: "Sequence[tuple[float, float]]") -> "dict[float, SeedMean]":
    """Return the mean of each alpha's seeds; a single one has no interval, drawn as none."""
    from mlm_core.evaluation.seeds import SeedMean, seed_mean

    by_alpha: dict[float, list[float]] = {}
    for alpha, value in values:
        by_alpha.setdefault(alpha, []).append(value)
    return {
        alpha: seed_mean(found) if len(found) > 1 else SeedMean(mean=found[0], margin=0.0)
        for alpha, found in by_alpha.items()
    }


def _nearest(by_alpha: Mapping[float, object], alpha: float) -> float:
    return min(by_alpha, key=lambda stored: abs(stored - alpha))


def _draw_by_alpha(
    p: Part,
    name: str,
    lines: "Mapping[str, dict[float, SeedMean]]",
    rows: list[dict[str, object]],
    alpha: float,
    axis: Mapping[str, object],
    levels: Sequence[Level] = (),
    source: str = "encoders_source",
    **about: Any,
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


def _large_row(one: "MixedVocabulary | ModelVocabulary") -> dict[str, object]:
    """Return a row of the table; a model has neither alpha nor a seed of ours."""
    return {
        "alpha": getattr(one, "alpha", None),
        "seed": getattr(one, "seed", None),
        "q_rare": one.proportion,
        "subwords_frequent": one.subwords_per_word[0],
        "subwords_rare": one.subwords_per_word[1],
        "model": getattr(one, "name", ""),
    }


def _encoder_row(p: Part, run: "LanguagesRun") -> dict[str, object]:
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
