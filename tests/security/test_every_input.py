"""Every input of every page at once, with everything hostile in it.

Each view is opened with markup in every text of its link, and in half of its other parameters; the
rest have values that no number, name or grid has, in every view others. Then every widget on it,
our own components among them, gets what no browser of good will would send (tests/forged.py).
Neither may bring a page down, put a number beyond its limits, or leave markup of a learner's in
anything the page sends (tests/markup.py), or a formula in a file.

The views are the parts of all pages, and those behind choices that bring another kind of widget.
"""

import csv
import io
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from unittest.mock import patch

import pytest
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from mlm_core.exercises.own.own_question import OwnQuestion
from pages.server import session
from pages.server.classroom import encoder_run
from pages.server.classroom.desk import PICKED_FROM, Pick, open_desk
from pages.server.classroom.encoder_run import Progress, Told
from pages.server.classroom.rooms import COLLECTIONS, MAP, Question, Rooms
from pages.server.course.lessons import BESIDE, BY_SLUG, LESSONS
from pages.server.course.words import read_words
from pages.server.figures.table import OPENS_FORMULA
from pages.server.link.controls import controls_of
from pages.server.record.learners_record import LearnersRecord, LessonDone, as_json
from pages.server.record.session_record import Done
from pages.server.room.membership import InRoom, Membership
from pages.server.room.server_rooms import forget, server_rooms
from tests.forged import EVERYTHING, forged_run
from tests.hostile import LINK_VALUES, TEXTS
from tests.markup import foreign_markup, in_html

UNEXPECTED = read_words("frame").section("unexpected")
FILES = {"home": "app.py"} | {page.slug: page.file for page in (*LESSONS, *BESIDE)}
PARTS = {page.slug: page.parts for page in (*LESSONS, *BESIDE)}


@dataclass(frozen=True, kw_only=True)
class View:
    """A page as somebody has it before them."""

    link: dict[str, str]
    session: dict[str, object] = field(default_factory=dict)  # widgets that aren't in the link
    opened: dict[str, list[str]] = field(default_factory=dict)  # parts, in the learner's record
    file: tuple[str, bytes] | None = None  # uploaded: to which widget, and what


