"""The encoders of a visit: those that a learner trained in it, and that of their class.

They stand in the session's state and go with it, the class's with its room. Their names are unique
over the whole server, because the shared caches know models by name; a name alone reaches nothing
in another session.
"""

import secrets
from typing import TYPE_CHECKING

import streamlit as st

from pages.server.process.model_choice import OWN_PREFIX, ModelChoice, allowed_models

if TYPE_CHECKING:
    from mlm_core.encoder.language_model import OwnModel

KEPT = "own_models"  # session state: the models by name
LENT = "own_models_lent"  # session state: that of the class, which the whole room shares, by name
PREFIX = OWN_PREFIX
MOST = 3  # models a visit keeps; the oldest goes first


def keep(model: "OwnModel") -> str:
    """Keep a model for this visit and return the name it has in the picker."""
    kept = st.session_state.setdefault(KEPT, {})
    model.name = PREFIX + secrets.token_hex(5)
    kept[model.name] = model
    for oldest in list(kept)[:-MOST]:
        del kept[oldest]
    return model.name


def lend(model: "OwnModel | None") -> None:
    """Offer the class's encoder in this visit, in place of the one before; None takes it back."""
    st.session_state[LENT] = {} if model is None else {model.name: model}


def choices() -> dict[str, ModelChoice]:
    """Return the models this learner may choose: the server's list, their own, the class's."""
    own = {name: ModelChoice(name=name, source="own") for name in st.session_state.get(KEPT, {})}
    lent = {name: ModelChoice(name=name, source="class") for name in st.session_state.get(LENT, {})}
    return allowed_models() | own | lent


def get(name: str) -> "OwnModel | None":
    """Return a model of this visit, or None."""
    lent = st.session_state.get(LENT, {}).get(name)
    return lent or st.session_state.get(KEPT, {}).get(name)
