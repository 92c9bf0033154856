"""Two sentences at once: does the second follow from the first? And does their order matter?"""

import time
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import streamlit as st

from mlm_core.classification.bag_of_words import fit_bag_of_words
from mlm_core.figures.bars import bars_svg
from mlm_core.figures.charts import DotRow, dots_chart
from mlm_core.finetuning.encoded_examples import Reading
from mlm_core.number_format import formatted
from pages.shared.caches import cache, cache_finetuning
from pages.shared.figures.clickable import drawing
from pages.shared.figures.table import Table
from pages.shared.frame import helper_work
from pages.shared.kit.part import Part, part
from pages.shared.link import inputs
from pages.shared.training import finetune_runs

if TYPE_CHECKING:
    from mlm_core.evaluation.seeds import Variant
    from mlm_core.finetuning.fine_tuned import FineTuned
    from mlm_core.finetuning.snapshot import FineTuneSnapshot
    from mlm_core.text.tokens import TokenizedText
    from pages.shared.server.helper_process import Work

RELATIONS = ("entailment", "neutral", "contradiction")  # the classes of the stored data
PAIRS_A_MESSAGE = 8  # pairs from one move of the bar to the next
MOST_KEPT = 6  # models whose answers a visit keeps
DONE = "classification_pairs_all_swapped"  # session state: by model, what it says of swapped pairs
GUESSES = ("chance", "some", "most")  # of what can be had above chance by the second text alone
SOME, MOST = 0.05, 0.3  # above the most frequent class, as a share of the test part
N_WORDS = 5  # of each class


@part()
def show(p: Part) -> None:
    """Take two sentences and show the classes in both orders, then the whole test part."""
    p.say("lead")
    chosen = finetune_runs.choose(p.page, ("entailment", "own_classes"), key="pairs_run")
    if chosen is None:
        return
    title, snapshot = chosen
    if not snapshot.data.has_pairs:
        p.note("no_pairs")
        return
    first, second = _own_pair(p)
    if first.strip() and second.strip():
        _show_pair(p, title, cache_finetuning.model(snapshot), first, second)
    else:
        p.note("empty", icon="edit")
    _show_order(p, snapshot)
    _show_accuracy(p, title, snapshot)
    p.say("paraphrase")
    p.code("pairs", Reading._labelled, fit_bag_of_words)


def _own_pair(p: Part) -> tuple[str, str]:
    def put(name: str) -> None:
        inputs.choose(p.key("pairs_first"), p.plain("sample"))
        inputs.choose(p.key("pairs_second"), p.plain(f"sample_{name}"))

    left, right = st.columns(2)
    with left:
        first = p.text("pairs_first")
    with right:
        second = p.text("pairs_second")
    with st.container(horizontal=True):
        for name in RELATIONS:
            key = p.key(f"pairs_put_{name}")
            st.button(p.label(f"put_{name}"), on_click=put, args=(name,), key=key)
    return first, second


def _show_pair(p: Part, title: str, model: "FineTuned", first: str, second: str) -> None:
    """Draw the tokens with their segments, then the classes as written and swapped."""
    text = model.read(first, second)
    if {token.segment for token in text.tokens if token.start < token.stop} != {0, 1}:
        p.note("empty", icon="edit")
        return
    inputs.say_what_was_left_out(text)
    _draw_segments(p, text)
    orders = {"as_written": (first, second), "swapped": (second, first)}
    likeliest = []
    for (name, texts), column in zip(orders.items(), st.columns(2, gap="medium"), strict=True):
        values = model.class_log_probabilities(*texts).exp().tolist()
        best = max(range(len(values)), key=values.__getitem__)
        likeliest.append((model.classes[best], values[best]))
        with column:
            p.say(name)
            bars = partial(bars_svg, model.classes, values, longest=1.0)
            table = {"class": list(model.classes), "probability": values}
            about: dict[str, Any] = {"run": title, "model": model.settings.model}
            about |= {"said": model.classes[best], "p": values[best]}
            p.figure(f"pairs_{name}", bars, table, source="source", **about)
    (said, probability), (swapped, p_swapped) = likeliest
    kind = "same" if said == swapped else "changed"
    p.say(kind, said=said, p=probability, swapped=swapped, p_swapped=p_swapped)
    if set(model.classes) == set(RELATIONS):
        written = [one for one in RELATIONS if second == p.plain(f"sample_{one}")]
        if written and first == p.plain("sample"):
            p.say("sample_right" if written[0] == said else "sample_wrong", right=written[0])
        p.say("logic")


def _draw_segments(p: Part, text: "TokenizedText") -> None:
    from mlm_core.figures.prediction.sentence_pairs import pair_html

    names = (p.plain("segment_0"), p.plain("segment_1"))
    html = pair_html(text.tokens, names, label=p.plain("chips_alt"))
    drawing(html, key=p.key("pairs_chips"))
    p.caption("segments", numbers=" ".join(map(str, text.segment_ids)))


