"""The map as a film: one layer a second, or a step up or down."""

import time

import streamlit as st

from pages.parts.word_senses import setting
from pages.parts.word_senses.setting import LAYER, PLAYING
from pages.shared.caches import cache
from pages.shared.frame.page_frame import Page
from pages.shared.link import inputs

A_LAYER_SECONDS = 1.0


def step_while_playing(page: Page) -> bool:
    """Go one layer up if a second has passed while playing; return whether that was the last."""
    before = st.session_state.get(PLAYING)
    if before is None or time.monotonic() - before < 0.8 * A_LAYER_SECONDS:
        return False
    last = cache.model(page.model_name).n_layers
    layer = min(int(setting.current_layer(page)) + 1, last)
    inputs.choose(LAYER, str(layer))
    if layer < last:
        st.session_state[PLAYING] = time.monotonic()
        return False
    del st.session_state[PLAYING]
    return True


def play_buttons(page: Page) -> bool:
    """Show back, play or pause, and forward; return whether play or pause was pressed."""
    last, layer = cache.model(page.model_name).n_layers, setting.current_layer(page)
    is_playing = PLAYING in st.session_state

    def go(step: int) -> None:
        st.session_state.pop(PLAYING, None)
        setting.go_to_layer(min(max(layer + step, 0), last))

    def play() -> None:
        if is_playing:
            st.session_state.pop(PLAYING, None)
            return
        st.session_state[PLAYING] = time.monotonic()
        if layer == last:
            inputs.choose(LAYER, "0")

    words = page.words
    arrows = (("back", -1, "chevron_left", layer == 0), ("up", 1, "chevron_right", layer == last))
    back, up = (
        {
            "label": words.label(f"layer_{name}"),
            "icon": f":material/{icon}:",
            "on_click": go,
            "args": (step,),
            "disabled": disabled,
            "key": f"word_senses_{name}",
        }
        for name, step, icon, disabled in arrows
    )
    st.button(**back)
    name, icon = ("pause", "pause") if is_playing else ("play", "play_arrow")
    pressed = st.button(
        words.label(name), icon=f":material/{icon}:", on_click=play, key="word_senses_play"
    )
    st.button(**up)
    return pressed
