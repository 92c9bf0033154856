"""The page for teachers: links are read and written, plans changed, saved, loaded and printed."""

import json
import re
import zlib
from base64 import b64encode, urlsafe_b64encode
from collections import Counter
from collections.abc import Callable
from itertools import product
from random import Random
from urllib.parse import parse_qs, urlsplit

import pytest
import streamlit as st

from mlm_core.encoder.model_list import BUNDLED
from pages.beside.teaching import plan_memory, plan_state
from pages.beside.teaching.address import read_address
from pages.beside.teaching.handout import as_html
from pages.beside.teaching.lesson_plan import (
    LARGEST_FILE,
    MOST_STEPS,
    Plan,
    Step,
    UnreadablePlanError,
    as_json,
    from_lines,
    read_plan,
)
from pages.beside.teaching.places import place_of
from pages.beside.teaching.plan_link import packed, unpacked
from pages.beside.teaching.view import UnreadableLinkError, read_link
from pages.kit.part import Part
from pages.lessons.masking.setting import DEFAULT_SEED
from pages.server import VERSION
from pages.server.classroom.own_step import Own, id_of, safe_markdown
from pages.server.course.concept_items import HALVES
from pages.server.course.language import languages
from pages.server.course.lessons import (
    BY_SLUG,
    CONCEPT_TEST,
    HOME,
    LESSONS,
    LOOK_IT_UP,
    PAGES,
    SESSIONS,
    TEACHING,
)
from pages.server.course.words import read_words
from pages.server.frame.page_frame import Page
from pages.server.link.controls import MADE_WITH, controls_of
from pages.server.record.learners_record import FORMAT as FORMAT_OF_RECORD
from tests.exercises.test_own_question import EVERY, NUMBER
from tests.hostile import TEXTS
from tests.own_steps import ANSWERED, owns_of
from tests.pages.test_locks import troubles

WORDS, FRAME = read_words("teaching"), read_words("frame")
LINK, PLAN = {"teaching_part": "link"}, {"teaching_part": "plan"}
PASTE = LINK | {"teaching_from": "link"}
VIEW = "https://school.example/mlm/masking?masking_part=why&masking_text=A+cat+sat.&lang=de"
EXAMPLES = plan_state.EXAMPLES


def paste(app, text: str):
    return app.text_input(key="teaching_pasted").set_value(text).run()


def finished(app) -> dict[str, list[str]]:
    """Return the parameters of the finished link, but for the version that made it."""
    asked = parse_qs(urlsplit(app.code[0].value).query)
    assert asked.pop(MADE_WITH) == [VERSION]
    return asked


def example(name: str, language: str = "en") -> Plan:
    words = read_words("teaching", language)
    first, lines = (words.section(f"example.{one}").splitlines() for one in (EXAMPLES[0], name))
    return from_lines(lines, "", first)


def reason_of(data: bytes) -> str:
    with pytest.raises(UnreadablePlanError) as caught:
        read_plan(data)
    assert WORDS.section(f"plan.bad_{caught.value.reason}", **caught.value.values)
    return caught.value.reason


# Links.


@pytest.mark.parametrize(
    "text",
    [
        VIEW,
        "http://localhost:8501/masking?masking_part=why&masking_text=A%20cat%20sat.&lang=de",
        "  masking/?lang=de&masking_part=why&masking_text=A+cat+sat.&utm_source=mail#top ",
        "/a/b/masking?masking_part=why&lang=de&masking_text=A cat sat.",
    ],
)
def test_a_view_is_read_from_the_last_step_of_the_path_and_its_parameters(text: str):
    view = read_link(text)
    assert (view.lesson.slug, view.part, view.language) == ("masking", "why", "de")
    expected = {"masking_part": ["why"], "masking_text": ["A cat sat."], "lang": ["de"]}
    assert parse_qs(urlsplit(view.link()).query) == expected


def test_what_is_written_is_read_again():
    link = "masking?masking_zones=50&masking_zones=60&lock=masking_text&hide=model&seed=17&lang=de"
    view = read_link(link)
    assert view.locked == {"masking_text"} and view.hidden == {"model"} and view.seed == "17"
    assert read_link(view.link()) == view


def test_hidden_wins_over_locked_and_unknown_names_are_dropped():
    view = read_link("masking?lock=masking_text,nonsense&lock=model&hide=masking_text&other=1")
    assert view.locked == {"model"} and view.hidden == {"masking_text"}
    assert not view.parameters


def test_the_number_that_a_learner_drew_is_not_handed_on():
    assert read_link("masking?seed=own-4711").seed == "own"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no_link"),
        ("   ", "no_link"),
        ("masking?" + "x" * 20_000, "too_long"),
        ("https://school.example/mlm/lecture?x=1", "unknown_lesson"),
        ("hello there", "unknown_lesson"),
        ("https://school.example/", "no_lesson"),
        ("?masking_part=why", "no_lesson"),
        ("http://[", "no_url"),
        ("masking?" + "&".join(f"masking_{i}=1" for i in range(300)), "no_url"),
    ],
)
def test_what_is_no_link_to_a_lesson_says_what_is_wrong(text: str, reason: str):
    with pytest.raises(UnreadableLinkError) as caught:
        read_link(text)
    assert caught.value.reason == reason
    assert WORDS.section(f"link.{reason}", **caught.value.values)


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("https://school.example", "https://school.example/"),
        ("http://192.168.1.4:8501/mlm//", "http://192.168.1.4:8501/mlm/"),
        ("ftp://school.example", ""),
        ("school.example", ""),
        ("https://a b", ""),
        ("https://school.example/?x=1", ""),
        ("http://[", ""),
    ],
)
def test_an_address_begins_with_http_and_ends_with_a_stroke(typed: str, address: str):
    assert read_address(typed) == address


