"""What is asked: a question and a passage of the test part, or the learner's own."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.number_format import formatted
from pages.shared.frame.page_frame import Page
from pages.shared.link import inputs

if TYPE_CHECKING:
    from mlm_core.finetuning.fine_tuned import FineTuned
    from mlm_core.finetuning.snapshot import FineTuneSnapshot
    from mlm_core.text.tokens import TokenizedText

LONGEST_PASSAGE = 1_500  # characters; more than twice what the bundled model's window holds
TITLE_LETTERS = 60  # of a passage, in the list
SOURCE, PASSAGE = "classification_answers_source", "classification_answers_passage"


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A question, its passage, and the right answer if it is known."""

    question: str
    passage: str
    right: tuple[int, int] | None = None  # first character in the passage, and one past the last

    @property
    def right_text(self) -> str:
        """Return the right answer's text; empty if it isn't known."""
        return self.passage[slice(*self.right)] if self.right else ""


def ask(page: Page, snapshot: "FineTuneSnapshot") -> Asked | None:
    """Let the learner choose or write; return None, and say why, if something is missing."""
    words = page.words
    names = {name: words.label(f"answers_source_{name}") for name in ("stored", "own")}
    if inputs.choice(words.label("answers_source"), names, key=SOURCE) == "stored":
        return _stored(page, snapshot)
    return _own(page)


def _stored(page: Page, snapshot: "FineTuneSnapshot") -> Asked:
    """Offer the test part; it opens on a question that this run answers exactly, if any."""
    from mlm_core.answers.spans import exact_match

    words, questions = page.words, snapshot.dataset.test
    said = snapshot.predictions.predicted if snapshot.predictions else [""] * len(questions)
    answers = zip(questions, said, strict=True)
    hits = (i for i, (one, answer) in enumerate(answers) if exact_match(answer, one.answer))
    first = questions[next(hits, 0)]
    passages = list(dict.fromkeys(one.passage for one in questions))
    chosen = inputs.listed(
        words.label("answers_passage"),
        {str(i): _title(passage) for i, passage in enumerate(passages)},
        key=PASSAGE,
        default=str(passages.index(first.passage)),
    )
    about = [one for one in questions if one.passage == passages[int(chosen)]]
    # A key for each passage: a question of another one can't be left chosen.
    number = inputs.listed(
        words.label("answers_question"),
        {str(i): one.question for i, one in enumerate(about)},
        key=f"classification_answers_question_{chosen}",
        default=str(about.index(first)) if first in about else "0",
    )
    one = about[int(number)]
    return Asked(question=one.question, passage=one.passage, right=(one.start, one.stop))


def _own(page: Page) -> Asked | None:
    words = page.words
    passage = inputs.text_area(
        words.label("answers_own_passage"),
        words.plain("answers_sample_passage"),
        key="classification_answers_own_passage",
        longest=LONGEST_PASSAGE,
        height=130,
    )
    if len(passage) >= LONGEST_PASSAGE:
        st.warning(
            words.section("answers.field_cut", longest=formatted(LONGEST_PASSAGE, ",")),
            icon=":material/content_cut:",
        )
    left, right = st.columns([3, 2])
    with left:
        question = inputs.text(
            words.label("answers_own_question"),
            words.plain("answers_sample_question"),
            key="classification_answers_own_question",
        )
    with right:
        answer = inputs.text(
            words.label("answers_own_answer"),
            words.plain("answers_sample_answer"),
            key="classification_answers_own_answer",
        ).strip()
    if not passage.strip() or not question.strip():
        st.info(words.section("answers.empty"), icon=":material/edit:")
        return None
    place = passage.casefold().find(answer.casefold()) if answer else -1
    # Folding case may change the length of a text (ß, İ), and then the place is another.
    if answer and passage[place : place + len(answer)].casefold() != answer.casefold():
        place = -1
    if answer and place < 0:
        st.info(words.section("answers.not_in_passage"), icon=":material/search_off:")
    stretch = (place, place + len(answer)) if place >= 0 else None
    return Asked(question=question, passage=passage, right=stretch)


def _title(passage: str) -> str:
    if len(passage) <= TITLE_LETTERS:
        return passage
    return passage[:TITLE_LETTERS].rsplit(" ", 1)[0] + " …"


def say_what_was_cut(page: Page, model: "FineTuned", text: "TokenizedText", asked: Asked) -> None:
    """Tell what the window left out, of the passage or of the question."""
    words = page.words
    if not text.n_left_out:
        return
    read = max((token.stop for token in text.tokens if token.segment == 1), default=0)
    n_question = sum(token.segment == 0 and token.word is not None for token in text.tokens)
    whole = sum(token.word is not None for token in model.read(asked.question).tokens)
    which = "question_cut" if n_question < whole else "passage_cut"
    st.warning(
        words.section(f"answers.{which}", n=text.n_left_out, window=model.encoder.max_tokens),
        icon=":material/content_cut:",
    )
    if asked.right is not None and asked.right[1] > read:
        st.warning(words.section("answers.right_cut"), icon=":material/visibility_off:")
