"""The sentences of one name side by side, as many types among them as there are."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.labelled.name_types import Mention, Name
from pages.parts.bio_tagging.types_mention import Asked, show_mention
from pages.shared.frame import Page
from pages.shared.show import keep
from pages.shared.table import Table

if TYPE_CHECKING:
    from mlm_core.finetuning.snapshot import FineTuneSnapshot
    from mlm_core.labelled.examples import Dataset

MOST = 6  # sentences


def show_sentences(
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
            rows.append(show_mention(page, _asked(name, mention, dataset, snapshot, first=i == 0)))
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
