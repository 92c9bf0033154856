"""A class in one room, from both sides: a teacher's visit and learners' visits of one server."""

import json
import re
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch
from urllib.parse import urlencode

import pytest
import streamlit
from streamlit.testing.v1 import AppTest

from mlm_core.exercises.own.own_question import OwnQuestion
from pages.beside.teaching import room as room_page
from pages.beside.teaching import room_desk
from pages.kit.layout import PartLayout
from pages.lessons.isotropy.dimensions import GUESSES
from pages.server import session
from pages.server.classroom import own_step
from pages.server.classroom import rooms as rooms_module
from pages.server.classroom.desk import LONGEST_THEME, Desk, Tally
from pages.server.classroom.own_step import Own, as_kept, id_of
from pages.server.classroom.rooms import (
    ENCODER,
    LEARNER_QUESTIONS,
    LONGEST_ANSWER,
    MAP,
    SENTENCES,
    Question,
)
from pages.server.classroom.store import SqliteStore, StoreGoneError
from pages.server.course.lessons import BY_SLUG, TEACHING
from pages.server.course.words import as_text, read_words
from pages.server.figures.table import titled
from pages.server.frame.overview import numbered_title
from pages.server.link.whole_page import WholePage
from pages.server.process.streamlit_patches import part_requests
from pages.server.room import asks, class_map, collecting, desk, membership, plan_run, server_rooms
from pages.server.room.desk import AtDesk
from pages.server.room.membership import InRoom, Membership
from pages.server.room.plan_run import Led, Run
from pages.server.room.votes import WAYS, named_counts, results_of, title_of, votes_drawing
from tests.exercises.test_own_question import CHOICE, LABELS, MATCH, NUMBER, ORDER, SEVERAL
from tests.hostile import TEXTS
from tests.own_steps import ANSWERED, owns_of
from tests.waiting import CountingLock, in_threads, wait_until

WORDS, FRAME = read_words("room"), read_words("frame")
GUESS = "isotropy_half_guess"
BOX_OF_SENTENCES = "teaching_room_let_through_sentences"
LESSON = {"isotropy_part": "dimensions"}
TEACHER = {"teaching_part": "room"}
pytestmark = pytest.mark.usefixtures("rooms_of_its_own")


@pytest.fixture
def teacher(open_warm_page: Callable):
    app = open_warm_page(TEACHING.file, **TEACHER)
    return app.button(key="teaching_room_open").click().run()


@pytest.fixture
def learner(open_warm_page: Callable, teacher) -> Callable:
    """Give what opens a lesson in the teacher's room."""

    def open_(slug: str = "isotropy", **link: str):
        link = link or LESSON
        return open_warm_page(BY_SLUG[slug].file, room=code_of(teacher), **link)

    return open_


def in_room(app) -> InRoom:
    return session.of(InRoom, app.session_state)


def member(app) -> Membership:
    return in_room(app).mine


def code_of(teacher) -> str:
    return at_desk(teacher).code


def keys(app) -> set[str]:
    return {one.key for one in app.button}


def said(app, section: str, **values: str) -> bool:
    wanted = WORDS.section(section, **values)
    return wanted in {one.value for one in (*app.markdown, *app.info, *app.warning, *app.caption)}


def guess(app, answer: str, key: str = GUESS):
    return app.get("button_group")[_place(app, key)].set_value(answer).run()


def _place(app, key: str) -> int:
    return [one.key for one in app.get("button_group")].index(key)


def tallies(teacher) -> list[dict[str, int]]:
    return [dict(one.counts) for one in tallies_of(teacher, GUESS)]


def tallies_of(teacher, name: str) -> list[Tally]:
    directed = at_desk(teacher)
    (question,) = [one for one in directed.questions() if one.id == name]
    return directed.tallies(question)


def test_outside_of_a_room_a_page_has_nothing_of_one(open_warm_page: Callable):
    app = open_warm_page(BY_SLUG["isotropy"].file, **LESSON)
    assert not {key for key in keys(app) if key and key.startswith("room_")}
    assert member(app) is None


def test_a_learner_comes_by_link_sees_it_and_leaves_with_one_press(learner: Callable, teacher):
    app = learner()
    assert said(app, "member", code=code_of(teacher))
    assert membership.IN_LINK not in app.query_params
    app.button(key="room_leave").click().run()
    assert not said(app, "member", code=code_of(teacher))
    assert "room_leave" not in keys(app) and not app.exception


def test_the_desk_begins_with_its_tools_once_somebody_came(learner: Callable, teacher):
    fold = WORDS.label("invitation")
    assert fold not in {box.label for box in teacher.expander}
    learner()
    teacher.run()
    box = next(box for box in teacher.expander if box.label == fold)
    assert "teaching_room_waits" in {one.key for one in box.toggle} and not teacher.exception


def test_a_learner_comes_by_code_from_home(open_warm_page: Callable, teacher):
    app = open_warm_page()
    app.text_input(key="home_room_code").set_value("no code")
    app.button(key="home_room_join").click().run()
    assert said(app, "no_code")
    app.text_input(key="home_room_code").set_value(code_of(teacher).lower())
    app.button(key="home_room_join").click().run()
    assert said(app, "member", code=code_of(teacher)) and not app.exception


@pytest.mark.parametrize(
    ("lang", "wanted"), [("en", "There is no room with this code"), ("de", "Es gibt keinen Raum")]
)
def test_a_wrong_code_is_refused_under_its_field_on_home(open_warm_page: Callable, lang, wanted):
    app = open_warm_page(lang=lang)
    app.text_input(key="home_room_code").set_value("BBBBBBBB")
    app.button(key="home_room_join").click().run()
    (refusal,) = app.warning
    assert refusal.value.startswith(wanted)
    label = read_words("room", lang).label("join")
    (box,) = (one for one in app.get("popover") if one.proto.popover.label == label)
    assert [one.value for one in box.warning] == [refusal.value]
    assert app.text_input(key="home_room_code").value == "BBBBBBBB"
    app.run()
    assert not app.warning and not app.exception


def test_a_wrong_code_is_refused_in_the_readers_language(open_warm_page: Callable):
    app = open_warm_page(BY_SLUG["isotropy"].file, room="BBBBBBBB", lang="de", **LESSON)
    assert any("keinen Raum mit diesem Code" in one.value for one in app.warning)
    assert member(app) is None and not app.exception


def test_a_guess_reaches_the_desk_and_the_newest_counts(learner: Callable, teacher):
    one, other = learner(), learner()
    guess(one, GUESSES[0])
    guess(other, GUESSES[0])
    guess(other, GUESSES[1])
    assert list(tallies(teacher)[0].values())[:2] == [1, 1]
    teacher.run()
    assert not teacher.exception and not teacher.error


OWN_PAIR = {"sentence_pairs_part": "own"}
OWN_GUESS = "sentence_pairs_own_guess"


def pair(app, sentence: str):
    return app.text_input(key="sentence_pairs_first").set_value(sentence).run()


