"""Is [CLS] a sentence vector? Three sentences of the learner's, then the pairs of a test part."""

from functools import partial
from typing import Any

import streamlit as st

from mlm_core.evaluation.seeds import standard_error
from mlm_core.figures.charts import DotRow, dots_chart
from mlm_core.figures.matrix import matrix_svg
from mlm_core.number_format import formatted
from mlm_core.prediction.next_sentence import sentence_vectors
from pages.shared.caches import cache_finetuning, cache_predictions
from pages.shared.kit.part import Part, part

FIELDS = ("sentence", "paraphrase", "unrelated")
WAYS = ("cls", "mean")
OTHERS = ("contradiction", "neutral", "topic")  # what is compared with the entailed sentence
MEASURED = "sentence_pairs_cls_measured"  # session state: the model, and what was found


@part()
def show(p: Part) -> None:
    """Take a trio of sentences and a guess; show both ways' cosines, then many more trios."""
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
    p.tell_right("cls", truth)
    told = {"guess": p.plain(f"cls_guess_{guess}"), "truth": p.plain(f"cls_guess_{truth}")}
    p.say("right" if guess == truth else "wrong", **told)
    _draw(p, cosines)
    _measure_many(p)
    # Not before the guess.
    p.code("cls", sentence_vectors)


def _cosines(p: Part, trio: list[str]) -> dict[str, tuple[float, ...]]:
    """Return for each way the first sentence's cosine with each of the others."""
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


# Many trios at once: each premise of the test part, and which hypothesis is nearer to it.


def _measure_many(p: Part) -> None:
    """Compare with each premise of the test part when asked, and show how often it works."""
    premises = _premises()
    p.say("many", n=len(premises))
    if st.button(p.label("measure"), icon=":material/query_stats:", key=p.key("cls_measure")):
        found = {way: dict.fromkeys(OTHERS, 0) for way in WAYS}
        for sentences in p.progress("measuring", premises):
            for way, (entailed, *others) in _cosines(p, sentences).items():
                for name, cosine in zip(OTHERS, others, strict=True):
                    found[way][name] += entailed > cosine
        st.session_state[MEASURED] = p.model_name, found
    model, found = st.session_state.get(MEASURED, ("", {}))
    if model == p.model_name:
        _draw_many(p, found, len(premises))
        p.say("notice")


def _premises() -> list[list[str]]:
    """Return each premise, the hypothesis that it entails, two that it doesn't, and one more.

    The last is what the next premise entails: a sentence on another topic.
    """
    hypotheses: dict[str, dict[str, str]] = {}
    for example in cache_finetuning.dataset("entailment").test:
        hypotheses.setdefault(example.text, {})[example.label] = example.pair
    entailed = [own["entailment"] for own in hypotheses.values()]
    return [
        [premise, own["entailment"], own["contradiction"], own["neutral"], other]
        for (premise, own), other in zip(
            hypotheses.items(), [*entailed[1:], entailed[0]], strict=True
        )
    ]


def _draw_many(p: Part, found: dict[str, dict[str, int]], n: int) -> None:
    rows = [
        DotRow(
            name=p.plain(f"cls_than_{name}"),
            values=tuple(found[way][name] / n for way in WAYS),
            errors=tuple(1.96 * standard_error(found[way][name] / n, n) for way in WAYS),
        )
        for name in OTHERS
    ]
    names = [p.plain(f"cls_row_{way}") for way in WAYS]
    p.figure(
        "cls_many",
        dots_chart(rows, names, low=0.0, high=1.0, x_title=p.plain("cls_nearer")),
        [
            {"with": row.name, "vector": name, "entailed_nearer": value, "margin": margin, "n": n}
            for row in rows
            for name, value, margin in zip(names, row.values, row.errors, strict=True)
        ],
        n=n,
        cls=rows[0].values[0],
        mean=rows[0].values[1],
    )
