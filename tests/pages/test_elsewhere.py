"""Lessons from elsewhere: an example and broken ones, the guide, and what the kit promises."""

import ast
import importlib
import inspect
import json
import logging
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from pages.kit import words as kit_words
from pages.kit.part import Part
from pages.server.course import elsewhere
from pages.server.course.lessons import OURS
from pages.server.course.words import read_words
from tests.browser.live import ROOT
from tools import new_lesson

GUIDE, EXAMPLES = ROOT / "docs/a_lesson_of_your_own.md", ROOT / "docs/examples"
KIT = ROOT / "pages/kit/README.md"
UNTRANSLATED = read_words("elsewhere", "de").section("untranslated")
WORDS, ROWS, FIRST = "en/words.md", "lesson.py", "first.py"


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a new lesson's folder, and forget it afterwards."""
    for name in ("", ".lesson"):
        monkeypatch.delitem(sys.modules, f"pages.lessons.my_topic{name}", raising=False)
    folder = new_lesson.write("my_topic", tmp_path / "lessons")
    yield folder
    for name in [one for one in sys.modules if one.startswith("pages.lessons.my_topic")]:
        del sys.modules[name]


def run(code: str, **lessons: str) -> subprocess.CompletedProcess:
    """Run Python in a process whose host names lessons."""
    environment = os.environ | {"OMP_NUM_THREADS": "1"} | lessons
    command = [sys.executable, *(["-c", code] if "\n" in code else ["-m", *code.split()])]
    return subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


# A new lesson.


def test_a_new_lesson_is_written_once_and_its_own_test_passes(written: Path):
    assert {file.relative_to(written).as_posix() for file in written.rglob("*.*")} == {
        *("lesson.py", "first.py", "test_my_topic.py", "en/words.md", "en/overview.md")
    }
    before = (written / ROWS).read_text(encoding="utf-8")
    with pytest.raises(FileExistsError, match="choose another NAME"):
        new_lesson.write("my_topic", written.parent)
    assert (written / ROWS).read_text(encoding="utf-8") == before
    tested = run(f"pytest {written} -q -p no:cacheprovider")
    assert tested.returncode == 0, tested.stdout[-3000:]


