"""The whole test part with its texts swapped: which verdicts stay?"""

import time
from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.number_format import formatted
from pages.shared import cache_finetuning
from pages.shared.frame import Page
from pages.shared.table import Table

if TYPE_CHECKING:
    from mlm_core.finetuning.snapshot import FineTuneSnapshot

PAIRS_A_MESSAGE = 8  # pairs from one move of the bar to the next
MOST_KEPT = 6  # models whose answers a visit keeps
DONE = "classification_pairs_all_swapped"  # session state: by model, what it says of swapped pairs


def show_order(page: Page, snapshot: "FineTuneSnapshot") -> None:
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
