"""No text that a visitor can send holds the server up: twice the length takes about twice as long.

While a regular expression runs no other thread does, so one that is quadratic in the length of
a text makes every visitor wait.

CASES are the ways in for a visitor's text that more than a regular expression reads, each with the
longest text that leads there. Regular expressions are found in the source and timed themselves.

A text is slow if it takes more than FAST seconds and more than THREE times as long as its half,
in each of some tries; in CPU seconds of this thread, since a test machine does other work, too.
"""

import ast
import importlib
import itertools
import re
import string
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, lru_cache
from types import SimpleNamespace

import pytest
import regex

from mlm_core.answers.rule import answer_by_rule
from mlm_core.embeddings.locating import find_word
from mlm_core.exercises.exercise import LONGEST_ANSWER, read_pair
from mlm_core.exercises.tasks.own_words import (
    is_printed,
    is_word,
    read_our_texts,
    word_with_stem_of,
    words_apart,
)
from mlm_core.figures.text.tokens import cuts_html, word_map_html
from mlm_core.finetuning.settings import LONGEST_OWN_DATA
from mlm_core.labelled.conll import own_entities
from mlm_core.labelled.own_parts import thin_text
from mlm_core.labelled.tables import LONGEST_TEXT as LONGEST_EXAMPLE
from mlm_core.labelled.tables import own_classes
from mlm_core.pretraining.vocabulary import learn_wordpieces
from mlm_core.small_runs.own_text import split_train_test
from mlm_core.small_runs.settings import (
    LARGEST_VOCABULARY,
    LONGEST_OWN_TEXT,
)
from mlm_core.tagging.marked_spans import spans_from_link
from mlm_core.text import corpora
from mlm_core.text.cutting import (
    bpe_steps,
    proportion_of_best,
    unigram_segmentations,
    wordpiece_attempts,
)
from mlm_core.text.sentences import split_documents
from mlm_core.text.tokens import ALGORITHMS, tokenize, train_tokenizer
from mlm_core.text.words import words_of
from pages.beside.look_it_up.entries import LONGEST_SEARCH, matching, read_terms
from pages.beside.teaching.link import MOST_TYPED
from pages.beside.teaching.places import place_of
from pages.lessons.classification.answers import LONGEST_PASSAGE
from pages.lessons.subword_tokens.algorithms import LONGEST_WORD
from pages.lessons.word_senses import by_layer
from pages.lessons.word_senses import own as own_senses
from pages.server.course.core_messages import translated
from pages.server.course.words import Text, as_text
from pages.server.figures.table import Table
from pages.server.link.inputs import LONGEST_TEXT
from pages.server.record.learners_record_file import LARGEST as LARGEST_RECORD
from pages.server.record.learners_record_file import read_record
from pages.server.record.receipt import MOST_CHARACTERS, read_lines
from tests.app_code import sources

FAST, TWO, THREE, TRIES = 0.1, 2.2, 3.0, 5
LONGEST_LINK = 65_536  # of a whole link, which the server's own limit of headers allows
PATTERN_LENGTH = 10_000

# Each is repeated up to a length; "{}" is a number that counts up, so that no two are the same.
KINDS = (
    *string.punctuation,
    "🇩",  # half a flag: pairs are counted
    *(" ", "\t", "\n", "\r", "\r\n", "\x0b", "\x1c", "\xa0", "\u2028", "\u3000", "\0"),
    *("“", "’", "«", "…", "。", "a", "A", "7", "ß", "İ", "e\u0301", "\u0301", "汉", "🙂", "\u200d"),
    *(". ", ".\n", '."', ". (", "a.", "a ", "A. ", "a. A", "a'", "a-", "(a", "[a]", "[a", " ("),
    *("\n ", "1,", "1;", "X:1-2,", "a=1&", "%4", '{"', '{"a":', "[[", '"a",', ":a", "w.", "a@"),
    *("$ ", "a_", "Hello there. ", "The bank was steep.\n", "A cat sat.\n\n", "x\tgood\n", "# O\n"),
    *("a B-X\n", "a I-X\n\n", "w{} ", "Word{} sat. ", "Word{} sat.\n\n", "x\tw{}\n", "w{}\tO\n"),
    *("c{}\tw\n", "w{} B-T\n", "w{} B-T{}\n", "k{}=1&"),
)
# For what is written in Rust, or goes through the text in functions that other cases time.
FEW_KINDS = ("a", "ab", "汉", "🙂", ".", " ", "a ", "a.", "w{}", "w{} ", "Word{} sat.\n\n")
# For files of lines and cells: what may part or quote them, and lines as people have them.
OF_A_FILE = (
    *('"', ",", ";", "\t", "\n", "a", '{"', "[[", '"a",', "x\tgood\n", "a B-X\n"),
    *("x\tw{}\n", "c{}\tw\n", "w{} B-T{}\n"),
)
ABOUT_A_BANK = ("bank ", "A bank {}.\n", "The bank was steep.\n", ".", "a ", "w{} ")


