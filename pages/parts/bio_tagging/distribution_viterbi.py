"""Viterbi's table at one word: where each tag's best path came from, and what was barred."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.number_format import formatted
from pages.parts.bio_tagging.distribution_sentence import Sentence
from pages.shared.figures.show import keep
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.link import inputs

if TYPE_CHECKING:
    from mlm_core.finetuning.decoding_comparison import WordDecoding
    from mlm_core.tagging.decoding import StepEntry

WORD = "bio_tagging_viterbi_word"
NEGATIVE_INFINITY = float("-inf")


def show_viterbi(page: Page, sentence: Sentence, decoding: "WordDecoding") -> None:
    """Let the learner go through the words; show each tag's best path up to there."""
    from mlm_core.tagging.decoding import viterbi_step

    words = page.words
    st.markdown(f"#### {words.label('viterbi')}")
    st.markdown(words.section("distribution.viterbi"))
    n = len(sentence.words)
    default = _default(decoding)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        word = inputs.position(
            words.label("viterbi_word"), sentence.words, key=WORD, default=default
        )
        for name, away in (("before", -1), ("after", 1)):
            st.button(
                words.label(f"word_{name}"),
                on_click=inputs.choose,
                args=(WORD, str(word + away)),
                disabled=not 0 <= word + away < n,
                icon=f":material/arrow_{'back' if away < 0 else 'forward'}:",
                key=f"bio_tagging_word_{name}",
            )
    entries = viterbi_step(decoding.log_probabilities, decoding.viterbi, decoding.transitions, word)
    table = _table(page, entries, word)
    table.show()
    chosen = next(entry for entry in entries if entry.is_on_path)
    st.markdown(_told(page, sentence.words[word], chosen, is_first=word == 0))
    # The path's own tag if it had to give way, or else the likeliest that had to.
    excluded = max(
        (entry for entry in entries if entry.excluded and entry.came_from),
        key=lambda entry: (entry.is_on_path, entry.best),
        default=None,
    )
    if excluded is not None:
        st.markdown(
            words.section(
                "distribution.barred",
                tag=excluded.tag,
                barred=excluded.excluded,
                came_from=excluded.came_from,
                best_before=_nats(excluded.best_before),
            )
        )
    keep(
        "bio_tagging_viterbi",
        table=_whole_table(sentence, decoding),
        source=words.label("viterbi_source", n=n, tags=len(decoding.transitions.tags)),
    )


def word_shown(decoding: "WordDecoding") -> int:
    """Return the word that the table is about, also for what is drawn before the table.

    A number that a longer sentence left behind is dropped.
    """
    names = [str(i) for i in range(len(decoding.greedy_tags))]
    if st.session_state.get(WORD) not in names:
        st.session_state.pop(WORD, None)
    if st.query_params.get(WORD, "0") not in names:
        st.query_params.pop(WORD, None)
    asked = st.session_state.get(WORD) or st.query_params.get(WORD)
    return _default(decoding) if asked is None else int(asked)


def _default(decoding: "WordDecoding") -> int:
    """Return the first word at which greedy breaks a rule, or the first of all."""
    return next((fault.position for fault in decoding.faults), 0)


def _table(page: Page, entries: "tuple[StepEntry, ...]", word: int) -> Table:
    columns = [page.words.plain(f"viterbi_{name}") for name in ("tag", "here", "from", "before")]
    rows = []
    for entry in entries:
        is_dead = entry.best == NEGATIVE_INFINITY
        start = page.words.plain("viterbi_start") if word == 0 else unbroken(entry.came_from or "")
        rows.append(
            [
                f"▶\N{NO-BREAK SPACE}{unbroken(entry.tag)}"
                if entry.is_on_path
                else unbroken(entry.tag),
                _nats(entry.log_probability),
                page.words.plain("viterbi_barred") if is_dead else start,
                "" if is_dead else _nats(entry.best_before),
                _nats(entry.best),
            ]
        )
    return Table(rows, columns=[*columns, page.words.plain("viterbi_best")])


def _told(page: Page, word: str, entry: "StepEntry", *, is_first: bool) -> str:
    values = {
        "word": word,
        "tag": entry.tag,
        "here": _nats(entry.log_probability),
        "before": _nats(entry.best_before),
        "best": _nats(entry.best),
    }
    if is_first:
        return page.words.section("distribution.step_first", **values)
    return page.words.section("distribution.step", came_from=entry.came_from, **values)


def _whole_table(sentence: Sentence, decoding: "WordDecoding") -> Table:
    """Return best and came_from of every word and tag."""
    tags = decoding.transitions.tags
    found = decoding.viterbi
    return Table(
        [
            [
                word,
                *found.best[i].tolist(),
                *(tags[s] if s >= 0 else "" for s in found.came_from[i].tolist()),
            ]
            for i, word in enumerate(sentence.words)
        ],
        columns=["word", *(f"best {tag}" for tag in tags), *(f"from {tag}" for tag in tags)],
    )


def unbroken(tag: str) -> str:
    """Return a tag that a narrow table leaves on one line."""
    return tag.replace("-", "\N{NON-BREAKING HYPHEN}")


def _nats(value: float) -> str:
    shown = formatted(value, "z.2f")
    return "−∞" if value == NEGATIVE_INFINITY else shown
