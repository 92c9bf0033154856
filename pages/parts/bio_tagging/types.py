"""Entity types with examples, and one name that has several of them: guess it from the sentence."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.tagging.entity_spans import HIDDEN_TYPE, entity_sentence, entity_text
from mlm_core.labelled.name_types import (
    Mention,
    Name,
    ambiguous_names,
    count_right,
    examples_of,
    find_names,
    overlaps,
    predicted_type,
)
from mlm_core.tagging.bio_tags import Scheme, Span, decode
from pages.shared.caches import cache_finetuning
from pages.shared.figures.clickable import drawing
from pages.shared.figures.show import keep
from pages.shared.figures.table import Table
from pages.shared.frame.guess import ask_for_guess
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs
from pages.shared.training import finetune_runs

if TYPE_CHECKING:
    from mlm_core.finetuning.snapshot import FineTuneSnapshot
    from mlm_core.labelled.examples import Dataset, TaggedSentence

DATA = ("entities", "own_tags")
N_EXAMPLES = 4  # of each type
MOST = 6  # sentences


@part
def show(page: Page) -> None:
    """List the types; then one name's sentences, each with a guess before its type."""
    words = page.words
    st.markdown(words.section("types.lead"))
    chosen = finetune_runs.choose(page, DATA, with_weights=False, key="types_run")
    title, snapshot = chosen if chosen is not None else ("", None)
    dataset = snapshot.dataset if snapshot is not None else None
    if dataset is None:
        dataset = cache_finetuning.dataset("entities")
    sentences = (*dataset.train, *dataset.test)
    names = find_names(sentences)
    _list_types(page, dataset, names)
    several = {name.text: name for name in ambiguous_names(names)}
    if not several:
        st.info(words.section("types.none"), icon=":material/info:")
        return
    shown = {text: f"{text} ({', '.join(name.types)})" for text, name in several.items()}
    text = inputs.listed(
        words.label("types_name", n=len(several)), shown, key="bio_tagging_types_name"
    )
    _show_sentences(page, several[text], dataset, title, snapshot)
    if snapshot is not None and snapshot.predictions is not None:
        _count(page, dataset, several.keys(), title, snapshot)
    st.markdown(words.section("types.notice"))
    show_source(ambiguous_names, predicted_type, key="bio_tagging_types_code")


def _list_types(page: Page, dataset: "Dataset", names: Sequence[Name]) -> None:
    words = page.words
    known = {type_: words.plain(f"types_{type_}") for type_ in ("PER", "ORG", "LOC", "GPE")}
    examples = [", ".join(examples_of(names, t, N_EXAMPLES)) for t in dataset.classes]
    Table(
        {
            words.plain("types_column_type"): dataset.classes,
            words.plain("types_column_meaning"): [known.get(t, "") for t in dataset.classes],
            words.plain("types_column_examples"): examples,
        }
    ).show()


def _count(
    page: Page,
    dataset: "Dataset",
    several: Container[str],
    title: str,
    snapshot: "FineTuneSnapshot",
) -> None:
    """Count over the test part how often the tagger is right on such names, and on others."""
    said, scheme = snapshot.predictions.predicted, snapshot.settings.scheme
    mentions = {True: [], False: []}
    for name in find_names(dataset.test):
        mentions[name.text in several].extend(name.mentions)
    with_several, with_one = (count_right(mentions[k], said, scheme) for k in (True, False))
    values = {"n": with_several.n, "right": with_several.n_right}
    others = {"m": with_one.n, "right_others": with_one.n_right}
    st.markdown(page.words.section("types.count", tagger=title, **values, **others))


