"""Answers in a passage: two distributions over its words, start and end, and the best stretch."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.answers.spans import LONGEST_ANSWER, best_spans, overlap_f1
from mlm_core.number_format import formatted
from pages.parts.classification.answers_asked import Asked, say_what_was_cut
from pages.parts.classification.answers_figures import show_figures
from pages.parts.classification.answers_input import ask
from pages.parts.classification.answers_scores import show_ranked, show_score
from pages.shared import cache_finetuning, finetune_runs
from pages.shared.frame import Page
from pages.shared.messages import translated
from pages.shared.parts import part
from pages.shared.show import show_drawing
from pages.shared.source import show_source
from pages.shared.table import Table
from pages.shared.words import as_text

if TYPE_CHECKING:
    from mlm_core.answers.words import PassageWord
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
    show_score(page, asked, ranked[0].text)
    show_ranked(page, asked, shown, ranked, longest=LONGEST_ANSWER)


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
                "pieces": [" ".join(word.pieces) for word in shown],
                "P_start": [word.p_start for word in shown],
                "P_end": [word.p_end for word in shown],
            }
        ),
        source=words.label("answers_source_line", run=title, model=snapshot.settings.model),
    )
    st.caption(words.section("answers.how_to_read", scale=formatted(bar_scale(shown), "g")))
