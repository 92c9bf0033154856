"""The same word pairs under each treatment, the learner's own among them."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.embeddings.senses_data import MarkedSentence
from mlm_core.figures.charts import DotRow, dots_chart
from mlm_core.number_format import formatted
from pages.parts.isotropy import setting
from pages.shared.caches import cache_vectors
from pages.shared.figures.show import show_chart
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page

if TYPE_CHECKING:
    from mlm_core.embeddings.contextual import WordVectors

LONGEST_LIST, MOST_PAIRS = 2_500, 10  # characters; lines
MARKED = re.compile(r"([^\[\]]*)\[([^\[\]]+)\]([^\[\]]*)")


@dataclass(frozen=True, kw_only=True)
class Pairs:
    """The pairs of words that were written, and their vectors: of pair i at 2 i and 2 i + 1."""

    uses: "WordVectors"

    @property
    def names(self) -> list[str]:
        """Return each pair's two words, numbered, since words may come twice."""
        targets = [sentence.target for sentence in self.uses.sentences]
        both = zip(targets[::2], targets[1::2], strict=True)
        return [f"{number} {first} · {second}" for number, (first, second) in enumerate(both, 1)]


def show_pairs(page: Page, view: setting.View) -> Pairs | None:
    """Show the list to edit and the pairs' cosines; return the pairs, if there are any."""
    words = page.words
    st.markdown(words.section("pairs.lead"))
    text = st.text_area(
        words.label("pairs"),
        words.section("pairs.sample"),
        height=190,
        max_chars=LONGEST_LIST,
        key="isotropy_pairs",
        persist_state="session",
    )
    sentences = _read(page, (text or "")[:LONGEST_LIST])
    if not sentences:
        st.info(words.section("pairs.none"), icon=":material/edit:")
        return None
    uses = setting.vectors_of(page, sentences)
    if uses is None:
        return None
    pairs = Pairs(uses=uses)
    _draw(page, view, pairs)
    return pairs


def _read(page: Page, text: str) -> tuple[MarkedSentence, ...]:
    """Return the sentences of the good lines, two a pair; say what is wrong with the others."""
    words, found = page.words, []
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    for number, line in lines[:MOST_PAIRS]:
        halves = [MARKED.fullmatch(half.strip()) for half in line.split("|")]
        is_pair = len(halves) == 2 and all(half is not None and half[2].strip() for half in halves)
        if not is_pair:
            st.warning(words.section("pairs.bad", number=number, line=line.strip()[:60]))
            continue
        found += [_marked(half) for half in halves]
    if len(lines) > MOST_PAIRS:
        st.caption(words.section("pairs.many", most=MOST_PAIRS, n=len(lines)))
    return tuple(found)


def _marked(match: "re.Match[str]") -> MarkedSentence:
    before, target, after = match.groups()
    start = len(before) + len(target) - len(target.lstrip())
    return MarkedSentence(
        text=before + target + after, start=start, end=start + len(target.strip())
    )


def _draw(page: Page, view: setting.View, pairs: Pairs) -> None:
    """Draw the pairs' cosines as three marks a row."""
    from torch.nn.functional import cosine_similarity

    words = page.words
    corpus = cache_vectors.learned(view.corpus, view.layer)
    vectors = pairs.uses.at(view.layer)
    columns = []
    for postprocessing in setting.POSTPROCESSINGS:
        postprocessed = corpus.postprocess(vectors, postprocessing, n_dropped=view.n_dropped)
        columns.append(cosine_similarity(postprocessed[::2], postprocessed[1::2], dim=-1).tolist())
    rows = [
        DotRow(name=name, values=values)
        for name, *values in zip(pairs.names, *columns, strict=True)
    ]
    titles = setting.postprocessing_names(page, view.n_dropped)
    texts = [sentence.text for sentence in pairs.uses.sentences]
    show_chart(
        dots_chart(
            rows,
            list(titles.values()),
            low=min(-0.4, *(min(column) for column in columns)),
            high=1.0,
            x_title=words.plain("axis_cosine"),
        ),
        key="isotropy_pairs_drawing",
        alt=words.plain("pairs_alt", n=len(rows)),
        table=Table(
            {
                "pair": pairs.names,
                "first": texts[::2],
                "second": texts[1::2],
                **dict(zip(setting.POSTPROCESSINGS, columns, strict=True)),
            }
        ),
        source=setting.source(page, view),
    )
    widths = [max(column) - min(column) for column in columns]
    if len(rows) > 1:
        told = zip(("raw", "dropped", "z"), widths, strict=True)
        st.markdown(
            words.section("pairs.spread", **{name: formatted(width, ".2f") for name, width in told})
        )