RECORD = LearnersRecord(
    seed=1, lessons={"masking": LessonDone(opened=("why",), seed=1, exercises={})}, saved=""
)
# In a link, what stands for a room of this module's tests, and for the key of its desk.
SENSE = "**b** :red[bank] <img src=x>"
ROOM, KEY = "CODE-OF-THE-ROOM", "KEY-OF-THE-DESK"
# Another one, whose class's encoder is trained.
TRAINED, ITS_KEY = "CODE-OF-THE-TRAINED-ROOM", "KEY-OF-ITS-DESK"
GUESSES = [(EVERYTHING, 0.5), ("boat", 0.25)]
OF_ALL_PAGES = ("room", "desk", "present")  # parameters; the others have the page's name before
# Views beside the parts as they start, for widgets that a choice brings.
BEHIND_CHOICES: dict[str, list[View]] = {
    "home": [
        View(
            link={"record": "true"},
            opened={"masking": ["why"]},
            file=("home_record_file", as_json(RECORD)),
        ),
        View(
            link={"room": ROOM},
            session=dict.fromkeys(("room_sentences", "room_learner_questions"), True)
            | {"room_encoder": True},
        ),
        View(link={"room": TRAINED}, session={"room_encoder": True}),
    ],
    "subword_tokens": [
        View(link={"part": "exercises", "exercise_which": "which_table"}),
        View(link={"part": "vocabulary", "curve": "own"}),
    ],
    "attention_mask": [
        View(link={"part": "worked", "example": "sentence"}),
        View(link={"part": "flow", "kind": "padding"}),
        View(link={"part": "flow", "kind": "drawn"}),
    ],
    "masking": [
        View(link={"step": "2"}),
        View(link={"present": "1"}),
    ],
    "prediction_and_loss": [
        View(link={"part": "blanks", "blanks_kind": "pieces"}),
    ],
    "sentence_pairs": [
        View(
            link={"part": "own", "stage": "loss"},
            session={"sentence_pairs_own_guess": "follows"},
        ),
        View(link={"part": "batch", "documents": "own"}),
        View(
            link={"part": "packing"},
            session={"sentence_pairs_packing_guess": "middle"},
        ),
    ],
    "train_an_encoder": [View(link={"set_corpus": "own"})],
    "word_senses": [
        View(link={"part": "own", "own_from": "file"}),
        View(link={"part": "own", "own_from": "paste"}),
        View(link={"part": "own", "own_kind": "umap"}),
        View(link={"part": "own", "own_from": "room", "room": ROOM}),
        View(link={"part": "class_map", "room": ROOM}),
    ],
    "isotropy": [
        View(link={"part": "dimensions"}, session={"isotropy_half_guess": "10"}),
        View(link={"part": "formula", "corpus": "own"}),
    ],
    "classification": [
        View(link={"part": "answers", "answers_source": "own"}),
        View(link={"part": "own_sentence", "own_run": "entailment_top"}),
        View(link={"part": "train", "set_data": "own_classes"}),
        View(
            link={"part": "train", "set_data": "own_classes"},
            session={"classification_own_text": "bad,It was cold.\ngood,It was warm.\n" * 4},
        ),
    ],
    "bio_tagging": [
        View(link={"part": "viterbi"}),
        View(link={"part": "scores", "scores_case": "own"}),
        View(link={"marked_type": "own"}),
    ],
    "teaching": [
        View(
            link={"part": "link", "from": "link"},
            session={"teaching_pasted": "masking?masking_part=why&seed=7"},
        ),
        *(
            View(link={"part": "room", "room_what": what, "room": ROOM, "desk": KEY})
            for what in ("votes", "progress", "sentences", "questions", "encoder", "map", "summary")
        ),
        View(link={"part": "room", "room_what": "encoder", "room": TRAINED, "desk": ITS_KEY}),
        View(link={"part": "room", "room": ROOM, "desk": KEY, "present": "1"}),
    ],
}
# A part that reads its text once for each token of it, or in many ways, gets a short one alone.
SHORT = "A **b** <img src=x onerror='h()'> bank."
READ_OFTEN = {
    "passes": {"masking_part_text": SHORT},
    "causal": {"prediction_and_loss_text": SHORT},
    "write": {"prediction_and_loss_write_text": SHORT},
    "sentences": {"prediction_and_loss_first": SHORT, "prediction_and_loss_second": SHORT},
    "own_sentence": {
        "classification_own_text_sentiment": SHORT,
        "classification_own_pair_entailment": SHORT,
        "classification_own_second_entailment": SHORT,
    },
}
# What a page to print has of our own.
OF_HANDOUTS = {f"the element {name}" for name in ("meta", "h1", "h2", "a")} | {"the attribute href"}
WITH_VALUE = (
    *("text_input", "text_area", "selectbox", "slider", "select_slider", "number_input"),
    *("button_group", "checkbox", "toggle", "multiselect", "radio"),
)
VALUES = [*LINK_VALUES.values()]
NUMBER = re.compile(r"[+-]?([\d.]+(e[+-]?\d+)?|inf)")


def views_of(slug: str) -> list[View]:
    """Return a page's views: one for each part, and those behind choices."""
    views = [View(link={"part": name}) for name in PARTS.get(slug, ())]
    views += BEHIND_CHOICES.get(slug, [])
    room = a_room() if any("room" in view.link for view in views) else {}

    def in_full(link: dict[str, str]) -> dict[str, str]:
        names = {key: key if key in OF_ALL_PAGES else f"{slug}_{key}" for key in link}
        return {names[key]: room.get(value, value) for key, value in link.items()}

    return [replace(view, link=in_full(view.link)) for view in views]


