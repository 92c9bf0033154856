"""GIFT and QTI: every question survives; what others wrote is read, or named with its line."""

import io
import json
import os
import re
import shutil
import subprocess
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest

from mlm_core.exercises.own.gift import pairs_of, write_gift
from mlm_core.exercises.own.gift_reading import Refused, read_gift
from mlm_core.exercises.own.own_question import OwnQuestion
from mlm_core.exercises.own.qti import NAMESPACE, write_qti
from tests.exercises.test_own_question import EVERY
from tests.hostile import TEXTS

MARKS = "a{b}=~#:\\ \\n &#8594; c\nd -> // x\n\n- ####y"
ODD = ("[html] a", "%50% b", "=c", "~d", "#e", "::x:y", "\\", "a\\n->")
HARD = (
    OwnQuestion(kind="choice", text=MARKS, options=ODD, right=(0, 3, 7), explanation=MARKS),
    OwnQuestion(kind="choice", text="all", options=("T", "F"), right=(0, 1)),
    OwnQuestion(kind="match", text="[MASK] m", options=("[x]", "c:d"), partners=("->", "{z}")),
    OwnQuestion(kind="number", text="$CATEGORY: n", number=-1e-05, explanation="e"),
    OwnQuestion(kind="number", text="// n", number=1e20, tolerance=1.5),
)
PARSER = Path(os.environ.get("GIFT_PEGJS", "node_modules/gift-pegjs"))


def test_every_question_survives_and_its_category_is_named():
    questions = [*EVERY, *HARD]
    text = write_gift({"a/b": questions[:3], "c\nd": questions[3:]})
    assert read_gift(text) == (questions, [])
    assert read_gift("\ufeff" + text.replace("\n", "\r\n")) == (questions, [])
    assert re.findall(r"^\$CATEGORY: (.*)$", text, re.MULTILINE) == ["a/b", "c d"]


@pytest.mark.parametrize("name", TEXTS)
def test_a_hostile_text_survives_but_for_controls_and_outer_spaces_or_is_refused(name: str):
    text = TEXTS[name][:150]
    try:
        given = OwnQuestion(kind="match", text=text, options=(text, "b"), partners=("c", text))
    except ValueError:
        return  # no question
    ((read,), refused) = read_gift(write_gift({text: [given]}))
    words = re.sub("[\0-\x08\x0b-\x1f]", "", text.replace("\r", "\n")).strip()
    left = words.replace("->", "→")
    assert (read.text, read.options) == (words, (left, "b")) and not refused
    assert read.partners == ("c", words)
    read_gift(text)
    assert ElementTree.fromstring(next(iter(assessments(given).values())))


@pytest.mark.parametrize(
    ("written", "asked", "right", "said"),
    [
        ("::A\\:: n::[html]<p>R &amp; <b>d</b>\\:</p>{=<p>a</p>~b}", "R & d:", "0", ""),
        ("$CATEGORY: x\nIt is {~so ~%100%not} .", "It is _____ .", "1", ""),
        ("// [id:3]\nTwo? {~%50%a#yes ~%-9%b\n~%50%c####all}", "Two?", "0 2", "all\n\na: yes"),
        (r"Is \\(x_1\\) or \\[y\\] {~%33.3%a ~%33.3%b ~%33.3%c}", "Is $x_1$ or $$y$$", "0 1 2", ""),
        ("1+1\\=2 {TRUE#wrong#right}", "1+1=2", "0", "False: wrong\n\nTrue: right"),
        ("So? {F}", "So?", "1", ""),
        ("Pi? {#3.14:0.01#good####g}", "Pi?", "3.14", "g\n\ngood"),
        ("Pi? {#\n=%100%3..4#good\n~#bad\n}", "Pi?", "3.5", "good\n\nbad"),
        ("Why? {#-1e2}", "Why?", "-100.0", ""),
        ("Food? {\n=cat -> fish\n// no\n=dog -> meat####see\n}", "Food?", "0 1", "see"),
    ],
)
def test_what_others_write_is_read(written, asked, right, said):
    (question,), refused = read_gift(written)
    found = (question.text, question.right_answer, question.explanation)
    assert found == (asked, right, said) and not refused


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("Only text.", "no answers in braces"),
        ("What { = a ~b", "no blank line"),
        ("What ~b }", "no blank line"),
        ("Who? {~%33,333%a ~%66.667%b}", "no weight"),
        ("Who? {~%100%a ~%50%b ~c}", "right in part"),
        ("Who? {=%50%a ~c}", "right in part"),
        ("How many? {#=3 ~%50%4}", "right in part"),
        ("What {=a {b} ~c}", "one pair of braces"),
        ("Why? {}", "essay"),
        ("Who? {=me =I}", "typed in words"),
        ("Two plus {two} is four.", "typed in words"),
        ("Who? {a ~b}", "neither = nor ~"),
        ("Who? {=a =b ~c}", "right alone"),
        ("Who? {=a ~%50%b ~c}", "right in part"),
        ("Who? {~a ~b}", "needs its right answers"),
        ("Who? {=a ~a}", "same words"),
        ("Pair? {=a -> b = -> c}", "a side without words"),
        ("Pair? {=a -> b =c -> b}", "same words"),
        ("How many? {#few}", "is no number"),
        ("How many? {#nan}", "is no number"),
        ("How many? {#=1:0 =%50%2:0}", "right in part"),
        ("How many? {#4..3}", "goes down"),
        ("[html]<img src\\='x'>{=a~b}", "an image"),
        ("{=a~b}", "no words"),
    ],
)
def test_what_is_not_read_is_named_by_its_line_and_the_rest_is_read(written, reason):
    text = f"// first\n\n\nSo? {{T}}\n\n{written}\n\nSo? {{F}}\n"
    questions, refused = read_gift(text, ("ja", "nein"))
    assert [one.right_answer for one in questions] == ["0", "1"]
    assert questions[0].options == ("ja", "nein")
    assert [one.line for one in refused] == [6] and reason in refused[0].reason


