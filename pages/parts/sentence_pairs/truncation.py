"""Two texts that are longer than the window: BERT's truncation, one token a step."""

from random import Random

import streamlit as st

from mlm_core.figures.prediction.sentence_pairs import pair_html
from mlm_core.number_format import formatted
from mlm_core.prediction.pair_examples import Truncation, truncate_pair
from mlm_core.text.tokens import Token, tokenize
from pages.parts.sentence_pairs.setting import seed
from pages.shared.caches import cache
from pages.shared.figures.show import show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs

LONGEST = 2_000  # characters of each text
WINDOWS = (8, 64)  # smallest and largest that the slider offers
N_SPECIAL = 3  # [CLS] and two [SEP]
MOST_TOKENS = 200  # of each text that are drawn and truncated; the app says what is left out
STEP = "sentence_pairs_step"


@part
def show(page: Page) -> None:
    """Let the learner step through the truncation of two texts."""
    words = page.words
    st.markdown(words.section("truncation.lead"))
    texts = []
    for name, column in zip(("first", "second"), st.columns(2), strict=True):
        with column:
            text = inputs.text_area(
                words.label(f"truncation_{name}"),
                words.section(f"truncation.{name}"),
                key=f"sentence_pairs_truncation_{name}",
                longest=LONGEST,
                height=110,
            )
        texts.append(text)
    if max(map(len, texts)) >= LONGEST:
        st.warning(
            words.section("truncation.cut", longest=formatted(LONGEST, ",")),
            icon=":material/content_cut:",
        )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        window = inputs.slider(
            words.label("truncation_window"),
            *WINDOWS,
            24,
            key="sentence_pairs_window",
        )
        number = seed(page)
    tokens = [_own_tokens(page, text) for text in texts]
    if not all(tokens):
        st.info(words.section("no_text"), icon=":material/edit:")
        return
    room = window - N_SPECIAL
    truncation = truncate_pair(len(tokens[0]), len(tokens[1]), room, Random(number))
    n_steps = len(truncation.removals)
    if not n_steps:
        sizes = {"first": len(tokens[0]), "second": len(tokens[1])}
        st.info(words.section("truncation.fits", window=window, **sizes), icon=":material/check:")
    step = _choose_step(page, n_steps) if n_steps else 0
    if n_steps:
        st.markdown(_say_step(page, truncation, tokens, step, room))
    _draw_step(page, truncation, tokens, step)
    st.markdown(words.section("truncation.notice"))
    show_source(truncate_pair, key="sentence_pairs_truncation_code")


def _own_tokens(page: Page, text: str) -> tuple[Token, ...]:
    """Return the text's tokens without the special ones around it."""
    cut = tokenize(cache.model_tokenizer(page.model_name), text, max_tokens=MOST_TOKENS + 2)
    if cut.n_left_out:
        inputs.say_what_was_left_out(cut)
    return cut.tokens[1:-1]


def _choose_step(page: Page, n_steps: int) -> int:
    """Show the slider and the button; a step beyond the end is the end."""
    before = st.session_state.get(STEP)
    if before is not None and int(before) > n_steps:
        inputs.choose(STEP, str(n_steps))
    steps = {str(i): str(i) for i in range(n_steps + 1)}
    step = int(inputs.step(page.words.label("truncation_step"), steps, key=STEP, default="0"))
    st.button(
        page.words.label("truncation_next"),
        on_click=inputs.choose,
        args=(STEP, str(step + 1)),
        disabled=step >= n_steps,
        icon=":material/skip_next:",
        key="sentence_pairs_next_step",
    )
    return step


# One step of the truncation: in words, and as chips.


def _say_step(
    page: Page, truncation: Truncation, tokens: list[tuple[Token, ...]], step: int, room: int
) -> str:
    """Return in words which token the last step took, and why there."""
    words, removals = page.words, truncation.removals
    if step == 0:
        sizes = {"first": len(tokens[0]), "second": len(tokens[1])}
        return words.section("truncation.start", room=room, n=len(removals), **sizes)
    taken = removals[step - 1]
    left = (taken.n_first, taken.n_second)
    said = words.section(
        f"truncation.step_{'b' if taken.text else 'a'}",
        n=step,
        before=left[taken.text] + 1,
        other=left[1 - taken.text],
        end=words.plain("front" if taken.from_front else "back"),
        token=tokens[taken.text][taken.position].text,
    )
    if step < len(removals):
        return said
    return f"{said} {words.section('truncation.done', first=left[0], second=left[1])}"


def _draw_step(
    page: Page, truncation: Truncation, tokens: list[tuple[Token, ...]], step: int
) -> None:
    """Draw what is left after a step; what is gone is hatched."""
    words, (first, second) = page.words, tokens
    taken = truncation.removals[:step]
    gone = {removal.position + removal.text * len(first) for removal in taken}
    n_gone = sum(removal.text == 0 for removal in taken)
    left = {"first": len(first) - n_gone, "second": len(second) - (step - n_gone)}
    show_drawing(
        pair_html(
            (*first, *second),
            (words.plain("segment_a"), words.plain("segment_b")),
            blocked=gone,
            n_first=len(first),
            label=words.plain("truncation_alt", **left),
        ),
        key="sentence_pairs_truncation",
        table=Table(
            [
                {
                    "step": i + 1,
                    "text": "AB"[removal.text],
                    "end": "front" if removal.from_front else "back",
                    "token": tokens[removal.text][removal.position].text,
                    "left_in_a": removal.n_first,
                    "left_in_b": removal.n_second,
                }
                for i, removal in enumerate(truncation.removals)
            ]
        ),
        source=words.label("truncation_alt", **left),
    )
