"""What a learner writes in their own words: the lesson's evidence card, and what to explain."""

import streamlit as st

from pages.server.course.words import read_words
from pages.server.frame.page_frame import Page
from pages.server.record import evidence_card, session_record
from pages.server.record.learners_record import LONGEST_OF_CARD, EvidenceCard


def show_explain(page: Page) -> None:
    """Show the lesson's question to explain, if it has one, with a field and a model answer."""
    slug, words = page.lesson.slug, read_words("evidence_card")
    overview = read_words(f"overview/{slug}")
    if not overview.has("explain"):
        return
    st.markdown(overview.section("explain"))
    st.text_area(
        words.label("explanation"),
        height=110,
        max_chars=LONGEST_OF_CARD["expected"],
        key=evidence_card.explained_key(slug),
        on_change=evidence_card.keep_explained,
        args=(slug,),
        persist_state="session",
    )
    with st.expander(words.label("model_answer"), icon=":material/help:"):
        st.markdown(overview.section("explain_answer"))


def show_card(page: Page) -> None:
    """Show the lesson's evidence card: what the opening shows, and fields for the learner."""
    slug, words = page.lesson.slug, read_words("evidence_card")
    with st.expander(words.label("title"), icon=":material/assignment:", key=f"{slug}_card"):
        st.markdown(words.section("lead"))
        card = evidence_card.of_screen(page.lesson, page.model_name)
        if card.result:
            st.markdown(evidence_card.as_markdown(card, words, on_page=True))
        else:
            st.info(words.section("no_opening"), icon=":material/visibility_off:")
        for name in evidence_card.NOTES:
            st.text_area(
                words.label(name),
                height=80,
                max_chars=LONGEST_OF_CARD[name],
                key=evidence_card.note_key(slug, name),
                on_change=evidence_card.keep,
                args=(page.lesson, page.model_name),
                persist_state="session",
            )
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button(
                words.label("keep"),
                on_click=evidence_card.keep,
                args=(page.lesson, page.model_name),
                disabled=not card.result,
                icon=":material/bookmark_add:",
                key=f"{slug}_card_keep",
            )
            _offer_all(slug)
        _say_what_is_kept(slug, card)


def _say_what_is_kept(slug: str, shown: EvidenceCard) -> None:
    """Say since when the lesson's card is kept, and whether the opening shows another thing now."""
    words, kept = read_words("evidence_card"), evidence_card.kept_card(slug)
    if kept is None:
        st.caption(words.section("not_kept"))
        return
    st.caption(words.label("kept_at", kept=kept.kept))
    is_same = all(getattr(kept, name) == getattr(shown, name) for name in evidence_card.FILLED_IN)
    if shown.result and not is_same:
        st.caption(words.section("changed"))


def _offer_all(slug: str) -> None:
    """Offer the cards of all lessons as one page, if there are any."""
    words, record = read_words("evidence_card"), session_record.of_session()
    n = sum(done.card is not None for done in record.lessons.values())
    if not n:
        return
    st.download_button(
        words.label("save_all", n=n),
        evidence_card.all_as_markdown(record, words).encode("utf-8", errors="replace"),
        file_name="evidence-cards.md",
        mime="text/markdown",
        on_click="ignore",
        icon=":material/download:",
        key=f"{slug}_card_save",
    )
