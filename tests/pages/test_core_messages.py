"""The core's own sentences in other languages: found by their English, none forgotten."""

import ast
import re
import time
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from mlm_core.encoder.model_list import BUNDLED
from pages.shared.course.core_messages import message_of, read_messages, read_pairs, translated
from pages.shared.course.language import FIRST, languages
from pages.shared.server.model_choice import allowed_models

ROOT = Path(__file__).parents[2]
OTHERS = [language for language in languages() if language != FIRST]

# What no reader can meet, and why; all other sentences of a ValueError need a translation.
# Modules that no page leads to, such as those of the commands, are left out by themselves.
NOT_FOR_READERS = {
    "mlm_core/embeddings/senses_data.py": "reads files of the repository, which tests read",
    "mlm_core/stored/maps.py": "reads files of the repository",
    "mlm_core/figures/[!w]*.py": "a figure is drawn from what a page made for it",
    "mlm_core/number_format.py": "an answer that it refuses is told in the exercise's words",
    "mlm_core/stored/finetune_figures.py": "reads a file of the repository",
    "mlm_core/stored/finetunes.py": "reads files of the repository",
    "mlm_core/stored/runs.py": "reads files of the repository",
    "mlm_core/search/graded_pairs.py": "reads pairs of the repository, which tests read",
    "mlm_core/search/info_nce.py": "the page offers temperatures above 0, for stored pairs",
    "mlm_core/search/ranking.py": "a page ranks one task only",
    "mlm_core/search/run.py": "the pairs are stored, and a page waits for weights",
    "mlm_core/search/settings.py": "the page offers possible settings only",
    "mlm_core/search/vectors.py": "a page gives texts, and the last layer",
    "mlm_core/stored/search_vectors.py": "reads a file of the repository",
    "mlm_core/evaluation/selection.py": "the page offers sizes that leave some out",
    "pages/parts/bio_tagging/scores_cases.py": "reads the words, which tests read",
    "pages/parts/teaching/lesson_plan.py": "reads the words; a file's faults have sections",
    "pages/parts/look_it_up/entries.py": "reads the words, which tests read",
    "pages/shared/record/learners_record_file.py": "a refused entry is left out and counted",
    "pages/parts/look_it_up/lesson_map.py": "writes a file of the repository",
    "pages/shared/course/core_messages.py": "reads the words, which tests read",
}
# An argument that a page takes from a fixed list, as in "join {{1}}: choose one of {{2}}".
OPTION = re.compile(r"(\{\{1\}\}|\w+) \{\{[12]\}\}: choose one of \{\{\d\}\}")
# Sentences for readers that are no errors: the functions and constants that make them.
ALSO_SHOWN = {
    "mlm_core/tagging/bio_tags.py": "_faults",
    "mlm_core/tagging/errors.py": "_disagreement",
    "pages/shared/trainer/jobs.py": "UNEXPECTED NO_DISK",
    "mlm_core/encoder/model_list.py": "MissingHeadError MissingWeightsError UnknownHeadsError",
    "mlm_core/labelled/conll.py": "_cause",
    "mlm_core/labelled/own_parts.py": "_further",
    "mlm_core/labelled/table_formats.py": "_cause",
    "mlm_core/text/plain_text.py": "KINDS",
    "pages/shared/trainer/service.py": "_watch",
}


# -- what the source says ------------------------------------------------------------------------


@cache
def trees() -> dict[str, ast.Module]:
    """Return every module of the core and the pages by its path."""
    files = [ROOT / "app.py", *ROOT.glob("mlm_core/**/*.py"), *ROOT.glob("pages/**/*.py")]
    return {
        file.relative_to(ROOT).as_posix(): ast.parse(file.read_text(encoding="utf-8"))
        for file in sorted(files)
    }


@cache
def met_by_readers() -> frozenset[str]:
    """Return the modules that the app imports, at once or later."""
    # by_lesson.py imports the exercises by their names.
    waiting = [path for path in trees() if not path.startswith("mlm_core/")]
    waiting += [path for path in trees() if path.startswith("mlm_core/exercises/")]
    found = set()
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += imported(trees()[path])
    return frozenset(found)


def imported(tree: ast.Module) -> Iterator[str]:
    """Yield the modules of ours that one imports, in functions too."""
    for node in ast.walk(tree):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        for name in names:
            path = name.replace(".", "/") + ".py"
            if path in trees():
                yield path


