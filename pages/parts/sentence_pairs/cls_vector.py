"""Is [CLS] a sentence vector? Cosines of paraphrases and of look-alikes, by [CLS] and by mean."""

from functools import partial
from typing import Any

import streamlit as st

from mlm_core.figures.matrix import matrix_svg
from mlm_core.number_format import formatted
from mlm_core.prediction.next_sentence import sentence_vectors
from pages.shared.caches import cache_predictions
from pages.shared.kit.part import Part, part

FIELDS = ("sentence", "paraphrase", "unrelated")
WAYS = ("cls", "mean")


@part()
def show(p: Part) -> None:
    """Take a trio of sentences and a guess; show both ways' cosines, then eight more trios."""
    p.say("lead")
    trio = []
    for name, column in zip(FIELDS, st.columns(3), strict=True):
        with column:
            trio.append(p.text(f"cls_{name}"))
    if not all(text.strip() for text in trio):
        p.note("no_text", icon="edit")
        return
    guess = p.guess("cls", ("cls", "mean", "both", "neither"))
    if guess is None:
        return
    cosines = _cosines(p, trio)
    nearer = [way for way in WAYS if cosines[way][0] > cosines[way][1]]
    truth = {0: "neither", 2: "both"}.get(len(nearer)) or nearer[0]
    told = {"guess": p.plain(f"cls_guess_{guess}"), "truth": p.plain(f"cls_guess_{truth}")}
    p.say("right" if guess == truth else "wrong", **told)
    _draw(p, cosines)
    _count_all_trios(p)
    p.say("notice")
    # Not before the guess.
    p.code("cls", sentence_vectors)


def _cosines(p: Part, trio: list[str]) -> dict[str, tuple[float, ...]]:
    """Return for each way the cosine with the paraphrase and with the unrelated sentence."""
    from torch.nn.functional import cosine_similarity

    vectors = [cache_predictions.sentence_vectors(p.model_name, text) for text in trio]
    return {
        way: tuple(
            cosine_similarity(vectors[0][way], other[way], dim=0).item() for other in vectors[1:]
        )
        for way in WAYS
    }


def _draw(p: Part, cosines: dict[str, tuple[float, ...]]) -> None:
    """Draw the two cosines of each way as a row."""
    rows = [p.plain(f"cls_row_{way}") for way in WAYS]
    told: dict[str, Any] = {
        way: "; ".join(formatted(value, ".3f") for value in cosines[way]) for way in WAYS
    }
    columns = [p.plain(f"cls_column_{name}") for name in FIELDS[1:]]
    p.figure(
        "cls",
        partial(matrix_svg, [cosines[way] for way in WAYS], rows, columns),
        [
            {"vector": way, "with": column, "cosine": value}
            for way in WAYS
            for column, value in zip(columns, cosines[way], strict=True)
        ],
        **told,
    )


def _count_all_trios(p: Part) -> None:
    """Count over the lesson's own trios how often the paraphrase is the nearer one."""
    lines = p.section("list").splitlines()
    cosines = [_cosines(p, [text.strip() for text in line.split("|")]) for line in lines]
    counts = {way: sum(each[way][0] > each[way][1] for each in cosines) for way in WAYS}
    p.say("trios", n=len(lines), half=len(lines) // 2, **counts)
