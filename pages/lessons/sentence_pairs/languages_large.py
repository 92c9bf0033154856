"""Vocabularies of a model's size from English and German Wikipedia, stored for some alphas."""

from contextlib import AbstractContextManager

from mlm_core.encoder.model_list import BILINGUAL, BUNDLED
from mlm_core.figures.curves import Level
from mlm_core.pretraining.mixed_vocabulary import MixedVocabulary, ModelVocabulary
from mlm_core.text.language_sampling import sampling_probabilities
from pages.kit.part import Part
from pages.lessons.sentence_pairs import computed
from pages.lessons.sentence_pairs.languages_by_alpha import (
    cuts_of,
    draw_by_alpha,
    encoder_row,
    nearest,
    related_runs,
)


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
