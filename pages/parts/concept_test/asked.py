"""The questions of one half of the course: asked before and after, then explained.

Nothing is said of right or wrong before the second time: who knows the answers gains nothing.
"""

import streamlit as st

from mlm_core.evaluation.learning_gain import RIGHT
from pages.shared.course.concept_items import HALVES, WHEN, Item
from pages.shared.course.lessons import BY_SLUG
from pages.shared.course.words import Words, read_words
from pages.shared.frame.page_frame import Page
from pages.shared.link.controls import part_key
from pages.shared.record import tab_memory
from pages.shared.record.session_record import concept_answers
from pages.shared.room.telling import tell_concept_answers


def ask(page: Page, half: str) -> None:
    """Ask the questions of a half, or explain them to who has answered twice."""
    words, items, kept = page.words, HALVES[half], concept_answers()
    when = next((one for one in WHEN if items[0].name not in kept[one]), None)
    st.markdown(words.section(when or "done"))
    if when is None:
        _explain(words, items)
    else:
        with st.form(f"concept_test_{half}_{when}", border=False):
            for number, item in enumerate(items, 1):
                st.radio(
                    f"**{number}.** {words.label(item.name)}",
                    item.options,
                    index=None,
                    format_func=lambda name, item=item: words.label(f"{item.name}_{name}"),
                    key=_key(item, when),
                )
            st.form_submit_button(
                words.label(f"hand_in_{when}"),
                on_click=_hand_in,
                args=(words, half, when),
                type="primary",
                icon=":material/check:",
                key=f"concept_test_{half}_hand_in_{when}",
            )
    st.caption(words.section("private"))
    if when != WHEN[0]:
        st.button(
            words.label("start_over"),
            on_click=_start_over,
            args=(half,),
            type="tertiary",
            icon=":material/delete:",
            key=f"concept_test_{half}_start_over",
        )
    tell_concept_answers(kept)
    tab_memory.keep_of_part(f"concept_test_{half}")


def _hand_in(words: Words, half: str, when: str) -> None:
    given = {item.name: st.session_state.get(_key(item, when)) or "" for item in HALVES[half]}
    if any(given.values()):
        concept_answers()[when].update(given)
    else:
        st.toast(words.label("nothing_given"), icon=":material/edit:")


def _start_over(half: str) -> None:
    for when in WHEN:
        for item in HALVES[half]:
            concept_answers()[when].pop(item.name, None)
            st.session_state.pop(_key(item, when), None)


def _key(item: Item, when: str) -> str:
    return f"concept_test_{item.name}_{when}"


def _explain(words: Words, items: tuple[Item, ...]) -> None:
    """Show both answers to each question, what a wrong one misses, and the view that shows it."""
    kept = concept_answers()
    for when in WHEN:
        n_right = sum(kept[when].get(item.name) == RIGHT for item in items)
        counted = words.label("counted", n_right=n_right, n=len(items))
        st.markdown(f"{read_words('columns').label(when)}: {counted}")
    for number, item in enumerate(items, 1):
        with st.container(border=True):
            st.markdown(f"**{number}.** {words.label(item.name)}")
            right = words.label(f"{item.name}_{RIGHT}")
            lines = [f":material/check: {right}"]
            for when in WHEN:
                given = kept[when].get(item.name, "")
                said = words.label(f"{item.name}_{given}" if given else "no_answer")
                if given == RIGHT:
                    said = words.label("is_right")
                lines.append(f"{read_words('columns').label(when)}: {said}")
            st.markdown("  \n".join(lines))
            given = kept[WHEN[-1]].get(item.name, "")
            if given in item.wrong:
                st.markdown(f"{words.label('says')} {words.label(f'thinks_{given}')}")
            slug, _, part = item.shown_by.partition("/")
            lesson, of_lesson = BY_SLUG[slug], read_words(slug)
            title = of_lesson.label(f"part_{part}" if part else "title")
            st.page_link(
                lesson.file,
                label=words.label("what_shows", title=title),
                icon=lesson.icon,
                query_params={part_key(slug): part} if part else {},
            )
