"""What the parts of this lesson share: the word, the layer, and how a vector is made."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import streamlit as st

from mlm_core.embeddings.senses_data import SenseWord
from pages.shared.caches import cache, cache_senses
from pages.shared.frame.page_frame import Page
from pages.shared.link import inputs, whole_page
from pages.shared.link.film import Film

if TYPE_CHECKING:
    from mlm_core.embeddings.contextual import Layer, Pooling
    from mlm_core.embeddings.word_senses import Method

WORD, LAYER, MIX, JOIN, METHOD, POINT = (
    f"word_senses_{name}" for name in ("word", "layer", "mix", "join", "method", "point")
)
FILM = Film("word_senses", LAYER, seconds=1.0)
FIRST_WORD = "bank"
MIXES = ("one", "mean_last_4", "sum_last_4")
JOINS = ("mean", "first")
METHODS = ("centroids", "examples")


@dataclass(frozen=True, kw_only=True)
class Setting:
    """What the lesson is about just now."""

    model_name: str
    name: str  # of the stored word
    layer: "Layer"
    pooling: "Pooling"
    method: "Method"

    @property
    def word(self) -> SenseWord:
        """Return the stored word with its senses and sentences."""
        return cache_senses.stored_word(self.name)


def choose_word(page: Page) -> str:
    """Show the list of stored words; another word begins at its first point."""
    names = {name: word_title(page, name) for name in cache_senses.stored_names()}
    before = st.session_state.get(WORD)
    name = inputs.listed(
        page.words.label("word"), names, key=WORD, default=FIRST_WORD, on_change=_tell_the_rest
    )
    if before is not None and before != name:
        st.session_state.pop(POINT, None)
        st.query_params.pop(POINT, None)
    return name


def choose_details(page: Page) -> None:
    """Show how a use becomes a vector, and how its sense is judged."""
    words = page.words
    with st.popover(words.label("details"), icon=":material/tune:"):
        for key, names in ((MIX, MIXES), (JOIN, JOINS), (METHOD, METHODS)):
            kind = key.removeprefix("word_senses_")
            options = {name: words.label(f"{kind}_{name}") for name in names}
            inputs.choice(words.label(kind), options, key=key, on_change=_tell_the_rest)
        st.markdown(words.section("details"))


def layers(page: Page) -> list[str]:
    """Return the names of the model's layers, from the embedding output, 0, to the last."""
    return [str(i) for i in range(cache.model(page.model_name).n_layers + 1)]


def choose_layer(page: Page, *, key: str = LAYER) -> int:
    """Show the layers along a slider, from the embedding output to the last."""
    names = layers(page)
    tell = _tell_the_rest if key == LAYER else None  # another part's own layer concerns it alone
    label = page.words.label("layer")
    options = {name: name for name in names}
    return int(inputs.step(label, options, key=key, default=names[-1], on_change=tell))


def current(page: Page) -> Setting:
    """Return the setting as the opening's widgets have it."""
    mix = _state(MIX, MIXES)
    return Setting(
        model_name=page.model_name,
        name=_state(WORD, (FIRST_WORD, *cache_senses.stored_names())),
        layer=current_layer(page) if mix == "one" else cast("Layer", mix),
        pooling=cast("Pooling", _state(JOIN, JOINS)),
        method=cast("Method", _state(METHOD, METHODS)),
    )


def current_layer(page: Page) -> int:
    """Return the layer of the slider, whether or not the last four are mixed instead."""
    return int(_state(LAYER, tuple(reversed(layers(page)))))


def go_to_layer(layer: int) -> None:
    """Set the opening's layer from a button, and draw the other parts by it."""
    whole_page.choose(LAYER, str(layer))


def layer_name(page: Page, layer: "Layer") -> str:
    """Return a layer's name for captions: "layer 5", "mean of the last 4 layers"."""
    if isinstance(layer, int):
        return page.words.plain("layer_named", layer=layer)
    return page.words.plain(f"named_{layer}")


def word_title(page: Page, name: str) -> str:
    """Return a stored word as it is listed; German ones say so."""
    word = cache_senses.stored_word(name)
    return word.word if word.language == "en" else page.words.plain("german_word", word=word.word)


def _tell_the_rest() -> None:
    """Draw the whole page, whose parts stand by the setting; a film draws it when it ends."""
    if FILM.run_every() is None:
        whole_page.want()


def _state(key: str, names: tuple[str, ...]) -> str:
    """Return a widget's value; the first name if it has none, or one that is not possible."""
    value = st.session_state.get(key)
    return value if value in names else names[0]
