"""A batch of pairs, as in training, and the test whether the model judges order or topic."""

from collections.abc import Sequence
from functools import partial
from random import Random
from typing import Any

from mlm_core.evaluation.bootstrap import paired_lead
from mlm_core.evaluation.seeds import Z_95, standard_error
from mlm_core.figures.bars import bars_svg
from mlm_core.figures.prediction.sentence_pairs import BatchRow, batch_svg
from mlm_core.number_format import formatted
from mlm_core.prediction.pair_examples import (
    FOLLOWS,
    IS_RANDOM,
    KINDS,
    PairExample,
    draw_order_test,
    draw_pair,
)
from pages.kit.caches import cache_vocabularies
from pages.kit.part import Part, part
from pages.lessons.sentence_pairs import computed
from pages.lessons.sentence_pairs.setting import choose_seed, documents_text, has_head, show_pair

SIZES = ("8", "12", "24")
N_TESTED = 100  # pairs of each kind
STEP = 5  # of them between two moves of the bar


@part(code=("prediction.pair_examples:draw_pair", "prediction.pair_examples:draw_order_test"))
def show(p: Part) -> None:
    """Draw a batch and let the learner read any pair of it; then test order against topic."""
    p.say("lead")
    if not has_head(p):
        return
    with p.row():
        size = int(p.choice("size", SIZES))
        with p.popover("drawn_from", "tune"):
            own_text = documents_text(p)
            seed = choose_seed(p)
    documents = cache_vocabularies.documents(own_text, p.language)
    rng = Random(seed)
    pairs = [draw_pair(documents, rng) for _ in range(size)]
    scored = [
        computed.next_sentence(p.model_name, pair.first_text, pair.second_text) for pair in pairs
    ]
    place: dict[str, Any] = {"n": size, "seed": seed, "documents": len(documents)}
    names = (p.plain("true_pair"), p.plain("random_pair"))
    rows = [
        BatchRow(
            label=names[pair.label],
            p_true=steps.probabilities[pair.label].item(),
            loss=steps.loss(pair.label),
            is_right=steps.probabilities[pair.label].item() >= 0.5,
        )
        for pair, (_, steps) in zip(pairs, scored, strict=True)
    ]
    _say_what_it_comes_to(p, pairs, rows)
    figure, reading = p.columns(3, 2, gap="large")
    with figure:
        _draw(p, pairs, rows, place)
    with reading:
        i = p.position("row", [row.label for row in rows], default=0)
        _say_how_it_came(p, pairs[i], i)
        show_pair(p, scored[i][0], "batch_chips")
    p.heading("order")
    _test_order(p, documents, own_text, place)


def _say_what_it_comes_to(p: Part, pairs: list[PairExample], rows: list[BatchRow]) -> None:
    n, n_right = len(rows), sum(row.is_right for row in rows)
    wrong = [pair.label for pair, row in zip(pairs, rows, strict=True) if not row.is_right]
    p.metrics(
        {
            p.label("mean"): formatted(sum(row.loss for row in rows) / n, ".3f"),
            p.label("accuracy"): f"{n_right} / {n}",
            p.label("missed"): f"{wrong.count(FOLLOWS)}",
            p.label("fooled"): f"{wrong.count(IS_RANDOM)}",
        }
    )


def _draw(p: Part, pairs: list[PairExample], rows: list[BatchRow], place: dict[str, Any]) -> None:
    """Show each pair as a line that opens it."""
    n, selected = len(rows), p.state.get("row", "0")
    p.figure(
        "batch",
        partial(
            batch_svg,
            rows,
            headings=[p.plain(name) for name in ("truth", "p", "loss")],
            selected=int(selected) if selected in map(str, range(n)) else 0,
        ),
        {
            "truth": [row.label for row in rows],
            "p_true_class": [row.p_true for row in rows],
            "loss": [row.loss for row in rows],
            "a": [pair.first_text for pair in pairs],
            "b": [pair.second_text for pair in pairs],
            "toss": [pair.toss for pair in pairs],
        },
        on_click=lambda value: p.choose("row", value),
        right=sum(row.is_right for row in rows),
        **place,
    )


def _say_how_it_came(p: Part, pair: PairExample, i: int) -> None:
    """Say what was drawn: which A, which side of the coin, which B."""
    p.say(
        "toss_true" if pair.label == FOLLOWS else "toss_random",
        i=i,
        a=pair.first.sentence + 1,
        d=pair.first.document + 1,
        b=pair.second.sentence + 1,
        e=pair.second.document + 1,
        toss=pair.toss,
    )


# Many pairs at once, of four kinds: the true order, and three ways to be wrong.


def _test_order(
    p: Part,
    documents: Sequence[Sequence[str]],
    own_text: str | None,
    place: dict[str, Any],
) -> None:
    """Score pairs of each kind when asked, and show how many of them the model accepts."""
    p.say("order", n=N_TESTED)
    setting = (p.model_name, place["seed"], own_text, p.language)
    if p.button("measure", icon="query_stats"):
        p.state["measured"] = setting, _score(p, documents, place["seed"])
    measured, found = p.state.get("measured", (None, {}))
    if measured != setting:
        return
    takes = {kind: [p >= 0.5 for p in values] for kind, values in found.items()}
    accepted = {kind: sum(of) / len(of) for kind, of in takes.items()}
    told: dict[str, Any] = place | accepted | {"n": N_TESTED}
    margins = [Z_95 * standard_error(share, N_TESTED) for share in accepted.values()]
    p.figure(
        "order",
        partial(
            bars_svg,
            [p.plain(f"kind_{kind}") for kind in accepted],
            list(accepted.values()),
            longest=1.0,
            written=[
                f"{formatted(100 * share, '.0f')} ± {formatted(100 * margin, '.0f')} %"
                for share, margin in zip(accepted.values(), margins, strict=True)
            ],
        ),
        {"kind": list(accepted), "accepted": list(accepted.values()), "margin": margins},
        **told,
    )
    # The pairs of one turn have one A, in the first two kinds also one B.
    order = paired_lead(takes["swapped"], takes["next"])
    interval = {"difference": order.value, "low": order.low, "high": order.high}
    unclear = "" if order.is_clear else p.section("order_unclear")
    p.write(f"{p.section('notice', **interval, **accepted)} {unclear}")
    if paired_lead(takes["same_document"], takes["other_document"]).direction > 0:
        p.say("topic", **accepted)


def _score(p: Part, documents: Sequence[Sequence[str]], seed: int) -> dict[str, list[float]]:
    """Return P(IsNext) of the pairs of each kind."""
    rng = Random(seed)
    found: dict[str, list[float]] = {kind: [] for kind in KINDS}
    for begun in p.progress("measuring", range(0, N_TESTED, STEP)):
        for _ in range(min(STEP, N_TESTED - begun)):
            for kind, texts in draw_order_test(documents, rng).items():
                _, steps = computed.next_sentence(p.model_name, *texts)
                found[kind].append(steps.p_follows)
    return found