@cache
def refusals() -> frozenset[str]:
    """Return the names of ValueError and of the project's classes made from it."""
    nodes = (node for tree in trees().values() for node in tree.body)
    bases = {
        node.name: {ast.unparse(base) for base in node.bases}
        for node in nodes
        if isinstance(node, ast.ClassDef)
    }
    names = {"ValueError"}
    while more := {name for name, of in bases.items() if of & names} - names:
        names |= more
    return frozenset(names)


@cache
def sentences(path: str) -> frozenset[str]:
    """Return a module's sentences for readers, with {{1}}, {{2}}, ... in place of values."""
    tree, found = trees()[path], set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            local = assigned(node)
            for inner in ast.walk(node):
                is_raise = isinstance(inner, ast.Raise) and isinstance(inner.exc, ast.Call)
                if is_raise and ast.unparse(inner.exc.func) in refusals() and inner.exc.args:
                    found |= texts(inner.exc.args[0], tree, local)
        name = getattr(node, "name", None) or named(node)
        if name is not None and name in ALSO_SHOWN.get(path, "").split():
            for inner in outermost_texts(node):
                found |= texts(inner, tree, {})
    # One word by itself is a name, such as an exercise's for the section that says more.
    return frozenset(text for text in found if " " in text and re.search(r"[^\W\d]{2,}", text))


def named(node: ast.AST) -> str | None:
    """Return the name of a constant that is set here."""
    is_one = isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    return node.targets[0].id if is_one else None


def assigned(function: ast.FunctionDef) -> dict[str, ast.expr]:
    """Return what a function's names stand for, the last assignment of each."""
    return {name: node.value for node in ast.walk(function) if (name := named(node)) and node.value}


def outermost_texts(node: ast.AST) -> Iterator[ast.expr]:
    """Yield the texts below a node that are no part of another text, docstrings left out."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.JoinedStr) or (
            isinstance(child, ast.Constant) and isinstance(child.value, str)
        ):
            if not isinstance(node, ast.Expr):
                yield child
        elif not (isinstance(child, ast.Call) and "logger" in ast.unparse(child.func)):
            yield from outermost_texts(child)


def texts(node: ast.expr, tree: ast.Module, local: dict[str, ast.expr]) -> set[str]:
    """Return the sentences that an expression can make, and those that stand in them as values."""
    found = {numbered(pieces) for pieces in ways(node, tree, local)}
    for inner in ast.walk(node):
        inside = inner.args if isinstance(inner, ast.Call) else []
        if isinstance(inner, ast.FormattedValue):
            inside = spelt_out(inner.value, tree, local)
        for value in inside:
            if isinstance(value, ast.JoinedStr | ast.IfExp | ast.Constant):
                found |= texts(value, tree, {})
    return found


def numbered(pieces: tuple[str | None, ...]) -> str:
    """Return a sentence from its words and, as None, its values."""
    text = re.sub("\0+", "\0", "".join("\0" if piece is None else piece for piece in pieces))
    first, *rest = text.split("\0")
    return first + "".join(f"{{{{{k}}}}}{words}" for k, words in enumerate(rest, start=1))


def ways(
    node: ast.expr, tree: ast.Module, local: dict[str, ast.expr]
) -> list[tuple[str | None, ...]]:
    """Return all ways in which an expression makes a text; what it fills in is None."""
    match node:
        case ast.Constant(value=str(text)):
            return [(text,)]
        case ast.JoinedStr(values=parts):
            return joined(parts, tree, local)
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            return joined([left, right], tree, local)
        case ast.IfExp(body=body, orelse=orelse):
            return [*ways(body, tree, local), *ways(orelse, tree, local)]
    values = spelt_out(node, tree, local)
    return [one for value in values for one in ways(value, tree, {})] or [(None,)]


def joined(
    parts: list[ast.expr], tree: ast.Module, local: dict[str, ast.expr]
) -> list[tuple[str | None, ...]]:
    """Return all ways in which several expressions make one text."""
    return [
        tuple(piece for pieces in way for piece in pieces)
        for way in product(*(ways(part, tree, local) for part in parts))
    ]


def spelt_out(
    node: ast.expr, tree: ast.Module, local: dict[str, ast.expr]
) -> list[ast.JoinedStr | ast.IfExp | ast.Constant]:
    """Return the texts behind a name of the function or a call of one of this module's."""
    values = []
    match node:
        case ast.Name(id=name) if name in local:
            values = [local[name]]
        case ast.Call(func=ast.Name(id=name)):
            of_that_name = (one for one in tree.body if getattr(one, "name", None) == name)
            inside = (inner for one in of_that_name for inner in ast.walk(one))
            values = [inner.value for inner in inside if isinstance(inner, ast.Return)]
    return [one for one in values if isinstance(one, ast.JoinedStr | ast.IfExp | ast.Constant)]