# One sentence in which a name stands: the guess, then the type that it has there.


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What is asked of one sentence."""

    name: str
    sentence: "TaggedSentence"
    span: Span
    types: Sequence[str]
    key: str
    is_given: bool  # shown with its type at once
    is_test: bool
    predicted: Sequence[str] | None  # the tagger's tags; None where it was not tested or has none
    scheme: Scheme


def _show_mention(page: Page, asked: Asked) -> dict[str, str]:
    """Show the sentence with the name framed; after the guess, all its entities.

    Returns what is shown as a row of the table that stands for all sentences.
    """
    words = page.words
    guess_key = f"{asked.key}_guess"
    guess = asked.span.type if asked.is_given else st.session_state.get(guess_key)
    hidden = Span(start=asked.span.start, end=asked.span.end, type=HIDDEN_TYPE)
    spans = (hidden,) if guess is None else asked.sentence.spans
    mark = {} if asked.is_given else {asked.span: "✓" if guess == asked.span.type else "✗"}
    _draw(page, asked, spans, key=asked.key, marks=mark)
    part = words.plain("types_test" if asked.is_test else "types_train")
    row = {"sentence": entity_text(asked.sentence.words, spans), "part": part}
    if asked.is_given:
        st.markdown(words.section("types.given", name=asked.name, type=asked.span.type, part=part))
    else:
        types = dict(zip(asked.types, asked.types, strict=True))
        guess = ask_for_guess(page, "types", types, key=guess_key, is_told=False, name=asked.name)
        if guess is None:
            return row
        values = {"name": asked.name, "type": asked.span.type, "guess": guess, "part": part}
        right = guess == asked.span.type
        st.markdown(words.section("types.right" if right else "types.wrong", **values))
    return row | _show_tagger(page, asked)


def _draw(
    page: Page,
    asked: Asked,
    spans: Sequence[Span],
    *,
    key: str,
    marks: Mapping[Span, str] | None = None,
) -> None:
    words = asked.sentence.words
    alt = page.words.plain("types_alt", text=entity_text(words, spans))
    html = entity_sentence(words, spans, alt=alt, marks=marks, types=asked.types)
    drawing(html, key=key)


def _show_tagger(page: Page, asked: Asked) -> dict[str, str]:
    """Say what the tagger makes of the name; where it is wrong, draw all that it found."""
    words = page.words
    if asked.predicted is None:
        if not asked.is_test:
            st.caption(words.section("types.learnt"))
        return {}
    said = predicted_type(asked.predicted, asked.span, asked.scheme)
    part = overlaps(asked.predicted, asked.span, asked.scheme)
    if said is not None:
        how = "right" if said == asked.span.type else "other"
    else:
        how = "part" if part else "none"
    st.markdown(words.section(f"types.tagger_{how}", said=said or ", ".join(part)))
    found = decode(asked.predicted, asked.scheme, "conlleval")
    if how != "right":
        _draw(page, asked, found, key=f"{asked.key}_said")
    return {"tagger": entity_text(asked.sentence.words, found)}


# The sentences of one name side by side, as many types among them as there are.


def _show_sentences(
    page: Page,
    name: Name,
    dataset: "Dataset",
    title: str,
    snapshot: "FineTuneSnapshot | None",
) -> None:
    """Show the first sentence with the name's type, the others to guess."""
    words, rows, columns = page.words, [], []
    st.markdown(words.section("types.ask", name=name.text, n=len(name.mentions)))
    for i, mention in enumerate(_in_turn(name, len(dataset.train))[:MOST]):
        if i % 2 == 0:
            columns = st.columns(2, gap="medium")  # row by row, so that a phone keeps the order
        with columns[i % 2], st.container(border=True):
            rows.append(_show_mention(page, _asked(name, mention, dataset, snapshot, first=i == 0)))
    if len(name.mentions) > MOST:
        st.caption(words.section("types.more", shown=MOST, n=len(name.mentions)))
    tagger = title or words.plain("types_no_tagger")
    keep(
        "bio_tagging_types",
        table=Table(rows),
        source=words.label("types_source", n=len(rows), name=name.text, tagger=tagger),
    )


def _in_turn(name: Name, n_train: int) -> list[Mention]:
    """Return the mentions, type by type in turn; of a type, those of the test part first.

    So the first few have as many types as there are, and the tagger has something to say.
    """
    ranked = []
    for type_ in name.types:
        of_type = [mention for mention in name.mentions if mention.span.type == type_]
        of_type.sort(key=lambda mention: mention.sentence < n_train)
        ranked += enumerate(of_type)
    return [mention for _, mention in sorted(ranked, key=lambda pair: pair[0])]


def _asked(
    name: Name,
    mention: Mention,
    dataset: "Dataset",
    snapshot: "FineTuneSnapshot | None",
    *,
    first: bool,
) -> Asked:
    n_train = len(dataset.train)
    is_test, said = mention.sentence >= n_train, None
    if is_test and snapshot is not None and snapshot.predictions is not None:
        said = snapshot.predictions.predicted[mention.sentence - n_train]
    return Asked(
        name=name.text,
        sentence=(*dataset.train, *dataset.test)[mention.sentence],
        span=mention.span,
        types=dataset.classes,
        key=f"bio_tagging_types_{mention.sentence}_{mention.span.start}",
        is_given=first,
        is_test=is_test,
        predicted=said,
        scheme="BIO" if snapshot is None else snapshot.settings.scheme,
    )