def test_ten_thousand_lines_are_read_line_by_line():
    questions, refused = read_gift("What? {=a ~b}\n\n{{{\n\n" * 5_000)
    assert len(questions) == len(refused) == 5_000
    assert refused[-1] == Refused(line=19_999, reason=refused[0].reason)


def test_another_parser_reads_the_same(tmp_path: Path):
    if shutil.which("node") is None or not PARSER.is_dir():
        pytest.skip("no node, or no gift-pegjs: `npm install gift-pegjs`, or GIFT_PEGJS=its folder")
    questions = [*EVERY, *HARD]
    (tmp_path / "gift.txt").write_text(write_gift({"a": questions}), encoding="utf-8")
    code = (
        "JSON.stringify(require(process.argv[1]).parse(fs.readFileSync(process.argv[2], 'utf8')))"
    )
    command = ["node", "-p", code, str(PARSER.resolve()), str(tmp_path / "gift.txt")]
    parsed = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    assert parsed.pop(0) == {"type": "Category", "title": "a"}
    assert list(map(as_parsed, parsed)) == list(map(expected, questions))


def as_parsed(found: dict) -> tuple:
    """Return what gift-pegjs has read; it leaves the marks in the right sides of pairs encoded."""
    said = found["globalFeedback"]["text"] if found.get("globalFeedback") else ""
    if found["type"] == "Numerical":
        answers = [found["choices"]["number"], found["choices"].get("range", 0)]
    elif found["type"] == "Matching":
        decoded = [
            re.sub(r"&&(\d{3});", lambda code: chr(int(code[1])), one["subanswer"])
            for one in found["matchPairs"]
        ]
        answers = [
            (one["subquestion"]["text"], right)
            for one, right in zip(found["matchPairs"], decoded, strict=True)
        ]
    else:
        answers = [
            (one["text"]["text"], one["isCorrect"] or (one["weight"] or 0) > 0)
            for one in found["choices"]
        ]
    return found["stem"]["text"], answers, said


def expected(question: OwnQuestion) -> tuple:
    if question.kind == "number":
        answers = [question.number, question.tolerance]
    elif question.kind == "choice":
        answers = [(one, at in question.right) for at, one in enumerate(question.options)]
    else:
        answers = pairs_of(question)
    return question.text, answers, question.explanation


def assessments(*questions: OwnQuestion) -> dict[str, bytes]:
    packed = write_qti({"a & b": questions}, lambda markdown: f"<p>{markdown}</p>")
    archive = zipfile.ZipFile(io.BytesIO(packed))
    files = {name: archive.read(name) for name in archive.namelist()}
    named = re.findall(rb'href="([^"]+)" />', files.pop("imsmanifest.xml"))
    assert {name.decode() for name in named} == files.keys()
    return files


@pytest.mark.parametrize("question", [*EVERY, *HARD], ids=lambda one: one.text[:10])
def test_qti_says_what_is_asked_and_what_is_right(question: OwnQuestion):
    (data,) = assessments(question).values()
    root = ElementTree.fromstring(data)
    item = root.find(".//{*}item")
    assert item is not None and root.tag == f"{{{NAMESPACE}}}questestinterop"
    texts = ["".join(one.itertext()) for one in item.findall(".//{*}presentation//{*}mattext")]
    assert texts[0] == f"<p>{question.text}</p>"
    right = [one.text for one in item.findall(".//{*}varequal")]
    kind = item.findtext(".//{*}fieldentry")
    if question.kind == "number":
        low, high = (
            float(item.findtext(f".//{{*}}{name}") or "nan") for name in ("vargte", "varlte")
        )
        assert float(right[0] or "nan") == question.number and kind == "numerical_question"
        assert (low, high) == pytest.approx(
            (question.number - question.tolerance, question.number + question.tolerance)
        )
    elif question.kind == "choice":
        wrong = [one.text for one in item.findall(".//{*}not/{*}varequal")]
        assert [f"a{at}" for at in question.right] == [one for one in right if one not in wrong]
        assert texts[1:] == [f"<p>{option}</p>" for option in question.options]
    else:
        offered = {
            one.get("ident"): "".join(one.itertext()).strip()
            for one in item.findall(".//{*}response_label")
        }
        assert [offered[one] for one in right] == [side for _, side in pairs_of(question)]
        assert kind == "matching_question"
    feedback = item.findtext(".//{*}itemfeedback//{*}mattext")
    assert feedback == (f"<p>{question.explanation}</p>" if question.explanation else None)
