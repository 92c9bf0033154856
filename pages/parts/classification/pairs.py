"""Two sentences at once: does the second follow from the first? And does their order matter?"""

import time
from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.classification.bag_of_words import fit_bag_of_words
from mlm_core.figures.bars import bars_svg
from mlm_core.finetuning.encoded_examples import Reading
from mlm_core.number_format import formatted
from pages.parts.classification.pairs_figures import show_figures
from pages.shared.caches import cache_finetuning
from pages.shared.figures.clickable import drawing
from pages.shared.figures.show import show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs
from pages.shared.training import finetune_runs

if TYPE_CHECKING:
    from mlm_core.finetuning.fine_tuned import FineTuned
    from mlm_core.finetuning.snapshot import FineTuneSnapshot
    from mlm_core.text.tokens import TokenizedText

FIRST, SECOND = "classification_pairs_first", "classification_pairs_second"
RELATIONS = ("entailment", "neutral", "contradiction")  # the classes of the stored data
PAIRS_A_MESSAGE = 8  # pairs from one move of the bar to the next
MOST_KEPT = 6  # models whose answers a visit keeps
DONE = "classification_pairs_all_swapped"  # session state: by model, what it says of swapped pairs


@part
def show(page: Page) -> None:
    """Take two sentences and show the classes in both orders, then the whole test part."""
    words = page.words
    st.markdown(words.section("pairs.lead"))
    chosen = finetune_runs.choose(page, ("entailment", "own_classes"), key="pairs_run")
    if chosen is None:
        return
    title, snapshot = chosen
    if not snapshot.dataset.has_pairs:
        st.info(words.section("pairs.no_pairs"), icon=":material/info:")
        return
    first, second = _own_pair(page)
    if first.strip() and second.strip():
        _show_pair(page, title, cache_finetuning.model(snapshot), first, second)
    else:
        st.info(words.section("pairs.empty"), icon=":material/edit:")
    _show_order(page, snapshot)
    show_figures(page, title, snapshot)
    st.markdown(words.section("pairs.paraphrase"))
    show_source(Reading._labelled, fit_bag_of_words, key="classification_pairs_code")


def _own_pair(page: Page) -> tuple[str, str]:
    words = page.words

    def put(name: str) -> None:
        inputs.choose(FIRST, words.plain("pairs_sample"))
        inputs.choose(SECOND, words.plain(f"pairs_sample_{name}"))

    left, right = st.columns(2)
    with left:
        first = inputs.text(words.label("pairs_first"), words.plain("pairs_sample"), key=FIRST)
    with right:
        sample = words.plain("pairs_sample_entailment")
        second = inputs.text(words.label("pairs_second"), sample, key=SECOND)
    with st.container(horizontal=True):
        for name in RELATIONS:
            st.button(
                words.label(f"pairs_put_{name}"),
                on_click=put,
                args=(name,),
                key=f"classification_pairs_put_{name}",
            )
    return first, second


# One pair: its tokens in two segments, and its classes in both orders.


def _show_pair(page: Page, title: str, model: "FineTuned", first: str, second: str) -> None:
    """Draw the tokens with their segments, then the classes as written and swapped."""
    words = page.words
    text = model.read(first, second)
    if {token.segment for token in text.tokens if token.start < token.stop} != {0, 1}:
        st.info(words.section("pairs.empty"), icon=":material/edit:")
        return
    inputs.say_what_was_left_out(text)
    _chips(page, text)
    found = {
        "as_written": model.class_log_probabilities(first, second).exp().tolist(),
        "swapped": model.class_log_probabilities(second, first).exp().tolist(),
    }
    likeliest = {}
    for (name, values), column in zip(found.items(), st.columns(2, gap="medium"), strict=True):
        best = max(range(len(values)), key=values.__getitem__)
        likeliest[name] = (model.classes[best], formatted(values[best], ".2f"))
        with column:
            st.markdown(words.section(f"pairs.{name}"))
            said, p = likeliest[name]
            show_drawing(
                bars_svg(
                    model.classes,
                    values,
                    longest=1.0,
                    alt=words.plain(f"pairs_{name}_alt", said=said, p=p),
                ),
                key=f"classification_pairs_{name}",
                table=Table({"class": list(model.classes), "probability": values}),
                source=words.label("pairs_source", run=title, model=model.settings.model),
            )
    (said, p), (swapped, p_swapped) = likeliest.values()
    st.markdown(
        words.section(
            "pairs.same" if said == swapped else "pairs.changed",
            said=said,
            p=p,
            swapped=swapped,
            p_swapped=p_swapped,
        )
    )
    if set(model.classes) == set(RELATIONS):
        written = [r for r in RELATIONS if second == words.plain(f"pairs_sample_{r}")]
        if written and first == words.plain("pairs_sample"):
            kind = "sample_right" if written[0] == said else "sample_wrong"
            st.markdown(words.section(f"pairs.{kind}", right=written[0]))
        st.markdown(words.section("pairs.logic"))


def _chips(page: Page, text: "TokenizedText") -> None:
    from mlm_core.figures.prediction.sentence_pairs import pair_html

    words = page.words
    names = (words.plain("pairs_segment_0"), words.plain("pairs_segment_1"))
    drawing(
        pair_html(text.tokens, names, label=words.plain("pairs_chips_alt")),
        key="classification_pairs_chips",
    )
    numbers = " ".join(map(str, text.segment_ids))
    st.caption(words.section("pairs.segments", numbers=numbers))


# The whole test part with its texts swapped: which verdicts stay?


def _show_order(page: Page, snapshot: "FineTuneSnapshot") -> None:
    """Swap every pair of the test part when asked; say how many verdicts change."""
    from mlm_core.classification.pair_order import kept_by_class

    words, n = page.words, len(snapshot.dataset.test)
    name = f"classification swapped {hash(snapshot.settings)} {snapshot.weights.step}"
    done = st.session_state.setdefault(DONE, {})
    if name not in done:
        if not st.button(
            words.label("pairs_swap_all", n=n),
            icon=":material/swap_horiz:",
            key="classification_pairs_swap_all",
        ):
            return
        done[name] = _swap(page, snapshot)
        for oldest in list(done)[:-MOST_KEPT]:
            del done[oldest]
    kept = kept_by_class(snapshot.predictions.predicted, done[name])
    n_changed = n - sum(one.n_kept for one in kept)
    st.markdown(words.section("pairs.swapped_all", n=n, changed=n_changed))
    Table(
        {
            words.plain("pairs_said"): [one.name for one in kept],
            words.plain("pairs_n_said"): [one.n_predicted for one in kept],
            words.plain("pairs_n_kept"): [one.n_kept for one in kept],
        }
    ).show()
    st.caption(words.section("pairs.swapped_notice"))


def _swap(page: Page, snapshot: "FineTuneSnapshot") -> list[str]:
    """Return the model's class of each test pair with its texts swapped."""
    from mlm_core.classification.pair_order import swapped_classes

    model, examples = cache_finetuning.model(snapshot), snapshot.dataset.test
    bar, begun, found = st.progress(0.0), time.monotonic(), []
    for said in swapped_classes(model, examples):
        found.append(said)
        if len(found) % PAIRS_A_MESSAGE:
            continue
        share = len(found) / len(examples)
        left = (time.monotonic() - begun) * (1 / share - 1)
        bar.progress(share, page.words.label("pairs_swapping", seconds=formatted(left, ".0f")))
    bar.empty()
    return found
