"""Train on the learner's own text: another corpus, another vocabulary."""

import streamlit as st

from mlm_core.figures.text.tokens import cuts_html
from mlm_core.number_format import formatted
from mlm_core.text.cutting import tokens_per_word
from mlm_core.text.tokens import ALGORITHMS, train_tokenizer
from pages.parts.subword_tokens import setting
from pages.shared.caches import cache_vocabularies
from pages.shared.figures.show import show_drawing
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source

LONGEST, FEWEST_WORDS = 20_000, 20  # characters that are taken; words below which nothing repeats


@part
def show(page: Page) -> None:
    """Take a text, train all three on it, and cut the same sentence with both vocabularies."""
    words, now = page.words, setting.current()
    st.markdown(words.section("own.lead"))
    corpus = st.text_area(
        words.label("own_text"),
        words.section("own.sample"),
        height=160,
        max_chars=LONGEST,
        key="subword_tokens_own",
        persist_state="session",
        help=words.section("own.help", longest=formatted(LONGEST, ",")),
    )
    corpus = (corpus or "").strip()
    n_words = len(corpus.split())
    if n_words < FEWEST_WORDS:
        st.info(
            words.section("own.too_short", n=n_words, fewest=FEWEST_WORDS), icon=":material/edit:"
        )
        return
    if len(corpus) >= LONGEST:
        st.warning(
            words.section("own.cut", longest=formatted(LONGEST, ",")), icon=":material/content_cut:"
        )
    if now.is_empty:
        setting.say_it_is_empty(page)
        return
    with st.spinner(words.label("training", size=formatted(now.size, ","))):
        rows = [
            (words.plain("own_row", name=name), tokenized)
            for name, tokenized, _ in setting.cut_by_all(now.text, now.size, corpus)
        ]
        rows += [(name, cut) for name, cut, _ in setting.cut_by_all(now.text, now.size)]
    show_drawing(
        cuts_html(now.text, setting.labelled(rows), alt=words.plain("cuts_alt")),
        key="subword_tokens_own_cuts",
        table=lambda: setting.table_of(rows),
        source=words.label(
            "own_source",
            n=formatted(n_words, ","),
            n_words=formatted(cache_vocabularies.n_corpus_words(), ","),
        ),
    )
    figures = []
    for name in ALGORITHMS:
        own = cache_vocabularies.trained_tokenizer(name, now.size, corpus)
        ours = cache_vocabularies.trained_tokenizer(name, now.size, None)
        figures.append(
            words.label(
                "own_rates",
                name=name,
                reached=formatted(own.get_vocab_size(), ","),
                own=formatted(tokens_per_word(own, [now.text]), ".2f"),
                ours=formatted(tokens_per_word(ours, [now.text]), ".2f"),
            )
        )
    st.markdown("\n".join(f"- {line}" for line in figures))
    st.markdown(words.section("own.notice"))
    show_source(train_tokenizer, key="subword_tokens_own_code")
