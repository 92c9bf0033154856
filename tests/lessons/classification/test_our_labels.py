"""The lesson "classification": labels that people give the same texts, alone and in a room."""

from functools import partial

import pytest

from mlm_core.labelled.tables import read_own_classes
from mlm_core.text.plain_text import composed
from pages.lessons.classification.labels_found import own_text
from pages.server import session
from pages.server.course.lessons import BY_SLUG, TEACHING
from pages.server.course.words import as_text, read_words
from pages.server.room import our_labels, server_rooms
from pages.server.room.desk import AtDesk
from tests import seen
from tests.hostile import TEXTS

open_part = partial(seen.open_part, "classification")
WORDS = read_words("classification")
LESSON = "classification"
OWN = f"{LESSON}_own_text"


@pytest.fixture(autouse=True)
def rooms_of_its_own():
    server_rooms.forget()
    yield
    server_rooms.forget()


def press(app, name: str):
    app = app.button(key=f"{LESSON}_labels_{name}").click().run()
    assert not app.exception and not app.error
    return app


def begin(app, texts: str, classes: str = "good, bad"):
    app.text_area(key=f"{LESSON}_labels_texts").set_value(texts).run()
    app.text_input(key=f"{LESSON}_labels_classes").set_value(classes).run()
    return press(app, "begin")


def keys(app) -> set[str]:
    return {one.key.removeprefix(f"{LESSON}_labels_") for one in app.button if one.key}


def shown(app) -> str:
    return "\n".join(one.value for one in (*app.markdown, *app.caption, *app.info, *app.success))


def label_all(app, texts: list[str], class_of: dict[str, int]):
    """Label as `class_of` says, in whatever order the page shows the texts."""
    for _ in texts:
        # A text is the whole of an element; its table is not there while texts are left.
        now = {one.value for one in app.markdown} & {as_text(text) for text in texts}
        (text,) = (one for one in texts if {as_text(one)} == now)
        app = press(app, f"class_{class_of[text]}")
    return app


def test_two_people_label_on_one_page_and_the_majority_goes_into_the_lesson(open_warm_page):
    texts = [f"Text number {i}." for i in range(8)]
    app = begin(
        open_part(open_warm_page, "our_labels"),
        "label,text\n" + "".join(f"secret,{text}\n" for text in texts),
    )
    assert "secret" not in shown(app)
    first = {text: i % 2 for i, text in enumerate(texts)}
    app = label_all(app, texts, first)
    assert WORDS.section("our_labels.no_measure") in shown(app)
    (fold,) = (one for one in app.expander if one.label == WORDS.label("our_labels_texts"))
    assert not fold.proto.expanded, "the next person is not to see these labels"
    app = label_all(press(app, "person"), texts, first | {texts[3]: 0})
    found = WORDS.section("our_labels.found", n=16, people=2, least=2, most=2)
    assert found in shown(app)
    # 7 of 8 alike; 4 * 5 + 4 * 3 of 64 expected: (0.875 - 0.5) / 0.5.
    assert {one.label: one.value for one in app.metric}[WORDS.label("our_labels_cohen")] == "0.75"
    assert WORDS.section("our_labels.majority", n=7, left=1) in shown(app)
    press(app, "take")
    read = read_own_classes(app.session_state[OWN])
    got = {
        one.text: one.label for one in (*read.dataset.train, *read.dataset.dev, *read.dataset.test)
    }
    assert got == {one: ("good", "bad")[k] for one, k in first.items() if one != texts[3]}
    assert app.session_state[f"{LESSON}_set_data"] == "own_classes"


def test_a_label_is_undone_and_a_skipped_text_gets_none(open_warm_page):
    app = begin(open_part(open_warm_page, "our_labels"), "One.\nTwo.")
    assert app.button(key=f"{LESSON}_labels_undo").disabled
    before = shown(app)
    app = press(press(app, "class_0"), "undo")
    assert shown(app) == before
    app = press(press(app, "skip"), "class_1")
    assert WORDS.section("our_labels.found", n=1, people=1, least=0, most=1) in shown(app)
    app = press(app, "stop")
    assert "begin" in keys(app)


def test_a_text_of_ones_own_in_the_lesson_is_not_replaced(open_warm_page):
    app = open_part(open_warm_page, "our_labels")
    app.session_state[OWN] = "good\tMine."
    app = press(begin(app, "One."), "class_0")
    assert app.button(key=f"{LESSON}_labels_take").disabled
    assert WORDS.section("our_labels.field_used", part=WORDS.plain("part_train")) in shown(app)


