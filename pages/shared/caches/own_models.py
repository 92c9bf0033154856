"""The encoders that a learner trained in this visit: in their own model picker, nobody else's.

They stand in the session's state and go with it. Their names are unique over the whole server,
because the shared caches know models by name; a name alone reaches nothing in another session.
"""

import secrets
from typing import TYPE_CHECKING

import streamlit as st

from pages.shared.server.model_choice import OWN_PREFIX, ModelChoice, allowed_models

if TYPE_CHECKING:
    from mlm_core.encoder.language_model import OwnModel

KEPT = "own_models"  # session state: the models by name
PREFIX = OWN_PREFIX
MOST = 3  # models a visit keeps; the oldest goes first


def keep(model: "OwnModel", name: str = "") -> str:
    """Keep a model for this visit and return the name it has in the picker.

    A model that several visits share has one `name` in all of them.
    """
    kept = st.session_state.setdefault(KEPT, {})
    model.name = name or PREFIX + secrets.token_hex(5)
    kept[model.name] = model
    for oldest in list(kept)[:-MOST]:
        del kept[oldest]
    return model.name


def choices() -> dict[str, ModelChoice]:
    """Return the models this learner may choose: the server's list, then their own."""
    own = {name: ModelChoice(name=name, source="own") for name in st.session_state.get(KEPT, {})}
    return allowed_models() | own


def get(name: str) -> "OwnModel | None":
    """Return a model of this visit, or None."""
    return st.session_state.get(KEPT, {}).get(name)
