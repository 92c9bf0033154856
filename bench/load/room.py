"""A class in one room, on two processes behind nginx: `python -m bench.load.run room`.

The teacher opens a room and offers a view; all learners follow it, guess, vote a second time, and
see the answer when it is revealed; in each lesson of LESSONS. In the end the desk must have each
learner's newest answer of each vote exactly once. In the middle of the last lesson's first vote one
of the processes is killed; tabs connect anew, as browsers do, and no answer may be lost. Then all
answer a question of the teacher's own on the page where they are, and change their minds once. At
last all send their sentences for the class's encoder and for its map, and the teacher accepts them:
each must be there exactly once.

Read before this: session.py, run.py.
"""

import asyncio
import json
import re
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from bench.load.session import Session, SessionDroppedError
from bench.load.tables import quantile
from bench.load.visit import cookie_of
from mlm_core.exercises.own.own_question import OwnQuestion
from pages.server.classroom.desk import Desk
from pages.server.classroom.own_step import id_of, question_of
from pages.server.classroom.rooms import CODE_LENGTH, ENCODER, LETTERS, MAP, Collection, Rooms
from pages.server.classroom.store import SqliteStore
from pages.server.course.words import read_words
from pages.server.room.browser_memory import LEARNER, TEACHER
from tests.deploy.site import Site

N_LEARNERS, N_PROCESSES = 60, 2
MOST_P95_MS = 300.0  # from a guess to its finished page
PAUSE_SECONDS = 15.0  # in which a class makes its guesses, one after another
PATIENCE = 60.0
HALF = f"[{LETTERS}]{{{CODE_LENGTH // 2}}}"
CODE = re.compile(rf"# ({HALF}) ({HALF})\b")
# Lesson, part, key of the guess.
LESSONS = (  # no two of one page in a row: Session would stay on it as it was
    ("isotropy", "dimensions", "isotropy_half_guess"),
    ("classification", "pairs", "classification_pairs_guess"),
    ("isotropy", "senses", "isotropy_senses_guess"),
    ("sentence_pairs", "packing", "sentence_pairs_packing_guess"),
    ("classification", "pretraining", "classification_pretraining_guess"),
)
MAP_PAGE, SENSES = "word_senses", ("money", "river")
OWN = OwnQuestion(kind="choice", text="Which first?", options=("cut", "mask", "fill"), right=(0,))
COOKIES = (LEARNER, TEACHER)
CLOSED = read_words("room").section("closed")[:40]


@dataclass
class Met:
    """What the class met."""

    guesses_ms: list[float] = field(default_factory=list)
    killed_ms: list[float] = field(default_factory=list)  # guesses while a process was killed
    back_seconds: list[float] = field(default_factory=list)  # until a tab is connected again
    follows_ms: list[float] = field(default_factory=list)
    sends_ms: list[float] = field(default_factory=list)  # of sentences for encoder and map
    n_counted: int = 0  # answers on the desk, of all votes
    n_accepted: int = 0  # sentences, of encoder and map
    memory: list[dict[str, int]] = field(default_factory=list)  # of each process, in MB
    wrong: list[str] = field(default_factory=list)


class Tab(Session):
    """A tab that connects anew when its process has gone, with its cookies, as a browser does."""

    back: asyncio.Task | None = None
    back_seconds = 0.0

    async def change(self, key: str, value: object = True) -> float:
        """Change a widget; a change on which the connection ends goes out with the next one."""
        began = time.perf_counter()
        try:
            return await super().change(key, value)
        except SessionDroppedError:
            await self.is_back()
            if self.widget(key).kind == "button":
                await super().change(key)
            return 1000 * (time.perf_counter() - began)

    async def is_back(self) -> None:
        """Wait until the tab is connected, should it have lost its process."""
        if self.back is not None:
            await self.back

    def _end_of_stream(self) -> None:
        super()._end_of_stream()
        if self.is_dropped and (self.back is None or self.back.done()):
            self.back = asyncio.create_task(self._come_back(time.monotonic()))

    async def _come_back(self, began: float) -> None:
        self._cookie = "; ".join([self._cookie.partition(";")[0], *self._remembered()])
        while self.is_dropped:
            await asyncio.sleep(0.5)
            try:
                await self.open()
            except SessionDroppedError:
                if time.monotonic() - began > PATIENCE:
                    raise
            else:
                self.is_dropped = False
        self.back_seconds = time.monotonic() - began

    def _remembered(self) -> list[str]:
        """Return the cookies that the page's script sets in a browser."""
        told = [node.proto for node in self.nodes.values() if node.kind == "bidi_component"]
        kept = [json.loads(one.json) for one in told if one.WhichOneof("data") == "json"]
        kept = [one for one in kept if isinstance(one, dict)]
        return [f"{one['name']}={one['value']}" for one in kept if one.get("name") in COOKIES]


