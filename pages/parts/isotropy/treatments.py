"""Raw, dropped, z-scored: the same histogram, the same word pairs, the same neighbours."""

import re
from typing import Any

import streamlit as st

from mlm_core.embeddings.contextual import WordVectors
from mlm_core.embeddings.postprocessing import Postprocessing
from mlm_core.embeddings.senses_data import MarkedSentence
from mlm_core.embeddings.word_senses import cosines
from mlm_core.figures.charts import DotRow, dots_chart, histogram_chart, marked
from mlm_core.figures.theme import printable
from mlm_core.number_format import formatted
from pages.parts.isotropy import setting
from pages.shared.caches import cache_vectors
from pages.shared.course.words import as_text
from pages.shared.kit.part import Part, part

ALL = "all"  # histograms
LOW, HIGH = -0.5, 1.0  # of the histograms
LONGEST_LIST, MOST_PAIRS = 2_500, 10  # characters; lines
MARKED = re.compile(r"([^\[\]]*)\[([^\[\]]+)\]([^\[\]]*)")
N_NEIGHBOURS = 6
LONGEST = 90  # characters of a sentence


@part(
    code=(
        "embeddings.postprocessing:learn_from_corpus",
        "embeddings.postprocessing:standardize",
        "embeddings.postprocessing:drop_dimensions",
    )
)
def show(p: Part) -> None:
    """Show the three treatments over each other."""
    p.say("lead")
    view = setting.choose(p)
    setting.read_corpus(p, view.corpus)
    _histograms(p, view)
    st.divider()
    p.say("pairs.lead")
    uses = _pairs(p)
    if uses is not None:
        _draw_pairs(p, view, uses)
        st.divider()
        p.say("neighbours.lead")
        _neighbours(p, view, uses)


def _histograms(p: Part, view: setting.View) -> None:
    """Draw the random pairs' cosines under each treatment in one chart; say their means."""
    titles = setting.treatment_names(p, view.n_dropped)
    values, means, lines = {}, {}, []
    for name, title in titles.items():
        many, apart = cache_vectors.random_cosines(view.corpus, view.layer, name, view.n_dropped)
        values[name], means[name] = many.cosines.tolist(), many.mean
        spread = many.cosines.std().item()
        told: dict[str, Any] = {"mean": many.mean, "error": apart.standard_error, "spread": spread}
        lines.append(f"{title}: {p.label('histogram_source', **told)}")
    shown = p.choice("histograms", {ALL: p.label("histograms_all")} | titles)
    if shown == ALL:
        groups = {titles[name]: values[name] for name in titles}
    else:  # one name for whichever it is: then it moves to the next one's place
        groups = {p.plain("axis_cosine"): values[shown]}
    mark = p.plain("mark_mean")
    chart = histogram_chart(
        groups,
        low=LOW,
        high=HIGH,
        x_title=p.plain("axis_cosine"),
        y_title=p.plain("axis_pairs"),
        marks=[
            marked(f"{mark}, {titles[name]}", mean)
            for name, mean in means.items()
            if shown in (ALL, name)
        ],
    )
    told: dict[str, Any] = setting.source_of(p, view) | setting.by_treatment(means.values())
    p.figure("random_treatments", chart, lambda: values, source="source", **told)
    st.caption("  \n".join(lines))
    p.say("notice", **told)


# The same word pairs, the learner's own among them: pair i is at 2 i and 2 i + 1.


def _pairs(p: Part) -> WordVectors | None:
    """Show the list to edit; return the vectors of its words, if there are any."""
    text = st.text_area(
        p.label("pairs"),
        p.section("pairs.sample"),
        height=190,
        max_chars=LONGEST_LIST,
        key=p.key("pairs"),
        persist_state="session",
    )
    sentences = _read(p, (text or "")[:LONGEST_LIST])
    if not sentences:
        p.note("pairs.none", icon="edit")
        return None
    return setting.vectors_of(p, sentences)


def _read(p: Part, text: str) -> tuple[MarkedSentence, ...]:
    """Return the sentences of the good lines, two a pair; say what is wrong with the others."""
    found = []
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    for number, line in lines[:MOST_PAIRS]:
        read = [MARKED.fullmatch(half.strip()) for half in line.split("|")]
        halves = [half for half in read if half is not None and half[2].strip()]
        if not len(read) == len(halves) == 2:
            st.warning(p.section("pairs.bad", number=number, line=line.strip()[:60]))
            continue
        found += [_marked(half) for half in halves]
    if len(lines) > MOST_PAIRS:
        p.caption("pairs.many", most=MOST_PAIRS, n=len(lines))
    return tuple(found)


