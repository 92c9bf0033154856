"""A teacher's own text or question: as data, as Markdown that is safe to show, and in a room.

    Own            is
    ""             nothing
    another str    a text in Markdown
    OwnQuestion    a question

A room keeps the one that is on in the record own/now, and a question as one of its questions.

Read before this: rooms.py.
"""

import json
import re
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import asdict
from hashlib import sha256
from string import ascii_uppercase

from mlm_core.exercises.exercise import read_number
from mlm_core.exercises.own.own_question import OwnQuestion, read_question
from mlm_core.figures.theme import printable
from mlm_core.number_format import ENGLISH, formatted, written_with
from pages.server.classroom.rooms import MOST_LESSONS, MOST_QUESTIONS, Question, Rooms, State

Own = str | OwnQuestion

LONGEST_OWN = 100_000  # characters of a text, most of them images
LARGEST_IMAGE = 70_000  # bytes, which are 93,336 characters
LESSON, LABEL = "teaching", "own"  # of a teacher's question in the room
KIND, NOW = "own", "now"  # of the record
NEW = json.dumps(asdict(State()))
_BEGINS = {
    kind: re.compile(begins, re.DOTALL)
    for kind, begins in {
        "png": rb"\x89PNG\r\n\x1a\n",
        "jpeg": rb"\xff\xd8\xff",
        "gif": rb"GIF8[79]a",
        "webp": rb"RIFF....WEBP",
    }.items()
}
# An image that is whole in the text. What stands between "![" and "](" has no sign that could
# begin code, a formula, markup or another bracket, so Markdown can't read it in another way.
_IMAGE = re.compile(
    r"(!\[[\w ,.;()'+-]{0,200}\]\(data:image/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}\))"
)
# Signs of Markdown around words; the first group is what they are around.
_MARKUP = re.compile(
    r"\[([^\[\]\n]{0,100})\]\([^()\n]{0,100}\)|\$\$?([^$\n]{1,100})\$\$?"
    r"|(?m:^[ \t]{0,3}(?:#{1,6}|[->*+]) )|`|~~"
    r"|(?<!\w)(?:\*{1,3}|__?)(?=[^\W_])|(?<=[^\W_])(?:\*{1,3}|__?)(?!\w)"
)


def read_own(found: Mapping) -> Own:
    """Return what a JSON object has as its "text" or "question". Raises ValueError."""
    if found.get("question") is not None:
        return read_question(found["question"])
    text = found.get("text", "")
    if not isinstance(text, str) or len(text) > LONGEST_OWN:
        raise ValueError(f"a step's own text has at most {LONGEST_OWN} characters")
    return text


def own_as_json(own: Own) -> dict[str, object]:
    """Return the fields that `read_own` reads."""
    if isinstance(own, OwnQuestion):
        return {"question": own.as_json()}
    return {"text": own} if own else {}


def words_of(own: Own) -> str:
    """Return a text, or what a question asks."""
    return own.text if isinstance(own, OwnQuestion) else own


def title_of(own: Own, longest: int = 80) -> str:
    r"""Return the beginning of its words on one line, without images and usual Markdown signs.

    >>> title_of("## *Who* wrote [**this**](a.de)?\n- $x_1$, a_b or _____")
    'Who wrote this? x_1, a_b or _____'
    """
    words = _MARKUP.sub(lambda found: found[1] or found[2] or "", _IMAGE.sub("", words_of(own)))
    words = _MARKUP.sub(lambda found: found[1] or found[2] or "", words)  # a link's words
    return printable(" ".join(words.split()), longest)


def lines_of(own: Own) -> list[str]:
    """Return what it says as lines to print: a text, or what is asked and offered."""
    lines = [line for line in _IMAGE.sub("", words_of(own)).splitlines() if line.strip()]
    offered = offered_in(own) if isinstance(own, OwnQuestion) else ()
    return [*lines, *(f"– {one}" for one in offered)]


def offered_in(own: OwnQuestion) -> list[str]:
    """Return what a question offers, in the order in which learners see it."""
    order = own.shown_order()
    if own.kind == "labels":
        return [" ".join(own.options)]
    if own.kind == "match":
        return [*own.options, *(own.partners[at] for at in order)]
    return [own.options[at] for at in order]


def safe_markdown(text: str) -> tuple[str, int]:
    r"""Return a text that loads nothing from elsewhere, and how many images were left out.

    An image is shown if it is in the text as data; of another one the text of its link is left.

    >>> safe_markdown("![a](http://b.example/c.png)")
    ('!\\[a](http://b.example/c.png)', 1)
    """
    pieces = _IMAGE.split("\n".join(map(printable, text.expandtabs(4).splitlines())))
    n_left_out = sum(piece.count("![") for piece in pieces[::2])
    pieces[::2] = [piece.replace("![", "!\\[") for piece in pieces[::2]]
    return "".join(pieces), n_left_out