def main(options: dict[str, str]) -> int:
    """Play the class and print what it met; return the exit status."""
    n = int(options.get("n_learners", N_LEARNERS))
    lessons = LESSONS[-int(options.get("n_lessons", len(LESSONS))) :]
    pause = float(options.get("pause_seconds", PAUSE_SECONDS))
    with tempfile.TemporaryDirectory() as folder:
        site = Site(N_PROCESSES, Path(folder))
        try:
            met = asyncio.run(play(site, n, lessons, pause))
        finally:
            site.stop()
    p95 = quantile(met.guesses_ms, 0.95)
    print(f"room: {n} learners, {len(met.guesses_ms)} guesses, p95 {p95:.0f} ms")
    print(f"followed {len(met.follows_ms)} times, p95 {quantile(met.follows_ms, 0.95):.0f} ms")
    print(
        f"one process killed: {len(met.back_seconds)} tabs came back within"
        f" {max(met.back_seconds, default=0):.1f} s; {len(met.killed_ms)} guesses then,"
        f" p95 {quantile(met.killed_ms, 0.95):.0f} ms"
    )
    print(f"answers on the desk: {met.n_counted} of {n * (2 * len(lessons) + 1)} given")
    n_each = sum(one.most_each for one in (ENCODER, MAP))
    print(f"sentences accepted: {met.n_accepted} of {n_each * n} sent")
    print(f"sent {len(met.sends_ms)} times, p95 {quantile(met.sends_ms, 0.95):.0f} ms")
    print(f"memory of each process, MB: {[one['VmHWM'] for one in met.memory]}")
    for sentence in met.wrong[:30]:
        print(f"WRONG: {sentence}")
    return int(bool(met.wrong) or p95 > MOST_P95_MS)


async def play(site: Site, n_learners: int, lessons: tuple, pause: float) -> Met:
    """Let a class of learners and its teacher go through some lessons."""
    met, url = Met(), site.url
    teacher, code, desk = await open_room(url, site.rooms)
    await teacher.change("teaching_room_waits", True)
    learners = [
        Tab(url, "isotropy", f"room={code}", cookie=cookie_of(k + 1)) for k in range(n_learners)
    ]
    await asyncio.gather(*(_after(k / 10, one.open()) for k, one in enumerate(learners)))
    for lesson in lessons:
        kills = site if lesson is lessons[-1] else None
        await _lesson(desk, teacher, learners, lesson, met, pause, kills)
    await _own_question(desk, learners, met, pause)
    desk.ask_for(MAP, " | ".join(("bank", *SENSES)))
    await asyncio.gather(*(one.go_to(MAP_PAGE, f"{MAP_PAGE}_part=class_map") for one in learners))
    for collection in (ENCODER, MAP):
        await _collect(desk, teacher, learners, collection, met, pause)
    if desk.n_came() != n_learners:
        met.wrong.append(f"{desk.n_came()} visits are in the room of {n_learners} learners")
    met.wrong += [f"{one.page}: {error}" for one in learners for error in one.errors]
    met.back_seconds = [one.back_seconds for one in (teacher, *learners) if one.back]
    for one in (teacher, *learners):
        await one.close()
    return met


async def open_room(url: str, store: Path) -> tuple[Tab, str, Desk]:
    """Open a room; return the teacher's tab, the room's code and its desk."""
    teacher = Tab(url, "teaching", "teaching_part=room", cookie=cookie_of(0))
    await teacher.open()
    await teacher.change("teaching_room_open")
    code = "".join(CODE.search(teacher.text()).groups())
    return teacher, code, Desk(Rooms(SqliteStore(str(store))), code)


async def _lesson(
    desk: Desk,
    teacher: Tab,
    learners: list[Tab],
    lesson: tuple[str, str, str],
    met: Met,
    pause: float,
    kills: Site | None,
) -> None:
    slug, part, key = lesson
    await teacher.go_to(slug, f"{slug}_part={part}")
    await comes_true(lambda: "room_offer" in teacher.widgets())
    await teacher.change("room_offer")
    met.follows_ms += await asyncio.gather(*(_follow(one, slug, part, met) for one in learners))
    await teacher.go_to("teaching", "teaching_part=room")
    for number in (1, 2):
        name, times = key if number == 1 else f"{key}_{number}", met.guesses_ms
        if kills and number == 1:
            times, met.memory = met.killed_ms, kills.moments()
            asyncio.get_running_loop().call_later(pause / 2, kills.kill, kills.ports[0])
        given = await asyncio.gather(
            *(_vote(k, one, name, number, met, times, pause) for k, one in enumerate(learners))
        )
        await asyncio.gather(*(one.is_back() for one in (teacher, *learners)))
        asked = {one.id: one for one in desk.questions()}.get(key)
        if asked is None:
            met.wrong.append(f"{key} has not reached the desk")
            return
        counted = list(desk.tallies(asked)[-1].counts.values())
        met.n_counted += sum(counted)
        expected = [Counter(given)[place] for place in range(len(counted))]
        if counted != expected:
            met.wrong.append(f"{key}, vote {number}: {counted} counted, {expected} given")
        press = "teaching_room_vote_again" if number == 1 else "teaching_room_reveal"
        await comes_true(lambda press=press: press in teacher.widgets())
        await teacher.change(press)
    for one in learners:
        if not await comes_true(lambda one=one: CLOSED not in one.text()):
            met.wrong.append(f"{key}: the answer stays closed on a page")


