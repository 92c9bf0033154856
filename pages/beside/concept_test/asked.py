"""The questions of one half of the course: asked before and after, then explained.

Nothing is said of right or wrong before the second time: who knows the answers gains nothing.
"""

from collections.abc import Mapping, Sequence

import streamlit as st

from mlm_core.evaluation.learning_gain import RIGHT
from pages.server.course.concept_items import HALVES, WHEN, Item
from pages.server.course.lessons import BY_SLUG
from pages.server.course.words import Words, read_words
from pages.server.frame.page_frame import Page
from pages.server.frame.parts import scroll_into_view
from pages.server.link.controls import part_key
from pages.server.record import tab_memory
from pages.server.record.session_record import answer_key, begun_answers, concept_answers
from pages.server.room import membership
from pages.server.room.telling import tell_concept_answers

# Session state: the halves that a learner opened for the second time; whether one was just
# handed in.
OPENED, HANDED_IN = "concept_test_opened", "concept_test_handed_in"
RECEIPT = "concept_test_receipt"


def ask(page: Page, half: str) -> None:
    """Ask the questions of a half, wait for the lessons, or explain them after the second time."""
    words, items, kept = page.words, HALVES[half], concept_answers()
    when = next((one for one in WHEN if items[0].name not in kept[one]), None)
    is_asked = when == WHEN[0] or (when is not None and _is_open(half))
    if when is None or not is_asked:
        _show_receipt(words, items, when)
    if when is None:
        st.markdown(f"#### {score(words, items)}")
        explain(words, dict(enumerate(items, 1)))
    elif is_asked:
        _ask(words, half, when)
    elif membership.is_reached():
        st.caption(words.section("teacher_opens"))
    else:
        st.button(
            words.label("open_after"),
            on_click=_open,
            args=(half,),
            icon=":material/edit:",
            key=f"concept_test_{half}_open_after",
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


def _is_open(half: str) -> bool:
    """Return whether the second time is open: by the teacher in a room, else by the learner."""
    if membership.current() is not None:
        membership.follow("test")
        room = membership.look()
        if room is not None:
            return room.asks_after
    begun = begun_answers()[WHEN[1]]
    return half in st.session_state.get(OPENED, ()) or any(
        item.name in begun for item in HALVES[half]
    )


def _show_receipt(words: Words, items: tuple[Item, ...], when: str | None) -> None:
    """Say what was handed in last and what comes next, in view if it was just now."""
    given = concept_answers()[WHEN[0] if when else WHEN[1]]
    n = sum(bool(given.get(item.name)) for item in items)
    received = words.label("received", n=n, of=len(items))
    next_step = words.section("come_back" if when else "done")
    with st.container(key=RECEIPT):
        st.success(f"**{received}** {next_step}", icon=":material/check:")
    if st.session_state.pop(HANDED_IN, False):
        scroll_into_view(RECEIPT, focuses=True)


def _ask(words: Words, half: str, when: str) -> None:
    """Show the questions; each answer is kept when it is chosen, and counts when handed in."""
    st.markdown(words.section(when))
    for number, item in enumerate(HALVES[half], 1):
        st.radio(
            f"**{number}.** {words.label(item.name)}",
            item.options,
            index=None,
            format_func=lambda name, item=item: words.label(f"{item.name}_{name}"),
            key=answer_key(item.name, when),
            persist_state="session",
        )
    st.button(
        words.label(f"hand_in_{when}"),
        on_click=_hand_in,
        args=(words, half, when),
        type="primary",
        icon=":material/check:",
        key=f"concept_test_{half}_hand_in_{when}",
    )


def _hand_in(words: Words, half: str, when: str) -> None:
    begun = begun_answers()[when]
    given = {item.name: begun.get(item.name, "") for item in HALVES[half]}
    if any(given.values()):
        concept_answers()[when].update(given)
        st.session_state[HANDED_IN] = True
    else:
        st.toast(words.label("nothing_given"), icon=":material/edit:")


def _open(half: str) -> None:
    st.session_state.setdefault(OPENED, set()).add(half)


def _start_over(half: str) -> None:
    st.session_state.get(OPENED, set()).discard(half)
    for when in WHEN:
        for item in HALVES[half]:
            concept_answers()[when].pop(item.name, None)
            st.session_state.pop(answer_key(item.name, when), None)


def score(words: Words, items: Sequence[Item]) -> str:
    """Return how many of the questions were right, before and after."""
    kept = concept_answers()
    n_right = {when: sum(kept[when].get(one.name) == RIGHT for one in items) for when in WHEN}
    return words.label("score", n=len(items), **n_right)


def explain(words: Words, items: Mapping[int, Item]) -> None:
    """Show both answers to each question, what a wrong one misses, and the view that shows it.

    The questions come by their numbers.
    """
    kept, titles = concept_answers(), read_words("columns")
    for number, item in items.items():
        with st.container(border=True):
            st.markdown(f"**{number}.** {words.label(item.name)}")
            lines = [f":material/check: {words.label(f'{item.name}_{RIGHT}')}"]
            for when in WHEN:
                given = kept[when].get(item.name, "")
                said = words.label(f"{item.name}_{given}" if given else "no_answer")
                if given == RIGHT:
                    said = words.label("is_right")
                lines.append(f"{titles.label(when)}: {said}")
            st.markdown("  \n".join(lines))
            given = kept[WHEN[-1]].get(item.name, "")
            if given in item.wrong:
                st.markdown(f"{words.label('says')} {words.label(f'thinks_{given}')}")
            slug, _, part = item.shown_by.partition("/")
            title = read_words(slug).label(f"part_{part}" if part else "title")
            st.page_link(
                BY_SLUG[slug].file,
                label=words.label("what_shows", title=title),
                icon=BY_SLUG[slug].icon,
                query_params={part_key(slug): part} if part else {},
            )