def a_room() -> dict[str, str]:
    """Return code and key of a new room in which everything is hostile that a visitor can send.

    And those of one with a trained encoder. What other tests left is gone before: their rooms,
    and the wrong codes that lock a room.
    """
    forget()
    with server_rooms() as rooms:
        code, key = rooms.open("tests")
        desk, visit = open_desk(rooms, code, key), rooms.join(code, "tests")
        desk.offer("masking?masking_part=why")
        for kind in ("number", "text"):
            asked = Question(
                id=kind,
                kind=kind,
                lesson="subword_tokens",
                label="surname_guess",
                values={"sentence": EVERYTHING},
            )
            rooms.answer(code, visit, asked, 1, "3" if kind == "number" else EVERYTHING)
        for collection in COLLECTIONS:
            desk.take(collection, True)
            for text in (EVERYTHING, f"{EVERYTHING[:200]} [MASK]"):
                rooms.send(code, visit, collection, dict.fromkeys(collection.fields, text))
            desk.ask_for(collection, EVERYTHING)
            _waits, accepted = desk.sent(collection)
            desk.judge(collection, [accepted.key], "accepted")
        for collection in PICKED_FROM:
            for one in desk.sent(collection):
                text = next(iter(one.said.values()))
                desk.pick(Pick(kind=collection.name, key=one.key, text=text))
        choices = {"one": EVERYTHING, "two": f"{EVERYTHING[:100]} [MASK]"}
        encoder_run._put_choices(rooms, code, choices)
        rooms.answer(code, visit, encoder_run.blank_question(rooms.look(code)), 1, "one")
        desk.ask_for(MAP, f"bank | {SENSE} | river")
        for sense in (SENSE, "river", "river"):
            said = {"sentence": EVERYTHING, "sense": sense}
            rooms.send(code, rooms.join(code, "map"), MAP, said)
        desk.judge(MAP, [one.key for one in desk.sent(MAP)], "accepted")
        told = {"opened": ["rule"], "exercises": {"which_table": ["tried", EVERYTHING]}}
        rooms.tell_progress(code, visit, "subword_tokens", told)
        sides = EVERYTHING[:190], f"x{EVERYTHING[:180]}"  # only a question's text is Markdown
        desk.show_own(OwnQuestion(kind="match", text="Which?", options=sides, partners=sides))
        trained, its_key = rooms.open("tests")
        show_trained(rooms, trained)
    return {ROOM: code, KEY: key, TRAINED: trained, ITS_KEY: its_key}


def show_trained(rooms: Rooms, code: str) -> None:
    """Tell a room of a trained encoder with everything hostile in it; nothing is trained."""
    encoder_run.start(rooms, code)
    encoder_run.choose_blank(rooms, code, f"{EVERYTHING[:100]} [MASK]")
    seed = rooms.look(code).encoder_seed
    assert seed is not None
    progress = Progress(
        seed=seed,
        step=8,
        n_steps=8,
        n_sentences=4,
        n_words=9,
        n_learned=3,
        curve=[(4, 3.0), (8, 2.0)],
        blank=EVERYTHING,
        guesses=GUESSES,
    )
    encoder_run.publish(rooms, code, progress, {})


def tell_learner(mine: Membership) -> None:
    """Tell one learner of its trained encoder, if it has one."""
    with server_rooms() as rooms:
        progress = encoder_run.progress_of(rooms, mine.code, rooms.look(mine.code).encoder_seed)
        if progress is None:
            return
        told = Told(
            seed=progress.seed,
            step=8,
            sentences=[(EVERYTHING, 4, 1, 2.0)],
            blank=f"{EVERYTHING[:100]} [MASK]",
            guesses=GUESSES,
        )
        encoder_run.publish(rooms, mine.code, progress, {mine.visit: told})


def keys(app) -> set[str]:
    """Return the keys of all widgets on the page, which are its link parameters too."""
    return {widget.key for kind in WITH_VALUE for widget in app.get(kind) if widget.key}


