"""The whole test part: how often is the answer right, and what gets as far without an encoder?"""

from typing import TYPE_CHECKING

import streamlit as st

from pages.parts.classification.answers_verdict import draw, explain
from pages.shared import cache, cache_finetuning
from pages.shared.frame import Page

if TYPE_CHECKING:
    from mlm_core.answers.words import AnswerScores
    from mlm_core.finetuning.snapshot import FineTuneSnapshot

RANDOM = "passages_random"  # a stored run
GUESS = "classification_answers_guess"
BOUNDS = (0.1, 0.3, 0.6)  # between the guesses: share of questions answered exactly


def show_figures(page: Page, title: str, snapshot: "FineTuneSnapshot") -> None:
    """Ask for a guess, then show both measures for this run and what to compare it with."""
    words, n = page.words, len(snapshot.dataset.test)
    st.markdown(words.section("answers.all", n=n))
    names = [str(i) for i in range(len(BOUNDS) + 1)]
    guess = st.segmented_control(
        words.label("answers_guess", n=n),
        names,
        format_func=lambda name: words.label(f"answers_guess_{name}"),
        key=GUESS,
        persist_state="session",
    )
    if guess is None:
        st.caption(words.section("answers.guess_first"))
        return
    scores = _scores(snapshot)
    run = scores["run"]
    truth = str(sum(run.exact >= bound for bound in BOUNDS))
    st.markdown(
        words.section(
            "answers.guess_right" if guess == truth else "answers.guess_wrong",
            guess=words.plain(f"answers_guess_{guess}"),
            n_exact=run.n_exact,
            n=n,
        )
    )
    draw(page, title, snapshot, scores)
    explain(page, snapshot, scores)


def _scores(snapshot: "FineTuneSnapshot") -> "dict[str, AnswerScores]":
    """Return the scores of this run, of a random start, and of a rule."""
    from mlm_core.answers.rule import answer_all
    from mlm_core.answers.words import score_answers
    from mlm_core.classroom.stored_finetunes import stored_names

    questions = snapshot.dataset.test
    found = {"run": score_answers(questions, snapshot.predictions.predicted)}
    if RANDOM in stored_names():
        random = cache_finetuning.stored(RANDOM)
        found["random"] = score_answers(random.dataset.test, random.predictions.predicted)
    found["rule"] = cache.remembered(
        "classification answers by rule", lambda: score_answers(questions, answer_all(questions))
    )
    return found
