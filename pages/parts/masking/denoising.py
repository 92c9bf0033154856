"""The denoising family: one switch, the spoilt text and what must be given back."""

from random import Random

import streamlit as st

from mlm_core.figures.masking.corruption import noised_rows
from mlm_core.masking import noising
from mlm_core.masking.noising import NOISES, Noised, noise, sentence_positions
from pages.parts.masking import setting
from pages.shared.figures.clickable import drawing
from pages.shared.figures.show import keep
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs

SHOWN_CODE = {
    "masking": noising.mask_tokens,
    "substitution": noising.substitute,
    "deletion": noising.delete,
    "insertion": noising.insert,
    "permutation": noising.permute,
    "infilling": noising.infill,
}
ROWS = ("original", "corrupted", "target")


@part
def show(page: Page) -> None:
    """Spoil the learner's text in the chosen way."""
    words = page.words
    st.markdown(words.section("denoising.lead"))
    kind = inputs.choice(
        words.label("noise"),
        {name: words.label(f"noise_{name}") for name in NOISES},
        key="masking_noise",
        default="infilling",
    )
    text = inputs.text(
        words.label("noise_text"), words.label("default_noise_text"), key="masking_noise_text"
    )
    rate = 30
    if kind != "permutation":
        rate = inputs.slider(
            words.label("noise_rate"),
            5,
            80,
            30,
            5,
            format="%d %%",
            key="masking_noise_rate",
            persist_state="session",
        )
    now = setting.of_text(page, text, setting.current(page).seed)
    inputs.say_what_was_left_out(now.text)
    if now.is_empty:
        setting.say_it_is_empty(page)
        return
    noised = noise(kind, now.text, rate / 100, Random(now.seed), now.random_words(), now.mask[1])
    if kind == "permutation" and len(sentence_positions(now.text)) < 2:
        st.info(words.section("denoising.one_sentence"), icon=":material/edit:")
    _rows(page, kind, noised, now.seed)
    st.markdown(words.section(f"denoising.{kind}"))
    st.markdown(words.section("denoising.notice"))
    show_source(SHOWN_CODE[kind], key="masking_denoising_code")


def _rows(page: Page, kind: str, noised: Noised, seed: int) -> None:
    words = page.words
    target = "target_all" if noised.whole_text else "target_part"
    titles = (words.label("row_original"), words.label("row_corrupted"), words.label(target))
    for name, title, html in zip(ROWS, titles, noised_rows(noised), strict=True):
        st.markdown(f"**{title}**")
        drawing(html, key=f"masking_noise_{name}")
    texts = (
        [token.text for token in noised.original],
        [piece.text for piece in noised.corrupted],
        [piece.text for piece in noised.target],
    )
    keep(
        "masking_noised",
        table=Table(
            [
                {"row": title, "place": i, "token": text}
                for title, row in zip(titles, texts, strict=True)
                for i, text in enumerate(row)
            ]
        ),
        source=words.label(
            "noise_source", model=page.model_name, kind=words.label(f"noise_{kind}"), seed=seed
        ),
    )