# The page that makes links.


def test_the_page_begins_with_a_lesson_and_a_finished_link(open_warm_page: Callable):
    app = open_warm_page(TEACHING.file)
    assert not troubles(app) and app.code[0].value == f"{LESSONS[0].slug}?{MADE_WITH}={VERSION}"
    called = [one.label for one in app.text_input if one.key.startswith("teaching_text_")]
    sentence = read_words(LESSONS[0].slug).label("text")
    assert f"{sentence} ({read_words('look_it_up').label('opening')})" in called
    assert len(called) == len({*called}), "two controls have one name"


def test_a_pasted_link_shows_its_controls_with_their_values(open_warm_page: Callable):
    app = paste(open_warm_page(TEACHING.file, **PASTE), VIEW)
    shown = " ".join(markdown.value for markdown in app.markdown).replace("\\", "")
    for word in ("Seed", str(DEFAULT_SEED), "Why not always [MASK]?"):
        assert word in shown
    assert app.text_input(key="teaching_text_masking_text").value == "A cat sat."
    assert "masking_n_draws" not in [one.key for one in app.get("button_group")]
    assert finished(app) == parse_qs(urlsplit(VIEW).query)


def test_controls_are_locked_and_hidden_in_the_finished_link(open_warm_page: Callable):
    app = paste(open_warm_page(TEACHING.file, **PASTE), VIEW)
    app.segmented_control(key="teaching_state_masking_text").set_value("lock").run()
    app.segmented_control(key="teaching_state_model").set_value("hide").run()
    app.segmented_control(key="teaching_seed_none").set_value("own").run()
    link = finished(app)
    assert (link["lock"], link["hide"], link["seed"]) == (["masking_text"], ["model"], ["own"])
    app.button(key="teaching_all_lock").click().run()
    assert "hide" not in finished(app)
    assert {"model", "masking_part", "masking_seed"} <= set(finished(app)["lock"][0].split(","))
    app.button(key="teaching_all_free").click().run()
    assert not {"lock", "hide"} & set(finished(app))


def test_the_word_that_two_sentences_share_is_chosen_for_a_link(open_warm_page: Callable):
    app = open_warm_page(TEACHING.file, **LINK, teaching_lesson="attention_mask")
    word = "teaching_text_attention_mask_word"
    assert app.selectbox(key=word).options == ["default", "The", "bank"]
    for name, text in (("first", "A bat's night in the cave."), ("second", "In the night a bat")):
        app.text_input(key=f"teaching_text_attention_mask_{name}").set_value(text).run()
    assert app.selectbox(key=word).options == ["default", "bat", "night", "the"]
    app.selectbox(key=word).set_value("night").run()
    assert finished(app)["attention_mask_word"] == ["night"]
    app.text_input(key="teaching_text_attention_mask_second").set_value("The the bat").run()
    assert app.selectbox(key=word).value == "" and "attention_mask_word" not in finished(app)
    app.segmented_control(key="teaching_language_").set_value("de").run()
    for name in ("first", "second"):
        app.text_input(key=f"teaching_text_attention_mask_{name}").set_value("").run()
    assert "Bank" in app.selectbox(key=word).options


def test_what_a_link_fixes_already_is_where_the_page_begins(open_warm_page: Callable):
    app = paste(open_warm_page(TEACHING.file, **PASTE), VIEW + "&lock=masking_text&seed=17")
    assert app.segmented_control(key="teaching_state_masking_text").value == "lock"
    assert app.segmented_control(key="teaching_seed_same").value == "same"
    assert app.number_input(key="teaching_seed_number_17").value == 17
    paste(app, "masking?hide=masking_text&seed=own")
    assert app.segmented_control(key="teaching_state_masking_text").value == "hide"
    assert finished(app) == {"hide": ["masking_text"], "seed": ["own"]}


def test_model_and_language_go_into_the_link(open_warm_page: Callable):
    app = open_warm_page(TEACHING.file, **LINK, teaching_lesson="masking")
    app.selectbox(key="teaching_model_").set_value("mini-bert").run()
    app.segmented_control(key="teaching_language_").set_value("de").run()
    assert finished(app) == {"model": ["mini-bert"], "lang": ["de"], "reads": ["de"]}


def test_a_link_may_leave_the_figures_out(open_warm_page: Callable):
    app = paste(open_warm_page(TEACHING.file, **PASTE), "masking?figures=no&masking_part=why")
    assert finished(app) == {"masking_part": ["why"], "figures": ["no"]}
    app.toggle(key="teaching_figures_False").set_value(True).run()
    assert finished(app) == {"masking_part": ["why"]}


def test_a_pasted_link_of_before_is_not_said_to_read_german(open_warm_page: Callable):
    app = open_warm_page(TEACHING.file, **PASTE)
    paste(app, VIEW)
    assert "reads" not in finished(app)


