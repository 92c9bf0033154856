"""A lesson's evidence card: what its opening shows, what the learner expected, and what failed.

    note_figure(slug, part, said, source)      # the opening drew a figure
    of_screen(lesson, model_name)              # an EvidenceCard of what the opening shows now
    keep(lesson, model_name)                   # in the session, with the learner's own words

The lesson fills in all but the learner's own words. What is kept goes with the learner's record
(session_record.py), as does a text of the learner's on a question to explain.

Read before this: learners_record.py, lesson_record.py.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from urllib.parse import urlencode

import streamlit as st

from mlm_core.figures.theme import printable
from mlm_core.number_format import formatted
from pages.server import VERSION, session
from pages.server.course.language import IN_LINK, READS
from pages.server.course.lessons import Lesson
from pages.server.course.words import Words, as_text, read_examples, read_words
from pages.server.link.controls import (
    MADE_WITH,
    MODEL,
    OPENING,
    Control,
    controls_of,
    drawn_at,
    option_of,
    title_of,
)
from pages.server.record.learners_record import LONGEST_OF_CARD, EvidenceCard, LearnersRecord
from pages.server.record.lesson_record import plain, quoted

NOTES = ("expected", "failed")
FILLED_IN = ("asked", "setting", "result")
OF_A_RUN_TO_COME = "set_"  # a figure's source names the run that it shows


@dataclass
class Cards:
    """What a visit has for the evidence cards of its lessons."""

    # By lesson and part of the opening, what the figures say, and their sources.
    shown: dict[tuple[str, str], list[tuple[str, str]]] = field(default_factory=dict)
    kept: dict[str, EvidenceCard | None] = field(default_factory=dict)
    explained: dict[str, str] = field(default_factory=dict)  # the learner's explanations


def note_key(slug: str, name: str) -> str:
    """Return where the session has what stands in a field of a lesson's card."""
    return f"{slug}_card_{name}"


def explained_key(slug: str) -> str:
    """Return where the session has what stands in the field of a question to explain."""
    return f"{slug}_explained"


def begin(slug: str, part: str) -> None:
    """Forget what a part of a lesson's opening showed: it is drawn anew."""
    session.of(Cards).shown[slug, part] = []


def note_figure(slug: str, part: str, said: str, source: str) -> None:
    """Keep what a figure of the opening says, and where its numbers come from."""
    session.of(Cards).shown[slug, part].append((said, source))


def of_screen(lesson: Lesson, model_name: str) -> EvidenceCard:
    """Return the card of what a lesson's opening shows, without the learner's own words."""
    shown = session.of(Cards).shown
    figures = [one for part in lesson.opening for one in shown.get((lesson.slug, part), ())]
    controls = [*_controls(lesson)]
    asked = [line for control, line in controls if _is_typed(control)]
    chosen = [line for control, line in controls if not _is_typed(control)]
    model = f"{read_words('frame').plain('model')}: {model_name}"
    card = EvidenceCard(
        asked="\n".join(map(printable, asked)),
        setting="\n".join(map(printable, (model, *chosen))),
        result="\n".join(printable(f"{said} ({source})") for said, source in figures),
        link=_link(lesson, model_name),
    )
    return replace(
        card,
        **{name: getattr(card, name)[: LONGEST_OF_CARD[name]] for name in FILLED_IN},
    )


