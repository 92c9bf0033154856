"""The class's encoder, from both sides: sentences, training, what phones are told.

The pages run in-process on one store, the trainer is the real one; steps are few.
"""

import io
import itertools
import json
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, replace
from unittest.mock import patch

import pytest
from streamlit.testing.v1 import AppTest

from mlm_core.small_runs import class_run
from pages.server import session
from pages.server.caches import cache_training
from pages.server.caches.own_models import OwnModels
from pages.server.classroom import encoder_run
from pages.server.classroom.desk import Desk
from pages.server.classroom.rooms import ENCODER, Rooms
from pages.server.classroom.store import SqliteStore
from pages.server.course.lessons import BY_SLUG, TEACHING
from pages.server.course.words import as_text, read_words
from pages.server.room import (
    banner,
    class_encoder,
    class_training,
    desk,
    encoder_use,
    membership,
    server_rooms,
)
from pages.server.room.asks import Asks
from pages.server.room.class_encoder import Watched
from pages.server.room.class_training import Trains
from pages.server.room.collecting import Opened
from pages.server.trainer.jobs import View
from pages.server.trainer.service import TrainingService
from tests.caches import let_the_trainer_work
from tests.hostile import TEXTS
from tests.pages.test_rooms import at_desk as directed
from tests.pages.test_rooms import in_room, member
from tests.seen import look_until
from tests.waiting import in_threads

WORDS = read_words("class_encoder")
SEA = ("The sea is cold.", "A ship sails.", "The fish swims.", "We row a boat.")
PATIENCE = 20.0
QUEUED = View(
    status="queued", key=1, link="", place=3, snapshot=None, n_pieces=0, message="",
    n_watchers=1, wants_pause=False, n_running=2,
)  # fmt: skip


