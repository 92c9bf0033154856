"""From chances to tags: what a tagger says at each piece, and the tags that decoders read off."""

import time
from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.bars import bars_svg
from mlm_core.figures.tagging.tag_distribution import distribution_svg
from mlm_core.number_format import formatted
from pages.parts.bio_tagging.distribution_equations import PIECE, show_equations
from pages.parts.bio_tagging.distribution_paths import show_paths
from pages.parts.bio_tagging.distribution_sentence import Sentence, choose_sentence
from pages.parts.bio_tagging.distribution_viterbi import show_viterbi
from pages.shared.caches import cache_finetuning
from pages.shared.figures.show import show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs
from pages.shared.training import finetune_runs

if TYPE_CHECKING:
    from mlm_core.finetuning.decoding_comparison import DecodingScore
    from mlm_core.finetuning.settings import FineTuneSettings
    from mlm_core.finetuning.snapshot import FineTuneSnapshot
    from mlm_core.shapes import Tensor
    from mlm_core.text.tokens import TokenizedText

COMBINATION = "bio_tagging_combination"
MOST_PIECES = 30  # with numbers below; a longer sentence's drawings are large already
DECODERS = {"greedy": "greedy", "viterbi": "Viterbi"}


@part
def show(page: Page) -> None:
    """Ask a tagger about a sentence, draw its distributions, and decode them both ways."""
    from mlm_core.finetuning.decoding_comparison import decode_words
    from mlm_core.tagging.alignment import COMBINATIONS, combine_subwords
    from mlm_core.tagging.decoding import greedy, viterbi

    words = page.words
    st.markdown(words.section("distribution.lead", most=MOST_PIECES))
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
    text, word_of_subword, said = cache_finetuning.piece_probabilities(snapshot, sentence.words)
    inputs.say_what_was_left_out(text)
    reading = cache_finetuning.reading_of(snapshot)
    source = words.label("distribution_source", title=title, model=snapshot.settings.model)
    _show_pieces(page, snapshot, text, word_of_subword, said, source)
    combination = inputs.choice(words.label("combination"), names, key=COMBINATION)
    st.markdown(words.section(f"distribution.{combination}"))
    _say_untrained(page, snapshot.settings, combination)
    decoding = decode_words(said, word_of_subword, reading, combination)
    read = Sentence(words=sentence.words[: len(decoding.greedy_tags)], gold=sentence.gold)
    source = f"{source} · {names[combination]}"
    show_paths(page, read, decoding, snapshot.settings.scheme, snapshot.dataset.classes, source)
    show_viterbi(page, read, decoding)
    _show_counts(page, snapshot, title)
    st.markdown(words.section("distribution.notice"))
    show_source(combine_subwords, greedy, viterbi, key="bio_tagging_distribution_code")


def _show_pieces(
    page: Page,
    snapshot: "FineTuneSnapshot",
    text: "TokenizedText",
    word_of_subword: tuple[int | None, ...],
    predicted: "Tensor",
    source: str,
) -> None:
    """Draw all pieces' distributions, and write one of them out."""
    tags = cache_finetuning.reading_of(snapshot).classes
    places = [i for i, word in enumerate(word_of_subword) if word is not None]
    if len(places) > MOST_PIECES:
        _draw_pieces(page, text, word_of_subword, predicted, tags, None, source)
        return
    drawn, pieces = st.container(), [text.tokens[i].text for i in places]
    # At first a piece that is no O, if there is one: its numbers have more to tell.
    is_name = (predicted[places].argmax(dim=1) != tags.index("O")).tolist()
    default = is_name.index(True) if True in is_name else 0
    chosen = inputs.position(page.words.label("piece"), pieces, key=PIECE, default=default)
    with drawn:
        _draw_pieces(page, text, word_of_subword, predicted, tags, chosen, source)
    show_equations(page, snapshot, text, places[chosen], source)


def _draw_pieces(
    page: Page,
    text: "TokenizedText",
    word_of_subword: tuple[int | None, ...],
    predicted: "Tensor",
    tags: tuple[str, ...],
    chosen: int | None,
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
            chosen=chosen,
            clickable=chosen is not None,
            alt=words.plain("pieces_alt", n=len(places), tags=len(tags)),
        ),
        key="bio_tagging_pieces_chances",
        table=lambda: Table(
            [[name, *row] for name, row in zip(names, probabilities, strict=True)],
            columns=["piece", *tags],
        ),
        source=source,
        on_click=None if chosen is None else lambda value: inputs.choose(PIECE, value),
    )


def _say_untrained(page: Page, settings: "FineTuneSettings", combination: str) -> None:
    if combination != "first" and settings.labelling == "first_only":
        st.markdown(page.words.section("distribution.untrained"))


# The whole test part: how often greedy breaks a rule, and what each way to decode scores.


def _show_counts(page: Page, snapshot: "FineTuneSnapshot", title: str) -> None:
    """Decode every test sentence in six ways and compare."""
    words = page.words
    st.markdown(f"#### {words.label('counts')}")
    scores = _scores(page, snapshot)
    by_name = {(score.combination, score.decoder): score for score in scores}
    plain, legal = by_name["first", "greedy"], by_name["first", "viterbi"]
    n = len(snapshot.dataset.test)
    show_drawing(
        bars_svg(
            [f"{score.combination}, {DECODERS[score.decoder]}" for score in scores],
            [score.f1 for score in scores],
            longest=1.0,
            alt=words.plain(
                "counts_alt", greedy=formatted(plain.f1, ".3f"), viterbi=formatted(legal.f1, ".3f")
            ),
        ),
        key="bio_tagging_counts",
        table=Table(
            [
                {
                    "pieces": score.combination,
                    "decoder": score.decoder,
                    "sentences_with_a_broken_rule": score.n_broken,
                    "f1_conlleval": score.f1,
                    "f1_strict": score.strict_f1,
                }
                for score in scores
            ]
        ),
        source=words.label("counts_source", title=title, n=n),
    )
    st.markdown(
        words.section(
            "distribution.counted",
            n=n,
            **{
                f"broken_{name}": by_name[name, "greedy"].n_broken
                for name in ("first", "mean", "product")
            },
            share=formatted(100 * plain.n_broken / n, ".0f"),
            greedy=formatted(plain.f1, ".3f"),
            viterbi=formatted(legal.f1, ".3f"),
            strict=formatted(plain.strict_f1, ".3f"),
        )
    )
    verdict = "better" if legal.f1 > plain.f1 else "worse" if legal.f1 < plain.f1 else "alike"
    st.markdown(words.section(f"distribution.viterbi_{verdict}"))


def _scores(page: Page, snapshot: "FineTuneSnapshot") -> "tuple[DecodingScore, ...]":
    """Return the scores; tell how far it is where that takes longer than a moment."""
    n, begun = cache_finetuning.n_parts(snapshot), time.monotonic()
    bar = None
    for number in range(n):
        cache_finetuning.decoded_part(snapshot, number)
        seconds = time.monotonic() - begun
        if seconds < 0.5 and bar is None:
            continue
        left = round(seconds / (number + 1) * (n - number - 1))
        label = page.words.label("counting", left=left)
        if bar is None:
            bar = st.progress(0.0, label)
        bar.progress((number + 1) / n, label)
    scores = cache_finetuning.decoding_scores(snapshot)
    if bar is not None:
        bar.empty()
    return scores
