"""The whole test part: how often is the answer right, and what gets as far without an encoder?"""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.charts import DotRow, dots_chart
from mlm_core.number_format import formatted
from pages.shared.caches import cache, cache_finetuning
from pages.shared.figures.show import show_chart
from pages.shared.figures.table import Table
from pages.shared.frame.guess import ask_for_guess
from pages.shared.frame.page_frame import Page

if TYPE_CHECKING:
    from mlm_core.answers.words import AnswerScores
    from mlm_core.finetuning.snapshot import FineTuneSnapshot

RANDOM = "passages_random"  # a stored run
GUESS = "classification_answers_guess"
BOUNDS = (0.1, 0.3, 0.6)  # between the guesses: share of questions answered exactly
LISTENS = 0.9  # different answers a question, from which on the question seems to be read


def show_figures(page: Page, title: str, snapshot: "FineTuneSnapshot") -> None:
    """Ask for a guess, then show both measures for this run and what to compare it with."""
    words, n = page.words, len(snapshot.dataset.test)
    st.markdown(words.section("answers.all", n=n))
    names = [str(i) for i in range(len(BOUNDS) + 1)]
    guess = ask_for_guess(page, "answers", names, key=GUESS, n=n)
    if guess is None:
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
    _draw(page, title, snapshot, scores)
    _explain(page, snapshot, scores)


def _scores(snapshot: "FineTuneSnapshot") -> "dict[str, AnswerScores]":
    """Return the scores of this run, of a random start, and of a rule."""
    from mlm_core.answers.rule import answer_all
    from mlm_core.answers.words import score_answers
    from mlm_core.classroom.finetunes.stored_finetunes import stored_names

    questions = snapshot.dataset.test
    found = {"run": score_answers(questions, snapshot.predictions.predicted)}
    if RANDOM in stored_names():
        random = cache_finetuning.stored(RANDOM)
        found["random"] = score_answers(random.dataset.test, random.predictions.predicted)
    found["rule"] = cache.remembered(
        "classification answers by rule", lambda: score_answers(questions, answer_all(questions))
    )
    return found


# What the measures of the whole test part say: a figure, and its meaning in words.


def _draw(
    page: Page, title: str, snapshot: "FineTuneSnapshot", scores: "dict[str, AnswerScores]"
) -> None:
    """Draw both measures of the run and of what it is compared with."""
    words, n = page.words, len(snapshot.dataset.test)
    names = {name: words.plain(f"answers_row_{name}") for name in scores}
    rows = [
        DotRow(
            name=names[name],
            values=(one.exact, one.f1),
            errors=(one.exact_error, one.f1_error),
        )
        for name, one in scores.items()
    ]
    run = scores["run"]
    show_chart(
        dots_chart(
            rows,
            (words.plain("answers_exact"), words.plain("answers_f1")),
            low=0.0,
            high=1.0,
            x_title=words.plain("answers_axis"),
        ),
        key="classification_answers_figures",
        alt=words.plain(
            "answers_figures_alt",
            exact=formatted(run.exact, ".2f"),
            f1=formatted(run.f1, ".2f"),
        ),
        table=Table(
            {
                "answered_by": list(names.values()),
                "exact_match": [one.exact for one in scores.values()],
                "exact_match_se": [one.exact_error for one in scores.values()],
                "F1": [one.f1 for one in scores.values()],
                "F1_se": [one.f1_error for one in scores.values()],
            }
        ),
        source=words.label("answers_figures_source", run=title, n=n),
    )


def _explain(page: Page, snapshot: "FineTuneSnapshot", scores: "dict[str, AnswerScores]") -> None:
    """Say how weak or strong the run is, beside the rule, and why."""
    from mlm_core.answers.words import different_answers

    words = page.words
    run, rule = scores["run"], scores["rule"]
    values = {
        "f1": formatted(run.f1, ".2f"),
        "exact": formatted(100 * run.exact, ".0f"),
        "rule_f1": formatted(rule.f1, ".2f"),
        "rule_exact": formatted(100 * rule.exact, ".0f"),
        "n_train": len(snapshot.dataset.train) - snapshot.n_left_out,
    }
    st.markdown(words.section("answers.below" if run.f1 < rule.f1 else "answers.above", **values))
    if "random" in scores:
        random = scores["random"]
        st.markdown(
            words.section(
                "answers.random",
                f1=formatted(random.f1, ".2f"),
                exact=formatted(100 * random.exact, ".0f"),
            )
        )
    asked, different = different_answers(snapshot.dataset.test, snapshot.predictions.predicted)
    st.markdown(
        words.section(
            "answers.same" if different < LISTENS * asked else "answers.listens",
            asked=formatted(asked, ".1f"),
            different=formatted(different, ".1f"),
        )
    )
    st.markdown(words.section("answers.why", n_train=values["n_train"]))
    st.caption(words.section("answers.limits", n=len(snapshot.dataset.test)))
