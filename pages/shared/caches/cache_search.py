"""What sentence search keeps for all: the stored pairs, and vectors of the sentences searched."""

from typing import TYPE_CHECKING

import streamlit as st

from pages.shared.caches import cache

if TYPE_CHECKING:
    from mlm_core.finetuning.heads import Pooling
    from mlm_core.search.graded_pairs import SearchTask
    from mlm_core.shapes import Tensor

    Vectors = dict[Pooling, Tensor]


@st.cache_resource(max_entries=3, show_spinner=False)
def task(part: str = "test") -> "SearchTask":
    """Return the search that the graded pairs of a part make."""
    from mlm_core.labelled.tables import stored_paraphrases
    from mlm_core.search.graded_pairs import search_task

    return search_task(one for one in stored_paraphrases() if one.part == part)


# Some 160 sentences of 256 numbers, by two poolings: 0.3 MB.
@st.cache_resource(max_entries=24, show_spinner=False)
def vectors(model_name: str, texts: tuple[str, ...]) -> "Vectors":
    """Return one vector for each text, by each pooling."""
    from mlm_core.search.vectors import pooled_vectors

    with cache.long_work_lock():
        return pooled_vectors(cache.model(model_name), texts)