def test_the_finished_link_begins_with_the_address_that_the_teacher_gives(open_warm_page: Callable):
    app = open_warm_page(TEACHING.file, **LINK, teaching_lesson="masking")
    app.text_input(key="teaching_address").set_value("https://school.example/mlm").run()
    assert app.code[0].value == f"https://school.example/mlm/masking?{MADE_WITH}={VERSION}"
    app.text_input(key="teaching_address").set_value("nonsense").run()
    assert app.code[0].value == f"masking?{MADE_WITH}={VERSION}"


def test_no_pasted_text_breaks_the_page(open_warm_page: Callable):
    app = open_warm_page(TEACHING.file, **PASTE)
    for number, text in enumerate(("Lorem ipsum?x=1&lock=a", *TEXTS.values())):
        if number % 2:
            paste(app, f"masking?masking_text={text[:500]}&lock={text[:500]}&seed={text[:50]}")
        else:
            paste(app, text)
            assert app.info or app.warning, text
        assert not troubles(app), text


def test_a_control_is_listed_as_the_open_part_draws_it():
    for part, start in {"rule": "fixed_count", "how_many": "independent"}.items():
        view = read_link(f"masking?masking_part={part}")
        shown = {control.key: view.value(control) for control in view.controls()}
        assert shown["masking_selection"] == start
    flow = read_link("attention_mask?attention_mask_part=flow").controls()
    assert "attention_mask_padding" not in {control.key for control in flow}
    link = "attention_mask?attention_mask_part=flow&attention_mask_kind=padding"
    assert "attention_mask_padding" in {control.key for control in read_link(link).controls()}
    three = read_link("attention_mask?attention_mask_part=three_masks").controls()
    assert "attention_mask_padding" in {control.key for control in three}


# That the tables of all lessons are right: test_every_view.py.
@pytest.mark.parametrize("lesson", LESSONS[::3], ids=lambda lesson: lesson.slug)
def test_every_part_of_a_lesson_has_its_controls(lesson, open_warm_page: Callable):
    app = open_warm_page(TEACHING.file, **LINK, teaching_lesson=lesson.slug)
    for name in app.selectbox(key="teaching_lesson_part").options:
        app.selectbox(key="teaching_lesson_part").set_value(name).run()
        assert not troubles(app)
        rows = [one.key for one in app.get("button_group") if "teaching_state_" in one.key]
        assert {"teaching_state_model", f"teaching_state_{lesson.slug}_part"} <= set(rows)


# Plans.


def test_a_plan_is_changed_step_by_step():
    one, two, three = (Step(minutes=n, note=str(n)) for n in (1, 2, 3))
    plan = Plan(steps=(one, two)).with_step(three)
    assert plan.minutes == 6 and [plan.begins(i) for i in range(3)] == [0, 1, 3]
    assert plan.moved(2, 0).steps == (three, one, two) and plan.moved(0, 2).steps[2] == one
    assert plan.moved(2, 1).steps == (one, three, two)
    assert plan.moved(0, -1) == plan and plan.moved(2, 3) == plan
    assert plan.without(1).steps == (one, three)
    assert plan.changed(1, minutes=9).minutes == 13
    full = Plan(steps=(one,) * MOST_STEPS)
    assert full.with_step(two) == full


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_saved_plan_is_read_again(name: str):
    plan = example(name)
    assert read_plan(as_json(plan).encode()) == plan
    assert read_plan(b"\xef\xbb\xbf" + as_json(plan).encode()) == plan


def whole(**changed: object) -> bytes:
    steps = [{"link": "masking", "minutes": 5, "note": ""}]
    found = {"format": "mlm-lesson-plan", "version": 1, "title": "", "steps": steps}
    return json.dumps(found | changed).encode()


def with_step(**changed: object) -> bytes:
    return whole(steps=[{"link": "masking", "minutes": 5, "note": ""} | changed])


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "no_json"),
        (b"\xff\xfe\x00", "no_text"),
        (b"[" * 100_000, "no_text"),
        (b'{"a": ' + b"9" * 10_000 + b"}", "no_text"),
        (b" " * (LARGEST_FILE + 1), "too_large"),
        (b'{"format": "another"}', "no_plan"),
        (whole(version=3), "version"),
        (whole(version=True), "version"),
        (whole(steps=None), "steps"),
        (whole(steps=[{"minutes": 1}] * (MOST_STEPS + 1)), "steps"),
        (whole(title="x" * 500), "title"),
        (whole(steps=["masking"]), "step"),
        (with_step(link="x" * 9_000), "step_link"),
        (with_step(minutes=True), "step_minutes"),
        (with_step(minutes=1e300), "step_minutes"),
        (with_step(note="x" * 2_001), "step_note"),
        (with_step(link="", text=["a"]), "step_own"),
        (with_step(link="", text="x" * 100_001), "step_own"),
        (with_step(link="", question=["kind"]), "step_own"),
        (with_step(link="", question={"kind": "number", "text": "?", "number": True}), "step_own"),
        (with_step(link="", question=NUMBER.as_json() | {"options": ["a"]}), "step_own"),
        (whole(steps=[{"minutes": 1, "text": "line\n"}] * 10_000), "steps"),
    ],
)
def test_a_malformed_file_says_what_was_expected(data: bytes, reason: str):
    assert reason_of(data) == reason


