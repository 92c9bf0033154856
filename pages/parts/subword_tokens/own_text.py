"""Train on the learner's own text: another corpus, another vocabulary."""

from functools import partial

import streamlit as st

from mlm_core.figures.text.tokens import cuts_html
from mlm_core.text.cutting import tokens_per_word
from mlm_core.text.tokens import ALGORITHMS
from pages.parts.subword_tokens import setting
from pages.shared.caches import cache_vocabularies
from pages.shared.kit.part import Part, part

LONGEST, FEWEST_WORDS = 20_000, 20  # characters that are taken; words below which nothing repeats


@part(code=("text.tokens:train_tokenizer",))
def show(p: Part) -> None:
    """Take a text, train all three on it, and cut the same sentence with both vocabularies."""
    now = setting.current(p)
    p.say("lead")
    corpus = st.text_area(
        p.label("own_text"),
        p.section("sample"),
        height=160,
        max_chars=LONGEST,
        key=p.key("own"),
        persist_state="session",
        help=p.section("help", longest=LONGEST),
    )
    corpus = (corpus or "").strip()
    n = len(corpus.split())
    if n < FEWEST_WORDS:
        p.note("too_short", icon="edit", n=n, fewest=FEWEST_WORDS)
        return
    if len(corpus) >= LONGEST:
        p.warn("cut", icon="content_cut", longest=LONGEST)
    if now.is_empty:
        p.note("empty", icon="edit")
        return
    with st.spinner(p.label("training", size=now.size)):
        own = setting.cut_by_all(now.text, now.size, corpus)
        rows = [(p.plain("row", name=name), cut) for name, cut, _ in own]
        rows += [(name, cut) for name, cut, _ in setting.cut_by_all(now.text, now.size)]
    p.figure(
        "own_cuts",
        partial(cuts_html, now.text, setting.labelled(rows)),
        lambda: setting.table_of(rows),
        alt="cuts_alt",
        source="source",
        n=n,
        n_words=cache_vocabularies.n_corpus_words(),
    )
    lines = []
    for name in ALGORITHMS:
        yours, ours = (
            cache_vocabularies.trained_tokenizer(name, now.size, text) for text in (corpus, None)
        )
        line = p.label(
            "rates",
            name=name,
            reached=yours.get_vocab_size(),
            own=tokens_per_word(yours, [now.text]),
            ours=tokens_per_word(ours, [now.text]),
        )
        lines.append(f"- {line}")
    st.markdown("\n".join(lines))
    p.say("notice")