@pytest.fixture(autouse=True)
def trained_in_no_time(rooms_of_its_own: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(class_run, "FEWEST_STEPS", 8)
    monkeypatch.setattr(class_run, "STEPS_A_SENTENCE", 1)
    monkeypatch.setattr(class_training, "TELL_SECONDS", 0.0)


@pytest.fixture
def teacher(open_warm_page: Callable):
    app = open_warm_page(TEACHING.file, teaching_part="room")
    app.button(key="teaching_room_open").click().run()
    what = [one.key for one in app.get("button_group")].index("teaching_room_what")
    return app.get("button_group")[what].set_value("encoder").run()


@pytest.fixture
def learner(open_warm_page: Callable, teacher) -> Callable:
    def open_(visit: str = ""):
        code = directed(teacher).code  # with a visit, its page was there and is reloaded
        with patch.object(membership, "remembered", lambda _: (code, visit)):
            return open_warm_page(BY_SLUG["masking"].file, room=code)

    return open_


def lent_to(app) -> dict:
    return session.of(OwnModels, app.session_state).lent


def opened(app, *, is_open: bool) -> None:
    """Open the box, or let it be as a learner closed it."""
    done = session.of(Asks, app.session_state).done
    (done.discard if is_open else done.add)(class_encoder.BOX)
    app.session_state[class_encoder.BOX] = is_open


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
    mine = directed(teacher)

    def look() -> encoder_run.Progress | None:
        assert not teacher.error
        seed = mine.look().encoder_seed
        progress = encoder_run.progress_of(mine._rooms, mine.code, seed)
        return progress if progress and (progress.is_finished or progress.message) else None

    return look_until(teacher, look)


@pytest.mark.usefixtures("either_store")
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
    # Three sentences are trained on, the words of the fourth are new.
    assert progress.n_held_out == 1 and progress.n_words + progress.n_new in (13, 14)
    assert 0 < progress.n_baseline_wrong <= progress.n_new and len(progress.guesses) == 5
    assert progress.held_out and progress.baseline_loss > 0
    teacher.run()
    assert as_text("We row a [MASK].") in seen(teacher)
    without = WORDS.section("desk_without", without=WORDS.label("without"))
    assert says_what_is_new(teacher, progress) and without in seen(teacher)
    assert WORDS.plain("word_counts") in drawn(teacher), "beside both curves"
    assert WORDS.plain("held_out_loss") in drawn(teacher)
    teacher.query_params["present"] = "1"  # a projector shows the same without its controls
    teacher.run()
    teacher.toggle(key="teaching_room_join").set_value(False).run()
    assert as_text("We row a [MASK].") in seen(teacher) and not teacher.exception
    assert says_what_is_new(teacher, progress) and without not in seen(teacher)
    assert "teaching_room_encoder_again" not in {one.key for one in teacher.button}
    del teacher.query_params["present"]
    ada.run()
    told = told_to(ada)
    assert [one[0] for one in told.sentences] == list(SEA[:2])
    assert as_text(told.blank) in seen(ada) and SEA[2] not in seen(ada)
    assert says_what_is_new(ada, progress)
    assert WORDS.section("try_without", n=own_words(ada)) in seen(ada)
    ada.text_input(key="room_encoder_blank").set_value("The [MASK] swims.")
    press(ada, "room_encoder_ask")
    keep_training(teacher)
    ada.run()
    assert told_to(ada).blank == "The [MASK] swims." and as_text("The [MASK] swims.") in seen(ada)
    assert told_to(bo).blank != "The [MASK] swims."


def says_what_is_new(app, progress: encoder_run.Progress) -> bool:
    about = {"counts": progress.n_baseline_wrong, "words": progress.n_new}
    is_said = WORDS.section("held_out", n=1, of=4, **about) in seen(app)
    return is_said and {WORDS.label("repeated"), WORDS.label("new")} <= {
        one.label for one in app.metric
    }


def own_words(app) -> int:
    return sum(n for _, n, _, _ in told_to(app).trained)


def told_to(app) -> encoder_run.Told:
    mine = member(app)
    with server_rooms.server_rooms() as rooms:
        seed = rooms.look(mine.code).encoder_seed
        told = encoder_run.told_to(rooms, mine.code, mine.visit, seed)
    assert told is not None
    return told


def test_after_a_killed_process_the_training_begins_again_from_the_sentences(learner, teacher):
    mine = directed(teacher)
    visit = member(learner()).visit
    fill(mine, visit)
    encoder_run.start(mine._rooms, mine.code)
    first = keep_training(teacher)
    # What a process knew is gone: the encoder and what the visit had; the store stays.
    cache_training.forget_class_encoders()
    mine._rooms.store.drop(mine.code, "encoder_run", "progress")
    session.of(Trains, teacher.session_state).of_class = None
    assert keep_training(teacher) == first
    (one, *_) = mine.sent(ENCODER)
    session.of(Opened, teacher.session_state).boxes.add("teaching_room_let_through_encoder")
    teacher.run()
    press(teacher, f"teaching_room_take_back_{one.key}")
    again = keep_training_until(teacher, lambda progress: progress.n_sentences == 3)
    assert again.seed == first.seed and again != first


def keep_training_until(teacher, is_met: Callable[[encoder_run.Progress], bool]):
    def look() -> encoder_run.Progress | None:
        return progress if is_met(progress := keep_training(teacher)) else None

    return look_until(teacher, look)


def fill(mine: Desk, visit: str, sentences=SEA) -> None:
    mine.take(ENCODER, True)
    for sentence in sentences:
        mine._rooms.send(mine.code, visit, ENCODER, {"sentence": sentence})
    mine.judge(ENCODER, [one.key for one in mine.sent(ENCODER)], "accepted")


def test_what_cannot_be_trained_is_said_and_not_tried_for_ever(learner, teacher):
    mine = directed(teacher)
    fill(mine, member(learner()).visit, ["[MASK]"] * 4)
    encoder_run.start(mine._rooms, mine.code)
    assert "nothing to learn from" in keep_training(teacher).message
    teacher.run()
    assert "nothing to learn from" in seen(teacher)


def test_hostile_sentences_and_blanks_reach_nobody_as_markup(learner, teacher):
    mine, app = directed(teacher), learner()
    visit = member(app).visit
    hostile = [text for text in TEXTS.values() if any(map(str.isalnum, text))]
    fill(mine, visit, hostile[:5])
    other = member(learner()).visit
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


def start_and_hold_out(mine: Desk, number: int) -> None:
    """Start the encoder with a seed that holds out the sentence with this number."""
    texts = [one.said["sentence"] for one in mine.sent(ENCODER)]
    seed = next(n for n in range(99) if class_run.choose_held_out(texts, n) == (number,))
    with patch.object(encoder_run.SystemRandom, "randrange", lambda *_: seed):
        encoder_run.start(mine._rooms, mine.code)


def offers(app, key: str) -> bool:
    assert not app.error
    return key in {one.key for one in (*app.button, *app.get("download_button"))}


def test_afterwards_it_is_in_the_model_list_a_zip_and_trained_without_ones_own_sentences(
    learner, teacher
):
    mine, ada, bo = directed(teacher), learner(), learner()
    for app, sentences in ((ada, SEA[:1]), (bo, SEA[1:])):
        fill(mine, member(app).visit, sentences)
    start_and_hold_out(mine, 3)
    progress = keep_training(teacher)
    look_until(ada, lambda: offers(ada, "room_encoder_without_start"))
    assert ada.button(key="room_encoder_without_start").disabled, "before a guess"
    ada.number_input(key=encoder_use.GUESS).set_value(3).run()
    press(ada, "room_encoder_without_start")
    until = time.monotonic() + PATIENCE
    training = session.of(Trains, ada.session_state).without
    while not (view := class_training.look(training)).snapshot or not view.snapshot.is_finished:
        assert time.monotonic() < until
        let_the_trainer_work(0.3)
    ada.run()
    assert view.snapshot.settings.left_out == (0,) and view.snapshot.settings.held_out == (3,)
    (whole, without) = told_to(ada).sentences[0], view.snapshot.results[0]
    shown = WORDS.section(
        "without_result",
        n=4,
        guess=3,
        wrong=whole[2],
        wrong_without=without.n_wrong,
        loss=whole[3],
        loss_without=without.loss,
    )
    assert shown in seen(ada) and f"{without.loss:.2f} nats" in shown
    assert without.loss > whole[3]
    (name,) = lent_to(ada)
    assert name in ada.selectbox(key="model").options and as_text(name) in seen(ada)
    ada.text_input(key="room_encoder_blank").set_value("A ship [MASK]. ")
    press(ada, "room_encoder_ask")  # answered at once, with no page of the teacher's open
    assert as_text("A ship [MASK].") in seen(ada) and told_to(ada).blank != "A ship [MASK]."
    assert not [one for one in ada.info if "A ship" in one.value]
    look_until(bo, lambda: offers(bo, "room_encoder_zip"))
    # One model for the whole room, under one name.
    held = cache_training.class_encoder(mine.code)
    for app in (ada, bo, teacher):
        app.run()
        assert held is not None and lent_to(app) == {name: held.model}
    snapshot = held.snapshot
    about = encoder_use._about(WORDS, snapshot)
    test, baseline = snapshot.tests[-1], snapshot.baseline
    assert test.held_out is not None and baseline is not None
    for loss in (test.loss, test.held_out.loss, baseline.loss):
        assert f" is {loss:.2f}" in about
    assert "torch==" in about
    packed = zipfile.ZipFile(io.BytesIO(encoder_use._pack(snapshot, "no blank", about)))
    assert "my-encoder/fill.py" in packed.namelist()
    everything = b"".join(packed.read(one) for one in packed.namelist())
    assert mine.code.encode() not in everything
    shown = json.loads(packed.read("my-encoder/shown.json"))
    assert class_training.NOBODYS_BLANK in shown.values()
    assert told_to(ada).blank != class_training.NOBODYS_BLANK == progress.blank
    # The vocabulary has the words. No two of them stand together, with or without a blank.
    for sentence in SEA:
        words = sentence.split()
        assert not [
            pair for pair in itertools.pairwise(words) if " ".join(pair).encode() in everything
        ]


def test_a_process_without_the_encoder_trains_it_once_for_all_of_its_phones(
    learner, teacher, monkeypatch: pytest.MonkeyPatch
):
    mine, ada, train, begun = directed(teacher), learner(), class_run.class_run, []
    visit = member(ada).visit
    fill(mine, visit)
    encoder_run.start(mine._rooms, mine.code)
    keep_training(teacher)
    cache_training.forget_class_encoders()  # another process has it not, nor one that was killed
    service = TrainingService(own_thread=False, clock=lambda: 0.0)
    monkeypatch.setattr(cache_training, "_service", service)

    def fail_at_first(settings: class_run.ClassRunSettings) -> Iterator[class_run.ClassSnapshot]:
        begun.append(settings)
        return train(settings) if len(begun) > 1 else iter([][0])

    monkeypatch.setattr(class_run, "class_run", fail_at_first)
    phones = [ada.run(), learner(), learner(visit)]  # the last one was reloaded
    for app in phones:
        assert WORDS.label("use_trains") in seen(app) and WORDS.label("keep_open") in seen(app)
    assert (service.standing().n_running, service.standing().n_tickets) == (1, 1)
    while service.run_slice():
        pass
    for app in phones:
        assert "stopped by an unexpected error" in seen(app.run()).lower() and len(begun) == 1
    press(phones[0], "room_encoder_use_again")
    assert WORDS.label("use_trains") in seen(phones[1].run())
    while service.run_slice():
        pass
    for app in phones:
        (name,) = lent_to(app.run())
        assert name in app.selectbox(key="model").options
        assert "room_encoder_zip" in {one.key for one in app.get("download_button")}
    teacher.run()
    assert len(begun) == 2 and service.standing().n_tickets == 0
    service.close()


def test_the_encoder_is_in_every_model_list_of_the_room_until_the_room_ends(
    learner, teacher, open_warm_page: Callable
):
    mine, ada = directed(teacher), learner()
    fill(mine, member(ada).visit)
    encoder_run.start(mine._rooms, mine.code)
    keep_training(teacher)
    held = cache_training.class_encoder(mine.code)
    assert held is not None
    name, page = held.model.name, BY_SLUG["masking"].file
    for late in (
        open_warm_page(page, room=mine.code, model=name),  # reloaded
        open_warm_page(page, room=mine.code, model=name, lang="de"),
    ):
        assert late.selectbox(key="model").value == name
        assert lent_to(late) == {name: held.model}
        assert not late.exception and not late.error
    stranger = open_warm_page(page, model=name)
    left = open_warm_page(page, room=mine.code)
    press(left, "room_leave")
    for app in (stranger, left):
        assert name not in app.selectbox(key="model").options
    encoder_run.take_back(mine._rooms, mine.code)
    fill(mine, member(ada).visit, ["One more sentence."])
    encoder_run.start(mine._rooms, mine.code)
    ada.run()
    assert name in ada.selectbox(key="model").options  # until the next one is trained
    keep_training(teacher)
    (newer,) = lent_to(late.run())
    assert newer != name and late.selectbox(key="model").value != name
    mine.end()
    late.run()  # which sees that the room has ended
    assert newer not in late.run().selectbox(key="model").options and not late.exception
    server_rooms.end_old_rooms()
    assert cache_training.class_encoder(mine.code) is None


def vote(app, sentence: str, choices: Mapping[str, str]):
    (radio,) = app.radio
    assert sorted(map(as_text, WATCHED)) == sorted(radio.options)
    (name,) = (name for name, text in choices.items() if text == sentence)
    return radio.set_value(name).run()


WATCHED = ("The sea is [MASK].", "A ship [MASK].", "<b>[MASK]</b> *a*")


def test_the_class_votes_on_the_sentence_that_all_watch(learner, teacher):
    mine, bo = directed(teacher), learner()
    ada, cy = (mine._rooms.join(mine.code, one) for one in ("ada", "cy"))
    visit = member(bo).visit
    for one, sentence in ((ada, "The sea is cold."), (visit, "A ship sails."), (cy, WATCHED[2])):
        fill(mine, one, [sentence])
    fill(mine, "another", [SEA[3]])
    (of_another,) = (one for one in mine.sent(ENCODER) if one.visit == "another")
    press(teacher.run(), "teaching_room_encoder_vote")
    choices = mine.look().encoder_choices
    assert len(choices) == 4 and not any("another" in name for name in choices)
    mine.judge(ENCODER, [of_another.key], "dropped")
    choices = mine.look().encoder_choices
    assert sorted(choices.values()) == sorted(WATCHED)
    fill(mine, "another", [SEA[3]])
    vote(bo.run(), WATCHED[2], choices)
    assert WORDS.section("voted") in seen(bo) and not bo.exception and not bo.error
    question = encoder_run.blank_question(mine.look())
    assert question is not None
    for one, wanted in ((ada, WATCHED[0]), (cy, WATCHED[2])):
        (name,) = (name for name, text in choices.items() if text == wanted)
        mine._rooms.answer(mine.code, one, question, 1, name)
    teacher.run()
    assert sorted(mine.tallies(question)[0].counts.values()) == [0, 1, 2]
    assert "&lt;b&gt;[MASK]&lt;/b&gt;" in drawn(teacher) and "<b>[MASK]" not in drawn(teacher)
    press(teacher, "teaching_room_encoder_start")
    assert keep_training(teacher).blank == WATCHED[2]
    reloaded = learner(visit)
    assert choices[reloaded.radio[0].value] == WATCHED[2] and WORDS.section("voted") in seen(
        reloaded
    )
    vote(bo.run(), WATCHED[0], choices)  # also while it is trained, and one may change one's mind
    assert keep_training_until(teacher, lambda now: now.blank == WATCHED[0])
    teacher.text_input(key="teaching_room_encoder_blank").set_value("We [MASK] a boat.").run()
    assert keep_training_until(teacher, lambda now: now.blank == "We [MASK] a boat.")
    assert not bo.run().radio and "teaching_room_encoder_vote" not in {
        one.key for one in teacher.button
    }


def drawn(app) -> str:
    texts = " ".join(one.proto.json for one in app.get("bidi_component"))
    return texts.encode().decode("unicode_escape")


def test_a_process_keeps_few_classes_encoders(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(cache_training, "MOST_CLASSES", 2)
    settings = class_run.ClassRunSettings(sentences=SEA, n_steps=1, test_every=1)
    *_, snapshot = class_run.class_run(settings)
    for room in "abca":
        cache_training.keep_class_encoder(room, replace(QUEUED, snapshot=snapshot))
    assert [room for room in "abc" if cache_training.class_encoder(room)] == ["a", "c"]


def test_a_page_looks_up_no_sentences_where_none_are_shown(
    learner, teacher, monkeypatch: pytest.MonkeyPatch
):
    mine, app, read, look_up = directed(teacher), learner(), [], SqliteStore.all
    monkeypatch.setattr(
        SqliteStore, "all", lambda self, code, kind: read.append(kind) or look_up(self, code, kind)
    )

    def reads(*, is_open: bool) -> int:
        read.clear()
        opened(app, is_open=is_open)
        app.run()
        return read.count("encoder")

    assert reads(is_open=True) == 0
    mine.take(ENCODER, True)
    app.run()  # which opens the box
    assert (reads(is_open=False), reads(is_open=True)) == (0, 1)
    send(app, SEA[0])
    mine.take(ENCODER, False)  # what became of it is still shown
    assert reads(is_open=True) > 0 and as_text(SEA[0]) in seen(app)


def test_the_timers_of_banner_and_encoder_do_not_ask_at_the_same_moments():
    assert class_encoder.LOOK_SECONDS % banner.LOOK_SECONDS


def test_a_phone_keeps_what_was_refused_and_shows_what_became_of_its_sentences(learner, teacher):
    teacher.toggle(key="teaching_room_takes_encoder").set_value(True).run()
    mine, app = directed(teacher), learner()
    send(app, "?!")
    assert app.text_input(key="room_encoder_sentence").value == "?!"
    send(app, *SEA, "The fish sleeps.")
    assert WORDS.section("all_sent", n=5, of=5) in seen(app)
    assert "room_encoder_sentence" not in {one.key for one in app.text_input}
    mine.judge(ENCODER, [mine.sent(ENCODER)[0].key], "dropped")
    mine.take(ENCODER, False)
    app.run()
    assert WORDS.section("not_taken") in seen(app)
    assert as_text(SEA[0]) not in seen(app) and as_text(SEA[1]) in seen(app)
    assert "room_encoder_sentence" not in {one.key for one in app.text_input}


def test_a_start_and_an_end_draw_the_part_that_shows_the_encoder_and_not_the_page(learner, teacher):
    mine, app = directed(teacher), learner()
    fill(mine, member(app).visit)

    def script() -> None:
        import streamlit as st

        from pages.server import session
        from pages.server.frame import page_frame
        from pages.server.process.streamlit_patches import part_requests
        from pages.server.room import encoder_use, membership

        st.session_state["n_pages"] = st.session_state.get("n_pages", 0) + 1
        encoder_use.lend()
        page_frame._say_which_room("masking")
        if st.session_state["n_pages"] == 1:
            st.session_state["meanwhile"]()  # and the banner sees it
            part_requests.draw(session.of(membership.InRoom).parts["boxes"])

    def page_after(meanwhile: Callable[[], object]) -> AppTest:
        page = AppTest.from_function(script, default_timeout=120)
        in_room(page).mine = member(app)
        page.session_state["room_encoder"] = True
        page.session_state["meanwhile"] = meanwhile
        assert page.run().session_state["n_pages"] == 1 and not page.exception
        return page

    assert WORDS.section("waits") in seen(
        page_after(lambda: encoder_run.start(mine._rooms, mine.code))
    )
    keep_training(teacher)
    page = page_after(lambda: None)
    assert session.of(Watched, page.session_state).at_rest == mine.look().encoder_seed


def progress_at(seed: int, step: int, n_sentences: int = 4, **changed) -> encoder_run.Progress:
    asked = {
        "seed": seed,
        "step": step,
        "n_steps": 8,
        "n_sentences": n_sentences,
        "n_words": 13,
        "n_learned": 2,
        "curve": [(step, 3.0)],
        "blank": "[MASK].",
        "guesses": [("boat", 0.5)],
    }
    return encoder_run.Progress(**asked | changed)


def test_a_phone_says_what_it_waits_for_and_looks_no_more_when_all_is_finished(
    learner, teacher, monkeypatch: pytest.MonkeyPatch
):
    mine, app, timers = directed(teacher), learner(), []
    seconds = class_encoder.seconds_between_looks
    monkeypatch.setattr(
        class_encoder, "seconds_between_looks", lambda: timers.append(seconds()) or timers[-1]
    )
    rooms, visit = mine._rooms, member(app).visit
    fill(mine, visit, SEA[:1])
    fill(mine, rooms.join(mine.code, "another"), SEA[1:])
    encoder_run.start(rooms, mine.code)
    seed = mine.look().encoder_seed
    assert seed is not None
    app.run()
    told = encoder_run.Told(
        seed=seed, step=4, sentences=[(SEA[0], 4, 1, 2.0)], blank="The [MASK].", guesses=[]
    )
    encoder_run.publish(rooms, mine.code, progress_at(seed, 4), {visit: told})
    app.run()
    assert timers[-1] == class_encoder.LOOK_SECONDS
    assert WORDS.section("rests") not in seen(app)
    old = json.dumps(asdict(progress_at(seed, 4)))  # told at the clock's 0
    rooms.store.put(mine.code, "encoder_run", "progress", old, most=2)
    app.run()
    assert WORDS.section("rests") in seen(app)
    app.text_input(key="room_encoder_blank").set_value("We [MASK].")
    press(app, "room_encoder_ask")
    assert WORDS.section("asked", sentence="We [MASK].") in seen(app)
    assert timers[-1] == class_encoder.LOOK_SECONDS
    *_, last = class_run.class_run(class_training.start(rooms, mine.code, seed).settings)
    cache_training.keep_class_encoder(mine.code, replace(QUEUED, snapshot=last))
    encoder_run.publish(rooms, mine.code, progress_at(seed, 8), {visit: told})
    app.run()  # the finished encoder answers itself
    assert WORDS.section("asked", sentence="We [MASK].") not in seen(app)
    assert WORDS.section("rests") not in seen(app) and timers[-1] is None
    view = QUEUED
    monkeypatch.setattr(cache_training, "start_class_run", lambda settings: "ticket")
    monkeypatch.setattr(class_training, "look", lambda training: view)
    app.number_input(key=encoder_use.GUESS).set_value(2).run()
    press(app, "room_encoder_without_start")
    assert "position 3" in seen(app) and WORDS.label("keep_open") in seen(app)
    assert timers[-1] == class_encoder.LOOK_SECONDS
    view = replace(view, status="failed", message="stopped by an unexpected error")
    app.run()
    assert "stopped by an unexpected error" in seen(app).lower()
    press(app, "room_encoder_without_start")  # it can be tried again
    opened(app, is_open=False)
    app.run()
    assert timers[-1] is None


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
    training = class_training.Training(
        room=mine.code, seed=seed, settings=settings, sent=sent, ticket=""
    )
    snapshot = replace(snapshot, losses=tuple((step, 1.0) for step in range(1, 52)))
    progress, told = class_training.messages(training, snapshot, "", {})
    assert progress.curve[-1] == (51, 1.0) and len(progress.curve) <= class_training.MOST_POINTS
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


def room_to_train(rooms: Rooms) -> tuple[Desk, int, list[str]]:
    """Return a room whose encoder is started on four sentences of two learners."""
    code, key = rooms.open("teacher")
    mine, visits = desk.open_desk(rooms, code, key), [rooms.join(code, one) for one in ("a", "b")]
    for number, visit in enumerate(visits):
        fill(mine, visit, SEA[2 * number : 2 * number + 2])
    start_and_hold_out(mine, 3)
    seed = mine.look().encoder_seed
    assert seed is not None
    return mine, seed, visits


def test_more_finished_runs_than_the_trainer_keeps_are_trained_once_each(
    rooms: Rooms, monkeypatch: pytest.MonkeyPatch
):
    mine, seed, (visit, _) = room_to_train(rooms)
    begun = []

    def class_run_at_once(settings: class_run.ClassRunSettings):
        begun.append(settings)
        test = class_run.ClassTest(step=settings.n_steps, loss=1.0, n_learned=1)
        yield class_run.ClassSnapshot(settings=settings, tests=(test,))

    monkeypatch.setattr(class_run, "class_run", class_run_at_once)
    service = TrainingService(own_thread=False)
    monkeypatch.setattr(cache_training, "_service", service)
    n = service.limits.most_finished + 5
    runs = [
        class_training.start(rooms, mine.code, seed + number, without=visit) for number in range(n)
    ]
    for _ in range(4 * n):
        service.run_slice()
        looks = [class_training.look(run) for run in runs]  # as phones do, all of them
    assert [view.snapshot and view.snapshot.settings for view in looks] == [
        run.settings for run in runs
    ]
    assert len(begun) == n
    # The places of others' finished runs stay theirs.
    assert service.standing().n_ended == 0
    service.close()


def test_a_room_has_one_run_in_a_process_whoever_looks_and_whatever_was_started_before(
    rooms: Rooms, monkeypatch: pytest.MonkeyPatch
):
    mine, seed, (visit, _) = room_to_train(rooms)
    service = TrainingService(own_thread=False)
    monkeypatch.setattr(cache_training, "_service", service)

    def look(page: str) -> None:
        # Some pages have read the room before the teacher pressed "again".
        asked = seed + int(page[-1]) % 2
        class_training.look(class_training.start(rooms, mine.code, asked))

    for thread in in_threads(look, 8):
        thread.join()
    assert (service.standing().n_running, service.standing().n_tickets) == (1, 1)
    # A run that somebody follows without their own sentences is another.
    without = class_training.start(rooms, mine.code, seed, without=visit)
    assert class_training.look(without).n_running == 2
    service.close()


def test_all_words_are_tested_twenty_times_and_once_without_ones_own_sentences(
    rooms: Rooms, monkeypatch: pytest.MonkeyPatch
):
    mine, seed, visits = room_to_train(rooms)
    visit = visits[0]
    monkeypatch.setattr(cache_training, "start_class_run", lambda settings: "ticket")
    for n_steps, test_every in ((300, 25), (2_000, 100)):
        monkeypatch.setattr(class_run, "FEWEST_STEPS", n_steps)
        whole, without = (
            class_training.start(rooms, mine.code, seed, without=one).settings
            for one in ("", visit)
        )
        assert (whole.left_out, whole.test_every) == ((), test_every)
        assert (without.left_out, without.test_every) == ((0, 1), n_steps)
        assert whole.held_out == without.held_out == (3,)
    # Of a learner's own sentences, the one that is held out is new to the encoder already.
    other = class_training.start(rooms, mine.code, seed, without=visits[1]).settings
    assert other.left_out == (2,)


def test_of_two_processes_the_further_one_tells_the_room(rooms: Rooms):
    mine, seed, _ = room_to_train(rooms)

    def after(*told: encoder_run.Progress) -> encoder_run.Progress:
        rooms.store.drop(mine.code, "encoder_run", "progress")
        for one in told:
            encoder_run.publish(rooms, mine.code, one, {})
        found = encoder_run.progress_of(rooms, mine.code, seed)
        assert found is not None
        return found

    first, last = progress_at(seed, 4), progress_at(seed, 8)
    failed = progress_at(seed, 0, 0, message="no place", n_steps=0)
    fewer = progress_at(seed, 4, 3)
    for told, kept in (
        ((first, last), last),
        ((last, first), last),  # a finished run stays finished
        ((first, failed), first),
        ((failed, first), first),
        ((last, fewer), fewer),  # the teacher dropped a sentence meanwhile
        ((fewer, last), fewer),
        ((progress_at(seed + 1, 8), first), first),  # started anew
    ):
        found = after(*told)
        assert (found.step, found.n_sentences, found.message) == (
            kept.step,
            kept.n_sentences,
            kept.message,
        )


def test_what_another_process_told_less_is_told_again(rooms: Rooms):
    mine, seed, _ = room_to_train(rooms)
    sent = encoder_run.sentences(rooms, mine.code)
    settings = class_run.ClassRunSettings(
        sentences=tuple(one.said["sentence"] for one in sent), n_steps=2, test_every=2
    )
    *_, snapshot = class_run.class_run(settings)
    training = class_training.Training(
        room=mine.code, seed=seed, settings=settings, sent=sent, ticket=""
    )

    def tell() -> encoder_run.Progress | None:
        class_training._tell(rooms, mine.code, training, snapshot, "")
        return encoder_run.progress_of(rooms, mine.code, seed)

    first = tell()
    assert first is not None
    assert first.is_finished
    # It read the room before the end was told, and wrote after it.
    behind = json.dumps(asdict(progress_at(seed, 1)))
    rooms.store.put(mine.code, "encoder_run", "progress", behind, most=2)
    assert tell() == first
    # Nothing new for some time, while it is trained: phones hear that it goes on.
    half = replace(first, n_steps=4)
    rooms.store.put(mine.code, "encoder_run", "progress", json.dumps(asdict(half)), most=2)
    rooms.now = lambda: first.at + 6.0
    found = tell()
    assert found is not None and found.at == first.at + 6.0
