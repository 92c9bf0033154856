"""Is tagger A better than tagger B? A thousand resamples of the test part, and one verdict."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.resamples import leads_svg
from pages.parts.bio_tagging.bootstrap_sets import show_first_sets
from pages.shared import finetune_runs, inputs
from pages.shared.frame import Page, part
from pages.shared.show import show_drawing
from pages.shared.source import show_source
from pages.shared.table import Table

if TYPE_CHECKING:
    from mlm_core.finetuning.bootstrap import Bootstrap
    from mlm_core.finetuning.finetune_snapshot import FineTuneSnapshot

N_RESAMPLES = 1_000
LARGEST_SEED = 100
LEVEL = 0.05  # the usual border, which is a convention and no law
DATA = ("entities", "own_tags")
FIRST_B = "entities_head"
GUESS, GUESSED = "bio_tagging_bootstrap_guess", "bio_tagging_bootstrap_guessed"


@part
def show(page: Page) -> None:
    """Choose two taggers, draw resamples, ask for a guess, and give the verdict."""
    import numpy as np

    from mlm_core.finetuning.bootstrap import AVERAGES, count_pairs, paired_bootstrap
    from mlm_core.finetuning.resample_steps import first_resamples

    words = page.words
    st.markdown(words.section("bootstrap.lead"))
    both = _choose_two(page)
    if both is None:
        return
    (name_a, run_a), (name_b, run_b) = both
    with st.container(horizontal=True, vertical_alignment="bottom"):
        average = inputs.choice(
            words.label("average"), {name: name for name in AVERAGES}, key="bio_tagging_average"
        )
        seed = st.slider(
            words.label("seed"),
            1,
            LARGEST_SEED,
            1,
            key="bio_tagging_seed",
            bind="query-params",
            width=220,
        )
    gold, spans_a, spans_b, types = _spans(run_a, run_b)
    counts = [count_pairs(gold, spans, types) for spans in (spans_a, spans_b)]
    rng = np.random.default_rng(seed)
    found = paired_bootstrap(*counts, N_RESAMPLES, rng, average)
    firsts = first_resamples(
        *counts, min(5, N_RESAMPLES), N_RESAMPLES, np.random.default_rng(seed), average
    )
    source = words.plain(
        "bootstrap_source",
        a=name_a,
        b=name_b,
        n=len(gold),
        resamples=f"{N_RESAMPLES:,}",
        seed=seed,
        average=average,
    )
    st.markdown(words.section("bootstrap.scores", **_told(found, name_a, name_b), n=len(gold)))
    if found.delta < 0:
        st.info(words.section("bootstrap.behind"), icon=":material/info:")
    if name_a == name_b:
        st.info(words.section("bootstrap.same"), icon=":material/info:")
    show_first_sets(page, firsts, source)
    if _guess(page, (name_a, name_b, average, seed)) is None:
        st.caption(words.section("bootstrap.guess_first"))
        return
    _verdict(page, found, source)
    st.markdown(words.section("bootstrap.notice"))
    show_source(paired_bootstrap, count_pairs, key="bio_tagging_bootstrap_code")


def _choose_two(
    page: Page,
) -> "tuple[tuple[str, FineTuneSnapshot], tuple[str, FineTuneSnapshot]] | None":
    """Show both pickers; say what stands in the way, and return None, if they can't be compared."""
    words = page.words
    chosen = []
    _start_apart(page)
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


def _start_apart(page: Page) -> None:
    """Let B start with another run than A, which starts with the one that trained most layers."""
    key = f"{page.lesson.slug}_bootstrap_b"
    if key not in st.session_state and key not in st.query_params:
        rivals = finetune_runs.stored_runs(DATA, with_weights=False)
        if FIRST_B in rivals:
            st.session_state[key] = FIRST_B


def _spans(run_a: "FineTuneSnapshot", run_b: "FineTuneSnapshot") -> tuple:
    from mlm_core.finetuning.bio_tags import decode
    from mlm_core.finetuning.tag_scores import types_in

    gold = [example.spans for example in run_a.dataset.test]
    said = [
        [decode(tags, run.settings.scheme, "conlleval") for tags in run.predictions.said]
        for run in (run_a, run_b)
    ]
    return gold, *said, types_in(gold, *said)


def _guess(page: Page, asked: tuple) -> str | None:
    """Ask for a guess; one about other taggers is forgotten."""
    if st.session_state.get(GUESSED) != asked:
        st.session_state[GUESSED] = asked
        st.session_state[GUESS] = None
    return st.segmented_control(
        page.words.label("bootstrap_guess"),
        ["rare", "common"],
        format_func=lambda name: page.words.label(f"bootstrap_guess_{name}"),
        key=GUESS,
    )


def _verdict(page: Page, found: "Bootstrap", source: str) -> None:
    words = page.words
    told = _told(found, "A", "B")
    answer = "rare" if found.p_value < LEVEL else "common"
    is_right = st.session_state[GUESS] == answer
    st.markdown(words.section(f"bootstrap.guess_{'right' if is_right else 'wrong'}", **told))
    names = [words.plain(f"bootstrap_mark_{name}", **told) for name in ("zero", "delta", "twice")]
    show_drawing(
        leads_svg(
            found.deltas.tolist(),
            found.delta,
            names=names,
            x_title=words.plain("bootstrap_x"),
            alt=words.plain("bootstrap_alt", **told),
        ),
        key="bio_tagging_leads",
        table=lambda: Table(
            {
                "resample": range(1, len(found.deltas) + 1),
                "delta": found.deltas.tolist(),
                "at_least_2_delta": ["yes" if beyond else "no" for beyond in _beyond(found)],
            }
        ),
        source=source,
    )
    st.markdown(words.section("bootstrap.why_twice", **told))
    if found.delta <= 0:
        verdict = "behind_verdict"
    elif found.p_value < LEVEL:
        verdict = "better"
    else:
        verdict = "open"
    st.markdown(words.section(f"bootstrap.{verdict}", **told))
    st.markdown(words.section("bootstrap.meaning", **told))


def _beyond(found: "Bootstrap") -> list[bool]:
    from mlm_core.finetuning.bootstrap import SLACK

    return (found.deltas >= 2 * found.delta - SLACK).tolist()


def _told(found: "Bootstrap", name_a: str, name_b: str) -> dict[str, object]:
    """Return the numbers as the page's sentences take them."""
    n = len(found.deltas)
    return {
        "a": name_a,
        "b": name_b,
        "f1_a": f"{found.score_a:.3f}",
        "f1_b": f"{found.score_b:.3f}",
        "delta": _signed(found.delta),
        "twice": _signed(2 * found.delta),
        "beyond": f"{found.n_as_large:,}",
        "resamples": f"{n:,}",
        "p": f"= {found.p_value:.3f}" if found.n_as_large else f"< {1 / n:g}",
        "mean": _signed(float(found.deltas.mean())),
        "low": _signed(float(found.deltas.min())),
        "high": _signed(float(found.deltas.max())),
    }


def _signed(value: float) -> str:
    return f"{value:+.3f}".replace("-", "\u2212").replace("+0.000", "0.000")