@cache
def needed() -> dict[str, str]:
    """Return every sentence that a reader can meet, with a module that says it."""
    return {
        sentence: path
        for path in sorted(met_by_readers())
        if not any(fnmatch(path, pattern) for pattern in NOT_FOR_READERS)
        for sentence in sentences(path)
        if not OPTION.fullmatch(sentence)
    }


# -- the rules -----------------------------------------------------------------------------------


@pytest.mark.parametrize("language", OTHERS)
def test_every_sentence_that_a_reader_can_meet_has_a_translation(language: str):
    there = {english for english, _ in read_pairs(language)}
    missing = [f"{path}: {text}" for text, path in needed().items() if text not in there]
    assert not missing, "add to messages.md:\n" + "\n".join(missing)


@pytest.mark.parametrize("language", OTHERS)
def test_no_translation_is_of_a_sentence_that_is_no_longer_said(language: str):
    said = {text for path in trees() for text in sentences(path)}
    old = [english for english, _ in read_pairs(language) if english not in said]
    assert not old, "take out of messages.md:\n" + "\n".join(old)


@pytest.mark.parametrize("language", OTHERS)
def test_each_sentence_is_translated_once_with_all_its_values(language: str):
    pairs = list(read_pairs(language))
    assert len({english for english, _ in pairs}) == len(pairs)
    for english, other in pairs:
        values = set(re.findall(r"\{\{(\d+)\}\}", english))
        # English puts an s behind its nouns; such a value may go.
        endings = set(re.findall(r"\w\{\{(\d+)\}\}", english))
        assert values - endings <= set(re.findall(r"\{\{(\d+)!?\}\}", other)), english


def test_the_search_for_sentences_finds_each_kind():
    """One of each: as it stands, with values, joined, with a choice, by name, in a class."""
    assert "no word to look for: type one" in needed()
    assert "the text has {{1}} characters, and {{2}} are allowed: shorten it" in needed()
    assert {"1 column", "{{1}} columns"} <= needed().keys()
    assert any(text.startswith("the architecture {{1}} doesn't give") for text in needed())
    assert "stopped by an unexpected error" in needed()
    assert "{{1}} has nothing to continue: {{2}}" in needed() and "it follows {{1}}" in needed()


# -- the lookup ----------------------------------------------------------------------------------


def test_english_is_returned_as_it_is():
    assert translated("no word to look for: type one", FIRST) == "no word to look for: type one"
    assert translated("no word to look for: type one") == "no word to look for: type one"


def test_values_are_carried_over_as_they_stand():
    text = "700 tokens, but this model has positions for 512: shorten the text"
    assert re.fullmatch(r"Der Text hat 700 Token\b.*\b512\b.*", translated(text, "de"))
    refused = translated(
        "'<b>*x*</b>{{1}}' is not in 'a {{2}} b': write a sentence with it,"
        " or ask for its other forms",
        "de",
    )
    assert "'<b>*x*</b>{{1}}'" in refused and "'a {{2}} b'" in refused


def test_a_sentence_within_a_sentence_is_translated_too():
    fault = translated("I-PER has nothing to continue: it is the first word", "de")
    assert "I-PER" in fault and "continue" not in fault and "first word" not in fault
    outer = translated(
        "bert-x can't be loaded: bert-x/config.json is damaged (no end): copy the file again", "de"
    )
    assert outer.startswith("bert-x ") and "copy the file" not in outer and "can't" not in outer


def test_each_line_of_a_message_is_translated():
    odd = "line 3: read 1 column, 'odd': expected 2 as on most lines, with a tab, a comma or a"
    said = translated(f"{odd} semicolon between them\nand 2 more such lines", "de").split("\n")
    assert said[0].startswith("Zeile 3: 1 Spalte gelesen, 'odd'; erwartet: 2 wie")
    assert said[1] == "und 2 weitere solche Zeilen"


