"""Old links: what they name is there or went for a reason, and they lead on in silence."""

import tomllib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from mlm_core.exercises.by_lesson import exercises_of
from pages.beside.teaching.places import place_of
from pages.beside.teaching.view import read_link
from pages.server import VERSION
from pages.server.course.lessons import BY_SLUG, LESSONS, Lesson, changed_since, moved_to
from pages.server.course.rows import OPENING
from pages.server.course.words import read_words
from pages.server.link.controls import MADE_WITH, controls_of, part_key

OLD = tomllib.loads(Path(__file__).with_name("keys_of_old_links.toml").read_text("utf-8"))
KEYS, GONE_KEYS = ({*" ".join(OLD[name].values()).split()} for name in ("keys", "gone"))
MOVED = [
    pytest.param(lesson, gone, id=f"{lesson.slug}: {gone}")
    for lesson in LESSONS
    for gone in lesson.moved
]

# What steps of the ready plans led to and no longer do; visitors have such plans in files.
PLANNED = (
    "/",
    "masking?masking_part=how_many",
    "masking?masking_part=why&hide=masking_seed",
    "masking?masking_part=exercises&seed=own",
    "prediction_and_loss?prediction_and_loss_part=surprise&prediction_and_loss_temperature=1",
    "train_an_encoder?train_an_encoder_part=experiments",
    "word_senses?word_senses_part=exercises&seed=own",
)


def test_every_key_of_an_old_link_is_a_control_or_went_for_a_reason():
    known = {key for lesson in LESSONS for key in controls_of(lesson.slug)}
    assert KEYS - known == GONE_KEYS


@pytest.mark.parametrize(("lesson", "gone"), MOVED)
def test_an_old_link_opens_the_part_where_its_subject_is_now(
    lesson: Lesson, gone: str, open_warm_page: Callable
):
    now, part = moved_to(lesson, gone)
    assert part in now.parts and gone not in lesson.parts
    old = [one for one in GONE_KEYS if one.startswith(lesson.slug)]
    link = {part_key(lesson.slug): gone, **dict.fromkeys(old, "1"), "lock": ",".join(old)}
    app = open_warm_page(lesson.file, **link)
    key = part_key(now.slug)
    assert app.session_state[key] == part
    # The first part is the usual one, which no link names.
    assert app.query_params.get(key, now.parts[0]) in (part, [part])
    assert not {*old, "lock"} & {*app.query_params}
    assert not app.exception and not app.error and not app.toast
    # The page that makes links from pasted ones names the same part.
    view = read_link(f"{lesson.slug}?{part_key(lesson.slug)}={gone}")
    assert (view.lesson, view.place) == (now, part)


@pytest.mark.parametrize(
    ("slug", "gone", "lock"),
    [
        ("bio_tagging", "tagging_head", ""),
        ("bio_tagging", "tagging_head", "bio_tagging_exercise_which"),
        ("classification", "best_span", ""),
    ],
)
def test_an_old_link_to_an_exercise_that_went_opens_the_first(
    slug: str, gone: str, lock: str, open_warm_page: Callable
):
    first, key = exercises_of(slug)[0].id, f"{slug}_exercise_which"
    assert gone not in {exercise.id for exercise in exercises_of(slug)}
    link = {
        part_key(slug): "exercises",
        key: gone,
        f"{slug}_exercise_text": "It was so.",
        "seed": "7",
    }
    app = open_warm_page(BY_SLUG[slug].file, **link, **({"lock": lock} if lock else {}))
    assert app.session_state[part_key(slug)] == "exercises"
    assert app.session_state[key] == first
    assert any(each.key.startswith(f"{slug}_exercise_{first}_") for each in app.button)
    assert not app.exception and not app.error
    # Nothing took its place, so a note says that the link asks for what isn't here.
    assert [gone in each.value.replace("\\", "") for each in app.toast] == [True]


@pytest.mark.parametrize("link", PLANNED)
def test_a_step_of_a_plan_that_was_ready_once_opens_as_it_did(link: str, open_warm_page: Callable):
    place = place_of(link)
    assert place is not None
    app = open_warm_page(place.page.file, **place.parameters)
    assert not app.exception and not app.error and not app.toast
    known = controls_of(place.page.slug)
    assert {*place.parameters} <= {*known, "lock", "hide", "seed"}


@pytest.mark.parametrize(
    ("made", "part", "expected"),
    [
        ("1.8.0", "why", "1.10.0"),  # 10 comes after 9
        ("1.9.2", "rule", None),
        ("1.8", "rule", "1.9.0"),  # the opening is above every part
        ("1.10.0", "why", None),
        ("2", "why", None),
        ("", "why", None),
        ("1.8.0.1", "why", None),
        ("١.٨", "why", None),
    ],
)
def test_a_link_is_older_than_the_last_change_of_its_view(made: str, part: str, expected: str):
    lesson = replace(BY_SLUG["masking"], changed={OPENING: "1.9.0", "why": "1.10.0"})
    assert changed_since(lesson, part, made) == expected
    assert changed_since(replace(lesson, changed={}), part, made) is None


def test_what_changed_is_the_opening_or_a_part_and_not_of_a_later_version():
    for lesson in LESSONS:
        assert {*lesson.changed} <= {OPENING, *lesson.parts}
        versions = {*lesson.changed.values()}
        assert all(changed_since(lesson, part, VERSION) is None for part in lesson.parts), versions


@pytest.mark.parametrize(("made", "n_notes"), [("1.8.0", 1), ("9.0.0", 0), ("<b>", 0), (None, 0)])
def test_a_page_says_that_its_view_changed_since_the_link_was_made(
    made: str | None, n_notes: int, open_warm_page: Callable, monkeypatch: pytest.MonkeyPatch
):
    row = replace(BY_SLUG["masking"], changed={"why": "8.0.0"})
    monkeypatch.setitem(BY_SLUG, "masking", row)
    link = {part_key("masking"): "why"} | ({MADE_WITH: made} if made else {})
    app = open_warm_page(row.file, **link)
    note = read_words("frame").section("view_changed", made="1.8.0", changed="8.0.0")
    assert [one.value for one in app.caption].count(note) == n_notes
    assert not app.exception and not app.error and not app.toast