def _marked(match: "re.Match[str]") -> MarkedSentence:
    before, target, after = match.groups()
    start = len(before) + len(target) - len(target.lstrip())
    return MarkedSentence(
        text=before + target + after, start=start, end=start + len(target.strip())
    )


def _draw_pairs(p: Part, view: setting.View, uses: WordVectors) -> None:
    """Draw the pairs' cosines as three marks a row."""
    from torch.nn.functional import cosine_similarity

    corpus, vectors = cache_vectors.learned(view.corpus, view.layer), uses.at(view.layer)
    columns = {}
    for name in setting.POSTPROCESSINGS:
        postprocessed = corpus.postprocess(vectors, name, n_dropped=view.n_dropped)
        columns[name] = cosine_similarity(postprocessed[::2], postprocessed[1::2], dim=-1).tolist()
    first, second = uses.sentences[::2], uses.sentences[1::2]
    # Numbered, since words may come twice.
    pairs = [
        f"{number} {one.target} · {other.target}"
        for number, (one, other) in enumerate(zip(first, second, strict=True), 1)
    ]
    chart = dots_chart(
        [
            DotRow(name=pair, values=values)
            for pair, *values in zip(pairs, *columns.values(), strict=True)
        ],
        list(setting.treatment_names(p, view.n_dropped).values()),
        low=min(-0.4, *(min(column) for column in columns.values())),
        high=1.0,
        x_title=p.plain("axis_cosine"),
    )
    table = {
        "pair": pairs,
        "first": [sentence.text for sentence in first],
        "second": [sentence.text for sentence in second],
    }
    told: dict[str, Any] = setting.source_of(p, view) | {"n": len(pairs)}
    p.figure("pairs_drawing", chart, table | columns, source="source", **told)
    if len(pairs) > 1:
        spreads = (max(column) - min(column) for column in columns.values())
        p.say("pairs.spread", **setting.by_treatment(spreads))


# The words of the corpus that are nearest to one word.


def _neighbours(p: Part, view: setting.View, uses: WordVectors) -> None:
    """Let the learner choose a word of the pairs; list its neighbours three times."""
    options = {
        str(i): f"{sentence.target}: {printable(sentence.text, LONGEST)}"
        for i, sentence in enumerate(uses.sentences)
    }
    query = int(p.choice("query", options))
    found = {name: _nearest(view, uses, query, name) for name in setting.POSTPROCESSINGS}
    words = cache_vectors.corpus_words(view.corpus).words
    for (name, near), column in zip(found.items(), st.columns(3), strict=True):
        with column:
            st.markdown(f"**{p.label(f'treatment_{name}', k=view.n_dropped)}**")
            st.markdown(
                "\n".join(
                    f"1. **{as_text(words[i].target)}** {formatted(cosine, '.2f')}  \n"
                    f"   {as_text(printable(words[i].text, LONGEST))}"
                    for i, cosine in near
                )
            )
    p.numbers(
        "neighbours",
        [
            {
                "treatment": name,
                "rank": rank,
                "word": words[i].target,
                "sentence": words[i].text,
                "cosine": cosine,
            }
            for name, near in found.items()
            for rank, (i, cosine) in enumerate(near, 1)
        ],
        source="source",
        **setting.source_of(p, view),
    )
    raw, *others = ({i for i, _ in near} for near in found.values())
    dropped, z = (len(raw & other) for other in others)
    p.say("neighbours.notice", n=len(raw), dropped=dropped, z=z)


def _nearest(
    view: setting.View, uses: WordVectors, query: int, postprocessing: Postprocessing
) -> list[tuple[int, float]]:
    """Return the nearest words of other sentences: number and cosine."""
    corpus = cache_vectors.learned(view.corpus, view.layer)
    own, others = (
        corpus.postprocess(vectors, postprocessing, n_dropped=view.n_dropped)
        for vectors in (
            uses.at(view.layer)[query : query + 1],
            cache_vectors.corpus_states(view.corpus, view.layer),
        )
    )
    near = cosines(own, others)[0]
    sentence = uses.sentences[query].text
    words = cache_vectors.corpus_words(view.corpus).words
    order = [i for i in near.argsort(descending=True).tolist() if words[i].text != sentence]
    return [(i, near[i].item()) for i in order[:N_NEIGHBOURS]]