def test_a_plan_with_a_slip_names_its_line_and_another_file_its_kind():
    text = as_json(Plan(title="Müde", steps=(Step(minutes=3), Step(minutes=4))))
    slips = {  # what somebody wrote, and the line at which it is no JSON
        text.replace("    }\n  ]", "    },\n  ]"): 14,
        text.replace('"title": "Müde"', "“title”: “Müde”"): 4,
        text.replace('"version": 2,', '"version": 2'): 4,
        text[:-3]: 14,
    }
    for slip, line in slips.items():
        with pytest.raises(UnreadablePlanError) as caught:
            read_plan(slip.encode())
        assert (caught.value.reason, caught.value.values) == ("no_json", {"line": line})
    for encoding in ("utf-16", "utf-8-sig", "cp1252"):
        assert read_plan(text.encode(encoding)).title == "Müde"
    record_of_course = json.dumps({"format": FORMAT_OF_RECORD}).encode()
    kinds = {
        record_of_course: "a course record",
        b"[1]": "a file in",
        b"MLM1.Q4IQ47WS.PDNI": "receipts",
        "id;Text\n1;Müde".encode("cp1252"): "a table",
        b"{\\rtf1 Ada}": "a document",
    }
    for found, seen in kinds.items():
        with pytest.raises(UnreadablePlanError) as caught:
            read_plan(found)
        assert str(caught.value.values["seen"]).startswith(seen)


def test_where_a_steps_link_leads():
    assert place_of("masking?masking_part=why").page == BY_SLUG["masking"]
    assert place_of("/").page == place_of("?home_text=x").page == PAGES[HOME]
    assert place_of("look_it_up?look_it_up_part=glossary").page == LOOK_IT_UP
    for link in ("nowhere", "https://school.example/", "javascript:alert(1)", "http://["):
        assert place_of(link) is None


def test_the_handout_has_every_step_with_its_whole_link_and_a_code_of_it():
    plan = Plan(
        title="My <hour>",
        steps=(
            Step(link="masking?masking_text=A%20cat.&hide=model", minutes=7, note="Ask <b>\nthis."),
            Step(minutes=3, note="Talk."),
            Step(link="javascript:alert(1)", minutes=1),
        ),
    )
    text = as_html(plan, WORDS, "https://school.example/mlm/")
    assert "<h1>My &lt;hour&gt;</h1>" in text and "11 minutes" in text
    assert "<h2>2. without the app (minute 7 to 10)</h2><p>Talk.</p>" in text
    link = "https://school.example/mlm/masking?masking_text=A%20cat.&amp;hide=model"
    assert f'<a href="{link}">{link}</a>' in text and text.count('class="qr-code"') == 1
    assert "<p>Ask &lt;b&gt;</p><p>this.</p>" in text and "<code>javascript:" in text


BREAKING_OUT = (
    "masking?masking_text=a> [Log in](https://evil.example) <x",
    "masking?a> [Log in](https://evil.example) <x",
    "masking?masking_text=a\n\n[Log in](https://evil.example)",
    "masking?masking_text=%3E%20%5BLog%20in%5D(https://evil.example)",
    "masking#> [Log in](https://evil.example) <x",
    "https://evil.example/> [Log in](https://evil.example) </masking",
    "https://evil.example/masking?masking_text=x",
    "/?home_text=a> [Log in](https://evil.example) <x",
    "look_it_up?x=a> [Log in](https://evil.example) <x",
    "` [Log in](https://evil.example) `",
    "nowhere\n\n[Log in](https://evil.example)",
)


def test_a_plan_files_link_stays_one_link_of_the_app_in_the_handout():
    """The only link is one of our own address; what else was written is text."""
    encoded = r"[\w.~%?&;=/-]*"
    own = rf'<p><a href="https://school\.example/mlm/{encoded}">[^<>]*</a></p>'
    for link, address in product(BREAKING_OUT, ("https://school.example/mlm/", "")):
        text = as_html(Plan(title="t", steps=(Step(link=link),)), WORDS, address)
        page = text.partition("</h2>")[2].partition("</section>")[0]
        assert re.fullmatch(rf"{own}|<p><code>[^<>]*</code></p>", page), page


# The examples.


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_takes_its_time_and_each_link_leads_to_controls_that_exist(name, language):
    plan = example(name, language)
    assert plan.minutes == int(name.partition("_")[0]) and all(step.note for step in plan.steps)
    assert [step.link for step in plan.steps] == [step.link for step in example(name).steps]
    for step in filter(None, (step.link for step in plan.steps)):
        assert place_of(step)
        if step.startswith(CONCEPT_TEST.slug):
            continue
        view, asked = read_link(step), parse_qs(urlsplit(step).query)
        assert set(view.parameters) <= set(controls_of(view.lesson.slug)), step
        for given in ("lock", "hide"):
            keys = set(",".join(asked.get(given, [])).split(",")) - {""}
            assert keys <= set(controls_of(view.lesson.slug)), keys


