"""The encoders of a visit: those that a learner trained in it, and that of their class.

They stand in the session's state and go with it, the class's with its room. Their names are unique
over the whole server, because the shared caches know models by name; a name alone reaches nothing
in another session.
"""

import secrets
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pages.server import session
from pages.server.process.model_choice import OWN_PREFIX, ModelChoice, allowed_models

if TYPE_CHECKING:
    from mlm_core.encoder.language_model import OwnModel

PREFIX = OWN_PREFIX
MOST = 3  # models a visit keeps; the oldest goes first


@dataclass
class OwnModels:
    """The encoders of a visit by their names."""

    kept: "dict[str, OwnModel]" = field(default_factory=dict)  # the oldest first
    lent: "dict[str, OwnModel]" = field(default_factory=dict)  # the class's, which the room shares


def keep(model: "OwnModel") -> str:
    """Keep a model for this visit and return the name it has in the picker."""
    kept = session.of(OwnModels).kept
    model.name = PREFIX + secrets.token_hex(5)
    kept[model.name] = model
    for oldest in list(kept)[:-MOST]:
        del kept[oldest]
    return model.name


def lend(model: "OwnModel | None") -> None:
    """Offer the class's encoder in this visit, in place of the one before; None takes it back."""
    session.of(OwnModels).lent = {} if model is None else {model.name: model}


def choices() -> dict[str, ModelChoice]:
    """Return the models this learner may choose: the server's list, their own, the class's."""
    models = session.of(OwnModels)
    own = {name: ModelChoice(name=name, source="own") for name in models.kept}
    lent = {name: ModelChoice(name=name, source="class") for name in models.lent}
    return allowed_models() | own | lent


def get(name: str) -> "OwnModel | None":
    """Return a model of this visit, or None."""
    models = session.of(OwnModels)
    return models.lent.get(name) or models.kept.get(name)
