"""A visit's list of runs: what a link brings, and what one visit can't do to another's runs."""

import time
from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from pages.kit.part import Part
from pages.kit.training import run_status, runs
from pages.server.caches import cache_training
from pages.server.course.lessons import BY_SLUG
from pages.server.course.words import read_words
from pages.server.frame.page_frame import Page
from pages.server.trainer.jobs import NoRoomError
from pages.server.trainer.service import TrainingService


def page():
    """Show the runs, and start those that the link names: the settings are numbers."""
    import itertools

    import streamlit as st

    from pages.kit.training.runs import RunList
    from pages.server.caches import cache_training
    from pages.server.process.streamlit_patches import browser_history

    browser_history.arrive("", is_first=True)  # as the frame of a page does

    def begin(number: int) -> str:
        service = cache_training.training_service()
        visit = st.session_state.get("visit", "nobody")
        work = itertools.count if number >= 0 else lambda: 1 // 0
        return service.start(number, work, 1, owner=visit)

    mine = RunList(prefix="test", begin=begin, settings_type=int, without_weights={})
    for number in st.session_state.pop("start", ()):
        mine.start(number)
    for number in st.session_state.pop("press", ()):
        mine.find_or_start(number)
    for number in st.session_state.pop("remove", ()):
        mine.remove(next(run for run in mine.all() if run.settings == number))
    st.session_state["shown"] = [run.settings for run in mine.all()]
    st.session_state["failed"] = st.session_state.pop(mine.link_failed, None)


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> TrainingService:
    """Return a trainer whose runs stay where they are."""
    service = TrainingService(own_thread=False)
    monkeypatch.setattr(cache_training, "training_service", lambda: service)
    return service


def visit(name: str, link: str = "", **state) -> AppTest:
    """Return a visit's page, drawn."""
    app = AppTest.from_function(page)
    if link:
        app.query_params["test_run"] = link
    return draw(app, visit=name, **state)


def draw(app: AppTest, **state) -> AppTest:
    for name, value in state.items():
        app.session_state[name] = value
    app.run()
    assert not app.exception
    return app


def link_of(app: AppTest) -> str:
    value = app.query_params["test_run"]
    return value if isinstance(value, str) else value[0]


def test_a_reader_s_seven_runs_and_removals_leave_the_sender_s_run_alone(service):
    sender = visit("sender", start=[1])
    reader = visit("reader", link_of(sender))
    assert reader.session_state["shown"] == [1]
    draw(reader, start=range(2, 9))
    assert reader.session_state["shown"] == [3, 4, 5, 6, 7, 8]
    (run,) = sender.session_state["test_runs"]
    assert service.look(run.ticket).n_watchers == 1

    reader = visit("reader", link_of(sender), remove=[1])
    assert reader.session_state["shown"] == []
    assert service.look(run.ticket).status == "running"
    assert draw(sender).session_state["shown"] == [1]


def test_a_reloaded_page_finds_its_run_by_the_link_and_an_older_link_still_does(service):
    first = visit("before", start=[1])
    link = link_of(first)
    reloaded = visit("after", link)
    assert reloaded.session_state["shown"] == [1] and link_of(reloaded) == link
    service.leave(first.session_state["test_runs"][0].ticket)  # as after three minutes
    assert visit("much later", link).session_state["shown"] == [1]


def test_a_run_in_line_is_there_at_once_and_a_resting_one_rests(service):
    sender = visit("sender", start=[1])
    service.pause(sender.session_state["test_runs"][0].ticket)
    reader = visit("reader", link_of(sender))
    (run,) = reader.session_state["test_runs"]
    assert run.settings == 1 and service.look(run.ticket).status == "paused"


def test_a_link_that_the_trainer_has_no_ticket_for_says_so(service, monkeypatch):
    def full(link, owner):
        raise NoRoomError("all 400 places at the trainer are taken: try again in a few minutes")

    sender = visit("sender", start=[1])
    monkeypatch.setattr(service, "join", full)
    reader = visit("reader", link_of(sender))
    assert reader.session_state["shown"] == [] and "400 places" in reader.session_state["failed"]
    assert visit("nobody", "no such word").session_state["failed"] is not None


def test_start_leads_to_the_run_of_these_settings_and_begins_one_that_failed_again(service):
    app = visit("reader", press=[-1])
    service.run_slice()
    assert draw(app, press=[3, 3, -1]).session_state["shown"] == [-1, 3, -1]


def test_a_third_run_of_a_visit_waits_and_its_page_says_for_what(service):
    slug = "classification"
    page = Page(lesson=BY_SLUG[slug], words=read_words(slug), model_name="mini-bert")
    app = visit("one", start=[1, 2, 3])
    views = [service.look(run.ticket) for run in app.session_state["test_runs"]]
    assert [view.status for view in views] == ["running", "running", "queued"]
    said = run_status._progress(Part(page, "train", "runs"), views[2], None)
    assert said.startswith("Waiting until one of your other runs")


@pytest.mark.parametrize(("step", "said"), [(39, "Step 39 of 800"), (40, " left")])
def test_the_time_left_is_said_after_a_twentieth_of_a_run(service, step: int, said: str):
    page = Page(lesson=BY_SLUG["classification"], words=read_words("classification"), model_name="")
    snapshot = SimpleNamespace(step=step, n_steps=800, seconds_left=80.0)
    view = SimpleNamespace(snapshot=snapshot, status="running", is_repeating=False, n_running=1)
    assert run_status._progress(Part(page, "train", "runs"), view, None).endswith(said)


def test_one_step_of_a_run_that_rests_before_it_began_does_a_step(service, monkeypatch):
    def work() -> Iterator[SimpleNamespace]:
        for step in (0, 0, 1, 2, 3):  # two pieces of preparing come first
            yield SimpleNamespace(step=step)

    trainer = SimpleNamespace(monotonic=time.monotonic, sleep=lambda _: service.run_slice())
    monkeypatch.setattr(runs, "time", trainer)  # who waits lets the trainer work
    ticket = service.start("a", work)
    service.pause(ticket)
    run = runs.Run(number=1, ticket=ticket, link="", settings="a")
    for expected in (1, 2):
        runs.step_once(run)
        assert service.look(ticket).snapshot.step == expected