def test_the_plans_ask_every_lessons_question_and_give_each_session_its_time_and_test():
    short, *sessions = (example(name) for name in EXAMPLES)
    lessons = [place_of(step.link).slug for step in short.steps]
    assert lessons == [lesson.slug for lesson in LESSONS]
    taken = Counter[str]()
    for plan, session, half in zip(sessions, SESSIONS, HALVES, strict=True):
        first, *within, last = plan.steps
        assert first.link == last.link == f"concept_test?concept_test_part={half}"
        assert {item.shown_by.partition("/")[0] for item in HALVES[half]} <= {*session}
        slugs = [place_of(step.link).slug for step in within]
        assert [slug for slug in slugs if slug in session] == [*session]
        taken.update({slug: step.minutes for slug, step in zip(slugs, within, strict=True)})
    for lesson in LESSONS:
        assert taken[lesson.slug] >= lesson.minutes, lesson.slug


# Those that are a lesson alone: test_every_view.py.
@pytest.mark.parametrize(
    "link",
    sorted({step.link for name in EXAMPLES for step in example(name).steps if "?" in step.link}),
)
def test_every_view_of_the_examples_opens_as_it_says(link: str, open_warm_page: Callable):
    place = place_of(link)
    app = open_warm_page(place.page.file, **place.parameters)
    assert not troubles(app) and not app.toast and not app.error
    fixed = ",".join(place.parameters.get("lock", []) + place.parameters.get("hide", []))
    assert bool(fixed) == any(c.value == FRAME.section("fixed") for c in app.caption)


# The page with the plan.


def notes(app) -> list[str]:
    return [area.value for area in app.text_area]


def minutes(app) -> list[int]:
    return [field.value for field in app.number_input]


def test_the_plan_begins_with_an_example_and_is_moved_removed_and_brought_back(
    open_warm_page: Callable,
):
    app = open_warm_page(TEACHING.file, **PLAN)
    start = notes(app)
    assert len(start) == 12 and sum(minutes(app)) == 45
    app.button(key="teaching_later_0").click().run()
    assert notes(app) == [start[1], start[0], *start[2:]]
    app.button(key="teaching_remove_6").click().run()
    assert len(notes(app)) == 11
    app.button(key="teaching_undo").click().run()
    app.button(key="teaching_undo").click().run()
    assert notes(app) == start and app.button(key="teaching_undo").disabled
    app.button(key="teaching_start_90_2").click().run()
    assert sum(minutes(app)) == 90
    app.button(key="teaching_start_empty").click().run()
    assert not notes(app) and any(i.value == WORDS.section("plan.empty") for i in app.info)
    app.button(key="teaching_undo").click().run()
    assert sum(minutes(app)) == 90 and not troubles(app)


def test_the_minutes_of_a_changed_plan_are_its_sum_and_its_title_names_none(
    open_warm_page: Callable,
):
    app = open_warm_page(TEACHING.file, **PLAN)
    assert all(
        not re.search(r"\d", example(n, lang).title) for n in EXAMPLES for lang in languages()
    )
    left = 45 - minutes(app)[2]
    app.button(key="teaching_remove_2").click().run()
    assert f"**{left} minutes**" in " ".join(markdown.value for markdown in app.markdown)


def test_a_step_moves_to_another_position_in_one_go(open_warm_page: Callable):
    app = open_warm_page(TEACHING.file, **PLAN)
    start = notes(app)
    places = [one for one in app.selectbox if one.key.endswith("_position")]
    assert [one.value for one in places] == [*map(str, range(12))]
    places[6].set_value("1").run()
    assert notes(app) == [start[0], start[6], *start[1:6], *start[7:]]
    places = [one for one in app.selectbox if one.key.endswith("_position")]
    assert [one.value for one in places] == [*map(str, range(12))]
    app.button(key="teaching_undo").click().run()
    assert notes(app) == start and not troubles(app)
    # The choice of a step's position comes in together with a press that removes another step.
    app.button(key="teaching_remove_0").click()
    next(one for one in app.selectbox if one.key.endswith("_6_position")).set_value("1").run()
    assert not troubles(app) and len(notes(app)) < len(start)


def test_what_is_typed_stays_through_moves(open_warm_page: Callable):
    app = open_warm_page(TEACHING.file, **PLAN)
    app.text_area[0].set_value("My *own* note <b>").run()
    app.number_input[0].set_value(11).run()
    assert "**53 minutes**" in " ".join(markdown.value for markdown in app.markdown)
    app.text_area[1].set_value("Another")
    app.button(key="teaching_later_0").click().run()
    assert notes(app)[:2] == ["Another", "My *own* note <b>"] and minutes(app)[1] == 11
    app.text_area[2].set_value("A third")
    app.button(key="teaching_remove_0").click().run()
    assert notes(app)[:2] == ["My *own* note <b>", "A third"]
    assert not troubles(app)


def test_a_link_that_was_made_is_added_to_the_plan(open_warm_page: Callable):
    app = paste(open_warm_page(TEACHING.file, **PASTE), VIEW + "&lock=masking_text")
    app.button(key="teaching_to_plan").click().run()
    app.segmented_control(key="teaching_part").set_value("plan").run()
    assert len(notes(app)) == 13 and not troubles(app)
    app.button(key="teaching_add_talk").click().run()
    assert len(notes(app)) == 14


