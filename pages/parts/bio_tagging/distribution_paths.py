"""Greedy and Viterbi on one sentence: both paths, their scores, and the entities they give."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.tagging.entity_spans import entity_sentence, entity_text
from mlm_core.figures.tagging.tag_distribution import TagPath, distribution_svg
from mlm_core.number_format import formatted
from pages.parts.bio_tagging.distribution_sentence import FROM, Sentence
from pages.parts.bio_tagging.distribution_viterbi import WORD, word_shown
from pages.shared.course.core_messages import translated
from pages.shared.figures.clickable import drawing
from pages.shared.figures.show import show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.link import inputs

if TYPE_CHECKING:
    from mlm_core.finetuning.decoding_comparison import WordDecoding
    from mlm_core.tagging.bio_tags import Scheme, Span


def show_paths(
    page: Page,
    sentence: Sentence,
    decoding: "WordDecoding",
    scheme: "Scheme",
    types: tuple[str, ...],
    source: str,
) -> None:
    """Draw both paths over the words' distributions and say where greedy breaks a rule."""
    words = page.words
    _draw(page, sentence, decoding, source)
    st.markdown(_verdict(page, sentence, decoding))
    if not decoding.faults and st.session_state.get(FROM) == "own":
        st.button(
            words.label("show_broken"),
            on_click=inputs.choose,
            args=(FROM, "test"),
            icon=":material/skip_next:",
            key="bio_tagging_show_broken",
        )
    _draw_entities(page, sentence, decoding, scheme, types)


def _draw(page: Page, sentence: Sentence, decoding: "WordDecoding", source: str) -> None:
    words = page.words
    tags = decoding.transitions.tags
    probabilities = decoding.log_probabilities.exp().tolist()
    n = len(sentence.words)
    illegal = _illegal_steps(decoding)
    show_drawing(
        distribution_svg(
            probabilities,
            tags,
            sentence.words,
            word_of_column=range(n),
            paths=[
                TagPath(name="greedy", tags=decoding.greedy.path, illegal=illegal),
                TagPath(name="Viterbi", tags=decoding.viterbi.path),
            ],
            chosen=word_shown(decoding),
            clickable=True,
            alt=words.plain("paths_alt", n=n, faults=len(decoding.faults)),
        ),
        key="bio_tagging_paths",
        table=lambda: Table(
            [
                [word, greedy, viterbi, *row]
                for word, greedy, viterbi, row in zip(
                    sentence.words,
                    decoding.greedy_tags,
                    decoding.viterbi_tags,
                    probabilities,
                    strict=True,
                )
            ],
            columns=["word", "greedy", "viterbi", *tags],
        ),
        source=source,
        on_click=lambda value: inputs.choose(WORD, value),
    )


def _illegal_steps(decoding: "WordDecoding") -> set[int]:
    """Return the words whose greedy tag may not follow the one before, or start a sentence."""
    path, rules = decoding.greedy.path, decoding.transitions
    return {
        i
        for i, tag in enumerate(path)
        if not (rules.may_follow[path[i - 1], tag] if i else rules.may_start[tag])
    }


def _verdict(page: Page, sentence: Sentence, decoding: "WordDecoding") -> str:
    words = page.words
    both = decoding.greedy.log_probability, decoding.viterbi.log_probability
    told = {
        "greedy": formatted(both[0], ".2f"),
        "viterbi": formatted(both[1], ".2f"),
        "lost": formatted(both[0] - both[1], ".2f"),
    }
    if not decoding.faults:
        return words.section("distribution.legal", **told)
    reasons = [(sentence.words[one.position], translated(one.reason)) for one in decoding.faults]
    lines = [f"- {words.label('fault', word=word, reason=reason)}" for word, reason in reasons]
    changed = [
        words.label("changed", word=word, before=before, after=after)
        for word, before, after in zip(
            sentence.words, decoding.greedy_tags, decoding.viterbi_tags, strict=True
        )
        if before != after
    ]
    return "\n".join(
        [
            words.section(
                "distribution.broken_once" if len(decoding.faults) == 1 else "distribution.broken",
                n=len(decoding.faults),
            ),
            "",
            *lines,
            "",
            words.section("distribution.mended", **told),
            "",
            *(f"- {line}" for line in changed),
        ]
    )


def _draw_entities(
    page: Page,
    sentence: Sentence,
    decoding: "WordDecoding",
    scheme: "Scheme",
    types: tuple[str, ...],
) -> None:
    from mlm_core.tagging.bio_tags import decode

    words = page.words
    n = len(sentence.words)
    found: dict[str, tuple[Span, ...]] = {
        "greedy": decode(decoding.greedy_tags, scheme, "conlleval"),
        "viterbi": decode(decoding.viterbi_tags, scheme, "conlleval"),
    }
    if sentence.gold is not None:
        found["gold"] = tuple(span for span in sentence.gold if span.end <= n)
    for name, spans in found.items():
        st.markdown(f"**{words.label(f'entities_{name}')}**")
        drawing(
            entity_sentence(
                sentence.words,
                spans,
                alt=words.plain(f"entities_{name}_alt", text=entity_text(sentence.words, spans)),
                types=types,
            ),
            key=f"bio_tagging_entities_{name}",
        )
