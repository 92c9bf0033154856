"""One pair: its tokens in two segments, and its classes in both orders."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.bars import bars_svg
from mlm_core.number_format import formatted
from pages.shared import inputs
from pages.shared.clickable import drawing
from pages.shared.frame import Page
from pages.shared.show import show_drawing
from pages.shared.table import Table

if TYPE_CHECKING:
    from mlm_core.finetuning.fine_tuned import FineTuned
    from mlm_core.text.tokens import TokenizedText

RELATIONS = ("entailment", "neutral", "contradiction")  # the classes of the stored data


def show_pair(page: Page, title: str, model: "FineTuned", first: str, second: str) -> None:
    """Draw the tokens with their segments, then the classes as written and swapped."""
    words = page.words
    text = model.read(first, second)
    if {token.segment for token in text.tokens if token.start < token.stop} != {0, 1}:
        st.info(words.section("pairs.empty"), icon=":material/edit:")
        return
    inputs.say_what_was_left_out(text)
    _chips(page, text)
    found = {
        "as_written": model.class_log_probabilities(first, second).exp().tolist(),
        "swapped": model.class_log_probabilities(second, first).exp().tolist(),
    }
    likeliest = {}
    for (name, values), column in zip(found.items(), st.columns(2, gap="medium"), strict=True):
        best = max(range(len(values)), key=values.__getitem__)
        likeliest[name] = (model.classes[best], formatted(values[best], ".2f"))
        with column:
            st.markdown(words.section(f"pairs.{name}"))
            said, p = likeliest[name]
            show_drawing(
                bars_svg(
                    model.classes,
                    values,
                    longest=1.0,
                    alt=words.plain(f"pairs_{name}_alt", said=said, p=p),
                ),
                key=f"classification_pairs_{name}",
                table=Table({"class": list(model.classes), "probability": values}),
                source=words.label("pairs_source", run=title, model=model.settings.model),
            )
    (said, p), (swapped, p_swapped) = likeliest.values()
    st.markdown(
        words.section(
            "pairs.same" if said == swapped else "pairs.changed",
            said=said,
            p=p,
            swapped=swapped,
            p_swapped=p_swapped,
        )
    )
    if set(model.classes) == set(RELATIONS):
        written = [r for r in RELATIONS if second == words.plain(f"pairs_sample_{r}")]
        if written and first == words.plain("pairs_sample"):
            kind = "sample_right" if written[0] == said else "sample_wrong"
            st.markdown(words.section(f"pairs.{kind}", right=written[0]))
        st.markdown(words.section("pairs.logic"))


def _chips(page: Page, text: "TokenizedText") -> None:
    from mlm_core.figures.prediction.sentence_pairs import pair_html

    words = page.words
    names = (words.plain("pairs_segment_0"), words.plain("pairs_segment_1"))
    drawing(
        pair_html(text.tokens, names, label=words.plain("pairs_chips_alt")),
        key="classification_pairs_chips",
    )
    numbers = " ".join(map(str, text.segment_ids))
    st.caption(words.section("pairs.segments", numbers=numbers))