def test_the_view_of_a_step_is_changed_in_its_place(open_warm_page: Callable):
    app = open_warm_page(TEACHING.file, **PLAN)
    start, before = notes(app), example("45", "en")
    at = next(i for i, step in enumerate(before.steps) if i and step.link)
    app.button(key=f"teaching_change_{at}").click().run()
    assert app.text_input(key="teaching_pasted").value == before.steps[at].link
    app = paste(app, VIEW)
    app.button(key="teaching_to_step").click().run()
    links = [one.link for one in app.session_state["teaching_plan"].steps]
    assert links[at].startswith("masking?masking_part=why") and notes(app) == start
    assert [*links[:at], *links[at + 1 :]] == [
        one.link for i, one in enumerate(before.steps) if i != at
    ]
    app.segmented_control(key="teaching_part").set_value("link").run()
    assert "teaching_to_step" not in {one.key for one in app.button} and not troubles(app)


def test_a_plan_with_forged_links_and_notes_is_shown_as_text(open_warm_page: Callable):
    app = open_warm_page(TEACHING.file, **PLAN)
    steps = tuple(Step(link=text[:200], note=text[:500]) for text in TEXTS.values())
    app.session_state["teaching_plan"] = read_plan(as_json(Plan(steps=steps)).encode())
    app.run()
    assert not troubles(app) and len(notes(app)) == len(TEXTS)


def upload(app, data: bytes):
    uploader = app.file_uploader(key="teaching_plan_file")
    return uploader.upload("plan.json", data, "application/json").run()


def test_a_plan_is_loaded_and_the_one_before_can_be_brought_back(open_warm_page: Callable):
    app = open_warm_page(TEACHING.file, **PLAN)
    app.text_area[0].set_value("Mine").run()
    upload(app, as_json(Plan(title="Theirs", steps=(Step(minutes=3, note="Hello"),))).encode())
    assert notes(app) == ["Hello"] and app.text_input[0].value == "Theirs"
    app.button(key="teaching_undo").click().run()
    assert notes(app)[0] == "Mine" and len(notes(app)) == 12 and not troubles(app)


def test_a_malformed_file_leaves_the_plan_and_says_what_was_expected(open_warm_page: Callable):
    app = open_warm_page(TEACHING.file, **PLAN)
    app.text_area[0].set_value("Mine").run()
    for data in (b"hello", with_step(minutes="<b>5</b>"), whole(version=None)):
        upload(app, data)
        assert "Expected" in app.error[0].value or "reads version" in app.error[0].value
        assert WORDS.section("plan.unchanged") in app.error[0].value
        assert notes(app)[0] == "Mine" and not troubles(app)
    upload(app, as_json(Plan(title="Theirs")).encode())
    assert not app.error and not notes(app)


def test_what_a_browser_kept_is_taken_only_if_it_is_a_plan(monkeypatch):
    p = Part(Page(lesson=TEACHING, words=WORDS, model_name=BUNDLED), "plan")
    for found in (None, 3, {}, "{", "[]", *TEXTS.values()):
        monkeypatch.setattr(st, "session_state", {})
        plan_memory._take_up(p, found)
        assert set(p.state) == {plan_memory.ASKED}, found
    plan_memory._take_up(p, as_json(Plan(title="Mine")))
    assert plan_state.changed(p) == Plan(title="Mine")
    plan_memory._take_up(p, as_json(Plan(title="Another tab's")))
    assert plan_state.changed(p) == Plan(title="Mine")


def test_a_sentence_typed_on_the_teaching_page_is_in_the_link(open_page):
    app = open_page(TEACHING.file, teaching_part="link", teaching_lesson="masking")
    app.text_input(key="teaching_text_masking_text").set_value("Owls hunt mice.").run()
    assert not app.exception
    assert "masking_text=Owls%20hunt%20mice." in "".join(code.value for code in app.code)


# Steps of the teacher's own.

EDITED = "teaching_own_edited"


def write(app, at: int | None = None, **fields: str):
    """Write a step: a new one, or that at a position; `kind` and the fields by their names."""
    app.button(key="teaching_add_own" if at is None else f"teaching_own_edit_{at}").click().run()

    def key(name: str) -> str:
        return f"teaching_own_{app.session_state[EDITED][1]}_{name}"

    if "kind" in fields:
        app.segmented_control(key=key("kind")).set_value(fields.pop("kind")).run()
    for name, text in fields.items():
        areas = {one.key: one for one in (*app.text_area, *app.text_input)}
        areas[key(name)].set_value(text)
    return app.button(key="teaching_own_take").click().run()


def test_five_steps_with_three_questions_take_few_inputs(open_warm_page: Callable):
    """Each button, choice, field and upload counts as one input."""
    app = open_warm_page(TEACHING.file, **PLAN)
    app.button(key="teaching_start_empty").click().run()
    owns = (
        {"kind": "text", "text": "**Read** the sentence."},
        {"text": "Which see both sides?", "options_choice": "* BERT\nGPT\n* RoBERTa"},
        {"kind": "number", "text": "How many?", "number": "0.5", "tolerance": "0.1"},
        {"kind": "order", "text": "What is first?", "options_order": "cut\nmask\npredict"},
    )
    n_inputs = 1
    for fields in owns:
        n_inputs += 2 + len(fields)  # opened, taken
        write(app, **fields)
    app.segmented_control(key="teaching_part").set_value("link").run()
    app.selectbox(key="teaching_lesson").set_value("masking").run()
    app.selectbox(key="teaching_lesson_part").set_value("why").run()
    app.button(key="teaching_to_plan").click().run()
    app.segmented_control(key="teaching_part").set_value("plan").run()
    plan = app.session_state["teaching_plan"]
    assert n_inputs + 5 <= 30 and len(plan.steps) == 5 and not troubles(app)
    text, choice, number, order, view = plan.steps
    assert text.own == "**Read** the sentence." and view.link.startswith("masking")
    assert choice.own.right == (0, 2) and choice.own.options == ("BERT", "GPT", "RoBERTa")
    assert (number.own.number, number.own.tolerance) == (0.5, 0.1)
    assert order.own.options == ("cut", "mask", "predict")
    assert read_plan(as_json(plan).encode()) == plan
    assert "<p>– GPT</p>" in as_html(plan, WORDS, "")


