"""1-NN sense choices on the stored words under each treatment, with a bar while they are made."""

import streamlit as st

from mlm_core.embeddings.postprocessing import Postprocessing
from mlm_core.shapes import Bool, Tensor
from pages.parts.isotropy import setting
from pages.shared.caches import cache_senses, cache_vectors
from pages.shared.kit.part import Part

MOST_KEPT = 12  # settings that a visit remembers to have measured
DONE = "isotropy_senses_done"  # session state: the settings measured in this visit
LANGUAGE = "en"  # the corpus that mean and deviation come from is English too


def sense_words() -> tuple[str, ...]:
    """Return the names of the stored English words."""
    return cache_senses.stored_names(LANGUAGE)


def is_measured(view: setting.View) -> bool:
    """Return whether this visit has measured this setting, so that it is there at once."""
    return (view.corpus, view.n_dropped) in st.session_state.get(DONE, ())


def measure(p: Part, view: setting.View) -> dict[Postprocessing, Bool[Tensor, "layer sentence"]]:
    """Return for each treatment which uses were right, word after word."""
    import torch

    names, found = sense_words(), {name: [] for name in setting.POSTPROCESSINGS}
    with p.reported("measuring_senses") as told:
        for n_done, word in enumerate(names, 1):
            for name, right in found.items():
                # Only one of them depends on how many are dropped.
                n_dropped = view.n_dropped if name == "dropped" else 0
                right.append(cache_vectors.right_senses(view.corpus, word, name, n_dropped))
            told(n_done, len(names))
    done = (*st.session_state.get(DONE, ()), (view.corpus, view.n_dropped))
    st.session_state[DONE] = tuple(dict.fromkeys(done))[-MOST_KEPT:]
    return {name: torch.cat(right, dim=1) for name, right in found.items()}
