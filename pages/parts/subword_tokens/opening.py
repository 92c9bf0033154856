"""The opening: one sentence cut four ways, over the same characters."""

import streamlit as st

from mlm_core.figures.text.tokens import cuts_html
from mlm_core.number_format import formatted
from mlm_core.text.subword_trainers import learn_vocabulary
from mlm_core.text.tokens import tokenize, train_tokenizer
from pages.parts.subword_tokens import setting
from pages.shared.caches import cache, cache_vocabularies
from pages.shared.figures.show import show_drawing
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs


@part
def show(page: Page) -> None:
    """Show the cuts of all three trained tokenizers and of the chosen model's own."""
    words, now = page.words, setting.current()
    if now.is_empty:
        setting.say_it_is_empty(page)
        return
    with st.spinner(words.label("training", size=formatted(now.size, ","))):
        trained = setting.cut_by_all(now.text, now.size)
    own = tokenize(cache.model_tokenizer(page.model_name), now.text)
    rows = [(name, tokenized) for name, tokenized, _ in trained]
    rows.append((setting.short(page.model_name), own))
    inputs.say_what_was_left_out(own)
    show_drawing(
        cuts_html(now.text, setting.labelled(rows), alt=_alt(page, rows)),
        key="subword_tokens_cuts",
        table=lambda: setting.table_of(rows),
        source=words.label(
            "cuts_source",
            n_words=formatted(cache_vocabularies.n_corpus_words(), ","),
            sizes=", ".join(f"{name} {formatted(size, ',')}" for name, _, size in trained),
            model=page.model_name,
            model_size=formatted(cache.model_tokenizer(page.model_name).get_vocab_size(), ","),
        ),
    )
    st.markdown(words.section("opening.notice"))
    show_source(train_tokenizer, learn_vocabulary, key="subword_tokens_opening_code")


def _alt(page: Page, rows: list) -> str:
    cuts = "; ".join(
        f"{name}: {' '.join(t.text for t in tokenized.tokens if t.word is not None)}"
        for name, tokenized in rows
    )
    return page.words.plain("cuts_alt") + " " + cuts