def test_what_is_unknown_stays_as_it_is():
    for text in ("", " ", "no such sentence was ever written", "x" * 10_000):
        assert translated(text, "de") == text
        assert translated(text, "a language without words") == text


def test_long_values_and_nested_ones_take_little_time():
    texts = [
        "a: " * 3_000,
        "line 1: " * 2_000,
        "x can't be loaded: " * 1_000,
        f"'{'is not in ' * 1_000}' is not in '{'is not in ' * 1_000}': write a sentence with it",
        f"{'1 of 2 ' * 2_000}layers to train: take at most all",
        " and ".join(["word"] * 2_000) + " overlap: a word has one tag, so keep one of them",
    ]
    begun = time.thread_time()
    for text in texts:
        assert len(translated(text, "de")) > len(text) / 2
    # Some 300 searches of 20,000 letters, three deep, take a few milliseconds each.
    assert time.thread_time() - begun < 2


def test_a_search_takes_the_first_place_and_none_is_overlapped():
    message = message_of("{{1}} of {{2}} of {{3}} tokens", "{{3}}, {{2}}, {{1}}")
    assert message.values_in("a of b of c of d tokens") == ["a", "b", "c of d"]
    assert message.values_in("a of b tokens") is None
    assert message.values_in("tokens") is None
    assert message_of("no text", "kein Text").values_in("no text at all") is None
    assert message_of("say: {{1}}: said", "{{1}}").values_in("say: said") is None  # one colon


def test_a_page_shows_the_sentence_in_its_language():
    def page():
        from pages.shared.frame.page_frame import safely

        with safely():
            raise ValueError("the text is empty: type or upload some sentences")

    app = AppTest.from_function(page, default_timeout=120)
    app.query_params["lang"] = "de"
    assert app.run().error[0].value.startswith("Der Text ist leer")
    english = AppTest.from_function(page, default_timeout=120)
    assert english.run().error[0].value.startswith("the text is empty")


@pytest.mark.parametrize(
    ("english", "other", "message"),
    [
        ("{{2}} of {{1}}", "von {{1}}", "number its values"),
        ("{{1}}{{2}} tokens", "{{1}} Token", "with words between them"),
        ("{{1}} tokens", "{{2}} Token", "has the value 2, which the English lacks"),
    ],
)
def test_values_that_do_not_agree_are_refused(english: str, other: str, message: str):
    with pytest.raises(ValueError, match=message):
        message_of(english, other)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("en: a b\nen: c d\n", "line 2: write en: and xx: in turn"),
        ("xx: a b\n", "line 1: write en: and xx: in turn"),
        ("en: a b\n", "'a b' has no line xx: behind it"),
    ],
)
def test_lines_that_are_no_pairs_are_refused(
    text: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "xx").mkdir()
    (tmp_path / "xx" / "messages.md").write_text(text, encoding="utf-8")
    monkeypatch.setattr("pages.shared.course.core_messages.TEXT_FOLDER", tmp_path)
    with pytest.raises(ValueError, match=message):
        list(read_pairs("xx"))


@pytest.mark.parametrize("language", OTHERS)
def test_whole_sentences_are_tried_before_those_inside_and_long_ones_before_short(language: str):
    order = [(one.has_inner, sum(map(len, one.literals))) for one in read_messages(language)]
    assert order == sorted(order, reverse=True) and {inner for inner, _ in order} == {True, False}
    assert min(size for _, size in order) > 1


def test_what_a_learner_typed_is_never_translated():
    """The value is a sentence of the list; it is no message here but somebody's words."""
    said = translated(
        "“counts nothing” overlaps the PER “a false alarm”: a word has one tag,"
        " so remove that span first",
        "de",
    )
    assert "counts nothing" in said and "a false alarm" in said and "overlaps" not in said


def test_the_bundled_models_card_is_there_in_each_language_with_the_same_figures():
    folder = allowed_models({})[BUNDLED].folder
    first = (folder / "README.md").read_text(encoding="utf-8")
    for language in OTHERS:
        card = (folder / f"README.{language}.md").read_text(encoding="utf-8")
        marks = re.compile(r"(?<=\d)[,.\u202f](?=\d)")  # each language writes its own
        ours, theirs = (re.findall(r"\d+", marks.sub("", text)) for text in (first, card))
        assert sorted(theirs) == sorted(ours)
        assert card.count("|") == first.count("|")
