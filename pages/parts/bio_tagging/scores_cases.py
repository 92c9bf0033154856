"""The sentences to score: four cases worth a look, one of a tagger, and the learner's own."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.tagging.entity_spans import KNOWN_TYPES
from pages.parts.bio_tagging.distribution_sentence import pick_test_sentence
from pages.parts.bio_tagging.setting import split_words
from pages.shared.frame.page_frame import Page
from pages.shared.link import inputs
from pages.shared.training import finetune_runs

if TYPE_CHECKING:
    from mlm_core.tagging.bio_tags import Scheme, Span

WRITTEN = ("jane", "begins_inside", "types", "outside")
CASES = (*WRITTEN, "tagger", "own")
CASE = "bio_tagging_scores_case"
SENTENCE = "bio_tagging_scores_sentence"
MOST_WORDS = 60  # two lists a word; more would be no figure any more


@dataclass(frozen=True, kw_only=True)
class Case:
    """A sentence with gold tags and predicted ones, as they are before anybody changes them."""

    name: str
    words: tuple[str, ...]
    types: tuple[str, ...]
    gold: tuple[str, ...]
    predicted: tuple[str, ...]
    source: str  # where the tags come from, in words


def choose_case(page: Page, scheme: "Scheme") -> Case | None:
    """Show what else the chosen case needs and return it; None if something is missing."""
    names = {name: page.words.label(f"scores_case_{name}") for name in CASES}
    name = inputs.choice(page.words.label("scores_case"), names, key=CASE)
    st.markdown(page.words.section(f"scores.case_{name}"))
    if name == "tagger":
        return _tagger(page, scheme)
    return _own(page) if name == "own" else _written(page, name, scheme)


def _written(page: Page, name: str, scheme: "Scheme") -> Case:
    from mlm_core.tagging.bio_tags import encode

    words, gold = read_brackets(page.words.plain(f"scores_{name}_gold"))
    same_words, said = read_brackets(page.words.plain(f"scores_{name}_said"))
    if words != same_words:
        raise ValueError(
            f"the labels scores_{name}_gold and _said have other words: write the same sentence"
        )
    predicted_tags = encode(said, len(words), scheme)
    if name == "begins_inside":
        predicted_tags = tuple(_begun_inside(predicted_tags))
    return Case(
        name=name,
        words=words,
        types=KNOWN_TYPES,
        gold=encode(gold, len(words), scheme),
        predicted=predicted_tags,
        source=page.words.label("scores_source_written"),
    )


def _begun_inside(tags: tuple[str, ...]) -> Iterator[str]:
    """Give the tags with each B of the first entity's type turned into I, and each S into E."""
    first = next(tag for tag in tags if tag != "O").partition("-")[2]
    for tag in tags:
        letter, _, type_ = tag.partition("-")
        inside = {"B": "I", "S": "E"}.get(letter, letter)
        yield f"{inside}-{type_}" if type_ == first else tag


def _own(page: Page) -> Case | None:
    words = page.words
    text = inputs.text(
        words.label("scores_own"), words.plain("scores_own_default"), key="bio_tagging_scores_own"
    )
    found = split_words(text)
    if not found:
        st.info(words.section("scores.no_text"), icon=":material/edit:")
        return None
    if len(found) > MOST_WORDS:
        st.warning(
            words.section("scores.cut", most=MOST_WORDS, n=len(found)),
            icon=":material/content_cut:",
        )
        found = found[:MOST_WORDS]
    outside = ("O",) * len(found)
    return Case(
        name="own",
        words=found,
        types=KNOWN_TYPES,
        gold=outside,
        predicted=outside,
        source=words.label("scores_source_own"),
    )


def _tagger(page: Page, scheme: "Scheme") -> Case | None:
    from mlm_core.tagging.bio_tags import decode, encode

    chosen = finetune_runs.choose(page, ("entities", "own_tags"), with_weights=False)
    if chosen is None:
        return None
    title, snapshot = chosen
    if snapshot.predictions is None or snapshot.dataset is None:
        st.info(page.words.section("no_predictions"), icon=":material/hourglass:")
        return None
    said, own_scheme = snapshot.predictions.predicted, snapshot.settings.scheme
    spans = [decode(tags, own_scheme, "conlleval") for tags in said]
    number = pick_test_sentence(
        page,
        snapshot.dataset.test,
        key=SENTENCE,
        wanted=lambda i: (
            len(snapshot.dataset.test[i].words) <= MOST_WORDS
            and set(spans[i]) != set(snapshot.dataset.test[i].spans)
        ),
        label="scores_next_error",
    )
    example = snapshot.dataset.test[number]
    n = len(example.words)
    if n > MOST_WORDS:
        st.warning(page.words.section("scores.too_long", n=n, most=MOST_WORDS))
        return None
    return Case(
        name="tagger",
        words=example.words,
        types=tuple(snapshot.dataset.classes),
        gold=encode(example.spans, n, scheme),
        predicted=said[number] if scheme == own_scheme else encode(spans[number], n, scheme),
        source=page.words.label("scores_source_tagger", title=title, n=number),
    )


def read_brackets(text: str) -> "tuple[tuple[str, ...], tuple[Span, ...]]":
    """Return the words and spans of a sentence with its entities in brackets.

    >>> read_brackets("[PER Jane] spoke")
    (('Jane', 'spoke'), (Span(start=0, end=1, type='PER'),))
    """
    from mlm_core.tagging.bio_tags import Span

    words: list[str] = []
    spans: list[Span] = []
    opened: tuple[str, int] | None = None
    for part in text.split():
        if part.startswith("["):
            opened = part[1:], len(words)
            continue
        words.append(part.rstrip("]"))
        if part.endswith("]") and opened is not None:
            spans.append(Span(start=opened[1], end=len(words), type=opened[0]))
            opened = None
    return tuple(words), tuple(spans)