def test_changing_a_sentence_asks_nothing_and_after_many_anothers_first_guess_counts(
    learner: Callable, teacher, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(rooms_module, "MOST_QUESTIONS", 2)
    directed, one = at_desk(teacher), learner("sentence_pairs", **OWN_PAIR)
    for k in range(4):
        pair(one, f"Sentence number {k}.")
    assert directed.questions() == []
    for k in range(3):  # answered, too
        pair(one, f"Answered number {k}.")
        guess(one, "follows", OWN_GUESS)
    teacher.run()
    (oldest,) = directed.questions()[1:]
    teacher.selectbox(key="teaching_room_question").set_value(oldest.id).run()
    guess(learner(), GUESSES[0])
    assert tallies(teacher)[0][GUESSES[0]] == 1
    assert oldest not in directed.questions()
    teacher.run()  # which showed what has made way
    for app in (one, teacher):
        assert not app.exception and not app.error


def test_only_an_answer_that_the_teacher_can_reveal_stays_closed(
    learner: Callable, teacher, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(rooms_module, "MOST_QUESTIONS", 1)
    directed, one = at_desk(teacher), learner("sentence_pairs", **OWN_PAIR)
    directed.keep_answers(True)
    guess(one, "follows", OWN_GUESS)
    assert said(one, "closed")
    other = learner()
    guess(other, GUESSES[0])  # the pair makes way
    assert said(other, "closed") and [one.id for one in directed.questions()] == [GUESS]
    one.run()  # and is told again
    (asked,) = directed.questions()
    assert said(one, "closed") and asked.lesson == "sentence_pairs"
    directed.vote_again(asked.id)  # now it stays, and the room has no place for another
    other.run()
    assert not said(other, "closed") and not other.exception
    directed.reveal(asked.id)
    one.run()
    assert not said(one, "closed") and not one.exception


def test_the_votes_can_be_hidden_before_the_first_answer_comes(learner: Callable, teacher):
    app = learner()
    assert WORDS.label("show_votes") in {one.label for one in teacher.toggle}
    teacher.toggle(key="teaching_room_show_votes").set_value(False).run()
    guess(app, GUESSES[0])
    teacher.run()
    assert teacher.button(key="teaching_room_vote_again")
    assert teacher.toggle(key="teaching_room_show_votes").value is False
    assert not teacher.exception and not teacher.error


def test_the_answer_waits_until_the_teacher_reveals_it(learner: Callable, teacher):
    teacher.toggle(key="teaching_room_waits").set_value(True).run()
    app = learner()
    guess(app, GUESSES[0])
    assert said(app, "closed")
    n_closed = len(app.markdown)
    teacher.run()
    teacher.button(key="teaching_room_reveal").click().run()
    app.run()
    assert not said(app, "closed") and len(app.markdown) > n_closed
    guess(app, GUESSES[1])  # after the answer is known it doesn't count any more
    assert tallies(teacher)[0][GUESSES[0]] == 1


def test_a_second_vote_begins_empty_and_keeps_the_first(learner: Callable, teacher):
    app = learner()
    guess(app, GUESSES[0])
    teacher.run()
    teacher.button(key="teaching_room_vote_again").click().run()
    app.run()
    assert said(app, "vote_again") and leads_to(app, f"{GUESS}_2")
    assert app.get("button_group")[_place(app, f"{GUESS}_2")].value in (None, [])
    guess(app, GUESSES[1], f"{GUESS}_2")
    assert not leads_to(app, f"{GUESS}_2")
    assert app.session_state[GUESS] == GUESSES[1]
    first, second = tallies(teacher)
    assert first[GUESSES[0]] == 1 and second[GUESSES[1]] == 1 and sum(second.values()) == 1
    teacher.run()
    assert not teacher.exception and not teacher.error


def test_what_changes_in_a_room_draws_the_parts_that_show_it_and_not_the_page(
    learner: Callable, teacher, monkeypatch: pytest.MonkeyPatch
):
    """A part that a timer draws alone, which AppTest can't, is the script itself here."""
    app, directed, asked = learner(), at_desk(teacher), []
    followed = in_room(app).parts
    assert {what: len(parts) for what, parts in followed.items()} == {
        "votes": 1,
        "boxes": 2,
        "own": 1,
        "questions": 1,
    }
    assert None not in set().union(*followed.values())

    def script() -> None:
        from pages.server.room import banner

        banner.show("isotropy")

    monkeypatch.setattr(part_requests, "draw", asked.append)
    alone = AppTest.from_function(script, default_timeout=120)
    in_room(alone).mine, in_room(alone).parts = member(app), followed
    alone.run()

    def drawn_after(change: Callable[[], None]) -> set[str]:
        asked.clear()
        change()
        alone.run()
        assert not alone.exception
        assert "mlm_room_cookie" not in {one.proto.component_name for one in drawings(alone)}
        return asked[-1]

    assert drawn_after(lambda: None) == set()
    assert drawn_after(lambda: directed.vote_again(GUESS)) == followed["votes"]
    assert drawn_after(lambda: directed.keep_answers(True)) == followed["votes"]
    assert drawn_after(lambda: directed.take(SENTENCES, True)) == followed["boxes"]
    assert drawn_after(lambda: directed.ask_for(ENCODER, "The sea")) == followed["boxes"]
    assert drawn_after(lambda: directed.take(MAP, True)) == set()  # this page shows no map
    assert drawn_after(lambda: directed.ask_after(True)) == set()  # nor the concept test
    for change in (
        lambda: directed.take(LEARNER_QUESTIONS, True),
        lambda: directed.judge(LEARNER_QUESTIONS, [], "accepted"),
    ):
        assert drawn_after(change) == followed["questions"]
    for own in ("Read.", CHOICE, ""):
        drawn = drawn_after(lambda own=own: directed.show_own(own))
        assert drawn - followed["votes"] == followed["own"], "a question's first round, too"
    in_room(alone).mine = None
    desk_of(alone).mine, desk_of(alone).key = directed, "key"
    assert drawn_after(lambda: directed.reveal(GUESS)) == followed["votes"], "the director's too"
    desk_of(alone).mine = None
    in_room(alone).mine = member(app)
    asked.clear()
    directed.end()
    alone.run()  # the whole page, once
    assert member(alone) is None and not alone.exception


def test_who_missed_the_second_vote_sees_the_answer_when_it_is_revealed(learner, teacher):
    app, directed = learner(), at_desk(teacher)
    directed.keep_answers(True)
    guess(app, GUESSES[0])
    directed.vote_again(GUESS)
    assert said(app.run(), "vote_again") and not is_told(app)
    directed.reveal(GUESS)
    assert is_told(app.run()) and not said(app, "vote_again") and not app.exception


def is_told(app) -> bool:
    """Return whether a page answers its guess."""
    return any("You said" in one.value for one in app.markdown)


def test_a_view_that_the_teacher_offers_is_a_press_away(learner: Callable, teacher):
    app = learner()
    lesson = teacher.switch_page(BY_SLUG["masking"].file)
    lesson.query_params["masking_part"] = "why"
    lesson.run()
    lesson.button(key="room_offer").click().run()
    app.run()
    label = app.button(key="room_go").label
    words = read_words("masking")
    assert words.label("title") in label and as_text(words.label("part_why")) in label
    app.button(key="room_go").click().run()
    assert app.title[0].value == numbered_title(BY_SLUG["masking"])
    assert app.query_params["masking_part"] in ("why", ["why"])
    assert said(app, "member", code=code_of(teacher)) and not app.exception


def test_who_follows_the_teacher_reads_the_teachers_language(learner: Callable, teacher):
    app = learner()
    app.selectbox(key="lang").set_value("de").run()
    teacher.switch_page(BY_SLUG["masking"].file).run()
    teacher.button(key="room_offer").click().run()
    app.run()
    app.button(key="room_go").click().run()
    english = read_words("masking").label("default_text")
    assert app.text_input(key="masking_text").value == english and not app.exception


def test_a_part_of_the_same_lesson_is_a_press_away_too(learner: Callable, teacher):
    app = learner()
    teacher.switch_page(BY_SLUG["isotropy"].file)
    teacher.query_params["isotropy_part"] = "layers"
    teacher.run()
    teacher.button(key="room_offer").click().run()
    app.run()
    app.button(key="room_go").click().run()
    assert app.session_state["isotropy_part"] == "layers" and not app.exception


def test_the_bar_on_the_lessons_page_counts_the_votes_and_reveals(learner: Callable, teacher):
    teacher.toggle(key="teaching_room_waits").set_value(True).run()
    app = learner()
    teacher.switch_page(BY_SLUG["isotropy"].file)
    teacher.query_params.update(LESSON)
    teacher.run()
    assert WORDS.label("n_here") in " ".join(one.value for one in teacher.markdown)
    guess(app, GUESSES[0])
    teacher.run()
    assert WORDS.label("answered", n=1, of=1) in [one.value for one in teacher.markdown]
    assert any(one.proto.json.find("votes") > 0 for one in teacher.get("bidi_component"))
    teacher.button(key="teaching_room_reveal").click().run()
    assert "teaching_room_reveal" not in keys(teacher) and not teacher.exception
    assert "✓" not in drawn(teacher)
    assert not said(app.run(), "closed")  # and this page has computed what is right
    (right,) = tallies_of(teacher, GUESS)
    assert right.right in GUESSES and right.n_right == (right.right == GUESSES[0])
    option = read_words("isotropy").plain(f"half_guess_{right.right}")
    assert f"✓ {option}" in drawn(teacher.run())
    teacher.button(key="teaching_room_vote_again").click().run()
    assert "✓" not in drawn(teacher.run()) and not teacher.exception


@pytest.mark.parametrize(
    ("slug", "name", "link", "right", "wrong", "key"),
    [
        ("attention_mask", "same_causal", {}, "same", "different", "attention_mask_contrast"),
        ("masking", "draw", {"masking_step": "1"}, "mask", "keep", "masking_do_roll"),
        # Words of "He played the [MASK] in an orchestra."
        ("inside_a_prediction", "most", {}, "5", "0", "inside_a_prediction_attribution"),
    ],
)
def test_a_class_votes_before_what_answers_it_is_shown(
    open_warm_page: Callable, learner: Callable, teacher, slug, name, link, right, wrong, key
):
    teacher.toggle(key="teaching_room_waits").set_value(True).run()
    app, field = learner(slug, **(link or {"lang": "en"})), f"{slug}_{name}_guess"
    assert key not in shown(app) and key in shown(open_warm_page(BY_SLUG[slug].file, **link))
    guess(app, wrong, field)
    assert key not in shown(app) and said(app, "closed")
    directed = at_desk(teacher)
    (question,) = directed.questions()
    directed.reveal(question.id)
    assert key in shown(app.run())
    (tally,) = directed.tallies(question)
    assert (tally.right, tally.n_right) == (right, 0) and not app.exception


def test_the_type_of_a_name_is_not_drawn_before_the_teacher_reveals_it(learner: Callable, teacher):
    teacher.toggle(key="teaching_room_waits").set_value(True).run()
    app = learner("bio_tagging", bio_tagging_part="types")
    names = [one.key or "" for one in app.get("button_group")]
    field = next(name for name in names if re.fullmatch(r"bio_tagging_types_\d+_\d+_guess", name))

    def is_marked() -> bool:
        its = [one for one in drawings(app) if field.removesuffix("_guess") in one.proto.id]
        text = " ".join(one.proto.json for one in its).encode().decode("unicode_escape")
        return "✓" in text or "✗" in text

    guess(app, "ORG", field)
    assert said(app, "closed") and not is_marked() and not app.exception
    directed = at_desk(teacher)
    (question,) = directed.questions()
    directed.reveal(question.id)
    app.run()
    assert not said(app, "closed") and is_marked() and not app.exception


def votes_in_lesson_2(app) -> None:
    fields = [one.key or "" for one in app.get("button_group")]  # each vote has its own
    guess(app, "different", next(key for key in fields if "same_causal_guess" in key))


def gives_a_word(app) -> None:
    app.text_input(key="prediction_and_loss_word").set_value("boat").run()


def gives_a_number(app) -> None:
    app.slider(key="isotropy_guess").set_value(0.25)
    app.button(key="isotropy_reveal").click().run()


@pytest.mark.parametrize(
    ("slug", "answers", "usual", "figure"),
    [
        ("attention_mask", votes_in_lesson_2, "different", "attention_mask_contrast"),
        ("prediction_and_loss", gives_a_word, "boat", "prediction_and_loss_guesses"),
        ("isotropy", gives_a_number, 0.25, "-isotropy_random "),
    ],
)
def test_a_revealed_vote_opens_the_figure_of_who_directs_the_room_until_a_second_vote(
    learner: Callable, teacher, slug, answers, usual, figure
):
    teacher.toggle(key="teaching_room_waits").set_value(True).run()
    answers(learner(slug, lang="en"))
    teacher.switch_page(BY_SLUG[slug].file).run()
    assert figure not in shown(teacher) and not said(teacher, "class_answer", answer=usual)
    teacher.button(key="teaching_room_reveal").click().run()
    assert figure in shown(teacher) and said(teacher, "class_answer", answer=usual)
    assert not teacher.exception and not teacher.error
    assert None not in in_room(teacher).parts["votes"], "what a timer draws again"
    again = "teaching_room_vote_again"
    teacher.button(key=again).click().run()
    assert figure not in shown(teacher) and not said(teacher, "class_answer", answer=usual)
    answers(teacher)
    assert figure in shown(teacher)
    teacher.button(key=again).click().run()
    assert figure not in shown(teacher), "an answer of one's own is of the vote before, too"
    assert said(teacher, "vote_again") and not said(teacher, "left_over")
    teacher.button(key="teaching_room_reveal").click().run()
    assert figure in shown(teacher) and not teacher.exception


def test_a_class_votes_on_a_sentence_that_the_teacher_sent_and_on_no_learners_own(
    learner: Callable, teacher
):
    own = {"inside_a_prediction_text": "The dog and the cat saw the [MASK]."}
    field, figure = "inside_a_prediction_most_guess", "inside_a_prediction_attribution"
    teacher.toggle(key="teaching_room_waits").set_value(True).run()
    directed = at_desk(teacher)
    app = learner("inside_a_prediction", **own)
    assert figure in shown(app) and not directed.questions()
    directed.offer(f"inside_a_prediction?{urlencode(own)}")
    assert figure not in shown(app.run())
    guess(app, "3", field)
    (question,) = directed.questions()
    assert [*question.options.values()][:6] == ["The", "dog", "and", "the", "cat", "saw"]
    assert question.options["6"] == "the (2)" and not app.exception
    assert question.options["7"] == ".", "what the desk draws has no Markdown"


def test_a_word_for_a_blank_has_no_right_answer(learner: Callable, teacher):
    app = learner("prediction_and_loss", lang="en")
    app.text_input(key="prediction_and_loss_word").set_value("door").run()
    directed = at_desk(teacher)
    (question,) = directed.questions()
    (tally,) = directed.tallies(question)
    assert tally.counts == {"door": 1} and tally.rights == () and not app.exception
    # The teacher shows it large, until it is another one.
    session.of(collecting.Opened, teacher.session_state).boxes.add(
        "teaching_room_let_through_typed"
    )
    teacher.run().button(key=f"teaching_room_pick_{member(app).visit}").click().run()
    assert "### 1 · door" in {one.value for one in teacher.markdown}
    app.text_input(key="prediction_and_loss_word").set_value("window").run()
    assert "### 1" not in everything(teacher.run()) and not teacher.exception


def test_the_results_begin_with_what_most_had_wrong_and_say_what_a_second_vote_gained():
    def asked(kind: str, label: str) -> Question:
        return Question(id=label, kind=kind, lesson="isotropy", label=label, options={"3": ""})

    votes = [
        (
            asked("number", "kinship_guess"),
            [Tally(round=1, n=4, counts={}, rights=("0.381",), n_right=3)],
        ),
        (asked("text", "surname_guess"), [Tally(round=1, n=4, counts={})]),
        (
            asked("choice", "own_guess"),
            [Tally(round=1, n=4, counts={"3": 4}, rights=("3", "4"), n_right=4)],
        ),
        (
            asked("choice", "half_guess"),
            [
                Tally(round=round_, n=4, counts={"3": n}, rights=("3",), n_right=n)
                for round_, n in ((1, 1), (2, 3))
            ],
        ),
    ]
    half, kinship, own = results_of(votes)
    assert half["right_answer"] == read_words("isotropy").plain("half_guess_3")
    assert [half[name] for name in ("votes", "right_first", "right_newest", "gain")] == [
        2,
        25,
        75,
        50,
    ]
    assert (kinship["right_answer"], kinship["right_first"], kinship["gain"]) == ("0.381", 75, 0)
    assert (own["right_answer"], own["right_first"]) == (WORDS.plain("right_depends"), 100)


def shown(app) -> str:
    charts = (one.proto.id for one in app.get("plotly_chart"))
    return " ".join([*filter(None, keys(app)), *charts, *(str(one.proto) for one in drawings(app))])


def drawings(app) -> list:
    return list(app.get("bidi_component"))


def drawn(app) -> str:
    return " ".join(one.proto.json for one in drawings(app)).encode().decode("unicode_escape")


def test_a_projected_desk_is_the_code_alone_or_one_question_after_another_with_its_votes(
    learner, teacher
):
    app, looks = learner(), []
    with patch.object(PartLayout, "polled", lambda *_, seconds: looks.append(seconds)):
        teacher.query_params["present"] = "1"
        teacher.run()
    assert looks == [room_page.LOOK_SECONDS], "another tab may show something large"
    teacher.run()
    assert [one.value.replace(" ", "") for one in teacher.title] == [code_of(teacher)]
    guess(app, GUESSES[0])
    teacher.toggle(key="teaching_room_join").set_value(False).run()
    assert not teacher.title and not teacher.exception
    said_there = [one.value for one in teacher.markdown]
    assert WORDS.label("answered", n=1, of=1) in said_there
    (question,) = at_desk(teacher).questions()
    assert f"### {as_text(title_of(question))}" in said_there
    assert not keys(teacher) & {*WAYS}

    visit, newer = member(app).visit, replace(question, id="newer", label="")
    with server_rooms.server_rooms() as rooms:
        rooms.answer(code_of(teacher), visit, newer, 1, GUESSES[0])
    for way, wanted in zip(WAYS, (question, newer), strict=True):
        teacher.run().button(key=way).click().run()
        titles = [one.value for one in teacher.markdown if one.value.startswith("### ")]
        assert titles == [f"### {as_text(title_of(wanted))}"]
    assert teacher.button(key=WAYS[1]).disabled and not teacher.exception


def test_a_class_is_led_through_a_plan_and_each_step_is_sent_to_it(learner: Callable, teacher):
    app = learner()
    teacher.switch_page(BY_SLUG["masking"].file).run()
    teacher.switch_page(TEACHING.file)
    teacher.query_params.update({"teaching_part": "plan"})
    teacher.run()
    teacher.button(key="teaching_start_class").click().run()
    assert session.of(Led, teacher.session_state).run.at == 0 and not teacher.exception
    first, second = BY_SLUG["subword_tokens"], BY_SLUG["attention_mask"]
    teacher.switch_page(first.file).run()  # where the plan begins; AppTest stays where it was
    teacher.button(key="room_plan_next").click().run()
    assert teacher.title[0].value == numbered_title(second)
    note = session.of(Led, teacher.session_state).run.now.note
    assert as_text(note) in [one.value for one in teacher.caption]
    assert read_words(second.slug).label("title") in app.run().button(key="room_go").label
    teacher.switch_page(second.file).run()
    teacher.button(key="room_plan_stop").click().run()
    assert "room_plan_next" not in keys(teacher) and not teacher.exception
    teacher.switch_page(TEACHING.file)
    teacher.query_params.update({"teaching_part": "plan"})
    teacher.run().button(key="teaching_run_2").click().run()
    run = session.of(Led, teacher.session_state).run
    assert run.at == 2 and run.now.slug == "masking" and not teacher.exception
    assert at_desk(teacher).look().offer.link.startswith("masking")


def lead(teacher, *owns: Own):
    """Lead the class through steps of the teacher's own, from the first one."""
    stops = tuple(plan_run.Stop(title=id_of(o), minutes=5, parameters={}, own=o) for o in owns)
    session.of(Led, teacher.session_state).run = Run(stops=stops, since=0.0)
    return teacher.run()


def answered(app, question: OwnQuestion, *answers: tuple[str, object], round_: int = 1):
    """Give the answers to a question of the teacher's own: kind of field and value, and send."""
    key = f"room_own_{id_of(question)}{'' if round_ == 1 else f'_{round_}'}"
    for at, (kind, value) in enumerate(answers):
        getattr(app, kind)(key=f"{key}_{at}").set_value(value)
    return app.button(key=f"{key}_send").click().run()


def test_a_teachers_own_text_and_question_reach_every_page_and_are_voted_on(
    learner: Callable, teacher, open_warm_page: Callable
):
    one, other = learner(), open_warm_page(room=code_of(teacher))
    lead(teacher, "**Read** this.", CHOICE, "")
    for app in (one, other):
        assert "**Read** this." in [each.value for each in app.run().markdown]
    teacher.button(key="room_plan_next").click().run()
    room, (asked,) = at_desk(teacher), at_desk(teacher).questions()
    assert room.tallies(asked)[0].counts == {"0": 0, "1": 0}, "on the desk before an answer"
    answered(one.run(), CHOICE, ("radio", "1"))
    answered(other.run(), CHOICE, ("radio", "0"))
    assert said(one, "closed") and said(one, "own_sent", answer="one") and not one.success
    (tally,) = room.tallies(asked)
    assert (tally.counts, tally.n_right, tally.right) == ({"0": 1, "1": 1}, 1, "1")
    teacher.switch_page(TEACHING.file).run()
    teacher.button(key="teaching_room_vote_again").click().run()
    assert said(other.run(), "vote_again")
    answered(other, CHOICE, ("radio", "1"), round_=2)
    teacher.run().button(key="teaching_room_reveal").click().run()
    assert said(other.run(), "own_sent", answer="one") and other.success
    assert said(one.run(), "own_right_is", answer="one") and not one.success  # no second answer
    drawn = " ".join(each.value for each in (*teacher.markdown, *teacher.get("html")))
    assert (
        CHOICE.text in drawn
        and said(teacher, "own_right_is", answer="one")
        and not teacher.exception
        and not one.exception
    )
    (row,) = results_of([(asked, room.tallies(asked))])
    wanted = {"lesson": "Own question", "question": CHOICE.text, "right_answer": "one"}
    wanted |= {"learners": 1, "votes": 2, "right_first": 50, "right_newest": 100, "gain": 50}
    assert row == wanted
    assert [each["learners"] for each in room_page._votes([(asked, room.tallies(asked))])] == [
        1,
        1,
        0,
        1,
    ]
    teacher.button(key="room_plan_next").click().run()
    assert not [each for each in one.run().expander if each.label == WORDS.label("by_teacher")]
    teacher.button(key="room_plan_back").click().run()
    teacher.button(key="room_plan_stop").click().run()
    assert not at_desk(teacher).look().own and not teacher.exception


TALLIED = {
    SEVERAL: ["a, c", "b, c"],
    NUMBER: ["0.35", "1.0"],
    ORDER: ["cut → mask → predict", "predict → mask → cut"],
    MATCH: ["Q: asks; K: is", "Q: is; K: asks"],
    LABELS: ["the/O the/B-LOC", "the/O the/O"],
}


@pytest.mark.parametrize(("question", "field", "right", "wrong"), ANSWERED[1:])
def test_every_kind_of_own_question_is_counted(
    question, field, right, wrong, learner: Callable, teacher
):
    texts = TALLIED[question]
    right, wrong = ([(field, value) for value in answer] for answer in (right, wrong))
    one, other = learner(lang="de", **LESSON), learner()
    lead(teacher, question)
    answered(one.run(), question)
    (asked,), room = at_desk(teacher).questions(), at_desk(teacher)
    assert one.warning and room.tallies(asked)[0].n == 0
    answered(one, question, *right)
    answered(other.run(), question, *right)
    answered(other, question, *wrong)  # the newest counts
    assert said(other, "closed") and not [*one.success, *other.error]
    at_desk(teacher).reveal(id_of(question))
    assert one.run().success and other.run().error and not other.success
    (tally,) = room.tallies(asked)
    counts = named_counts(asked, tally) or {str(number): 1 for number in tally.numbers}
    assert (tally.n, tally.n_right, counts) == (2, 1, dict.fromkeys(texts, 1))
    if question.kind in ("order", "match"):  # its texts can be long
        shown = {**named_counts(asked, tally, is_short=True)}
        letters = own_step.letters(question)
        lists = [each.value for each in other.markdown]
        for letter, text in zip(letters, question.partners or question.options, strict=True):
            assert any(f"- **{letter}** {text}" in each for each in lists)
        wanted = " → ".join(letters) if question.kind == "order" else f"1: {letters[0]}, 2: "
        assert any(each.startswith(wanted) for each in shown) and len(shown) == 2
    teacher.run()
    assert not teacher.exception and not teacher.error and not one.exception


@pytest.mark.parametrize(("question", "kind", "answer", "_"), ANSWERED)
def test_what_was_not_sent_is_still_there_when_the_question_comes_back_and_in_german(
    question, kind, answer, _, learner: Callable, teacher
):
    app = learner()
    lead(teacher, question, "Read.")
    field = {"key": f"room_own_{id_of(question)}_0"}
    getattr(app.run(), kind)(**field).set_value(answer[0]).run()
    app.query_params["lang"] = "de"
    assert getattr(app.run(), kind)(**field).value == answer[0]
    teacher.button(key="room_plan_next").click().run()
    assert field["key"] not in [each.key for each in app.run().get(kind)]
    teacher.button(key="room_plan_back").click().run()
    assert getattr(app.run(), kind)(**field).value == answer[0] and not app.exception


def test_large_numbers_are_read_in_full_as_they_were_typed(learner: Callable, teacher):
    question = OwnQuestion(kind="number", text="How many?", number=109_482_240.0)
    app = learner()
    lead(teacher, question)
    answered(app.run(), question, ("text_input", "109482000"))
    at_desk(teacher).reveal(id_of(question))
    (asked,) = at_desk(teacher).questions()
    svg, _ = votes_drawing(WORDS, asked, at_desk(teacher).tallies(asked), is_revealed=True)
    assert said(app.run(), "own_sent", answer="109482000") and "109482000" in svg
    assert "109482240" in app.error[0].value and "✓ 109482240" in svg


def test_the_longest_answer_fits_a_room_and_strange_words_break_no_page(learner: Callable, teacher):
    tags = tuple(f"B-{at:017}" for at in range(40))
    long = OwnQuestion(kind="labels", text="?", options=tags, partners=tags)
    assert len(as_kept(long, long.right_answer)) <= LONGEST_ANSWER
    app = learner()
    for number, text in enumerate(TEXTS.values()):
        owns = owns_of(text)  # one text in a kind of question, the next one in another
        lead(teacher, owns[number % len(owns)])
        assert not app.run().exception and not app.error, text
        assert not teacher.exception and not teacher.error, text


def test_what_a_reloaded_teacher_gave_to_the_class_is_taken_back(learner: Callable, teacher):
    lead(teacher, "Read.")
    session.of(Led, teacher.session_state).run = None
    teacher.run().button(key="teaching_room_take_own_back").click().run()
    assert not at_desk(teacher).look().own and not teacher.exception


def test_a_desk_in_another_tab_takes_nothing_away_from_a_plan_that_runs(
    teacher, open_warm_page: Callable
):
    lead(teacher, "Read.", "Write.")
    other = open_warm_page(TEACHING.file, **TEACHER)
    session.of(AtDesk, other.session_state).mine = at_desk(teacher)
    other.run().button(key="teaching_room_take_own_back").click().run()
    teacher.run()
    assert at_desk(teacher).look().own == id_of("Read.")
    lead(other, "Think.")
    teacher.run()
    assert at_desk(teacher).look().own == id_of("Think."), "two plans take turns for ever"
    teacher.button(key="room_plan_next").click().run()
    assert at_desk(teacher).look().own == id_of("Write.")
    teacher.button(key="room_plan_stop").click().run()
    assert not at_desk(teacher).look().own and not [*teacher.exception, *other.exception]


def test_a_plan_goes_on_over_steps_without_a_view_also_on_the_teachers_page(open_warm_page):
    app = open_warm_page(BY_SLUG["masking"].file)
    talks = [plan_run.Stop(title=name, minutes=5, parameters={}) for name in ("Talk", "Write")]
    session.of(Led, app.session_state).run = Run(stops=tuple(talks), since=0.0)
    app.run()
    app.button(key="room_plan_next").click().run()
    assert any("**Step 2 of 2** · Write" in one.value for one in app.markdown)
    assert "room_plan_next" not in keys(app) and "room_plan_back" in keys(app)
    app.switch_page(TEACHING.file).run()
    assert "room_plan_back" in keys(app) and not app.exception


def test_a_room_that_ends_is_said_on_the_lessons_page_and_an_offer_has_no_presentation(teacher):
    app = teacher.switch_page(BY_SLUG["masking"].file)
    app.query_params.update({"present": "1", "masking_part": "why"})
    app.run()
    app.button(key="room_offer").click().run()
    directed = at_desk(app)
    link = directed.look().offer.link
    assert "masking_part=why" in link and "present" not in link
    directed.end()
    app.run()
    assert said(app, "ended") and not app.exception


def test_who_follows_at_once_goes_without_a_press_and_only_once(learner: Callable, teacher):
    app = learner()
    teacher.switch_page(BY_SLUG["masking"].file).run()
    teacher.button(key="room_offer").click().run()
    app.run()
    app.toggle(key="room_follow").set_value(True).run()
    assert app.title[0].value == numbered_title(BY_SLUG["masking"])
    app.switch_page(BY_SLUG["isotropy"].file).run()
    assert app.title[0].value == numbered_title(BY_SLUG["isotropy"])


def test_the_room_ends_at_the_teachers_press_and_lessons_go_on(learner: Callable, teacher):
    teacher.toggle(key="teaching_room_waits").set_value(True).run()
    app = learner()
    guess(app, GUESSES[0])
    teacher.button(key="teaching_room_end").click().run()
    assert "teaching_room_open" in keys(teacher)
    app.run()
    assert said(app, "ended") and not said(app, "closed") and not app.exception
    app.run()
    assert not said(app, "ended") and member(app) is None


def test_the_end_of_a_room_draws_the_whole_page_also_where_the_store_is_gone(teacher, monkeypatch):
    monkeypatch.setattr(streamlit, "session_state", teacher.session_state)
    mine, page = at_desk(teacher), session.of(WholePage, teacher.session_state)

    def fail(mine: Desk) -> None:
        raise StoreGoneError("no disk")

    desk.end(mine)
    assert page.is_wanted and at_desk(teacher) is None
    page.is_wanted = False
    monkeypatch.setattr(Desk, "end", fail)
    desk.end(mine)
    assert page.is_wanted and desk_of(teacher).news == membership.GONE


def test_the_teachers_link_opens_the_desk_elsewhere_and_hides_its_key(
    open_warm_page: Callable, teacher
):
    code, key = code_of(teacher), desk_of(teacher).key
    app = open_warm_page(TEACHING.file, room=code, desk=key, **TEACHER)
    assert code_of(app) == code
    assert desk.IN_LINK not in app.query_params and membership.IN_LINK not in app.query_params
    wrong = open_warm_page(TEACHING.file, room=code, desk="0" * 32, **TEACHER)
    assert at_desk(wrong) is None and said(wrong, "wrong_key")


def test_a_learner_with_the_code_alone_has_no_desk(learner: Callable, teacher):
    app = learner()
    app.switch_page(TEACHING.file).run()
    assert at_desk(app) is None
    assert not {key for key in keys(app) if key and key.startswith("teaching_room_reveal")}


def test_what_a_learner_opened_and_solved_is_on_the_desk(learner: Callable, teacher):
    learner()
    told = at_desk(teacher).progress()["isotropy"]
    assert told.opened == {"dimensions": 1}
    show_on_desk(teacher, "progress")
    assert not teacher.exception and not teacher.error


def test_where_the_store_is_gone_it_is_said_and_the_lesson_goes_on(
    learner: Callable, teacher, monkeypatch: pytest.MonkeyPatch
):
    teacher.toggle(key="teaching_room_waits").set_value(True).run()
    app = learner()

    def gone(*_: object) -> None:
        raise StoreGoneError("SQLite: disk I/O error")

    for method in ("get", "all", "put", "count", "touch"):
        monkeypatch.setattr(SqliteStore, method, gone)
    guess(app, GUESSES[0])
    app.run()
    assert said(app, "store_gone") and not said(app, "closed")
    assert not app.exception and not app.error
    teacher.run()
    assert said(teacher, "store_gone") and not teacher.exception and not teacher.error
    monkeypatch.undo()
    server_rooms._held.gone_until = 0.0
    app.run()
    assert not said(app, "store_gone") and said(app, "closed")


def test_what_fails_on_the_desk_is_said_there_and_does_not_draw_the_page_again(
    teacher, monkeypatch: pytest.MonkeyPatch
):
    drawings = []

    def fail(*about: object) -> None:
        drawings.append(about)
        if len(drawings) == 1:
            raise RuntimeError("a fault")

    monkeypatch.setattr(room_desk, "show", fail)
    teacher.run()
    assert len(drawings) == 1 and len(teacher.error) == 1
    assert "teaching_room_let_go" in keys(teacher) and not teacher.exception


def test_a_store_that_cannot_be_opened_is_said_to_the_teacher(
    open_warm_page: Callable, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv(server_rooms.SETTING, "/no such folder/rooms.db")
    app = open_warm_page(TEACHING.file, **TEACHER)
    app.button(key="teaching_room_open").click().run()
    assert said(app, "store_gone") and not app.exception and not app.error


def test_pages_that_wait_for_a_store_to_open_do_not_try_it_one_after_another(
    monkeypatch: pytest.MonkeyPatch,
):
    lock, tried, told = CountingLock(), [], []

    def open_store(where: str) -> None:
        tried.append(where)
        wait_until(lambda: lock.n_came >= 4)
        raise StoreGoneError("SQLite: database is locked")

    def page(_: str) -> None:
        with pytest.raises(StoreGoneError), server_rooms.server_rooms():
            pass
        told.append(True)

    monkeypatch.setattr(server_rooms._held, "lock", lock)
    monkeypatch.setattr(server_rooms, "open_store", open_store)
    for one in in_threads(page, 4):
        one.join()
    assert len(told) == 4 and len(tried) == 1


def test_a_sentence_reaches_other_learners_only_after_the_teacher_let_it_through(
    learner: Callable, teacher
):
    teacher.toggle(key="teaching_room_takes_sentences").set_value(True).run()
    one, other = learner(), learner()  # where the box has opened by itself
    assert leads_to(one, "room_sentences")
    sentence = "The *cat* sat on the [MASK]."
    one.text_input(key="room_sentence").set_value(sentence)
    one.button(key="room_sentence_send").click().run()
    assert said_in(one, "sentence_sent") and not leads_to(one, "room_sentences")
    other.run()
    assert as_text(sentence) not in everything(other)
    show_on_desk(teacher, "sentences")
    assert as_text(sentence) in everything(teacher)
    (accept,) = [key for key in keys(teacher) if key.startswith("teaching_room_accept")]
    teacher.button(key=accept).click().run()
    other.run()
    assert as_text(sentence) in everything(other)
    session.of(collecting.Opened, teacher.session_state).boxes.add(BOX_OF_SENTENCES)
    (shown,) = at_desk(teacher).sent(SENTENCES)
    teacher.run().button(key=f"teaching_room_take_back_{shown.key}").click().run()
    assert as_text(sentence) not in everything(other.run())
    assert not other.exception and not other.error and not teacher.exception


def test_a_question_is_let_through_upvoted_answered_and_taken_back(learner: Callable, teacher):
    teacher.toggle(key="teaching_room_takes_learner_questions").set_value(True).run()
    one, other = learner(), learner()
    assert not leads_to(one, "room_learner_questions"), "the teacher asks for nothing"
    for app in (one, other):
        app.session_state["room_learner_questions"] = True
        app.run()
    question = "Why *does* :red[it] <b>mask</b>?"
    one.text_input(key="room_learner_question").set_value(question)
    one.button(key="room_learner_question_send").click().run()
    assert said_in(one, "learner_question_sent")
    assert as_text(question) not in everything(other.run())
    show_on_desk(teacher, "questions")
    (sent,) = at_desk(teacher).sent(LEARNER_QUESTIONS)
    upvote, answered = f"room_upvote_{sent.key}", f"teaching_room_answered_{sent.key}"
    teacher.button(key=f"teaching_room_accept_{sent.key}").click().run()
    assert other.run().button(key=upvote).label == WORDS.label("upvote", n=0)
    assert as_text(question) in everything(other)
    other.button(key=upvote).click().run()
    assert other.button(key=upvote).label == WORDS.label("upvoted", n=1)
    assert one.run().button(key=upvote).label == WORDS.label("upvote", n=1)
    on_desk = as_text(WORDS.plain("with_upvotes", n=1, question=question))
    assert on_desk in everything(teacher.run())
    for is_answered in (True, False):  # the same button opens it again
        teacher.button(key=answered).click().run()
        assert (upvote in keys(other.run())) is not is_answered
        assert said(other, "learner_question_answered", question=question) is is_answered
    teacher.button(key=f"teaching_room_pick_{sent.key}").click().run()
    assert f"### 1 · {as_text(question)}" in {one.value for one in teacher.markdown}
    teacher.query_params["present"] = "1"
    assert f"## 1 · {as_text(question)}" in {one.value for one in teacher.run().markdown}
    teacher.button(key="teaching_room_pick_none").click().run()
    assert as_text(question) not in everything(teacher)
    teacher.query_params["present"] = "0"
    teacher.run().button(key=f"teaching_room_take_back_{sent.key}").click().run()
    assert as_text(question) not in everything(other.run())
    teacher.toggle(key="teaching_room_takes_learner_questions").set_value(False).run()
    assert "room_learner_question_send" not in keys(other.run())
    assert not any(app.exception or app.error for app in (one, other, teacher))


def test_what_a_teacher_drops_or_ends_at_the_desk_is_in_no_file(
    open_warm_page: Callable, tmp_path: Path, monkeypatch
):
    """Neither in the file of rooms and its log nor where temporary files go."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv(server_rooms.SETTING, str(tmp_path / "rooms.db"))
    server_rooms.forget()
    teacher = open_warm_page(TEACHING.file, **TEACHER)
    teacher.button(key="teaching_room_open").click().run()
    teacher.toggle(key="teaching_room_takes_sentences").set_value(True).run()
    link = {"room": code_of(teacher)} | LESSON
    app = open_warm_page(BY_SLUG["isotropy"].file, **link)
    for word in ("zanzibarine", "quokkaesque"):
        app.text_input(key="room_sentence").set_value(f"The {word} [MASK] saw the bank. " * 8)
        app.button(key="room_sentence_send").click().run()
    visit = member(app).visit

    def has(text: str) -> bool:
        return any(text.encode() in one.read_bytes() for one in tmp_path.rglob("*"))

    assert has("zanzibarine") and has("quokkaesque") and has(visit)
    show_on_desk(teacher, "sentences")
    sent = at_desk(teacher).sent(SENTENCES)
    (dropped,) = [one.key for one in sent if "zanzibarine" in one.said["sentence"]]
    teacher.button(key=f"teaching_room_drop_{dropped}").click().run()
    assert not has("zanzibarine") and has("quokkaesque")
    teacher.button(key="teaching_room_end").click().run()
    assert not any(map(has, ("quokkaesque", visit, link["room"])))
    server_rooms.forget()


def leads_to(app, of: str) -> bool:
    """Return whether a chip leads to what the teacher asks for."""
    chips = [one for one in drawings(app) if one.proto.component_name == "mlm_room_chip"]
    return any(json.loads(one.proto.json)["of"] == of for one in chips)


def test_a_box_opens_once_for_each_thing_that_is_asked_for_until_it_is_closed(monkeypatch):
    state: dict[str, object] = {}
    monkeypatch.setattr(asks.st, "session_state", state)

    def after(asked: str) -> object:
        asks.ask("box", asked)
        return state.get("box")

    assert not after("") and after("write") and asks.is_open("box")
    state["box"] = False
    asks.note_closed("box")
    assert not after("write") and not asks.is_open("box")
    assert after("train")  # something else
    state.pop("box")  # as on another page
    assert after("train")
    asks.is_done("box")
    state.pop("box")
    assert not after("train") and not after("") and after("train")


def test_a_class_that_reads_german_sees_the_guesses_of_the_model_that_does(
    open_warm_page: Callable, teacher
):
    directed, sentence = at_desk(teacher), "Die Hauptstadt von Frankreich ist [MASK]."
    directed.take(SENTENCES, True)
    visit = directed._rooms.join(directed.code, "a")
    directed._rooms.send(directed.code, visit, SENTENCES, {"sentence": sentence})
    (sent,) = directed.sent(SENTENCES)
    directed.judge(SENTENCES, [sent.key], "accepted")
    app = open_warm_page(BY_SLUG["masking"].file, room=directed.code, lang="de")
    assert as_text("Frankreich, Spanien") in everything(app.run())


def test_no_more_is_let_through_at_once_or_listed_than_the_teacher_sees(
    teacher, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(collecting, "MOST_WAITING", 2)
    monkeypatch.setattr(collecting, "MOST_ACCEPTED", 2)
    directed = at_desk(teacher)
    directed.take(SENTENCES, True)
    visit = directed._rooms.join(directed.code, "a")
    for number in range(3):
        said_now = {"sentence": f"Sentence {number}."}
        directed._rooms.send(directed.code, visit, SENTENCES, said_now)
    app = show_on_desk(teacher, "sentences")
    assert WORDS.label("more_wait", n=1) in {one.value for one in app.caption}
    button = app.button(key="teaching_room_accept_all_sentences")
    assert button.label == WORDS.label("accept_all", n=2)
    button.click().run()
    sent = directed.sent(SENTENCES)
    assert [one.state for one in sent] == ["accepted", "accepted", "waiting"]
    # Nor are more drawn of those that were let through, and each is within reach.
    directed.judge(SENTENCES, [sent[2].key], "accepted")
    session.of(collecting.Opened, app.session_state).boxes.add(BOX_OF_SENTENCES)
    app.run()

    def can_be_taken_back() -> list[bool]:
        return [f"teaching_room_take_back_{one.key}" in keys(app) for one in sent]

    assert can_be_taken_back() == [True, True, False]
    app.selectbox(key="teaching_room_which_sentences").set_value(2).run()
    assert can_be_taken_back() == [False, False, True]
    app.button(key=f"teaching_room_take_back_{sent[2].key}").click().run()
    assert can_be_taken_back() == [True, True, False] and not app.exception


def test_the_desks_switches_stand_as_the_room_says(teacher):
    teacher.toggle(key="teaching_room_waits").set_value(True).run()
    teacher.button(key="teaching_room_let_go").click().run()
    teacher.button(key="teaching_room_open").click().run()
    assert not teacher.toggle(key="teaching_room_waits").value  # another room's
    at_desk(teacher).keep_answers(True)  # from another tab
    assert teacher.run().toggle(key="teaching_room_waits").value


def show_on_desk(teacher, name: str):
    what = [one.key for one in teacher.get("button_group")].index("teaching_room_what")
    return teacher.get("button_group")[what].set_value(name).run()


def said_in(app, section: str) -> bool:
    return WORDS.section(section) in {one.value for one in app.success}


def everything(app) -> str:
    return "\n".join(one.value for one in app.markdown)


def test_a_typed_word_or_number_waits_and_counts_in_a_second_vote_only_once_given_again(
    open_warm_page: Callable, teacher
):
    teacher.toggle(key="teaching_room_waits").set_value(True).run()
    directed, code = at_desk(teacher), code_of(teacher)
    loss = BY_SLUG["prediction_and_loss"].file
    cloze = open_warm_page(loss, room=code, prediction_and_loss_word="boat")
    kinship = open_warm_page(BY_SLUG["isotropy"].file, room=code)
    kinship.slider(key="isotropy_guess").set_value(0.25)
    kinship.button(key="isotropy_reveal").click().run()
    assert said(cloze, "closed") and said(kinship, "closed")
    asked = {one.kind: one for one in directed.questions() if one.kind != "choice"}
    assert directed.tallies(asked["text"])[0].counts == {"boat": 1}
    assert directed.tallies(asked["number"])[0].numbers == (0.25,)
    assert not teacher.run().exception and not teacher.error
    for question in asked.values():
        directed.vote_again(question.id)
    for app in (cloze, kinship):
        app.run()
        assert said(app, "left_over") and not said(app, "closed") and not app.exception
    assert [directed.tallies(one)[-1].n for one in asked.values()] == [0, 0]
    cloze.button(key="room_same_again").click().run()
    kinship.slider(key="isotropy_guess").set_value(0.5).run()
    for app in (cloze, kinship):
        assert said(app, "closed") and not said(app, "left_over")
    assert directed.tallies(asked["text"])[-1].counts == {"boat": 1}
    assert directed.tallies(asked["number"])[-1].numbers == (0.5,)


def test_a_typed_word_counts_for_another_sentence_only_once_given_again(
    open_warm_page: Callable, teacher
):
    directed = at_desk(teacher)
    loss = BY_SLUG["prediction_and_loss"].file
    app = open_warm_page(loss, room=code_of(teacher), prediction_and_loss_word="boat")
    assert len(directed.questions()) == 1
    for sentence in ("She took the [MASK] home.", "We saw a [MASK] there."):
        app.text_input(key="prediction_and_loss_cloze").set_value(sentence).run()
        assert said(app, "left_over") and len(directed.questions()) == 1
    app.button(key="room_same_again").click().run()
    assert not said(app, "left_over") and not app.exception and not app.error
    (newest, _) = directed.questions()
    assert newest.values["sentence"] == sentence
    assert directed.tallies(newest)[0].counts == {"boat": 1}


def test_a_revealed_second_vote_shows_the_answer_also_to_those_who_kept_out_of_it(
    open_warm_page: Callable, teacher
):
    teacher.toggle(key="teaching_room_waits").set_value(True).run()
    directed = at_desk(teacher)
    loss = BY_SLUG["prediction_and_loss"].file
    cloze = open_warm_page(loss, room=code_of(teacher), prediction_and_loss_word="boat")
    (question,) = [one for one in directed.questions() if one.kind == "text"]
    directed.vote_again(question.id)
    directed.reveal(question.id)
    cloze.run()
    assert not said(cloze, "left_over") and not said(cloze, "closed") and not cloze.exception
    assert directed.tallies(question)[-1].n == 0


def test_the_summary_to_print_has_every_vote_the_progress_and_the_sentences_shown(
    learner: Callable, teacher
):
    app, directed = learner(), at_desk(teacher)
    guess(app, GUESSES[0])
    directed.take(SENTENCES, True)
    rooms, mine = directed._rooms, member(app)
    for sentence in ("The *bank* was steep.", "Nobody sees this."):
        rooms.send(mine.code, mine.visit, SENTENCES, {"sentence": sentence})
    shown, hidden = directed.sent(SENTENCES)
    directed.judge(SENTENCES, [shown.key], "accepted")
    directed.take(LEARNER_QUESTIONS, True)
    for question in ("Why *15*%?", "Why BERT?", "Nobody reads it?"):
        rooms.send(mine.code, mine.visit, LEARNER_QUESTIONS, {"question": question})
    open_one, answered_one, _ = directed.sent(LEARNER_QUESTIONS)
    directed.judge(LEARNER_QUESTIONS, [open_one.key], "accepted")
    directed.judge(LEARNER_QUESTIONS, [answered_one.key], "answered")
    rooms.upvote(mine.code, mine.visit, directed.sent(LEARNER_QUESTIONS)[0].key)
    show_on_desk(teacher, "summary")
    assert not teacher.exception and not teacher.error
    text = everything(teacher)
    assert WORDS.label("summary_title", code=code_of(teacher)) in text
    assert as_text(shown.said["sentence"]) in text and as_text(hidden.said["sentence"]) not in text
    first = as_text(WORDS.plain("with_upvotes", n=1, question="Why *15*%?"))
    answered = WORDS.section("learner_question_answered", question="Why BERT?")
    assert f"- {first}\n- {answered}" in text and "Nobody reads" not in text
    question = as_text(read_words("isotropy").plain("half_guess"))
    assert text.count(question) == 2 and titled("right_answer") in text  # its votes and its result
    assert WORDS.label("what_progress") in text
    # Without what only a screen needs: how learners come in, and buttons that act on a vote.
    assert "teaching_room_join" not in {one.key for one in teacher.toggle}
    assert not keys(teacher) & {"teaching_room_reveal", "teaching_room_vote_again"}


def test_sentences_that_the_teacher_let_through_are_points_on_the_classs_map_of_senses(
    open_warm_page: Callable, teacher
):
    directed, code = at_desk(teacher), code_of(teacher)
    senses = BY_SLUG["word_senses"].file
    link = {"word_senses_part": "own", "word_senses_own_word": "bank"}
    directed.take(SENTENCES, True)
    app = open_warm_page(senses, room=code, word_senses_own_from="room", **link)
    mine = member(app)
    sent = ("The bank was steep.", "The bank lent us money.", "Rain on the roof.", "A secret bank.")
    for sentence in sent:
        directed._rooms.send(mine.code, mine.visit, SENTENCES, {"sentence": sentence})
    for one in directed.sent(SENTENCES)[:3]:
        directed.judge(SENTENCES, [one.key], "accepted")
    app.run()
    assert not app.exception and not app.error
    said = "\n".join(one.value for one in (*app.markdown, *app.info, *app.caption))
    assert "1 of 3 lines" in said and ", 2 sentences" in said
    charts = "".join(str(one.proto) for one in app.get("plotly_chart"))
    assert "was steep" in charts and "secret" not in charts
    alone = open_warm_page(senses, word_senses_own_from="room", **link)
    assert alone.session_state["word_senses_own_from"] == "corpus"


# The class's map of one word.


def begin_map(teacher, word: str = "bank, banks", *senses: str):
    show_on_desk(teacher, "map")
    teacher.text_input(key="teaching_room_map_word").set_value(word)
    for number, sense in enumerate(senses or ("money", "river"), start=1):
        teacher.text_input(key=f"teaching_room_map_sense_{number}").set_value(sense)
    return teacher.button(key="teaching_room_map_begin").click().run()


def send_to_map(app, sentence: str, sense: str | None):
    app.text_input(key="word_senses_class_text").set_value(sentence)
    app.radio(key="word_senses_class_sense").set_value(sense)
    return app.button(key="word_senses_class_send").click().run()


MAP_VIEW = {"word_senses_part": "class_map"}
SENT = (
    ("The bank lent us money.", "money"),
    ("The banks were closed on Monday.", "money"),
    ("We swam to the bank of the river.", "river"),
    ("Ducks slept on the muddy bank.", "river"),
)


# The other tests of the map keep it in memory.
@pytest.mark.usefixtures("rooms_in_redis")
def test_a_class_makes_a_map_and_each_learner_sees_their_own_points_ringed(learner, teacher):
    refused = begin_map(teacher, "bank", "money", "money")
    assert said(refused, "map_refused") and MAP.name not in at_desk(teacher).look().takes
    begin_map(teacher)
    assert at_desk(teacher).look().offer.link == "word_senses?word_senses_part=class_map"
    one, other = learner("word_senses", **MAP_VIEW), learner("word_senses", **MAP_VIEW)
    senses = read_words("word_senses")
    for sentence, sense, section in (
        ("Nothing of it here.", "money", "missing"),
        ("They sat on the bank.", None, "no_sense"),
    ):
        send_to_map(one, sentence, sense)
        assert senses.section(f"class_map.{section}", word="bank") in said_by(one)
        assert one.text_input(key="word_senses_class_text").value == sentence
    for app, sent in ((one, SENT[:3]), (other, SENT[3:])):
        for sentence, sense in sent:
            send_to_map(app, sentence, sense)
            assert not app.exception and not app.error
    assert "word_senses_class_text" not in {each.key for each in one.text_input}  # its three
    assert other.radio(key="word_senses_class_sense").value is None  # for the next sentence
    at_desk(teacher).take(MAP, False)
    assert senses.section("class_map.closed") in said_by(other.run())
    at_desk(teacher).take(MAP, True)
    assert drawings_of_map(one.run()) == ""
    assert as_text(f"river: {SENT[3][0]}") in everything(teacher.run())
    teacher.button(key="teaching_room_accept_all_map").click().run()
    for app, n_own in ((one.run(), 3), (other.run(), 1)):
        assert not app.exception and not app.error
        drawn_map = drawings_of_map(app)
        assert f"{senses.plain('point_is_own')} ({n_own})" in drawn_map and "river (2)" in drawn_map
    projector = at_desk(teacher)
    projector.judge(MAP, [projector.sent(MAP)[0].key], "dropped")
    assert "money (1)" in drawings_of_map(other.run())
    not_taken = senses.section("class_map.dropped", n=1)
    assert not_taken in said_by(one.run()) and not_taken not in said_by(other)
    begin_map(teacher, "light", "lamp", "weight")
    assert projector.sent(MAP) == [] and drawings_of_map(other.run()) == ""
    teacher.query_params["present"] = "1"
    teacher.run().toggle(key="teaching_room_join").set_value(False).run()
    assert WORDS.label("to_map") in {each.proto.label for each in teacher.get("page_link")}


def test_a_theme_of_a_map_is_read_as_it_was_asked_for_whatever_is_typed():
    n_asked = 0
    for name, text in TEXTS.items():
        asked = class_map.read_theme(f"{text}|{text}|{text} a|b")
        if asked is not None:
            assert class_map.read_theme(asked.as_theme()) == asked, name
            assert len(asked.as_theme()) <= LONGEST_THEME, name
            n_asked += 1
    assert n_asked > 20


def test_a_learners_page_follows_its_own_sentences_at_once_and_others_after_a_rest(
    learner, teacher, monkeypatch
):
    begin_map(teacher)
    app, directed = learner("word_senses", **MAP_VIEW), at_desk(teacher)
    rooms, own = directed._rooms, member(app).visit
    other = rooms.join(directed.code, "other")

    def is_followed(page=app) -> bool:
        with monkeypatch.context() as patched:
            patched.setattr(session.st, "session_state", page.session_state)
            return class_map.have_changed()

    for visit in (other, own):
        rooms.send(directed.code, visit, MAP, {"sentence": SENT[0][0], "sense": "money"})
    assert is_followed() and not is_followed()  # its own, sent from another tab; once
    app.run()
    first, second = directed.sent(MAP)
    directed.judge(MAP, [first.key], "accepted")
    assert not is_followed()
    directed.judge(MAP, [second.key], "accepted")
    assert is_followed()
    app.run()
    directed.judge(MAP, [first.key], "dropped")
    assert not is_followed()
    monkeypatch.setattr(class_map, "REST_SECONDS", 0.0)
    assert is_followed()


def test_while_the_store_is_gone_a_map_and_what_was_typed_stay_on_the_page(
    learner, teacher, monkeypatch
):
    begin_map(teacher)
    app = learner("word_senses", **MAP_VIEW)
    send_to_map(app, "Nothing of it here.", "money")  # which stays in its field

    def gone(*_: object) -> None:
        raise StoreGoneError("SQLite: disk I/O error")

    monkeypatch.setattr(SqliteStore, "all", gone)
    app.run()
    assert said(app, "store_gone") and not app.exception and not app.error
    assert app.text_input(key="word_senses_class_text").value == "Nothing of it here."
    # As on a page that has shown no map before.
    session.of(class_map.Shown, app.session_state).found = None
    assert read_words("word_senses").section("class_map.not_begun") not in said_by(app.run())
    assert not app.exception and not app.error


def desk_of(app) -> AtDesk:
    return session.of(AtDesk, app.session_state)


def at_desk(app) -> Desk:
    return desk_of(app).mine


def said_by(app) -> set[str]:
    return {each.value for each in (*app.warning, *app.info, *app.caption, *app.markdown)}


def drawings_of_map(app) -> str:
    charts = [str(each.proto) for each in app.get("plotly_chart")]
    return "".join(one for one in charts if "class_map" in one)