@pytest.mark.parametrize("name", ["", "7b", "my-topic", "class", "masking", "masking_more", "word"])
def test_a_name_that_no_lesson_can_have_is_refused(name: str, tmp_path: Path):
    with pytest.raises(ValueError, match="name"):
        new_lesson.write(name, tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_folder_of_folders_stands_for_its_lessons_and_the_log_names_the_rest(
    written: Path, caplog: pytest.LogCaptureFixture
):
    (written.parent / "masking").mkdir()
    (written.parent / "masking/lesson.py").touch()
    (written.parent / "no_lesson").mkdir()
    with caplog.at_level(logging.ERROR, logger="mlm_app"):
        setting = f"{written.parent}, {written.parent}/no_lesson,"
        assert elsewhere.folders_in(setting, OURS) == {"my_topic": written}
    refused, empty = (record.getMessage() for record in caplog.records)
    assert "masking is refused" in refused and "has a lesson.py" in empty


def test_on_another_version_of_streamlit_there_is_none_and_the_log_says_so(
    written: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    monkeypatch.setattr(elsewhere.st, "__version__", "1.99.0")
    with caplog.at_level(logging.ERROR, logger="mlm_app"):
        assert elsewhere.folders_in(str(written), OURS) == {}
    assert elsewhere.TESTED in caplog.text


# What can be wrong, by the file that is changed: what is replaced, by what; the fault and its line.

WRONG = [
    (ROWS, "LESSON = ", "LESSON = = ", "raised", "LESSON = ="),
    (ROWS, "CONTROLS = ", "import nothing\nCONTROLS = ", "raised", "import nothing"),
    (ROWS, "minutes=5", "minuets=5", "raised", "LESSON = "),
    (ROWS, "CONTROLS = ", "raise SystemExit\nCONTROLS = ", "raised", "raise"),
    (ROWS, "CONTROLS = ", "ROWS = ", "no_rows", '"""'),
    (ROWS, 'slug="my_topic"', 'slug="other"', "other_slug", "slug"),
    (ROWS, 'parts=("first",)', 'parts=("first")', "no_tuple", "parts="),
    (ROWS, 'core=("first",)', 'core=("second",)', "unknown_name", "second"),
    (ROWS, 'at="first"', 'at="second"', "unknown_name", "second"),
    (ROWS, '"unit"', '"part"', "twice", "part"),
    (ROWS, ":material/school:", "school", "raised", '"""'),
    (ROWS, '("letters", "tokens")', '("letters")', "raised", "CONTROLS"),
    (ROWS, '("first",),  #', '("first", "second"),  #', "no_file", ""),
    (ROWS, '("first",),  #', '("first", "exercises"),  #', "exercises", "exercises"),
    (FIRST, "def show", "def shown", "no_show", ""),
    (FIRST, "    p.say(", "  p.say(", "raised", "  p.say("),
    (WORDS, "part_first:", "part_second:", "no_label", "## labels"),
    (WORDS, "unit_tokens:", "unit_token:", "no_label", "## labels"),
    (WORDS, "## lead", "## leads", "no_section", ""),
    (WORDS, "[[tokens|Token]]", "[[tokens|Tokne]]", "unknown_term", "## first.lead"),
    (WORDS, "title: ", "title: {{n}} ", "value", "title"),
    (WORDS, "Here you", b"\xff", "no_text", ""),
    ("en/overview.md", "## goals", "## aims", "no_section", ""),
]


@pytest.mark.parametrize(("name", "old", "new", "kind", "line"), WRONG)
def test_what_is_wrong_with_a_lesson_is_found_with_its_file_and_line(
    name: str, old: str, new: str | bytes, kind: str, line: str, written: Path
):
    file = written / name
    text = file.read_bytes()
    assert old.encode() in text
    file.write_bytes(text.replace(old.encode(), new.encode() if isinstance(new, str) else new))
    row, fault = elsewhere.load("my_topic", written)
    assert fault is not None and fault.kind == kind and row.parts == ("fault",)
    lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    if fault.file == file:
        assert line in lines[fault.line - 1]
    else:
        assert fault.file.name == "second.py"


def test_a_lesson_with_no_fault_is_loaded_as_its_row_says(written: Path):
    row, fault = elsewhere.load("my_topic", written)
    assert fault is None and row.parts == ("first",) and row.file == str(written / ROWS)


def test_words_may_begin_with_a_byte_order_mark(written: Path):
    (written / WORDS).write_bytes(b"\xef\xbb\xbf" + (written / WORDS).read_bytes())
    assert elsewhere.load("my_topic", written)[1] is None


def test_a_function_that_the_core_lacks_is_an_error_of_the_line_that_names_it(written: Path):
    change(written / FIRST, "tokens:tokenize", "tokens:tokenise")
    elsewhere.load("my_topic", written)
    with pytest.raises(AttributeError, match="tokenise") as raised:
        importlib.import_module("pages.lessons.my_topic.first")
    assert elsewhere.raised_in(raised.value, [written]) == (written / FIRST, 8)


def test_the_message_of_a_missing_word_has_no_quotation_marks_around_it():
    assert elsewhere.reason_of(KeyError("no label 'a'")) == "KeyError: no label 'a'"


def test_a_control_that_no_row_declares_is_named_with_the_file_of_the_rows():
    part = SimpleNamespace(slug="masking", key=lambda name: f"masking_{name}")
    with pytest.raises(LookupError, match=r"pages/lessons/masking/lesson\.py declares no 'txt'"):
        Part.chosen(part, "txt")


# Pages, in a process whose host names lessons.

LOOK = """
import json, sys
from pages.kit.trial import opened
from pages.server.course.lessons import BY_SLUG
from pages.server import session
from pages.server.room import desk
from pages.server.upkeep import readiness
from tests import views

def said(app):
    boxes = (*app.title, *app.markdown, *app.caption, *app.error, *app.info, *app.warning)
    return [one.value for one in boxes] + [one.proto.label for one in app.get("page_link")]

found = {}
for lang in ("en", "de"):
    found[f"example {lang}"] = said(opened("own_style", lang=lang))
    found[f"broken {lang}"] = said(opened("broken", lang=lang))
    found[f"failing {lang}"] = said(opened("failing", lang=lang))
    found[f"raising {lang}"] = said(opened("failing", failing_unit="tokens", lang=lang))
    found[f"ours {lang}"] = said(opened("masking", lang=lang))
teacher = opened("own_style", lang="en").switch_page("pages/14_teaching.py")
teacher.query_params.update({"teaching_part": "room"})
teacher.run().button(key="teaching_room_open").click().run()
room = session.of(desk.AtDesk, teacher.session_state).mine
link = {"own_style_text": "Owls read books.", "own_style_sample": "poem"}
app = opened("own_style", room=room.code, lock="own_style_text", **link)
found["locked"] = [app.text_input(key="own_style_text").value,
                   app.text_input(key="own_style_text").disabled]
(guess,) = [one for one in app.get("button_group") if "guess" in one.key]
guess.set_value("own").run()
(asked,) = room.questions()
found["room"] = [asked.lesson, asked.label, [dict(one.counts) for one in room.tallies(asked)]]
found["views"] = [*views.views_of("own_style")]
found["sent"] = [text for _, text in views.sent_by(opened("own_style", **found["views"][0]))]
home = opened("own_style").switch_page("app.py").run()
found["home"] = said(home)
for part in ("link", "documents", "room"):
    page = home.switch_page("pages/14_teaching.py")
    page.query_params.update({"teaching_part": part})
    found[f"teaching {part}"] = [one.value for one in page.run().error]
readiness.SLUGS = ("failing",)
readiness._let_lessons("get_ready")
print("FOUND" + json.dumps(found))
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict]:
    """Give what pages show where an example, a broken lesson and a failing one are named."""
    above = tmp_path_factory.mktemp("lessons")
    change(new_lesson.write("broken", above) / ROWS, "CONTROLS = ", "CONTROLS = = ")
    failing = new_lesson.write("failing", above)
    change(failing / FIRST, '    unit = p.choice("unit")\n', UNIT)
    (failing / "computed.py").write_text("def get_ready(let_pass):\n    1 / 0\n", encoding="utf-8")
    ran = run(LOOK, MLM_LESSONS=f"{EXAMPLES / 'own_style'},{above}")
    assert "FOUND" in ran.stdout, ran.stderr[-3000:]
    yield json.loads(ran.stdout.partition("FOUND")[2]) | {"log": ran.stderr}


UNIT = """    unit = p.choice("unit")
    if unit == "tokens":
        int("no number")
    p.say("not there")
"""


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1
    file.write_text(text.replace(old, new), encoding="utf-8")


@pytest.mark.parametrize(
    ("language", "title", "number"),
    [("en", "13 Your own style", "8.4"), ("de", "13 Dein eigener Stil", "7,0")],
)
def test_the_example_is_shown_with_its_number_behind_ours(
    language: str, title: str, number: str, found: dict
):
    said = found[f"example {language}"]
    assert said[0] == title and any(f"**{number}**" in one for one in said)
    for place in (*(f"{name} {language}" for name in ("ours", "broken")), "home"):
        assert place == "home" or title in found[place], "its place in the menu"


@pytest.mark.parametrize(("language", "line"), [("en", "line"), ("de", "Zeile")])
def test_a_broken_lesson_is_named_in_the_log_and_at_its_place_and_hurts_nothing(
    language: str, line: str, found: dict
):
    assert "broken is not shown" in found["log"] and "lesson.py, line 13" in found["log"]
    (wrong,) = [one for one in found[f"broken {language}"] if "SyntaxError" in one]
    assert rf"**broken\/lesson\.py**, {line} 13" in wrong
    (place,) = [one for one in found[f"ours {language}"] if one.startswith("14 broken (")]
    assert place in found[f"broken {language}"]
    assert not any("Error" in one for one in found[f"ours {language}"] + found["home"])
    assert "**Next lesson: 15 Failing**" in found["example en"], "not to the broken one"
    assert "failing, a lesson from elsewhere, did not get ready" in found["log"]
    assert not any(found[f"teaching {part}"] for part in ("link", "documents", "room"))


@pytest.mark.parametrize(("language", "line"), [("en", "line"), ("de", "Zeile")])
def test_a_part_that_fails_says_file_and_line_and_what_is_not_translated(
    language: str, line: str, found: dict
):
    for place, number, kind in (("failing", 15, "KeyError"), ("raising", 14, "ValueError")):
        said = found[f"{place} {language}"]
        assert any(rf"**failing\/first\.py**, {line} {number}, {kind}" in one for one in said), said
        assert (UNTRANSLATED in said) == (language == "de")
    assert UNTRANSLATED not in found["example de"]


def test_a_link_a_lock_a_room_and_the_recorder_of_views_know_it(found: dict):
    assert found["locked"] == ["Owls read books.", True]
    assert found["room"] == ["own_style", "harder_guess", [{"own": 1, "sample": 0}]]
    link = {"own_style_part": "compare", "own_style_sample": "poem"}
    assert link in found["views"]
    assert any("pseudo-perplexity" in text for text in found["sent"])
    assert any("1 of 1 parts opened" in text for text in found["home"])


# The guide and the contract.


def test_the_guides_code_is_that_of_the_examples():
    blocks = re.findall(
        r"^`([\w./]+)`:\n\n```\w+\n(.*?)```$", GUIDE.read_text("utf-8"), re.M | re.S
    )
    assert len(blocks) >= 7
    for name, block in blocks:
        if name == "test_my_topic.py":
            file = (EXAMPLES / "new_lesson/test_new_lesson.py").read_text(encoding="utf-8")
            file = file.replace("new_lesson", "my_topic")
        else:
            file = (EXAMPLES / "own_style" / name).read_text(encoding="utf-8")
        assert block.strip() in file, name


def contract() -> str:
    """Return the table of what a lesson may use, as the code has it."""
    lines = ["| name | what it is for |", "|---|---|"]
    for owner in reversed(Part.__mro__[:-1]):
        for name, member in vars(owner).items():
            if not name.startswith("_"):
                member = member.fget if isinstance(member, property) else member
                lines.append(f"| `p.{name}` | {first_line(member)} |")
    for module in ("rows", "remember", "trial", "part", "element"):
        found = importlib.import_module(f"pages.kit.{module}")
        for name in found.__all__:
            member = inspect.unwrap(getattr(found, name))
            if inspect.isroutine(member):
                lines.append(f"| `{module}.{name}` | {first_line(member)} |")
    return "\n".join(lines)


def first_line(member: object) -> str:
    return (inspect.getdoc(member) or "").partition("\n")[0].replace("|", "\\|")


def test_the_kits_readme_has_all_that_a_lesson_may_use():
    text = KIT.read_text(encoding="utf-8")
    if contract() not in text:
        pytest.fail(f"put this table into {KIT}:\n\n{contract()}")
    begin = ast.parse(inspect.getsource(kit_words.PartWords.__init__).replace("    def", "def", 1))
    stored = [
        one.attr
        for one in ast.walk(begin)
        if isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Store)
    ]
    assert not [name for name in stored if name[0] != "_" and f"`p.{name}`" not in text]
