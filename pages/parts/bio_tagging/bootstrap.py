"""Is tagger A better than tagger B? A thousand resamples of the test part, and one verdict."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.tagging.resamples import strips_svg
from mlm_core.number_format import formatted
from pages.parts.bio_tagging.bootstrap_verdict import GUESS, show_verdict, told
from pages.shared.figures.show import show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.guess import ask_for_guess
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs, seeds
from pages.shared.training import finetune_runs

if TYPE_CHECKING:
    from mlm_core.evaluation.bootstrap import Average, Resample
    from mlm_core.finetuning.snapshot import FineTuneSnapshot

N_RESAMPLES, N_SHOWN = 1_000, 5
LARGEST_SEED = 100
DATA = ("entities", "own_tags")
SIDES = ("bio_tagging_bootstrap_a", "bio_tagging_bootstrap_b")
FIRST_B = "entities_head"


@part
def show(page: Page) -> None:
    """Choose two taggers, draw resamples, ask for a guess, and give the verdict."""
    import numpy as np

    from mlm_core.evaluation.bootstrap import first_resamples, paired_bootstrap
    from mlm_core.tagging.scores import count_pairs

    words = page.words
    st.markdown(words.section("bootstrap.lead"))
    both = _choose_two(page)
    if both is None:
        return
    (name_a, run_a), (name_b, run_b) = both
    average, seed = _average_and_seed(page)
    gold, spans_a, spans_b, types = _spans(run_a, run_b)
    counts = [count_pairs(gold, spans, types) for spans in (spans_a, spans_b)]
    rng, again = np.random.default_rng(seed), np.random.default_rng(seed)
    found = paired_bootstrap(*counts, N_RESAMPLES, rng, average)
    firsts = first_resamples(*counts, N_SHOWN, N_RESAMPLES, again, average)
    source = words.plain(
        "bootstrap_source",
        a=name_a,
        b=name_b,
        n=len(gold),
        resamples=formatted(N_RESAMPLES, ","),
        seed=seed,
        average=average,
    )
    st.markdown(words.section("bootstrap.scores", **told(found, name_a, name_b), n=len(gold)))
    if found.delta < 0:
        st.info(words.section("bootstrap.behind"), icon=":material/info:")
    if name_a == name_b:
        st.info(words.section("bootstrap.same"), icon=":material/info:")
    _show_first_sets(page, firsts, source)
    asked = (name_a, name_b, average, seed)
    if not ask_for_guess(page, "bootstrap", ("rare", "common"), key=GUESS, about=asked):
        return
    show_verdict(page, found, source)
    st.markdown(words.section("bootstrap.notice"))
    show_source(paired_bootstrap, count_pairs, key="bio_tagging_bootstrap_code")


def _average_and_seed(page: Page) -> "tuple[Average, int]":
    """Show how types are averaged, and the number that all drawing comes from."""
    from mlm_core.evaluation.bootstrap import AVERAGES

    words = page.words
    with st.container(horizontal=True, vertical_alignment="bottom"):
        average = inputs.choice(
            words.label("average"), {name: name for name in AVERAGES}, key="bio_tagging_average"
        )
        seed = inputs.slider(
            words.label("seed"),
            1,
            LARGEST_SEED,
            seeds.start(1, 1, LARGEST_SEED),
            key="bio_tagging_seed",
            width=220,
        )
        inputs.button(
            words.label("bootstrap_swap"),
            changes=SIDES,
            on_click=_swap,
            icon=":material/swap_horiz:",
            type="tertiary",
            key="bio_tagging_bootstrap_swap",
        )
    return average, seed


def _swap() -> None:
    names = [st.session_state[key] for key in SIDES]
    for key, name in zip(SIDES, reversed(names), strict=True):
        inputs.choose(key, name)


def _choose_two(
    page: Page,
) -> "tuple[tuple[str, FineTuneSnapshot], tuple[str, FineTuneSnapshot]] | None":
    """Show both pickers; say what stands in the way, and return None, if they can't be compared."""
    words = page.words
    chosen = []
    _start_apart()
    for side, column in zip(("a", "b"), st.columns(2), strict=True):
        with column:
            st.markdown(f"**{words.label(f'tagger_{side}')}**")
            key = f"bootstrap_{side}"
            chosen.append(finetune_runs.choose(page, DATA, with_weights=False, key=key))
    if None in chosen:
        return None
    runs = [run for _, run in chosen]
    if any(run.predictions is None or run.dataset is None for run in runs):
        st.info(words.section("no_predictions"), icon=":material/hourglass:")
        return None
    if runs[0].dataset.test != runs[1].dataset.test:
        lengths = {name: len(run.dataset.test) for name, run in zip("ab", runs, strict=True)}
        st.warning(words.section("bootstrap.other_test", **lengths), icon=":material/rule:")
        return None
    return chosen[0], chosen[1]


def _start_apart() -> None:
    """Let B start with another run than A, which starts with the one that trained most layers."""
    key = SIDES[1]
    if key not in st.session_state and key not in st.query_params:
        rivals = finetune_runs.stored_runs(DATA, with_weights=False)
        if FIRST_B in rivals:
            st.session_state[key] = FIRST_B


def _spans(run_a: "FineTuneSnapshot", run_b: "FineTuneSnapshot") -> tuple:
    from mlm_core.tagging.bio_tags import decode
    from mlm_core.tagging.scores import types_in

    gold = [example.spans for example in run_a.dataset.test]
    said = [
        [decode(tags, run.settings.scheme, "conlleval") for tags in run.predictions.predicted]
        for run in (run_a, run_b)
    ]
    return gold, *said, types_in(gold, *said)


# The first drawn sets one by one: which sentences they hold, and how much A leads on each.


def _show_first_sets(page: Page, sets: "Sequence[Resample]", source: str) -> None:
    """Draw how often each sentence is in each set; the leads stand in a table below."""
    words = page.words
    first = sets[0]
    most = max(first.times)
    st.markdown(
        words.section(
            "bootstrap.drawn",
            n=len(first.times),
            left_out=first.n_left_out,
            share=formatted(100 * first.n_left_out / len(first.times), ".0f"),
            most=most,
            number=first.times.index(most),
        )
    )
    names = [words.plain("resample", n=i) for i in range(1, len(sets) + 1)]
    table = Table(
        {
            words.plain("resample_set"): names,
            words.plain("resample_left_out"): [one.n_left_out for one in sets],
            words.plain("resample_a"): [round(one.score_a, 4) for one in sets],
            words.plain("resample_b"): [round(one.score_b, 4) for one in sets],
            words.plain("resample_delta"): [round(one.delta, 4) for one in sets],
        }
    )
    show_drawing(
        strips_svg(
            [words.plain("resample_all"), *names],
            [(1,) * len(first.times), *(one.times for one in sets)],
            alt=words.plain("resample_alt", n=len(sets)),
        ),
        key="bio_tagging_sets",
        table=lambda: _all_sentences(names, sets),
        source=source,
    )
    table.show()


def _all_sentences(names: Sequence[str], sets: "Sequence[Resample]") -> Table:
    return Table(
        {
            "sentence": range(len(sets[0].times)),
            **{name: one.times for name, one in zip(names, sets, strict=True)},
        }
    )
