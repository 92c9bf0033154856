"""Words have tags, the model reads pieces: three rules for the labels of a word's pieces."""

import streamlit as st

from mlm_core.figures.tagging.entity_spans import entity_sentence, entity_text
from mlm_core.figures.tagging.subword_tags import DrawnSubword, DrawnWord, subword_tags_html
from mlm_core.tagging.alignment import LABELLINGS, Labelling, subword_tags
from mlm_core.tagging.bio_tags import SCHEMES, Scheme, decode, encode
from pages.parts.bio_tagging import setting
from pages.parts.bio_tagging.setting import Marked
from pages.shared.caches import cache
from pages.shared.figures.show import show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs

SCHEME, RULE = "bio_tagging_pieces_scheme", "bio_tagging_pieces_rule"
Tags = tuple[str | None, ...]


@part
def show(page: Page) -> None:
    """Drop the labels of the marked sentence onto its pieces, and read them back as tags."""
    words = page.words
    st.markdown(words.section("pieces.lead"))
    marked = setting.current(page)
    if not marked.words:
        st.info(words.section("schemes.no_text"), icon=":material/edit:")
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        scheme: Scheme = inputs.choice(
            words.label("pieces_scheme"),
            {name: name for name in SCHEMES},
            key=SCHEME,
            default="BIO",
        )
        rule: Labelling = inputs.choice(
            words.label("pieces_rule"),
            {name: words.label(f"pieces_{name}") for name in LABELLINGS},
            key=RULE,
        )
    texts, word_of_subword = _pieces_of(page, marked)
    kept = max((word for word in word_of_subword if word is not None), default=-1) + 1
    if kept < len(marked.words):
        st.warning(
            words.section("pieces.cut", n=len(marked.words), kept=kept),
            icon=":material/content_cut:",
        )
    tags = encode(marked.spans, len(marked.words), scheme)
    labels = {name: subword_tags(tags, word_of_subword, scheme, name) for name in LABELLINGS}
    _draw(page, marked, texts, word_of_subword, tags, labels, scheme, rule)
    st.markdown(words.section(f"pieces.{rule}", **_numbers(tags, word_of_subword, labels[rule])))
    _show_back(page, marked, texts, word_of_subword, labels[rule], scheme, rule)
    show_source(subword_tags, key="bio_tagging_pieces_code")


def _pieces_of(page: Page, marked: Marked) -> tuple[list[str], tuple[int | None, ...]]:
    """Return the sentence's pieces, and the word of each; None for [CLS] and [SEP]."""
    from mlm_core.finetuning.encoded_examples import Reading

    window = cache.model(page.model_name).max_tokens
    tokenizer = cache.model_tokenizer(page.model_name)
    reading = Reading(tokenizer=tokenizer, max_tokens=window, classes=())
    text, word_of_subword = reading.read_words(marked.words)
    return text.texts, word_of_subword


def _draw(
    page: Page,
    marked: Marked,
    texts: list[str],
    word_of_subword: tuple[int | None, ...],
    tags: tuple[str, ...],
    labels: dict[str, Tags],
    scheme: Scheme,
    rule: Labelling,
) -> None:
    words = page.words
    positions: list[list[int]] = []
    for i, word in enumerate(word_of_subword):
        if word is None or i == 0 or word_of_subword[i - 1] != word:
            positions.append([])
        positions[-1].append(i)
    drawn = []
    for group in positions:
        word = word_of_subword[group[0]]
        subwords = tuple(DrawnSubword(text=texts[i], tag=labels[rule][i]) for i in group)
        name, tag = (None, "") if word is None else (marked.words[word], tags[word])
        drawn.append(DrawnWord(word=name, tag=tag, subwords=subwords))
    shown_words = [None if word is None else marked.words[word] for word in word_of_subword]
    shown_tags = [None if word is None else tags[word] for word in word_of_subword]
    columns = {name: [tag or "−100" for tag in of_subwords] for name, of_subwords in labels.items()}
    n_words = len(drawn) - word_of_subword.count(None)
    rule_name = words.plain(f"pieces_{rule}")
    show_drawing(
        subword_tags_html(
            drawn,
            types=marked.types,
            alt=words.plain("pieces_drop_alt", n=n_words, m=len(texts), rule=rule_name),
        ),
        key="bio_tagging_pieces",
        table=Table({"piece": texts, "word": shown_words, "tag": shown_tags, **columns}),
        source=words.label("pieces_source", model=page.model_name, scheme=scheme, rule=rule_name),
    )
    st.caption(words.section("pieces.lines"))


def _numbers(
    tags: tuple[str, ...], word_of_subword: tuple[int | None, ...], labels: Tags
) -> dict[str, int]:
    """Return the numbers that the sentence about a rule names."""
    pairs = zip(labels, word_of_subword, strict=True)
    inside = [(tag, word) for tag, word in pairs if word is not None]
    return {
        "n_words": len({word for _, word in inside}),
        "n_pieces": len(inside),
        "n_labels": sum(tag is not None for tag, _ in inside),
        "n_changed": sum(tag is not None and tag != tags[word] for tag, word in inside),
        "n_ignored": sum(tag is None for tag, _ in inside),
    }


# What the pieces' labels say when they are read as tags: as many names as were marked, or more.


def _show_back(
    page: Page,
    marked: Marked,
    texts: list[str],
    word_of_subword: tuple[int | None, ...],
    labels: tuple[str | None, ...],
    scheme: Scheme,
    rule: Labelling,
) -> None:
    """Draw the spans that the labels stand for, over the pieces that have one."""
    words = page.words
    counted = [i for i, tag in enumerate(labels) if tag is not None]
    tags = [labels[i] for i in counted]
    pieces = [texts[i] for i in counted]
    rule_name = words.plain(f"pieces_{rule}")
    back = decode(tags, scheme, "conlleval")
    st.markdown(words.section("pieces.back"))
    show_drawing(
        entity_sentence(
            pieces,
            back,
            alt=words.plain("pieces_back_alt", text=entity_text(pieces, back)),
            types=marked.types,
        ),
        key="bio_tagging_pieces_back",
        table=Table({"piece": pieces, "label": tags}),
        source=words.label("pieces_back_source", scheme=scheme, rule=rule_name),
    )
    there = max((word for word in word_of_subword if word is not None), default=-1) + 1
    inside = [span for span in marked.spans if span.start < there]
    of_words = [
        (word_of_subword[counted[s.start]], word_of_subword[counted[s.end - 1]] + 1, s.type)
        for s in back
    ]
    same = of_words == [(s.start, min(s.end, there), s.type) for s in inside]
    values = {"n": len(inside), "m": len(back), "scheme": scheme, "rule": rule_name}
    if same:
        st.markdown(words.section("pieces.back_same", **values))
    elif len(back) < len(inside):
        st.markdown(words.section("pieces.back_fewer", **values))
    else:
        st.markdown(words.section("pieces.back_more", **values))
