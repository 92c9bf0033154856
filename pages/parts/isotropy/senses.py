"""Does it help to tell senses apart? 1-NN accuracy before and after, word by word."""

import math
from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.charts import DotRow, dots_chart
from mlm_core.number_format import formatted
from pages.parts.isotropy import setting
from pages.parts.isotropy.sense_words import by_word, measure, sense_words
from pages.shared.figures.show import show_chart
from pages.shared.figures.table import Table
from pages.shared.frame.guess import ask_for_guess
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source

if TYPE_CHECKING:
    from mlm_core.embeddings.postprocessing import Postprocessing
    from mlm_core.shapes import Tensor

GUESSES = ("better", "same", "worse")
POINTS = 2.0  # percentage points that count as a change


@part
def show(page: Page) -> None:
    """Take a guess, then compare the choices sentence by sentence."""
    words = page.words
    st.markdown(words.section("senses.lead", n=len(sense_words())))
    view = setting.choose(page)
    guess = ask_for_guess(page, "senses", GUESSES, key="isotropy_senses_guess")
    if guess is None:
        return
    setting.read_corpus(page, view.corpus)
    right = {t: layers[view.layer] for t, layers in measure(page, view).items()}
    shares = {name: is_right.double().mean().item() for name, is_right in right.items()}
    change = 100 * (shares["z-scored"] - shares["raw"])
    truth = "same" if abs(change) < POINTS else "better" if change > 0 else "worse"
    setting.say_guess(page, "senses", guess, truth)
    _draw(page, view, right)
    st.markdown(
        words.section(
            "senses.answer",
            n=len(right["raw"]),
            k=view.n_dropped,
            **{
                name: formatted(100 * shares[postprocessing], ".1f")
                for name, postprocessing in zip(
                    ("raw", "dropped", "z"), setting.POSTPROCESSINGS, strict=True
                )
            },
        )
    )
    for postprocessing in setting.POSTPROCESSINGS[1:]:
        _compare(page, view, right, postprocessing)
    st.markdown(words.section("senses.notice"))
    show_source(*_sources(), key="isotropy_senses_code")


def _compare(
    page: Page,
    view: setting.View,
    right: "dict[Postprocessing, Tensor]",
    postprocessing: "Postprocessing",
) -> None:
    """Say how many sentences became right and wrong, and what chance alone would do."""
    mended = int((right[postprocessing] & ~right["raw"]).sum())
    broken = int((~right[postprocessing] & right["raw"]).sum())
    # If either way is as likely, the difference of m + b tosses spreads by sqrt(m + b).
    spread = math.sqrt(mended + broken)
    is_clear = abs(mended - broken) > 2 * spread
    st.markdown(
        page.words.section(
            "senses.clear" if is_clear else "senses.chance",
            treatment=setting.postprocessing_names(page, view.n_dropped)[postprocessing],
            mended=mended,
            broken=broken,
            difference=abs(mended - broken),
            spread=formatted(2 * spread, ".0f"),
        )
    )


def _draw(page: Page, view: setting.View, right: "dict[Postprocessing, Tensor]") -> None:
    words = page.words
    cut = {postprocessing: by_word(is_right) for postprocessing, is_right in right.items()}
    columns = {
        postprocessing: [is_right.double().mean().item() for is_right in of_word.values()]
        for postprocessing, of_word in cut.items()
    }
    names = list(sense_words())
    rows = [
        DotRow(name=name, values=values)
        for name, *values in zip(names, *columns.values(), strict=True)
    ]
    titles = setting.postprocessing_names(page, view.n_dropped)
    show_chart(
        dots_chart(
            rows,
            list(titles.values()),
            low=min(0.5, *(min(column) for column in columns.values())),
            high=1.0,
            x_title=words.plain("axis_accuracy"),
        ),
        key="isotropy_senses",
        alt=words.plain("senses_alt", n=len(rows)),
        table=Table({"word": names, "sentences": [len(r) for r in cut["raw"].values()], **columns}),
        source=setting.source(page, view),
    )


def _sources() -> tuple:
    from mlm_core.embeddings.postprocessing import LayerStatistics
    from mlm_core.embeddings.word_senses import leave_one_out

    return LayerStatistics, leave_one_out