def keep(lesson: Lesson, model_name: str) -> None:
    """Keep what the opening shows now, with what stands in the card's fields.

    Where it shows no figure, only the fields of a kept card change.
    """
    notes = {
        name: (st.session_state.get(note_key(lesson.slug, name)) or "")[: LONGEST_OF_CARD[name]]
        for name in NOTES
    }
    card = of_screen(lesson, model_name)
    if card.result:
        card = replace(card, kept=datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"))
    elif (card := kept_card(lesson.slug)) is None:
        return
    session.of(Cards).kept[lesson.slug] = replace(card, **notes)


def kept_card(slug: str) -> EvidenceCard | None:
    """Return a lesson's card as it was kept, None if none was."""
    return session.of(Cards).kept.get(slug)


def explained(slug: str) -> str:
    """Return the learner's own explanation in a lesson."""
    return session.of(Cards).explained.get(slug, "")


def keep_explained(slug: str) -> None:
    """Keep what stands in the field of a question to explain."""
    text = st.session_state.get(explained_key(slug)) or ""
    session.of(Cards).explained[slug] = text[: LONGEST_OF_CARD["expected"]]


def as_markdown(card: EvidenceCard, words: Words, *, on_page: bool = False) -> str:
    """Return a card as Markdown; no mark of a learner's in it opens markup.

    On a page more than Markdown is read: icons, addresses, colours.
    """
    blocks = []
    for name in FILLED_IN:
        if lines := getattr(card, name).splitlines():
            listed = "\n".join(
                f"- {as_text(line) if on_page else plain(line, None)}" for line in lines
            )
            blocks += [f"**{words.plain(name)}**", listed]
    if card.link:
        blocks.append(f"**{words.plain('link')}**: <{card.link}>")
    for name in NOTES:
        if text := getattr(card, name):
            blocks += [f"**{words.plain(name)}**", quoted(text)]
    if card.kept:
        blocks.append(f"*{words.plain('kept_at', kept=plain(card.kept))}*")
    return "\n\n".join(blocks)


def all_as_markdown(record: LearnersRecord, words: Words) -> str:
    """Return the cards of all lessons as one page."""
    blocks = [f"# {words.plain('page_title')}"]
    for slug, done in record.lessons.items():
        if done.card is not None:
            title = plain(read_words(slug).plain("title"))
            blocks += [f"## {title}", as_markdown(done.card, words)]
    return "\n\n".join(blocks) + "\n"


def _is_typed(control: Control) -> bool:
    return control.kind in ("text", "area") or control.name.endswith("_text")


def _controls(lesson: Lesson) -> Iterator[tuple[Control, str]]:
    """Give the opening's controls, each with its title and what it shows."""
    drawn = drawn_at(lesson.slug, "", lambda control: _text(control, _value(control)))
    for control in controls_of(lesson.slug).values():
        is_shown = OPENING in control.at and control.key in drawn
        if control.name.startswith(OF_A_RUN_TO_COME) or not is_shown:
            continue
        if control.kind in ("drawn", "position") and not _is_typed(control):
            continue
        value = _value(control)
        if value is not None and str(value).strip():
            shown = option_of(control, value) if isinstance(value, str) else _text(control, value)
            yield control, f"{title_of(control)}: {shown}"


def _value(control: Control) -> object:
    """Return what a control of the opening shows, also before it was changed."""
    for found in (st.session_state.get(control.key), st.query_params.get(control.key)):
        if found is not None:
            return found
    if control.is_text:
        words, label = read_examples(control.words), control.label_of_example
        return words.plain(label) if words.has(label) else None
    return control.start


def _text(control: Control, value: object) -> str | None:
    """Return a value as the reader's language writes it."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return read_words("evidence_card").plain("yes" if value else "no")
    if isinstance(value, tuple | list):
        return ", ".join(str(_text(control, one)) for one in value)
    return formatted(value, "g") if isinstance(value, float) else str(value)


def _link(lesson: Lesson, model_name: str) -> str:
    """Return the address of what the opening shows; none where the browser's is not known."""
    address = (st.context.url or "").partition("?")[0]
    known = controls_of(lesson.slug)
    asked = {
        name: value
        for name, value in st.query_params.to_dict().items()
        if name in (MODEL, READS, IN_LINK) or (name in known and OPENING in known[name].at)
    }
    link = f"{address}?{urlencode(asked | {MADE_WITH: VERSION})}"
    return link if address and len(link) <= LONGEST_OF_CARD["link"] else ""
