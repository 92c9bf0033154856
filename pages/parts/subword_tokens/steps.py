"""The cut of one word, step by step: a drawing for each algorithm."""

import streamlit as st

from mlm_core.figures.text.cutting import attempts_svg, merges_svg, segmentations_svg
from mlm_core.figures.theme import significant
from mlm_core.number_format import formatted
from mlm_core.text import cutting
from pages.shared.caches import cache_vocabularies
from pages.shared.figures.show import show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.source import show_source

N_CUTS = 6  # candidates of Unigram that are shown


def wordpiece(page: Page, word: str, size: int) -> None:
    """Show every piece that WordPiece looks up, and its cut."""
    words = page.words
    vocabulary = cache_vocabularies.trained_tokenizer("WordPiece", size, None).get_vocab()
    attempts = cutting.wordpiece_attempts(word, vocabulary)
    show_drawing(
        attempts_svg(
            word,
            attempts,
            found=words.plain("attempt_found"),
            alt=words.plain("attempts_alt", n=len(attempts)),
        ),
        key="subword_tokens_attempts",
        table=Table(
            [
                {"piece": a.subword, "start": a.start, "stop": a.stop, "found": a.found}
                for a in attempts
            ]
        ),
        source=words.label("steps_source", algorithm="WordPiece", size=formatted(size, ",")),
    )
    is_unknown = not attempts[-1].found
    pieces = ["[UNK]"] if is_unknown else [a.subword for a in attempts if a.found]
    name = "algorithms.wordpiece_unknown" if is_unknown else "algorithms.result"
    letter = word[attempts[-1].start] if is_unknown else ""
    st.markdown(
        words.section(name, word=word, pieces=" ".join(pieces), n=len(attempts), letter=letter)
    )
    show_source(cutting.wordpiece_attempts, key="subword_tokens_wordpiece_code")


def bpe(page: Page, word: str, size: int) -> None:
    """Show the word after each merge that BPE replays."""
    words = page.words
    tokenizer = cache_vocabularies.trained_tokenizer("BPE", size, None)
    steps = cutting.bpe_steps(word, cutting.merges_of(tokenizer), tokenizer.get_vocab())
    show_drawing(
        merges_svg(steps, rank=words.plain("merge_no"), alt=words.plain("steps_alt", n=len(steps))),
        key="subword_tokens_merges",
        table=Table(
            {
                "pieces": [" ".join(step.subwords) for step in steps],
                "merged": [" + ".join(step.merged or ()) for step in steps],
                "merge no.": [None if step.rank is None else step.rank + 1 for step in steps],
            }
        ),
        source=words.label("steps_source", algorithm="BPE", size=formatted(size, ",")),
    )
    pieces = " ".join(steps[-1].subwords)
    st.markdown(words.section("algorithms.result", word=word, pieces=pieces, n=len(steps) - 1))
    show_source(cutting.bpe_steps, cutting.first_merges, key="subword_tokens_bpe_code")


def unigram(page: Page, word: str, size: int) -> None:
    """Show the ways to cut the word that Unigram weighs, likeliest first."""
    words, marked = page.words, "▁" + word
    log_probs = cutting.log_probs_of(cache_vocabularies.trained_tokenizer("Unigram", size, None))
    cuts = cutting.unigram_segmentations(marked, log_probs, N_CUTS)
    share = cutting.proportion_of_best(marked, log_probs)
    show_drawing(
        segmentations_svg(cuts, alt=words.plain("cuts_weighed_alt", n=len(cuts))),
        key="subword_tokens_candidates",
        table=Table(
            {
                "pieces": [" ".join(cut.subwords) for cut in cuts],
                "log-probability": [cut.log_prob for cut in cuts],
                "of each piece": [
                    " ".join(formatted(x, ".3f") for x in cut.log_probs) for cut in cuts
                ],
            }
        ),
        source=words.label("steps_source", algorithm="Unigram", size=formatted(size, ",")),
    )
    best = cuts[0]
    terms = " + ".join(f"({significant(x, 3)})" for x in best.log_probs)
    st.markdown(
        words.section(
            "algorithms.unigram_result",
            word=word,
            pieces=" ".join(best.subwords),
            terms=terms,
            total=significant(best.log_prob, 4),
            share=formatted(100 * share, ".0f") if share > 0.01 else significant(100 * share),
        )
    )
    show_source(cutting.unigram_segmentations, key="subword_tokens_unigram_code")
