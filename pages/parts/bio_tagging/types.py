"""Entity types with examples, and one name that has several of them: guess it from the sentence."""

from collections.abc import Container, Sequence
from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.labelled.name_types import (
    Name,
    ambiguous_names,
    count_right,
    examples_of,
    find_names,
    predicted_type,
)
from pages.parts.bio_tagging.types_sentences import show_sentences
from pages.shared import cache_finetuning, finetune_runs, inputs
from pages.shared.frame import Page
from pages.shared.parts import part
from pages.shared.source import show_source
from pages.shared.table import Table

if TYPE_CHECKING:
    from mlm_core.finetuning.snapshot import FineTuneSnapshot
    from mlm_core.labelled.examples import Dataset

DATA = ("entities", "own_tags")
N_EXAMPLES = 4  # of each type


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
    show_sentences(page, several[text], dataset, title, snapshot)
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