# The whole test part with its texts swapped: which verdicts stay?


def _show_order(p: Part, snapshot: "FineTuneSnapshot") -> None:
    """Swap every pair of the test part when asked; say how many verdicts change."""
    from mlm_core.classification.pair_order import kept_by_class

    n = len(snapshot.data.test)
    name = f"classification swapped {hash(snapshot.settings)} {snapshot.step_of_weights}"
    done = st.session_state.setdefault(DONE, {})
    if name not in done:
        key, icon = p.key("pairs_swap_all"), ":material/swap_horiz:"
        if not st.button(p.label("swap_all", n=n), icon=icon, key=key):
            return
        done[name] = _swap(p, snapshot)
        for oldest in list(done)[:-MOST_KEPT]:
            del done[oldest]
    kept = kept_by_class(snapshot.tested.texts, done[name])
    p.say("swapped_all", n=n, changed=n - sum(one.n_kept for one in kept))
    rows = [[one.name, one.n_predicted, one.n_kept] for one in kept]
    Table(rows, [p.plain(column) for column in ("said", "n_said", "n_kept")]).show()
    p.caption("swapped_notice")


def _swap(p: Part, snapshot: "FineTuneSnapshot") -> list[str]:
    """Return the model's class of each test pair with its texts swapped."""
    from mlm_core.classification.pair_order import swapped_classes

    model, examples = cache_finetuning.model(snapshot), snapshot.data.test
    bar, begun, found = st.progress(0.0), time.monotonic(), []
    for said in swapped_classes(model, examples):
        found.append(said)
        if len(found) % PAIRS_A_MESSAGE == 0:
            share = len(found) / len(examples)
            left = (time.monotonic() - begun) * (1 / share - 1)
            bar.progress(share, p.label("swapping", seconds=left))
    bar.empty()
    return found


# How well are pairs classified, and how far does one get without reading the first sentence?


def _show_accuracy(p: Part, title: str, snapshot: "FineTuneSnapshot") -> None:
    """Ask for a guess, then show the run's accuracy beside three that need no encoder."""
    from mlm_core.evaluation.seeds import Variant, compare

    n = len(snapshot.data.test)
    p.say("figures", n=n)
    if snapshot.settings.data == "entailment":
        p.say("balanced")
    guess = p.guess("pairs", GUESSES)
    if guess is None:
        return
    found = helper_work.asked(lambda: _baselines(snapshot), "sklearn")
    if found is None:
        return
    shares = {"run": snapshot.result.proportion_right, **found.proportions_right}
    lead = shares["second"] - shares["majority"]
    truth = "most" if lead > MOST else "some" if lead > SOME else "chance"
    p.tell_right("pairs", truth)
    kind = "guess_right" if guess == truth else "guess_wrong"
    p.say(kind, **(shares | {"guess": p.plain(f"guess_{guess}")}))
    variants = {name: Variant(name=name, proportions=(share,)) for name, share in shares.items()}
    _draw_accuracies(p, title, variants, n)
    difference = compare(variants["run"], variants["second"], n)
    is_better = difference.is_significant and difference.difference > 0
    margins = {"difference": difference.difference, "margin": difference.margin, "n": n}
    p.say("able" if is_better else "weak", **shares, **margins)
    p.say("both", **shares)
    p.say("betray")
    heaviest = [[name, ", ".join(words)] for name, words in found.heaviest.items()]
    Table(heaviest, [p.plain("class"), p.plain("words")]).show()


def _draw_accuracies(p: Part, title: str, variants: "dict[str, Variant]", n: int) -> None:
    rows = [
        DotRow(name=p.plain(f"row_{name}"), values=(one.mean,), errors=(one.standard_error(n),))
        for name, one in variants.items()
    ]
    chart = dots_chart(rows, (p.plain("accuracy"),), low=0.0, high=1.0, x_title=p.plain("axis"))
    table = {
        "classified_by": [row.name for row in rows],
        "accuracy": [row.values[0] for row in rows],
        "standard_error": [row.errors[0] for row in rows],
    }
    told = ", ".join(f"{row.name} {formatted(row.values[0], '.2f')}" for row in rows)
    p.figure("pairs_figures", chart, table, figures=told, run=title, n=n)


def _baselines(snapshot: "FineTuneSnapshot") -> "Work":
    """Return the work on three proportions right, and the second text's telling words.

    It is remembered by the examples that the run learnt from.
    """
    from mlm_core.classification.bag_of_words import pair_baselines
    from pages.shared.server.helper_process import Work

    settings, dataset = snapshot.settings, snapshot.data
    own = sha256((settings.own_data or "").encode()).hexdigest()
    seed = settings.seed if settings.n_examples else ""
    return cache.remembered(
        f"classification pairs {settings.data} {own} {settings.n_examples} {seed}",
        lambda: Work(pair_baselines, dataset.train, dataset.test, N_WORDS),
    )