async def _own_question(desk: Desk, learners: list[Tab], met: Met, pause: float) -> None:
    """Ask a question of the teacher's own; each learner sends two answers, and the last counts."""
    desk.show_own(OWN)
    key = f"room_own_{id_of(OWN)}"

    async def answer(k: int, one: Tab) -> None:
        await asyncio.sleep(pause * (k % 30) / 30)
        for place in (k + 1, k):
            if not await comes_true(lambda: f"{key}_send" in one.widgets()):
                met.wrong.append("the teacher's own question is not on a learner's page")
                return
            field = one.widget(f"{key}_0")
            one.values[field.proto.id] = field.options[place % 3]  # told when it is sent
            met.guesses_ms.append(await one.change(f"{key}_send"))

    await asyncio.gather(*(answer(k, one) for k, one in enumerate(learners)))
    counted = desk.tallies(question_of(OWN))[-1].counts
    met.n_counted += sum(counted.values())
    expected = Counter(str(k % 3) for k in range(len(learners)))
    if Counter(counted) != expected:
        met.wrong.append(f"own question: {counted} counted, {expected} given")
    desk.show_own("")


async def _collect(
    desk: Desk,
    teacher: Tab,
    learners: list[Tab],
    collection: Collection,
    met: Met,
    pause: float,
) -> None:
    """Let all send as many sentences as are taken, and the teacher accept what is in sight."""
    name, words = collection.name, read_words("room")
    desk.take(collection, True)
    await teacher.change("teaching_room_what", [words.label(f"what_{name}")])
    given = [
        [f"Learner {k} saw the bank {number} times." for number in range(collection.most_each)]
        for k in range(len(learners))
    ]
    await asyncio.gather(
        *(
            _send(k, one, collection, given[k], met, pause * (k % 30) / 30)
            for k, one in enumerate(learners)
        )
    )
    accept = f"teaching_room_accept_all_{name}"
    while await comes_true(lambda: accept in teacher.widgets(), 5.0):
        await teacher.change(accept)
    accepted = Counter(one.said["sentence"] for one in desk.sent(collection) if one.judged_at)
    met.n_accepted += accepted.total()
    sent = Counter(sentence for own in given for sentence in own)
    if accepted != sent:
        met.wrong.append(f"{name}: {accepted.total()} accepted of {sent.total()} that were sent")


async def _send(
    k: int, learner: Tab, collection: Collection, sentences: list[str], met: Met, wait: float
) -> None:
    await asyncio.sleep(wait)
    text, send = "word_senses_class_text", "word_senses_class_send"
    if collection is ENCODER:
        text, send = "room_encoder_sentence", "room_encoder_send"
        if not await comes_true(lambda: "room_encoder" in learner.widgets()):
            met.wrong.append("the encoder is not on a learner's page")
            return
        await learner.change("room_encoder", True)
    for sentence in sentences:
        if not await comes_true(lambda: text in learner.widgets()):
            met.wrong.append(f"{text} is not on a learner's page")
            return
        learner.values[learner.widget(text).proto.id] = sentence  # a form tells it when it is sent
        if collection is MAP:
            learner.values[learner.widget("word_senses_class_sense").proto.id] = SENSES[k % 2]
        met.sends_ms.append(await learner.change(send))


async def _follow(learner: Session, slug: str, part: str, met: Met) -> float:
    """Wait for the offer and go where it leads; return the milliseconds of the way.

    As a link of the sidebar leads there: Session doesn't follow a page that the server switches.
    """
    title = read_words(slug).label("title")

    def is_offered() -> bool:
        button = learner.widgets().get("room_go")
        return button is not None and title in button.proto.label

    if not await comes_true(is_offered):
        met.wrong.append(f"{slug} is not offered on a learner's page")
    return await learner.go_to(slug, f"{slug}_part={part}")


async def _vote(
    k: int, learner: Tab, key: str, number: int, met: Met, times: list[float], pause: float
) -> int:
    """Change the mind once, and return the place of the option that stays."""
    await asyncio.sleep(pause * (k % 30) / 30)
    if not await comes_true(lambda: key in learner.widgets()):
        met.wrong.append(f"{key} is not on a learner's page")
        return 0
    options = learner.widget(key).options
    stays = (k * number) % len(options)
    for place in ((stays + 1) % len(options), stays):
        if not await comes_true(lambda: key in learner.widgets()):
            met.wrong.append(f"{key} is not on a page that came back: {learner.query}")
            return stays
        times.append(await learner.change(key, [options[place]]))
    return stays


async def comes_true(is_so: Callable[[], object], seconds: float = PATIENCE) -> bool:
    """Wait until something is so; return False if it doesn't become so in time."""
    stop_at = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > stop_at:
            return False
        await asyncio.sleep(0.05)
    return True


async def _after(seconds: float, work) -> None:
    await asyncio.sleep(seconds)
    await work