def test_a_question_is_written_refused_changed_and_moved(open_warm_page: Callable):
    app = open_warm_page(TEACHING.file, **PLAN, lang="de")
    app.button(key="teaching_start_empty").click().run()
    write(app, text="Q?", options_choice="one\ntwo")
    assert "Setz \\* und" in app.error[0].value and "teaching_own_take" in keys(app)
    number = app.session_state[EDITED][1]
    for kind in ("number", "choice"):
        app.segmented_control(key=f"teaching_own_{number}_kind").set_value(kind).run()
    for part in ("link", "plan"):
        app.segmented_control(key="teaching_part").set_value(part).run()
    areas = [one.value for one in app.text_area]
    assert areas[:2] == ["Q?", "one\ntwo"], "what was typed is gone"
    app.text_area[1].set_value("* one\n- * two\n")
    app.button(key="teaching_own_take").click().run()
    write(app, kind="match", text="M?", options_match="Q\nK", partners_match="asks\nis")
    write(app, kind="labels", text="L?", options_labels="a b", partners_labels="O B-X")
    app.button(key="teaching_later_0").click().run()
    owns = [one.own for one in app.session_state["teaching_plan"].steps]
    assert [one.kind for one in owns] == ["match", "choice", "labels"]
    assert owns[1].options == ("one", "* two") and owns[0].partners == ("asks", "is")
    for at in range(3):
        write(app, at)  # opened and taken as it is
    assert [one.own for one in app.session_state["teaching_plan"].steps] == owns
    write(app, 0, kind="number", text="N?", number="viel")
    assert app.error[0].value == read_words("teaching", "de").section("plan.own_no_number")
    app.button(key="teaching_own_back").click().run()
    write(app, 0, kind="number", text="N?", number="1,5")
    assert app.session_state["teaching_plan"].steps[0].own.number == 1.5
    app.button(key="teaching_undo").click().run()
    assert [one.own for one in app.session_state["teaching_plan"].steps] == owns
    assert not troubles(app)


def test_a_new_step_takes_the_place_of_none_that_came_while_it_was_written(open_warm_page):
    app = open_warm_page(TEACHING.file, **PLAN)
    app.button(key="teaching_start_empty").click().run()
    app.button(key="teaching_add_own").click().run()
    app.segmented_control(key="teaching_part").set_value("link").run()
    app.button(key="teaching_to_plan").click().run()
    app.segmented_control(key="teaching_part").set_value("plan").run()
    app.text_area[0].set_value("Q?")
    app.text_area[1].set_value("* a\nb")
    full = Plan(steps=(Step(),) * MOST_STEPS)
    viewed, app.session_state["teaching_plan"] = app.session_state["teaching_plan"], full
    app.button(key="teaching_own_take").click().run()
    assert str(MOST_STEPS) in app.error[0].value and app.session_state["teaching_plan"] == full
    app.session_state["teaching_plan"] = viewed
    app.button(key="teaching_own_take").click().run()
    view, own = app.session_state["teaching_plan"].steps
    assert view.link and own.own.text == "Q?" and not troubles(app)


def keys(app) -> set[str]:
    return {one.key for one in app.button}


def tried(app, *owns: Own):
    """Show a plan of these steps, each opened as learners get it."""
    app.session_state["teaching_plan"] = Plan(steps=tuple(Step(own=own) for own in owns))
    for at in range(len(owns)):
        app.session_state[f"teaching_own_try_{at}_0_box"] = True
    return app.run()


RIGHT = read_words("room").section("own_right")


@pytest.mark.parametrize(("question", "field", "right", "wrong"), ANSWERED)
def test_every_kind_is_tried_as_a_learner_answers_it(question, field, right, wrong, open_warm_page):
    right, wrong = ([(field, at, value) for at, value in enumerate(a)] for a in (right, wrong))
    app = tried(open_warm_page(TEACHING.file, **PLAN), question)
    key = f"teaching_own_trial_0_{id_of(question)}"
    send = f"{key}_send"
    app.button(key=send).click().run()
    assert app.warning and not troubles(app)
    for answers, is_right in ((wrong, False), (right, True)):
        for kind, name, value in answers:
            getattr(app, kind)(key=f"{key}_{name}").set_value(value)
        app.button(key=send).click().run()
        assert [bool(app.success), bool(app.error)] == [is_right, not is_right]
    assert app.success[0].value == RIGHT and not troubles(app)


FOREIGN = "![x](http://b.example/c.png) ![y][r]\n\n[r]: //b.example/d.png"
DATA = "![a dot](data:image/png;base64,iVBORw0KGgo=)"


