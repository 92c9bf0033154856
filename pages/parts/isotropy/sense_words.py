"""1-NN sense choices on the stored words under each treatment, with a bar while they are made."""

from typing import TYPE_CHECKING

import streamlit as st

from pages.parts.isotropy import setting
from pages.shared.caches import cache_senses, cache_vectors
from pages.shared.frame.page_frame import Page

if TYPE_CHECKING:
    from mlm_core.embeddings.postprocessing import Postprocessing
    from mlm_core.shapes import Tensor

MOST_KEPT = 12  # settings that a visit remembers to have measured
DONE = "isotropy_senses_done"  # session state: the settings measured in this visit
LANGUAGE = "en"  # the corpus that mean and deviation come from is English too


def sense_words() -> tuple[str, ...]:
    """Return the names of the stored English words."""
    return cache_senses.stored_names(LANGUAGE)


def is_measured(page: Page, view: setting.View) -> bool:
    """Return whether this visit has measured this setting, so that it is there at once."""
    return (view.corpus, view.n_dropped) in st.session_state.get(DONE, ())


def measure(page: Page, view: setting.View) -> "dict[Postprocessing, Tensor]":
    """Return for each treatment what was right [layer use], word after word."""
    import torch

    names, found = sense_words(), {postprocessing: [] for postprocessing in setting.POSTPROCESSINGS}
    with setting.progress(page, "measuring_senses") as told:
        for n_done, name in enumerate(names, 1):
            for postprocessing, parts in found.items():
                # Only one of them depends on how many are dropped.
                n_dropped = view.n_dropped if postprocessing == "dropped" else 0
                parts.append(
                    cache_vectors.right_senses(view.corpus, name, postprocessing, n_dropped)
                )
            told(n_done, len(names))
    done = (*st.session_state.get(DONE, ()), (view.corpus, view.n_dropped))
    st.session_state[DONE] = tuple(dict.fromkeys(done))[-MOST_KEPT:]
    return {postprocessing: torch.cat(parts, dim=1) for postprocessing, parts in found.items()}


def by_word(right: "Tensor") -> "dict[str, Tensor]":
    """Return what was right at one layer [use], cut into the words again."""
    sizes = [len(cache_senses.stored_word(name).sentences) for name in sense_words()]
    return dict(zip(sense_words(), right.split(sizes), strict=True))
