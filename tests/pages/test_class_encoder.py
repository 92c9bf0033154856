"""The class's encoder, from both sides: sentences, training, what phones are told.

The pages run in-process on one store, the trainer is the real one; steps are few.
"""

import io
import json
import time
import zipfile
from collections.abc import Callable, Iterator

import pytest

from mlm_core.small_runs import class_run
from pages.shared.caches import own_models
from pages.shared.classroom import encoder_run
from pages.shared.classroom.desk import Desk
from pages.shared.classroom.rooms import ENCODER, Rooms
from pages.shared.classroom.store import SqliteStore
from pages.shared.course.lessons import BY_SLUG, TEACHING
from pages.shared.course.words import as_text, read_words
from pages.shared.room import (
    banner,
    class_encoder,
    class_training,
    desk,
    encoder_use,
    membership,
    server_rooms,
)
from tests.caches import let_the_trainer_work
from tests.hostile import TEXTS

WORDS = read_words("class_encoder")
SEA = ("The sea is cold.", "A ship sails.", "The fish swims.", "We row a boat.")
PATIENCE = 20.0


@pytest.fixture(autouse=True)
def rooms_of_its_own(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv(server_rooms.SETTING, raising=False)
    monkeypatch.setattr(class_run, "FEWEST_STEPS", 8)
    monkeypatch.setattr(class_run, "STEPS_A_SENTENCE", 1)
    monkeypatch.setattr(class_training, "TELL_SECONDS", 0.0)
    server_rooms.forget()
    yield
    server_rooms.forget()


@pytest.fixture
def teacher(open_warm_page: Callable):
    app = open_warm_page(TEACHING.file, teaching_part="room")
    app.button(key="teaching_room_open").click().run()
    what = [one.key for one in app.get("button_group")].index("teaching_room_what")
    return app.get("button_group")[what].set_value("encoder").run()


@pytest.fixture
def learner(open_warm_page: Callable, teacher) -> Callable:
    def open_():
        app = open_warm_page(BY_SLUG["masking"].file, room=directed(teacher).code)
        app.session_state["room_encoder"] = True
        return app.run()

    return open_


def directed(teacher) -> Desk:
    return teacher.session_state[desk.KEPT]


def press(app, key: str):
    app.button(key=key).click().run()
    assert not app.exception and not app.error
    return app


def send(app, *sentences: str):
    for sentence in sentences:
        app.text_input(key="room_encoder_sentence").set_value(sentence)
        press(app, "room_encoder_send")
    return app


def seen(app) -> str:
    shown = (*app.markdown, *app.info, *app.caption, *app.warning, *app.success)
    tables = " ".join(str(one.value.values.tolist()) for one in app.dataframe)
    return " ".join(one.value for one in shown) + tables


def keep_training(teacher) -> encoder_run.Progress:
    """Look as the desk's timer does until the encoder is trained; return what the class is told."""
    mine, until = directed(teacher), time.monotonic() + PATIENCE
    while time.monotonic() < until:
        teacher.run()
        assert not teacher.exception and not teacher.error
        seed = mine.look().encoder_seed
        progress = encoder_run.progress_of(mine._rooms, mine.code, seed)
        if progress is not None and (progress.is_finished or progress.message):
            return progress
        let_the_trainer_work(0.3)
    raise AssertionError("the encoder was not trained in time")


def test_a_class_sends_sentences_and_each_phone_sees_what_the_encoder_learns(learner, teacher):
    ada = learner()
    assert WORDS.label("title") not in {one.label for one in ada.expander}
    teacher.text_input(key="teaching_room_encoder_theme").set_value("The *sea*").run()
    teacher.toggle(key="teaching_room_takes_encoder").set_value(True).run()
    ada, bo = learner(), learner()
    assert as_text("The *sea*") in seen(ada)
    send(ada, *SEA[:2])
    send(bo, *SEA[2:], "Drop me please.")
    assert "waits for your teacher" in seen(bo) and SEA[0] not in seen(bo)
    teacher.run()
    assert as_text("Drop me please.") in seen(teacher)
    assert teacher.button(key="teaching_room_encoder_start").disabled
    bad = directed(teacher).sent(ENCODER)[-1]
    press(teacher, f"teaching_room_drop_{bad.key}")
    press(teacher, "teaching_room_accept_all_encoder")
    press(teacher, "teaching_room_encoder_start")
    bo.run()
    assert WORDS.section("waits") in seen(bo)
    teacher.text_input(key="teaching_room_encoder_blank").set_value("We row a [MASK].").run()
    progress = keep_training(teacher)
    assert (progress.n_sentences, progress.blank) == (4, "We row a [MASK].")
    assert progress.n_words == 13 and len(progress.guesses) == 5
    teacher.run()
    assert as_text("We row a [MASK].") in seen(teacher)
    teacher.query_params["present"] = "1"  # a projector shows the same without its controls
    teacher.run()
    teacher.toggle(key="teaching_room_join").set_value(False).run()
    assert as_text("We row a [MASK].") in seen(teacher) and not teacher.exception
    assert "teaching_room_encoder_again" not in {one.key for one in teacher.button}
    del teacher.query_params["present"]
    ada.run()
    told = told_to(ada)
    assert [one[0] for one in told.sentences] == list(SEA[:2])
    assert as_text(told.blank) in seen(ada) and SEA[2] not in seen(ada)
    ada.text_input(key="room_encoder_blank").set_value("The [MASK] swims.")
    press(ada, "room_encoder_ask")
    keep_training(teacher)
    ada.run()
    assert told_to(ada).blank == "The [MASK] swims." and as_text("The [MASK] swims.") in seen(ada)
    assert told_to(bo).blank != "The [MASK] swims."


def told_to(app) -> encoder_run.Told:
    mine = app.session_state[membership.KEPT]
    with server_rooms.server_rooms() as rooms:
        seed = rooms.look(mine.code).encoder_seed
        told = encoder_run.told_to(rooms, mine.code, mine.visit, seed)
    assert told is not None
    return told


def test_after_a_killed_process_the_training_begins_again_from_the_sentences(learner, teacher):
    mine = directed(teacher)
    visit = learner().session_state[membership.KEPT].visit
    fill(mine, visit)
    encoder_run.start(mine._rooms, mine.code)
    first = keep_training(teacher)
    # What a process knew is gone: the trainer's ticket and the visit's; the store stays.
    teacher.session_state[class_training.KEPT].ticket = "gone"
    mine._rooms.store.drop(mine.code, "encoder_run", "progress")
    del teacher.session_state[class_training.KEPT]
    assert keep_training(teacher) == first
    (one, *_) = mine.sent(ENCODER)
    teacher.session_state["teaching_room_let_through_encoder"] = True
    teacher.run()
    press(teacher, f"teaching_room_take_back_{one.key}")
    again = keep_training_until(teacher, lambda progress: progress.n_sentences == 3)
    assert again.seed == first.seed and again != first


def keep_training_until(teacher, is_met: Callable[[encoder_run.Progress], bool]):
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        let_the_trainer_work(0.3)
        if is_met(progress := keep_training(teacher)):
            return progress
    raise AssertionError("the encoder was not trained again in time")


def fill(mine: Desk, visit: str, sentences=SEA) -> None:
    mine.take(ENCODER, True)
    for sentence in sentences:
        mine._rooms.send(mine.code, visit, ENCODER, {"sentence": sentence})
    mine.judge(ENCODER, [one.key for one in mine.sent(ENCODER)], "accepted")


def test_what_cannot_be_trained_is_said_and_not_tried_for_ever(learner, teacher):
    mine = directed(teacher)
    fill(mine, learner().session_state[membership.KEPT].visit, ["[MASK]"] * 4)
    encoder_run.start(mine._rooms, mine.code)
    assert "nothing to learn from" in keep_training(teacher).message
    teacher.run()
    assert "nothing to learn from" in seen(teacher)


def test_hostile_sentences_and_blanks_reach_nobody_as_markup(learner, teacher):
    mine, app = directed(teacher), learner()
    visit = app.session_state[membership.KEPT].visit
    hostile = [text for text in TEXTS.values() if any(map(str.isalnum, text))]
    fill(mine, visit, hostile[:5])
    other = learner().session_state[membership.KEPT].visit
    fill(mine, other, ["<b>bank</b> :red[x] [MASK]", *SEA])
    encoder_run.choose_own_blank(mine._rooms, mine.code, visit, "<script>[MASK]</script> *a*")
    encoder_run.choose_blank(mine._rooms, mine.code, "<b>[MASK]</b> $x$ :smile:")
    encoder_run.start(mine._rooms, mine.code)
    keep_training(teacher)
    app.run()
    for one, blank in (
        (teacher, "<b>[MASK]</b> $x$ :smile:"),
        (app, "<script>[MASK]</script> *a*"),
    ):
        one.run()
        assert not one.exception and not one.error
        assert as_text(blank) in seen(one)


def look_until(app, key: str):
    """Look as the phone's timer does until it shows a widget."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        app.run()
        assert not app.exception and not app.error
        if key in {one.key for one in (*app.button, *app.get("download_button"))}:
            return app
        let_the_trainer_work(0.3)
    raise AssertionError(f"{key} did not come")


def test_afterwards_it_is_in_the_model_list_a_zip_and_trained_without_ones_own_sentences(
    learner, teacher
):
    mine, ada, bo = directed(teacher), learner(), learner()
    for app, sentences in ((ada, SEA[:1]), (bo, SEA[1:])):
        fill(mine, app.session_state[membership.KEPT].visit, sentences)
    encoder_run.start(mine._rooms, mine.code)
    keep_training(teacher)
    press(look_until(ada, "room_encoder_without_start"), "room_encoder_without_start")
    look_until(ada, "room_encoder_copy_start")
    until = time.monotonic() + PATIENCE
    while not (view := class_training.look(ada.session_state["room_encoder_without"])).snapshot or (
        not view.snapshot.is_finished
    ):
        assert time.monotonic() < until
        let_the_trainer_work(0.3)
    ada.run()
    assert view.snapshot.settings.left_out == (0,)
    (whole, without) = told_to(ada).sentences[0], view.snapshot.results[0]
    shown = WORDS.section(
        "without_result",
        n=4,
        wrong=whole[2],
        wrong_without=without.n_wrong,
        loss=whole[3],
        loss_without=without.loss,
    )
    assert shown in seen(ada) and f"{without.loss:.2f} nats" in shown
    assert without.loss > whole[3]
    press(ada, "room_encoder_copy_start")
    look_until(ada, "room_encoder_zip")
    (name,) = ada.session_state[own_models.KEPT]
    assert name in ada.selectbox(key="model").options
    press(look_until(bo, "room_encoder_copy_start"), "room_encoder_copy_start")
    look_until(bo, "room_encoder_zip")
    # One model for the whole room, under one name.
    kept = bo.session_state[own_models.KEPT]
    assert kept[name] is ada.session_state[own_models.KEPT][name]
    snapshot = class_training.look(bo.session_state["room_encoder_copy"]).snapshot
    about = encoder_use._about(WORDS, snapshot)
    assert f"loss is {snapshot.tests[-1].loss:.2f} nats" in about and "torch==" in about
    packed = zipfile.ZipFile(io.BytesIO(encoder_use._pack(snapshot, "no blank", about)))
    assert "my-encoder/fill.py" in packed.namelist()
    everything = b"".join(packed.read(one) for one in packed.namelist())
    assert b"We row a boat" not in everything and mine.code.encode() not in everything


def test_the_timers_of_banner_and_encoder_do_not_ask_at_the_same_moments():
    assert class_encoder.LOOK_SECONDS % banner.LOOK_SECONDS


@pytest.fixture
def rooms() -> Rooms:
    return Rooms(SqliteStore())


def test_the_room_keeps_the_order_and_a_small_message_for_each_of_sixty(rooms: Rooms):
    from mlm_core.small_runs.class_run import ClassRunSettings

    code, key = rooms.open("teacher")
    mine = desk.open_desk(rooms, code, key)
    mine.take(ENCODER, True)
    visits = [rooms.join(code, f"visit {n}") for n in range(60)]
    for number, visit in enumerate(visits):
        for k in range(5):
            rooms.send(code, visit, ENCODER, {"sentence": f"Fish {number} eats number {k} of us."})
    assert len(mine.sent(ENCODER)) == ENCODER.most == 300
    mine.judge(ENCODER, [one.key for one in mine.sent(ENCODER)], "accepted")
    encoder_run.start(rooms, code)
    seed = mine.look().encoder_seed
    sent = encoder_run.sentences(rooms, code)
    texts = tuple(one.said["sentence"] for one in sent)
    settings = ClassRunSettings(sentences=texts, n_steps=1, test_every=1)
    *_, snapshot = class_run.class_run(settings)
    assert seed is not None
    training = class_training.Training(seed=seed, settings=settings, sent=sent, ticket="")
    progress, told = class_training.messages(training, snapshot, "", {})
    encoder_run.publish(rooms, code, progress, told)
    assert set(told) == set(visits) and [len(one.sentences) for one in told.values()] == [5] * 60
    kept = [*rooms.store.all(code, "encoder_told").values()]
    assert max(map(len, kept)) < 1_500
    assert len(rooms.store.get(code, "encoder_run", "progress") or "") < 3_000
    read = encoder_run.told_to(rooms, code, visits[7], seed)
    assert read is not None
    assert json.dumps(read.sentences) == json.dumps(told[visits[7]].sentences)
    assert encoder_run.told_to(rooms, code, visits[7], seed + 1) is None
    mine.end()
    for kind in ("encoder", "encoder_run", "encoder_told", "encoder_blanks", "room"):
        assert rooms.store.all(code, kind) == {}
