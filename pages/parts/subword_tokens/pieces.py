"""Pieces and words: which piece belongs to which word, its id, its neighbours, and back."""

import streamlit as st
from tokenizers import Tokenizer

from mlm_core.figures.chips import chip_row
from mlm_core.figures.text.tokens import word_map_html
from mlm_core.number_format import formatted
from mlm_core.text.cutting import UNKNOWN_TOKENS, neighbours
from mlm_core.text.tokens import (
    ALGORITHMS,
    Token,
    TokenizedText,
    special_token_ids,
    tokenize,
)
from pages.parts.subword_tokens import setting
from pages.shared.caches import cache, cache_vocabularies
from pages.shared.course.words import as_text
from pages.shared.figures.clickable import drawing
from pages.shared.figures.show import show_drawing
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs

POSITION = "subword_tokens_position"
MOST_SHOWN = 80  # tokens on the page; a longer text is worth no more here


@part
def show(page: Page) -> None:
    """Show words over their pieces; a click opens one piece."""
    words, now = page.words, setting.current()
    st.markdown(words.section("pieces.lead"))
    names = {"model": setting.short(page.model_name)} | {name: name for name in ALGORITHMS}
    chosen = inputs.choice(
        words.label("tokenizer"),
        {key: as_text(name) for key, name in names.items()},
        key="subword_tokens_tokenizer",
    )
    if now.is_empty:
        setting.say_it_is_empty(page)
        return
    if chosen == "model":
        tokenizer = cache.model_tokenizer(page.model_name)
    else:
        tokenizer = cache_vocabularies.trained_tokenizer(chosen, now.size, None)
    cut = tokenize(tokenizer, now.text, max_tokens=MOST_SHOWN)
    if cut.n_left_out:
        st.warning(
            words.section("pieces.left_out", shown=MOST_SHOWN, left_out=cut.n_left_out),
            icon=":material/content_cut:",
        )
    position = inputs.position(words.label("piece"), cut.texts, key=POSITION, default=1)
    show_drawing(
        word_map_html(
            cut, selected=position, no_word=words.plain("no_word"), label=words.plain("map_alt")
        ),
        key="subword_tokens_map",
        table=lambda: setting.table_of([(names[chosen], cut)]),
        source=words.label(
            "map_source", tokenizer=names[chosen], size=formatted(tokenizer.get_vocab_size(), ",")
        ),
        on_click=lambda value: inputs.choose(POSITION, value),
    )
    _one_piece(page, tokenizer, cut, position)
    back = tokenizer.decode(cut.ids, skip_special_tokens=True)
    same = back == " ".join(cut.text.split()) and not cut.n_left_out
    st.markdown(words.section("pieces.back", back=back))
    st.markdown(words.section("pieces.back_same" if same else "pieces.back_different"))
    show_source(TokenizedText, neighbours, key="subword_tokens_pieces_code")


def _one_piece(page: Page, tokenizer: Tokenizer, cut: TokenizedText, position: int) -> None:
    """Say in words what is known about one piece, and show its neighbours as chips."""
    words, token = page.words, cut.tokens[position]
    if token.word is None:
        st.markdown(words.section("pieces.added", token=token.text, id=token.id))
    else:
        word = next(w for w in cut.words if position in w.positions)
        st.markdown(
            words.section(
                "pieces.one",
                token=token.text,
                id=token.id,
                position=position,
                start=token.start,
                stop=token.stop,
                characters=cut.text[token.start : token.stop],
                word=word.text.strip(),
                nth=word.positions.index(position) + 1,
                of=len(word.positions),
            )
        )
    if token.text in UNKNOWN_TOKENS:
        st.markdown(words.section("pieces.unknown"))
    around = neighbours(tokenizer, token.id, 4)
    st.markdown(words.section("pieces.neighbours"))
    special = special_token_ids(tokenizer)
    chips = [
        Token(text=text, id=id_, start=0, stop=0, word=None, segment=0, is_special=id_ in special)
        for id_, text in around
    ]
    at = [id_ for id_, _ in around].index(token.id)
    drawing(
        chip_row(chips, selected=(at,), label=words.plain("neighbours_alt")),
        key="subword_tokens_neighbours",
    )
    st.caption(words.label("neighbours_ids", first=around[0][0], last=around[-1][0]))
