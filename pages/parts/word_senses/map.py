"""Opening: one word in many sentences as a map, layer by layer."""

import streamlit as st

from pages.parts.word_senses import marks, setting, star
from pages.parts.word_senses.board import Board, show_board
from pages.parts.word_senses.playing import play_buttons
from pages.parts.word_senses.setting import FILM, Setting, layers
from pages.parts.word_senses.uses import choose_kind, gather, lay_out, stored
from pages.shared.caches import cache
from pages.shared.frame.page_frame import Page, safely
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import whole_page


@part
def show(page: Page) -> None:
    """Show the word's map, and move through the layers while it plays."""
    # A timer of the browser's moves the layers; it ends when the part is drawn without it.
    st.fragment(_stage, run_every=FILM.run_every())(page)


def _stage(page: Page) -> None:
    whole_page.draw_if_wanted()
    with safely():  # the timer runs this alone, outside the part that would catch what fails
        _show(page)


def _show(page: Page) -> None:
    ended = FILM.go_on(layers(page))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        with st.container(width=150):
            setting.choose_word(page)
        setting.choose_details(page)
        with st.container(width=250):
            setting.choose_layer(page)
        pressed = play_buttons(page)
    now = setting.current(page)
    st.markdown(_say_layer(page, now))
    left, right = st.columns([3, 2], gap="medium")
    with left:
        figure = st.container()
        board, dropped = _ask_and_place(page, now)
    show_board(page, board, left=figure, right=right)
    with left:
        star.say(page, now, dropped)
    st.markdown(page.words.section("map.notice"))
    show_source(*_sources(), key="word_senses_code")
    if pressed or ended:
        st.rerun()  # the whole part begins or ends its timer


def _ask_and_place(page: Page, now: Setting) -> tuple[Board, star.OwnUse | None]:
    """Show what can be changed about the map; return it, and the learner's own use."""
    uses = gather(page, now.word.sentences, now.pooling)
    layouts = stored(page, now.name, now.pooling)
    dropped = star.ask(page, now)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        coloured = marks.choose(page, key="word_senses_colour")
        kind = choose_kind(page, key="word_senses_kind", has_stored=layouts is not None)
    layout = lay_out(page, uses, now.layer, kind, layouts, key="word_senses_umap")
    groups, group_of, notes = marks.of_stored(page, now, uses, coloured)
    board = Board(
        key="word_senses",
        uses=uses,
        layer=now.layer,
        layout=layout,
        groups=groups,
        group_of=group_of,
        note_of=notes,
        signs=star.signs(page, now, uses, layout, dropped),
        source=page.words.label(
            "source",
            model=page.model_name,
            layer=setting.layer_name(page, now.layer),
            n=len(uses.sentences),
        ),
    )
    return board, dropped


def _say_layer(page: Page, now: Setting) -> str:
    """Say in words what this layer's vectors are."""
    if not isinstance(now.layer, int):
        return page.words.section(f"layer.{now.layer}")
    model = cache.model(page.model_name)
    last = model.n_layers
    name = "first" if now.layer == 0 else "last" if now.layer == last else "middle"
    if name == "last" and not model.has_language_head:
        name = "last_without_head"
    return page.words.section(f"layer.{name}", layer=now.layer, last=last)


def _sources() -> tuple:
    from mlm_core.embeddings.contextual import all_layers_word_vectors
    from mlm_core.embeddings.trust import trust_map

    return all_layers_word_vectors, trust_map
