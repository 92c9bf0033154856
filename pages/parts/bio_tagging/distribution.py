"""From chances to tags: what a tagger says at each piece, and the tags that decoders read off."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.tagging.tag_distribution import distribution_svg
from pages.parts.bio_tagging.distribution_counts import show_counts
from pages.parts.bio_tagging.distribution_paths import show_paths
from pages.parts.bio_tagging.distribution_sentence import Sentence, choose_sentence
from pages.parts.bio_tagging.distribution_viterbi import show_viterbi
from pages.shared import cache_tagging, finetune_runs, inputs
from pages.shared.frame import Page
from pages.shared.parts import part
from pages.shared.show import show_drawing
from pages.shared.source import show_source
from pages.shared.table import Table

if TYPE_CHECKING:
    from mlm_core.finetuning.settings import FineTuneSettings
    from mlm_core.shapes import Tensor
    from mlm_core.text.tokens import TokenizedText

COMBINATION = "bio_tagging_combination"


@part
def show(page: Page) -> None:
    """Ask a tagger about a sentence, draw its distributions, and decode them both ways."""
    from mlm_core.finetuning.decoding_comparison import decode_words
    from mlm_core.tagging.alignment import COMBINATIONS, combine_subwords
    from mlm_core.tagging.decoding import greedy, viterbi

    words = page.words
    st.markdown(words.section("distribution.lead"))
    chosen = finetune_runs.choose(page, ("entities", "own_tags"))
    if chosen is None:
        return
    title, snapshot = chosen
    if snapshot.predictions is None or snapshot.dataset is None:
        st.info(words.section("no_predictions"), icon=":material/hourglass:")
        return
    names = {name: words.label(f"combination_{name}") for name in COMBINATIONS}
    sentence = choose_sentence(page, snapshot, st.session_state.get(COMBINATION) or "first")
    if sentence is None:
        return
    settings = snapshot.settings
    text, word_of_subword, said = cache_tagging.piece_probabilities(snapshot, sentence.words)
    inputs.say_what_was_left_out(text)
    reading = cache_tagging.reading_of(snapshot)
    source = words.label("distribution_source", title=title, model=settings.model)
    _draw_pieces(page, text, word_of_subword, said, reading.classes, source)
    combination = inputs.choice(words.label("combination"), names, key=COMBINATION)
    st.markdown(words.section(f"distribution.{combination}"))
    _say_untrained(page, settings, combination)
    decoding = decode_words(said, word_of_subword, reading, combination)
    n_read = len(decoding.greedy_tags)
    read = Sentence(words=sentence.words[:n_read], gold=sentence.gold)
    source = f"{source} · {names[combination]}"
    show_paths(page, read, decoding, settings.scheme, snapshot.dataset.classes, source)
    show_viterbi(page, read, decoding)
    show_counts(page, snapshot, title)
    st.markdown(words.section("distribution.notice"))
    show_source(combine_subwords, greedy, viterbi, key="bio_tagging_distribution_code")


def _draw_pieces(
    page: Page,
    text: "TokenizedText",
    word_of_subword: tuple[int | None, ...],
    predicted: "Tensor",
    tags: tuple[str, ...],
    source: str,
) -> None:
    """Draw a column for each piece of a word; [CLS] and [SEP] have no tag."""
    words = page.words
    places = [i for i, word in enumerate(word_of_subword) if word is not None]
    probabilities = predicted[places].exp().tolist()
    names = [text.tokens[i].text for i in places]
    st.markdown(words.section("distribution.pieces", pieces=len(places), tags=len(tags)))
    show_drawing(
        distribution_svg(
            probabilities,
            tags,
            names,
            word_of_column=[word_of_subword[i] for i in places],
            alt=words.plain("pieces_alt", n=len(places), tags=len(tags)),
        ),
        key="bio_tagging_pieces_chances",
        table=lambda: Table(
            [[name, *row] for name, row in zip(names, probabilities, strict=True)],
            columns=["piece", *tags],
        ),
        source=source,
    )


def _say_untrained(page: Page, settings: "FineTuneSettings", combination: str) -> None:
    if combination != "first" and settings.labelling == "first_only":
        st.markdown(page.words.section("distribution.untrained"))
