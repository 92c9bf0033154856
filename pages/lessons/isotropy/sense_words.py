"""1-NN sense choices on the stored words under each treatment, with a bar while they are made."""

import streamlit as st

from mlm_core.embeddings.postprocessing import Postprocessing
from mlm_core.shapes import Bool, Tensor
from pages.kit.caches import cache_senses
from pages.kit.part import Part
from pages.lessons.isotropy import computed, setting
from pages.server.course.language import FIRST, read_on

FEW_WORDS = 5  # that say little about others
MOST_KEPT = 12  # settings that a visit remembers to have measured
DONE = "isotropy_senses_done"  # session state: the settings measured in this visit


def sense_words() -> tuple[str, ...]:
    """Return the names of the stored words in the language that the lesson reads."""
    return cache_senses.stored_names(read_on("isotropy"))


def title_of(name: str) -> str:
    """Return how a chart calls a stored word: "bat", "Bank"."""
    word = cache_senses.stored_word(name)
    return name if word.language == FIRST else word.word


def say_few(p: Part) -> None:
    """Say so if there are few words, and which."""
    names = sense_words()
    if len(names) < FEW_WORDS:
        n_senses = [(title_of(name), len(cache_senses.stored_word(name).senses)) for name in names]
        words = ", ".join(f"{title} ({n})" for title, n in n_senses)
        p.caption("senses.few", n=len(names), words=words)


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
                right.append(computed.right_senses(view.corpus, word, name, n_dropped))
            told(n_done, len(names))
    done = (*p.state.get("senses_done", ()), (view.corpus, view.n_dropped))
    p.state["senses_done"] = tuple(dict.fromkeys(done))[-MOST_KEPT:]
    return {name: torch.cat(right, dim=1) for name, right in found.items()}
