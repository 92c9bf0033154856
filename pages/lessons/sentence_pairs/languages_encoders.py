"""Encoders of a frequent and a rare language: both losses, and the rare one's word order."""

from contextlib import AbstractContextManager
from typing import Any

from mlm_core.figures.charts import percent_axis
from mlm_core.text.mini_world.second_language import KINSHIPS, in_second_language
from mlm_core.text.mini_world.world import WorldSentence
from pages.kit.part import Part
from pages.lessons.sentence_pairs import computed
from pages.lessons.sentence_pairs.languages_by_alpha import (
    cuts_of,
    draw_by_alpha,
    encoder_row,
    means_of,
    nearest,
    related_runs,
)

EXAMPLE = ("Anna", "walks", "along", "the", "bank", ".")  # shown in both languages


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