def image_as_text(data: bytes) -> str:
    """Return an image file as Markdown that has it whole. Raises ValueError."""
    kind = next((kind for kind, begins in _BEGINS.items() if begins.match(data)), None)
    if kind is None or len(data) > LARGEST_IMAGE:
        raise ValueError(
            f"an image is a PNG, JPEG, GIF or WebP file of at most {LARGEST_IMAGE} bytes"
        )
    return f"![](data:image/{kind};base64,{b64encode(data).decode()})"


def id_of(own: Own) -> str:
    """Return what a room knows it by, the same for equal ones; "" for nothing."""
    if not own:
        return ""
    text = json.dumps(own_as_json(own))
    return f"own_{sha256(text.encode()).hexdigest()[:12]}"


def put(rooms: Rooms, code: str, own: Own) -> None:
    """Give a text or question to the class, in place of the one before; "" takes it back.

    A question that comes again is the newest one, with the answers that it has.
    """
    if own:
        rooms.store.put(code, KIND, NOW, json.dumps(own_as_json(own)), most=1)
    if isinstance(own, OwnQuestion):
        rooms.store.drop(code, "questions", id_of(own))
        rooms.bring(code, "", question_of(own))
        if id_of(own) not in rooms.look(code).states:  # from now on it makes way for no other one
            rooms.store.put(code, "states", id_of(own), NEW, most=MOST_QUESTIONS)
    rooms.store.put(code, "room", KIND, id_of(own), most=MOST_LESSONS)


def now(rooms: Rooms, code: str) -> Own:
    """Return what was given to the class last."""
    text = rooms.store.get(code, KIND, NOW)
    return "" if text is None else read_own(json.loads(text))


def question_of(own: OwnQuestion) -> Question:
    """Return a teacher's question as a room keeps it; its words come with it."""
    is_choice = own.kind == "choice" and not own.takes_several
    return Question(
        id=id_of(own),
        kind="choice" if is_choice else "number" if own.kind == "number" else "text",
        lesson=LESSON,
        label=LABEL,
        options={str(at): one for at, one in enumerate(own.options)} if is_choice else {},
        own=own.as_json(),
    )


def as_kept(own: OwnQuestion, answer: str) -> str:
    """Return an answer as a room keeps it: no reader's marks, and labels by number, so that 40 fit.

    Raises UnreadableAnswerError.
    """
    own.is_right(answer)
    if own.kind == "number":
        return repr(read_number(answer))
    if own.kind == "labels":
        numbers = {label: str(at) for at, label in enumerate(_labels(own))}
        return " ".join(numbers[label] for label in answer.split())
    return " ".join(sorted(set(answer.split()))) if own.kind == "choice" else answer


def right_of(own: OwnQuestion) -> str:
    """Return the right answer as a room keeps it."""
    return own.right_answer if own.kind == "number" else as_kept(own, own.right_answer)


def is_right(own: OwnQuestion, kept: str) -> bool:
    """Return whether a kept answer is right."""
    if own.kind != "number":
        return kept == right_of(own)
    with written_with(ENGLISH):
        return own.is_right(kept)


def text_of(own: OwnQuestion, kept: str) -> str:
    """Return a kept answer as it is read.

    >>> text_of(OwnQuestion(kind="order", text="?", options=("cut", "attend")), "1 0")
    'attend → cut'
    """
    if own.kind == "number":
        return formatted(float(kept), ".15g")
    given = [int(at) for at in kept.split()]
    if own.kind in ("labels", "match"):
        names = _labels(own) if own.kind == "labels" else own.partners
        mark, between = ("/", " ") if own.kind == "labels" else (": ", "; ")
        pairs = zip(own.options, given, strict=True)
        return between.join(f"{option}{mark}{names[at]}" for option, at in pairs)
    between = " → " if own.kind == "order" else ", "
    return between.join(own.options[at] for at in given)


def letters_of(own: OwnQuestion, kept: str) -> str:
    """Return a kept answer as it is read, an order or match by the letters of what is offered.

    >>> letters_of(OwnQuestion(kind="order", text="?", options=("cut", "attend")), "1 0")
    'A → B'
    """
    if own.kind not in ("order", "match"):
        return text_of(own, kept)
    given = [letters(own)[int(at)] for at in kept.split()]
    if own.kind == "order":
        return " → ".join(given)
    return ", ".join(f"{number}: {letter}" for number, letter in enumerate(given, 1))


def letters(own: OwnQuestion) -> list[str]:
    """Return the letter of each option of an order, or partner of a match, in their order."""
    return [ascii_uppercase[own.shown_order().index(at)] for at in range(len(own.options))]


def _labels(own: OwnQuestion) -> list[str]:
    return list(dict.fromkeys(own.partners))