def test_only_images_that_are_data_are_shown_and_the_teacher_is_told():
    shown, n = safe_markdown(f"{DATA} {FOREIGN}")
    assert n == 2 and shown.count("![") == 1 and DATA in shown
    for forged in (
        "![a](data:image/svg+xml;base64,AA==)",
        "![a](data:text/html;base64,AA==)",
        "![a\\](data:image/png;base64,AA) ](http://b.example)",
        "![a`](data:image/png;base64,AA) `](http://b.example)",
        "![<b ](data:image/png;base64,AA) >](http://b.example)",
        "![$](data:image/png;base64,AA) $](http://b.example)",
        "![[a](data:image/png;base64,AA)](http://b.example)",
        "!" + DATA[:2],
    ):
        assert "![" not in safe_markdown(forged)[0] and safe_markdown(forged)[1] == 1, forged


def test_no_own_text_or_question_breaks_the_page(open_warm_page: Callable):
    app = open_warm_page(TEACHING.file, **PLAN)
    for text in TEXTS.values():
        plan = read_plan(as_json(Plan(steps=tuple(map(own_step, owns_of(text))))).encode())
        owns = [step.own for step in plan.steps]
        app = tried(app, *owns)
        sends = [one.key for one in app.button if one.key.startswith("teaching_own_trial_")]
        assert len(sends) == len(owns) - 1, text
        assert not troubles(app) and not app.error, text


def own_step(own: Own) -> Step:
    return Step(own=own)


def test_an_uploaded_image_is_stored_in_the_text_and_another_file_is_refused(
    open_warm_page: Callable,
):
    app = open_warm_page(TEACHING.file, **PLAN)
    write(app, kind="text")
    kind = {"key": f"teaching_own_{app.session_state[EDITED][1]}_kind"}
    app.text_area[0].set_value("See:").run()
    png = b"\x89PNG\r\n\x1a\n"
    for image in (b"%PDF-1.7", png + bytes(70_000)):
        app.file_uploader[0].upload("x.png", image, "image/png").run()
        assert "WebP" in app.error[0].value and app.text_area[0].value == "See:"
    for size in (10, 69_000):  # one in place of the other, also after another kind
        app.file_uploader[0].upload("x.png", png + bytes(size), "image/png").run()
        for name in ("order", "text"):
            app.segmented_control(**kind).set_value(name).run()
        assert app.text_area[0].value.count("![") == 1 and not app.error
    app.button(key="teaching_own_take").click().run()
    own = app.session_state["teaching_plan"].steps[-1].own
    shown, n_left_out = safe_markdown(own)
    assert own.startswith("See:\n\n![](data:image/png;base64,iVBOR")
    assert shown == own and not n_left_out and not troubles(app)


def test_a_plan_that_would_grow_too_large_is_left_as_it_was(open_warm_page: Callable):
    app = tried(open_warm_page(TEACHING.file, **PLAN), *["x" * 100_000] * 4)
    write(app, kind="text", text="y" * 100_000)
    assert "500000" in app.error[0].value and "teaching_own_take" in keys(app)
    assert len(app.session_state["teaching_plan"].steps) == 4 and not troubles(app)


# A plan in a link.


def test_a_plan_goes_from_teacher_to_teacher_in_a_link(open_warm_page: Callable):
    app = tried(open_warm_page(TEACHING.file, **PLAN), *EVERY, "**Read** this.")
    app.session_state["teaching_plan_link"] = True
    link = urlsplit(app.run().code[0].value)
    assert link.path == "teaching" and len(link.query) < 1_500
    (given,) = parse_qs(link.query)["teaching_given"]
    other = open_warm_page(TEACHING.file, **PLAN, teaching_given=given)
    start = notes(other)
    assert len(start) == 12 and len(other.info) == 1, "nothing is taken before a press"
    other.button(key="teaching_given_take").click().run()
    assert other.session_state["teaching_plan"] == app.session_state["teaching_plan"]
    assert not other.info and "teaching_given" not in other.query_params
    other.button(key="teaching_undo").click().run()
    assert notes(other) == start and not troubles(other) and not troubles(app)
    noise = b64encode(Random(0).randbytes(7_000)).decode()  # which no packing makes smaller
    app.session_state["teaching_plan_link"] = True
    app.session_state["teaching_plan"] = Plan(steps=(Step(own=noise),))
    assert "Save the plan to a file" in app.run().warning[0].value and not app.code


def squeezed(data: bytes) -> str:
    return urlsafe_b64encode(zlib.compress(data)).decode()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        *((text[:2_000], "link") for text in TEXTS.values() if text),
        (packed(Plan(title="x"))[:-9], "link"),
        (squeezed(b"[1]"), "no_plan"),
        (squeezed(bytes(50_000_000)), "too_large"),
        (squeezed(whole(steps=[{"minutes": 1}] * 10_000)), "steps"),
    ],
)
def test_a_forged_link_to_a_plan_is_refused(text: str, reason: str):
    with pytest.raises(UnreadablePlanError) as caught:
        unpacked(text)
    assert caught.value.reason == reason


def test_a_refused_link_leaves_the_plan_and_says_why(open_warm_page: Callable):
    app = open_warm_page(TEACHING.file, **PLAN, teaching_given="nonsense")
    assert app.error[0].value.startswith(WORDS.section("plan.bad_link")) and len(notes(app)) == 12
    app.button(key="teaching_given_leave").click().run()
    assert not app.error and len(notes(app)) == 12 and not troubles(app)
