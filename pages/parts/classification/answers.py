"""Answers in a passage: two distributions over its words, start and end, and the best stretch."""

import math
from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.answers.spans import LONGEST_ANSWER, best_spans, overlap_f1
from mlm_core.figures.theme import significant
from mlm_core.number_format import formatted, in_formula
from pages.parts.classification.answers_figures import show_figures
from pages.parts.classification.answers_input import Asked, ask, say_what_was_cut
from pages.shared.caches import cache_finetuning
from pages.shared.course.core_messages import translated
from pages.shared.course.words import as_text, read_words
from pages.shared.figures.show import show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.training import finetune_runs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mlm_core.answers.words import PassageWord, RankedAnswer
    from mlm_core.finetuning.snapshot import FineTuneSnapshot

N_RANKED = 5


@part
def show(page: Page) -> None:
    """Ask one question, then look at all of the test part."""
    words = page.words
    st.markdown(words.section("answers.lead"))
    chosen = finetune_runs.choose(page, ("passages",), key="answers_run")
    if chosen is None:
        return
    title, snapshot = chosen
    asked = ask(page, snapshot)
    if asked is not None:
        _show_answer(page, title, snapshot, asked)
    show_figures(page, title, snapshot)
    show_source(best_spans, overlap_f1, key="classification_answers_code")


def _show_answer(page: Page, title: str, snapshot: "FineTuneSnapshot", asked: Asked) -> None:
    """Draw the passage with both distributions, then list the likeliest answers."""
    from mlm_core.answers.words import passage_words, ranked_answers

    words, model = page.words, cache_finetuning.model(snapshot)
    try:
        text = model.reading.read_question(asked.question, asked.passage)
    except ValueError as error:
        st.warning(as_text(translated(str(error))), icon=":material/error:")
        return
    say_what_was_cut(page, model, text, asked)
    log_probabilities = model.answer_log_probabilities(text)
    shown = passage_words(text, log_probabilities)
    ranked = ranked_answers(text, log_probabilities, N_RANKED) if shown else ()
    if not ranked:
        st.info(words.section("answers.nothing_read"), icon=":material/edit:")
        return
    _draw(page, title, snapshot, asked, shown, (ranked[0].start, ranked[0].stop))
    _show_score(page, asked, ranked[0].text)
    _show_ranked(page, asked, shown, ranked, longest=LONGEST_ANSWER)


def _draw(
    page: Page,
    title: str,
    snapshot: "FineTuneSnapshot",
    asked: Asked,
    shown: "tuple[PassageWord, ...]",
    given: tuple[int, int],
) -> None:
    from mlm_core.figures.finetuning.answer_spans import AnswerNames, answer_html, bar_scale

    words = page.words
    likeliest = {
        name: max(shown, key=lambda word, name=name: getattr(word, f"p_{name}"))
        for name in ("start", "end")
    }
    alt = words.plain(
        "answers_alt",
        question=asked.question,
        answer=asked.passage[slice(*given)],
        start=likeliest["start"].text,
        p_start=formatted(likeliest["start"].p_start, ".2f"),
        end=likeliest["end"].text,
        p_end=formatted(likeliest["end"].p_end, ".2f"),
    )
    names = {name: words.plain(f"answers_{name}") for name in ("start", "end", "given", "right")}
    show_drawing(
        answer_html(
            asked.passage,
            shown,
            given=given,
            right=asked.right,
            names=AnswerNames(**names),
            label=alt,
        ),
        key="classification_answers_passage_drawing",
        table=Table(
            {
                "word": [word.text for word in shown],
                "pieces": [" ".join(word.subwords) for word in shown],
                "P_start": [word.p_start for word in shown],
                "P_end": [word.p_end for word in shown],
            }
        ),
        source=words.label("answers_source_line", run=title, model=snapshot.settings.model),
    )
    st.caption(words.section("answers.how_to_read", scale=formatted(bar_scale(shown), "g")))


# One answer beside the right one, and the likeliest answers with their arithmetic.


def _show_score(page: Page, asked: Asked, answer: str) -> None:
    """Say the answer; where the right one is known, count both measures out."""
    from mlm_core.answers.words import overlap

    words = page.words
    if not asked.right:
        st.markdown(words.section("answers.said", answer=answer))
        return
    found = overlap(answer, asked.right_text)
    kind = "exact" if found.is_exact else "partly" if found.n_shared else "missed"
    st.markdown(
        words.section(
            f"answers.{kind}",
            answer=answer,
            right=asked.right_text,
            shared=found.n_shared,
            given=found.n_given,
            wanted=found.n_right,
        )
    )
    n_given, n_right, shared = found.n_given, found.n_right, found.n_shared
    if n_given and n_right:
        exact = read_words("columns").plain("exact_match")
        st.latex(
            rf"\text{{{exact}}} = {int(found.is_exact)}, \qquad F_1 ="
            rf" \frac{{2 \cdot {shared}}}{{{n_given} + {n_right}}} = {in_formula(found.f1, '.2f')}"
        )


def _show_ranked(
    page: Page,
    asked: Asked,
    shown: "Sequence[PassageWord]",
    ranked: "Sequence[RankedAnswer]",
    *,
    longest: int,
) -> None:
    """List the likeliest answers; say where the two likeliest ends make no answer."""
    from mlm_core.answers.words import overlap

    words = page.words
    st.markdown(words.section("answers.ranked", n=len(ranked), longest=longest))
    columns = ["rank", "answer", "log_start", "log_end", "sum", "p"]
    rows: list[list[object]] = [
        [
            rank,
            one.text,
            significant(one.log_start, 3),
            significant(one.log_end, 3),
            significant(one.log_probability, 3),
            formatted(math.exp(one.log_probability), ".3f"),
        ]
        for rank, one in enumerate(ranked, start=1)
    ]
    if asked.right:
        columns.append("f1")
        for row, one in zip(rows, ranked, strict=True):
            row.append(formatted(overlap(one.text, asked.right_text).f1, ".2f"))
    Table(rows, [words.plain(f"answers_column_{name}") for name in columns]).show()
    start = max(shown, key=lambda word: word.p_start)
    end = max(shown, key=lambda word: word.p_end)
    if end.stop <= start.start:
        st.markdown(words.section("answers.crossed", start=start.text, end=end.text))