def test_hostile_texts_and_classes_stay_text_and_are_read_back_as_they_were():
    asked = our_labels.read_asked(TEXTS.values(), ",".join([*TEXTS][:6]))
    assert asked is not None and len(asked.classes) == our_labels.MOST_CLASSES
    assert all(len(one) <= 300 and not {"\t", "\n"} & set(one) for one in asked.texts)
    labelled = [(text, "ab"[i % 2]) for i, text in enumerate(asked.texts)]
    read = read_own_classes(own_text(labelled)).dataset
    kept = {one.text: one.label for one in (*read.train, *read.dev, *read.test)}
    wanted = {composed(text).strip(): label for text, label in labelled}
    assert kept == wanted
    for texts, classes in ((["?!"], "a, b"), (["One."], "a, a"), ([], "a, b")):
        assert our_labels.read_asked(texts, classes) is None
    long = ["a" * 300, "b" * 301, "b" * 302, "c  " + "d" * 400]
    assert our_labels.n_cut(long, our_labels.read_asked(long, "a, b")) == 2
    many = our_labels.read_asked(map(str, range(150)), "a, b")
    assert many is not None and len(many.texts) == our_labels.MOST_TEXTS


@pytest.mark.parametrize(
    "text", ["<b>*x*</b> $y$ :star:", '=1+1 "a', "# part: test", "[a](http://b)"]
)
def test_a_page_shows_a_hostile_text_as_it_is(open_warm_page, text):
    app = begin(open_part(open_warm_page, "our_labels"), text, classes="*a*, <b>")
    assert as_text(text) in {one.value for one in app.markdown}
    assert app.button(key=f"{LESSON}_labels_class_0").label == as_text("*a*")
    app = press(app, "class_1")
    assert app.session_state[f"{LESSON}_labels_alone"].labels == [{"1": "<b>"}]


# In a room: a teacher's page and two phones.


def test_a_class_labels_on_phones_and_sees_the_result_when_the_teacher_ends(open_warm_page):
    teaching = open_warm_page(TEACHING.file, teaching_part="room")
    teaching.button(key="teaching_room_open").click().run()
    desk = session.of(AtDesk, teaching.session_state).mine
    file, view = BY_SLUG[LESSON].file, {f"{LESSON}_part": "our_labels"}
    teacher = open_warm_page(
        file, room=desk.code, desk=session.of(AtDesk, teaching.session_state).key, **view
    )
    phones = [open_warm_page(file, room=desk.code, **view) for _ in range(2)]
    assert all(WORDS.section("our_labels.not_begun") in shown(one) for one in phones)
    texts = [f"Text number {i}." for i in range(6)]
    teacher = begin(teacher, "\n".join(texts))
    assert desk.look().offer.link == "classification?classification_part=our_labels"
    one, other = (phone.run() for phone in phones)
    for _ in range(3):
        one, other = press(one, "class_0"), press(other, "class_1")
    assert "**6 labels**" in shown(teacher.run()) and "**6 labels**" not in shown(one)
    assert desk.questions() == []  # no vote on the desk
    for _ in range(3):
        one, other = press(one, "class_0"), press(other, "class_0")
    assert WORDS.section("our_labels.done") in shown(one)
    teacher = press(teacher, "end")
    one = one.run()
    assert WORDS.section("our_labels.found", n=12, people=2, least=2, most=2) in shown(one)
    assert "class_0" not in keys(other.run())
    begin(teacher, "Another text.")
    assert as_text("Another text.") in shown(one.run())
    assert WORDS.section("our_labels.found", n=0, people=0, least=0, most=0) in shown(teacher.run())


def test_all_texts_get_a_label_before_one_gets_two():
    asked = our_labels.read_asked(["One.", "Two.", "Three."], "a, b")
    marks = {"x": "0.-", "y": "1..", "z": "..."}
    for who, wanted in {"x": {1}, "y": {1, 2}, "z": {1, 2}, "new": {1, 2}}.items():
        assert our_labels.Labelling(asked=asked, marks=marks, annotator=who).next_text() in wanted
    done = our_labels.Labelling(asked=asked, marks={"x": "01-"}, annotator="x")
    assert done.next_text() is None and done.labels == [{"x": "a"}, {"x": "b"}, {}]
