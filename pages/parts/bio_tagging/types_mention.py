"""One sentence in which a name stands: the guess, then the type that it has there."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.tagging.entity_spans import HIDDEN_TYPE, entity_sentence, entity_text
from mlm_core.labelled.name_types import overlaps, predicted_type
from mlm_core.tagging.bio_tags import Scheme, Span, decode
from pages.shared.clickable import drawing
from pages.shared.frame import Page

if TYPE_CHECKING:
    from mlm_core.labelled.examples import TaggedSentence


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What is asked of one sentence."""

    name: str
    sentence: "TaggedSentence"
    span: Span
    types: Sequence[str]
    key: str
    is_given: bool  # shown with its type at once
    is_test: bool
    predicted: Sequence[str] | None  # the tagger's tags; None where it was not tested or has none
    scheme: Scheme


def show_mention(page: Page, asked: Asked) -> dict[str, str]:
    """Show the sentence with the name framed; after the guess, all its entities.

    Returns what is shown as a row of the table that stands for all sentences.
    """
    words = page.words
    guess_key = f"{asked.key}_guess"
    guess = asked.span.type if asked.is_given else st.session_state.get(guess_key)
    hidden = Span(start=asked.span.start, end=asked.span.end, type=HIDDEN_TYPE)
    spans = (hidden,) if guess is None else asked.sentence.spans
    mark = {} if asked.is_given else {asked.span: "✓" if guess == asked.span.type else "✗"}
    _draw(page, asked, spans, key=asked.key, marks=mark)
    part = words.plain("types_test" if asked.is_test else "types_train")
    row = {"sentence": entity_text(asked.sentence.words, spans), "part": part}
    if asked.is_given:
        st.markdown(words.section("types.given", name=asked.name, type=asked.span.type, part=part))
    else:
        guess = st.segmented_control(
            words.label("types_guess", name=asked.name),
            asked.types,
            key=guess_key,
            persist_state="session",
        )
        if guess is None:
            return row
        values = {"name": asked.name, "type": asked.span.type, "guess": guess, "part": part}
        right = guess == asked.span.type
        st.markdown(words.section("types.right" if right else "types.wrong", **values))
    return row | _show_tagger(page, asked)


def _draw(
    page: Page,
    asked: Asked,
    spans: Sequence[Span],
    *,
    key: str,
    marks: Mapping[Span, str] | None = None,
) -> None:
    words = asked.sentence.words
    alt = page.words.plain("types_alt", text=entity_text(words, spans))
    html = entity_sentence(words, spans, alt=alt, marks=marks, types=asked.types)
    drawing(html, key=key)


def _show_tagger(page: Page, asked: Asked) -> dict[str, str]:
    """Say what the tagger makes of the name; where it is wrong, draw all that it found."""
    words = page.words
    if asked.predicted is None:
        if not asked.is_test:
            st.caption(words.section("types.learnt"))
        return {}
    said = predicted_type(asked.predicted, asked.span, asked.scheme)
    part = overlaps(asked.predicted, asked.span, asked.scheme)
    if said is not None:
        how = "right" if said == asked.span.type else "other"
    else:
        how = "part" if part else "none"
    st.markdown(words.section(f"types.tagger_{how}", said=said or ", ".join(part)))
    found = decode(asked.predicted, asked.scheme, "conlleval")
    if how != "right":
        _draw(page, asked, found, key=f"{asked.key}_said")
    return {"tagger": entity_text(asked.sentence.words, found)}
