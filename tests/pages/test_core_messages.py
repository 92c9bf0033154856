"""The core's own sentences in other languages: found by their English, none forgotten."""

import ast
import re
import time
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from mlm_core.encoder.model_list import BUNDLED_FOLDERS
from pages.server.course.core_messages import message_of, read_pairs, translated
from pages.server.course.language import FIRST, languages
from tests.app_code import trees

ROOT = Path(__file__).parents[2]
OTHERS = [language for language in languages() if language != FIRST]

# What no reader can meet, and why; all other sentences of a ValueError need a translation.
# Modules that no page leads to, such as those of the commands, are left out by themselves.
NOT_FOR_READERS = {
    "mlm_core/embeddings/senses_data.py": "reads files of the repository, which tests read",
    "mlm_core/stored/maps.py": "reads files of the repository",
    "mlm_core/figures/[!w]*.py": "a figure is drawn from what a page made for it",
    "mlm_core/number_format.py": "an answer that it refuses is told in the exercise's words",
    "mlm_core/search/graded_pairs.py": "reads pairs of the repository, which tests read",
    "mlm_core/search/info_nce.py": "the page offers temperatures above 0, for stored pairs",
    "mlm_core/search/ranking.py": "a page ranks one task only",
    "mlm_core/search/run.py": "the pairs are stored, and a page waits for weights",
    "mlm_core/search/settings.py": "the page offers possible settings only",
    "mlm_core/evaluation/selection.py": "the page offers sizes that leave some out",
    "pages/server/record/learners_record_file.py": "a refused entry is left out and counted",
    "pages/server/record/study_link.py": "a toast says that the link can't be read",
    "pages/server/course/packed.py": "as above; of a plan the page has its own words",
}
# One word by itself is a name, such as an exercise's for the section that says more.
TWO_WORDS = re.compile(r"[^\W\d]{2,}\W+.*[^\W\d]{2,}", re.DOTALL)
# Sentences for readers that are no errors: the functions and constants that make them.
ALSO_SHOWN = {
    "mlm_core/tagging/bio_tags.py": "_faults",
    "mlm_core/tagging/errors.py": "_disagreement",
    "pages/server/trainer/jobs.py": "UNEXPECTED NO_DISK",
    "mlm_core/encoder/model_list.py": "MissingHeadError MissingLensError MissingWeightsError"
    " UnknownHeadsError",
    "mlm_core/inside/patching.py": "_which_to_change UnknownLayersError",
    "mlm_core/labelled/conll.py": "_cause CAUSES",
    "mlm_core/labelled/file_kinds.py": "KINDS EXPECTED",
    "mlm_core/labelled/own_parts.py": "raise_if_any",
    "mlm_core/labelled/table_formats.py": "_cause",
    "mlm_core/text/plain_text.py": "KINDS",
    "pages/server/trainer/service.py": "_watch",
}


# -- what the source says ------------------------------------------------------------------------


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


def fragments(node: ast.AST) -> Iterator[str]:
    """Yield the texts below a node that have two words: what stands between a sentence's values."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Constant) and isinstance(child.value, str):
            if TWO_WORDS.search(child.value) and not isinstance(node, ast.Expr):
                yield child.value.strip()
        elif not (isinstance(child, ast.Call) and "logger" in ast.unparse(child.func)):
            yield from fragments(child)


def shown(path: str) -> Iterator[str]:
    """Yield the fragments that a module's refusals are made of, and what else it shows."""
    for node in ast.walk(trees()[path]):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            if ast.unparse(node.exc.func) in refusals():
                yield from fragments(node.exc)
        name = getattr(node, "name", None) or named(node)
        if name is not None and name in ALSO_SHOWN.get(path, "").split():
            yield from fragments(node)


def named(node: ast.AST) -> str | None:
    """Return the name of a constant that is set here."""
    is_one = isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    return node.targets[0].id if is_one else None


# -- the rules -----------------------------------------------------------------------------------


@pytest.mark.parametrize("language", OTHERS)
def test_every_sentence_that_a_reader_can_meet_has_a_translation(language: str):
    there = "\n".join(english for english, _ in read_pairs(language))
    missing = [
        f"{path}: {text}"
        for path in sorted(met_by_readers())
        if not any(fnmatch(path, pattern) for pattern in NOT_FOR_READERS)
        for text in shown(path)
        if text not in there
    ]
    assert not missing, "add to messages.md:\n" + "\n".join(missing)


@pytest.mark.parametrize("language", OTHERS)
def test_no_translation_is_of_a_sentence_that_is_no_longer_said(language: str):
    said = "\n".join(text for tree in trees().values() for text in fragments(tree))
    old = [
        english
        for english, _ in read_pairs(language)
        for text in re.split(r"\{\{\d+\}\}", english)
        if TWO_WORDS.search(text) and text.strip() not in said
    ]
    assert not old, "take out of messages.md:\n" + "\n".join(old)


@pytest.mark.parametrize("language", OTHERS)
def test_each_sentence_is_translated_once_with_all_its_values(language: str):
    pairs = read_pairs(language)
    assert len({english for english, _ in pairs}) == len(pairs)
    for english, other in pairs:
        numbers = re.findall(r"\{\{(\d+)\}\}", english)
        values = {str(k + 1) for k in range(len(numbers))}
        assert numbers == sorted(values, key=int) and "}}{{" not in english, english
        # English puts an s behind its nouns; such a value may go.
        endings = set(re.findall(r"\w\{\{(\d+)\}\}", english))
        there = set(re.findall(r"\{\{(\d+)!?\}\}", other))
        assert values - endings <= there <= values, english


# -- the lookup ----------------------------------------------------------------------------------


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
        from pages.server.frame.page_frame import safely

        with safely():
            raise ValueError("the text is empty: type or upload some sentences")

    app = AppTest.from_function(page, default_timeout=120)
    app.query_params["lang"] = "de"
    assert app.run().error[0].value.startswith("Der Text ist leer")
    english = AppTest.from_function(page, default_timeout=120)
    assert english.run().error[0].value.startswith("the text is empty")


def test_what_a_learner_typed_is_never_translated():
    """The value is a sentence of the list; it is no message here but somebody's words."""
    said = translated(
        "“counts nothing” overlaps the PER “a false alarm”: a word has one tag,"
        " so remove that span first",
        "de",
    )
    assert "counts nothing" in said and "a false alarm" in said and "overlaps" not in said


@pytest.mark.parametrize("folder", BUNDLED_FOLDERS.values(), ids=list(BUNDLED_FOLDERS))
def test_a_bundled_models_card_is_there_in_each_language_with_the_same_figures(folder):
    first = (folder / "README.md").read_text(encoding="utf-8")
    for language in OTHERS:
        card = (folder / f"README.{language}.md").read_text(encoding="utf-8")
        marks = re.compile(r"(?<=\d)[,.\u202f](?=\d)")  # each language writes its own
        ours, theirs = (re.findall(r"\d+", marks.sub("", text)) for text in (first, card))
        assert sorted(theirs) == sorted(ours)
        assert card.count("|") == first.count("|")