def opened(slug: str, view: View, turn: int, open_warm_page: Callable):
    """Open a view as its learner has it, hostile in all that its link doesn't say."""
    if slug in BY_SLUG:
        texts = {key for key, row in controls_of(slug).items() if row.is_text}
        others = ["model", *(controls_of(slug).keys() - texts)]
    else:
        texts, others = keys(open_warm_page(FILES[slug], **view.link)), []
    asked = dict.fromkeys(texts, EVERYTHING)
    for number, key in enumerate(sorted(others), start=turn):
        asked[key] = VALUES[number // 2 % len(VALUES)] if number % 2 else EVERYTHING
    asked |= view.link | READ_OFTEN.get(view.link.get(f"{slug}_part", ""), {})
    app = open_warm_page(FILES[slug], **asked)
    if "room_encoder" in view.session:
        tell_learner(session.of(InRoom, app.session_state).mine)
    if view.session or view.opened:
        session.of(Done, app.session_state).opened |= view.opened
        for key, value in view.session.items():
            app.session_state[key] = value
        app.run()
    if view.file is not None:
        key, data = view.file
        app.file_uploader(key=key).upload("a.json", data, "application/json").run()
    return app


@contextmanager
def offered() -> Iterator[list[tuple[str, object]]]:
    """Give a list that takes in the name and the content of each file that is offered meanwhile."""
    files: list[tuple[str, object]] = []

    def noting(draw: Callable) -> Callable:
        def download_button(*args: object, **settings: object) -> object:
            data = next((one for one in args[::-1] if isinstance(one, str | bytes)), b"")
            data = next((one for one in args if callable(one)), data)
            files.append((settings["file_name"], data))
            return draw(*args, **settings)

        return download_button

    with ExitStack() as stack:
        for owner in (st, DeltaGenerator):
            draw = noting(owner.download_button)
            stack.enter_context(patch.object(owner, "download_button", draw))
        yield files


def trouble(app, files: list[tuple[str, object]]) -> Iterator[str]:
    """Say what a page shows, or offers to save, that it must not."""
    yield from (f"exception {one.message}\n{''.join(one.stack_trace)}" for one in app.exception)
    yield from ("the apology" for one in app.error if one.value == UNEXPECTED)
    yield from foreign_markup(app)
    for one in [*app.number_input, *app.slider]:
        values = one.value if isinstance(one.value, tuple) else (one.value,)
        if not all(one.min <= value <= one.max for value in values if value is not None):
            yield f"{one.key} is {one.value}"
    for name, data in files:
        if not re.fullmatch(
            r"[a-z_\d-]+\.(csv|svg|jsonl?|md|html|txt|zip|imscc|tsv|conll|ipynb)", name
        ):
            yield f"a file by the name {name}"
        if name.endswith(".csv"):
            yield from (f"{cell[:60]!r} in {name}" for cell in formulas_in(data))
        if name.endswith(".html"):
            yield from (f"{found} in {name}" for found in set(in_html(data)) - OF_HANDOUTS)
    files.clear()


def formulas_in(data: object) -> list[str]:
    """Return the cells of a CSV file that a spreadsheet would compute."""
    content = data() if callable(data) else data
    text = content.decode("utf-8-sig") if isinstance(content, bytes) else content
    cells = [cell for row in csv.reader(io.StringIO(text, newline="")) for cell in row]
    return [
        cell
        for cell in cells
        if cell[1:] and cell.startswith(tuple(OPENS_FORMULA)) and not NUMBER.fullmatch(cell)
    ]


@pytest.mark.parametrize("slug", FILES)
def test_every_input_of_a_page_takes_everything_hostile(
    slug: str, open_warm_page: Callable, caplog: pytest.LogCaptureFixture
):
    found = []
    with offered() as files:
        for turn, view in enumerate(views_of(slug)):
            app = opened(slug, view, turn, open_warm_page)
            found += [f"{view}, in its link: {sentence}" for sentence in trouble(app, [])]
            files.clear()  # those of the forged run have the same texts in them
            forged_run(app, turn, READ_OFTEN.get(view.link.get(f"{slug}_part", ""), ()))
            found += [f"{view}, forged: {sentence}" for sentence in trouble(app, files)]
    assert not found, "\n".join(found) + caplog.text[-3_000:]
    assert EVERYTHING[:20] not in caplog.text


def test_home_takes_every_text_in_its_fields(open_warm_page: Callable):
    app, found = open_warm_page("app.py"), []
    for name, text in TEXTS.items():
        for one in (*app.text_input, *app.text_area):
            one.set_value(text)
        app.run()
        found += [f"{name}: {sentence}" for sentence in trouble(app, [])]
    assert not found, "\n".join(found)
