"""The layers of the map: a step up or down, or one a second as a film."""

import streamlit as st

from pages.parts.word_senses import setting
from pages.parts.word_senses.setting import FILM, layers
from pages.shared.frame.page_frame import Page


def play_buttons(page: Page) -> bool:
    """Show back, play or pause, and forward; return whether play or pause was pressed."""
    words, layer, names = page.words, setting.current_layer(page), layers(page)
    last = len(names) - 1

    def go(step: int) -> None:
        FILM.stop()
        setting.go_to_layer(min(max(layer + step, 0), last))

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
    pressed = FILM.button(words, names)
    st.button(**up)
    return pressed