@lru_cache(maxsize=8)
def text_of(kind: str, length: int) -> str:
    """Return a text of one kind and length.

    Whole repetitions, so that half a line at the end is not what decides.

    >>> text_of("ab", 5), text_of("w{} ", 8)
    ('abab', 'w0 w1 ')
    """
    if "{}" not in kind:
        return kind * (length // len(kind))
    parts, left = [], length
    for number in itertools.count():
        parts.append(kind.replace("{}", str(number)))
        left -= len(parts[-1])
        if left < 0:
            return "".join(parts[:-1])


@dataclass(frozen=True, kw_only=True)
class Case:
    """A way that a visitor's text takes."""

    name: str
    longest: int  # characters
    read: Callable[[str], object]
    kinds: tuple[str, ...] = KINDS


@cache
def tokenizers() -> dict:
    """Return a tokenizer of each algorithm, trained on some of our sentences."""
    lines = corpora.sentences()[:300]
    return {name: train_tokenizer(name, lines, 1_000) for name in ALGORITHMS}


def cut_words_by_hand(word: str) -> None:
    """Take a word through the drawings of all three algorithms."""
    bpe = tokenizers()["BPE"]
    wordpiece_attempts(word, tokenizers()["WordPiece"].get_vocab())
    bpe_steps(word, [], bpe.get_vocab())
    log_probs = {"▁": -3.0, **{letter: -2.0 for letter in set(word)}, word[:3]: -1.0}
    unigram_segmentations("▁" + word, log_probs, 6)
    proportion_of_best("▁" + word, log_probs)


def learn_of_one_line(text: str) -> None:
    """Learn the largest vocabulary of a run from a single line."""
    learn_wordpieces(lambda: [text], LARGEST_VOCABULARY, LARGEST_VOCABULARY // 3)


def draw(text: str) -> None:
    """Draw a text as the lesson on subword tokens does."""
    rows = [(name, tokenize(tokenizer, text)) for name, tokenizer in tokenizers().items()]
    cuts_html(text, rows, alt="")
    word_map_html(rows[0][1], selected=0, no_word="", label="")


def in_german(text: str) -> None:
    """Translate sentences of the core that quote a text."""
    translated(
        f"{text!r} is not in {text!r}: write a sentence with it, or ask for its other forms", "de"
    )
    translated(text, "de")


def read_two_texts(text: str) -> None:
    """Read the answer of two lines, and how far the lines are apart."""
    words_apart(*read_pair(f"{text[: len(text) // 2]}\n{text[len(text) // 2 :]}"))


def find_bank(text: str) -> None:
    """Look for a word's uses in a text, as one part of the lesson on senses does."""
    word = SimpleNamespace(word="bank", forms=("bank", "banks"))
    by_layer._uses_in(SimpleNamespace(word=word), text)


CASES = [
    Case(name="shown in a sentence", longest=LONGEST_EXAMPLE, read=as_text),
    Case(name="in a table", longest=LONGEST_EXAMPLE, read=lambda t: Table({Text(t): [t]}).csv()),
    Case(name="in a message", longest=LONGEST_EXAMPLE, read=in_german),
    Case(name="tokens drawn", longest=LONGEST_TEXT, read=draw, kinds=FEW_KINDS),
    Case(name="a word cut by hand", longest=LONGEST_WORD, read=cut_words_by_hand),
    Case(
        name="one endless line to learn from",
        longest=LONGEST_OWN_TEXT,
        read=learn_of_one_line,
        kinds=FEW_KINDS,
    ),
    Case(
        name="own text",
        longest=LONGEST_OWN_TEXT,
        read=lambda t: split_train_test(t, next_sentence=True),
        kinds=FEW_KINDS,
    ),
    Case(name="documents of pairs", longest=20_000, read=split_documents),
    Case(name="own classes", longest=LONGEST_OWN_DATA, read=own_classes, kinds=OF_A_FILE),
    Case(name="own tags", longest=LONGEST_OWN_DATA, read=own_entities, kinds=OF_A_FILE),
    Case(name="an own file cut down", longest=600_000, read=lambda t: thin_text(t, 300_000)),
    Case(
        name="own sentences",
        longest=own_senses.LONGEST,
        read=lambda t: [find_word(line, "bank", ("banks", "banked")) for line in t.splitlines()],
        kinds=ABOUT_A_BANK,
    ),
    Case(name="spans", longest=LONGEST_LINK, read=lambda t: spans_from_link(t, ["a"] * 60)),
    Case(name="a teacher's link", longest=MOST_TYPED, read=lambda t: place_of(f"masking?{t}")),
    Case(
        name="a course record", longest=LARGEST_RECORD, read=lambda t: read_record(t.encode(), {})
    ),
    Case(
        name="receipts",
        longest=MOST_CHARACTERS,
        read=lambda t: read_lines(t, b"a secret of the tests"),
        kinds=("MLM1.", "MLM1.A\n", "MLM1.\n ", "A\n", "> \n", "A", "A ", " ", "."),
    ),
    Case(name="an answer of two texts", longest=2 * LONGEST_ANSWER, read=read_two_texts),
    Case(
        name="an own sentence beside an example",
        longest=LONGEST_ANSWER,
        read=lambda text: is_printed(words_of(text), f" {' '.join(words_of(text))} "),
    ),
    Case(name="a word to find", longest=LONGEST_ANSWER, read=lambda t: is_word(t, known_texts())),
    Case(
        name="an own sentence beside a word",
        longest=LONGEST_ANSWER,
        read=lambda text: word_with_stem_of(text, [text]),
    ),
    Case(
        name="a question and its passage",
        longest=LONGEST_PASSAGE,
        read=lambda text: answer_by_rule(text[:LONGEST_TEXT], text),
    ),
    Case(name="uses in a text", longest=by_layer.LONGEST, read=find_bank),
    Case(name="a search", longest=LONGEST_SEARCH, read=lambda t: matching(glossary(), t)),
]


@cache
def glossary() -> tuple:
    return read_terms()


known_texts = cache(read_our_texts)


def seconds(read: Callable[[str], object], text: str) -> float:
    """Return the CPU time that a text takes; one that is refused takes time, too."""
    began = time.thread_time()
    with suppress(ValueError):
        read(text)
    return time.thread_time() - began


def grows_too_fast(read: Callable[[str], object], longest: int, kind: str) -> str:
    """Say where twice a text takes over three times as long; nothing if it does nowhere.

    Lengths are doubled up to the longest. Where even the square of the growth would stay FAST
    there is no need to go on, nor where a time that is no accident has only doubled.
    """
    length = max(1, longest // 32)
    took = seconds(read, text_of(kind, length))
    while length < longest and took * (longest / length) ** 2 > FAST:
        twice = min(2 * length, longest)
        takes = seconds(read, text_of(kind, twice))
        tries = TRIES
        while takes >= max(FAST, THREE * took):
            if not tries:
                return f"{kind!r} takes {took:.3f} s at {length:,} and {takes:.3f} s at {twice:,}"
            tries -= 1
            took = min(seconds(read, text_of(kind, length)) for _ in range(2))
            takes = min(takes, seconds(read, text_of(kind, twice)))
        if FAST / 2 < takes < TWO * took:
            break
        length, took = twice, takes
    return ""


@pytest.fixture(autouse=True)
def one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the tokenizers' work in this thread, where it is measured."""
    monkeypatch.setenv("TOKENIZERS_PARALLELISM", "false")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_twice_a_text_takes_about_twice_as_long(case: Case):
    found = [grows_too_fast(case.read, case.longest, kind) for kind in case.kinds]
    assert not any(found), "\n".join(filter(None, found))


# Regular expressions.


METHODS = "sub|split|finditer|findall|search|match|fullmatch"
ONE_CALL = rf"\b(re|regex)\.(compile|{METHODS})\("


def patterns() -> Iterator[tuple[str, re.Pattern[str], str]]:
    """Yield each regular expression of the app that can be known without running it.

    With each comes where it stands and the method that it is used with.
    """
    texts = sources()
    everywhere = set(re.findall(rf"(\w+)\.({METHODS})\(", "\n".join(texts.values())))
    for file, text in texts.items():
        if not re.search(ONE_CALL, text):
            continue  # parsing takes longer than all that follows
        tree, names = ast.parse(text), names_of(file)
        targets = {
            id(node.value): node.targets[0].id
            for node in tree.body
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
        }
        for node in ast.walk(tree):
            match node:
                case ast.Call(func=ast.Attribute(value=ast.Name(id="re" | "regex" as library))):
                    method = node.func.attr
                case _:
                    continue
            if not re.fullmatch(f"compile|{METHODS}", method):
                continue
            flags = [ast.unparse(one.value) for one in node.keywords if one.arg == "flags"]
            given = [ast.unparse(one) for one in node.args[: 2 if method == "compile" else 1]]
            with suppress(NameError):  # of a value that is known when its function runs
                modules = {"re": re, "regex": regex}
                pattern = eval(f"{library}.compile({', '.join(given + flags)})", names | modules)
                uses = {method}
                if method == "compile":
                    name = targets.get(id(node), "no name")
                    uses = {use for owner, use in everywhere if owner == name}
                yield from ((f"{file}:{node.lineno}", pattern, use) for use in uses or {"sub"})


def names_of(file: str) -> dict[str, object]:
    """Return what a module has under its names; pages themselves are scripts, and have none."""
    if (file.count("/") < 2 and not file.startswith("mlm_core")) or file.endswith("__main__.py"):
        return {}
    name = file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    return vars(importlib.import_module(name))


def through(pattern: re.Pattern[str], use: str) -> Callable[[str], object]:
    """Return what a pattern does with a text, to the end."""
    if use == "sub":
        return lambda text: pattern.sub("", text)
    if use == "finditer":
        return lambda text: list(pattern.finditer(text))
    return getattr(pattern, use)


def test_no_regular_expression_is_slow():
    found = list(patterns())
    assert len(found) > 60, "this test doesn't see any more what it looks for"
    slow = [
        f"{place} .{use}: {trouble}"
        for kind in KINDS
        for place, pattern, use in found
        if (trouble := grows_too_fast(through(pattern, use), PATTERN_LENGTH, kind))
    ]
    assert not slow, "\n".join(slow)
