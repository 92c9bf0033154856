"""What the measures of the whole test part say: a figure, and its meaning in words."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.embeddings.isotropy_dots import DotRow, dots_svg
from mlm_core.number_format import formatted
from pages.shared.frame import Page
from pages.shared.show import show_drawing
from pages.shared.table import Table

if TYPE_CHECKING:
    from mlm_core.answers.words import AnswerScores
    from mlm_core.finetuning.snapshot import FineTuneSnapshot

LISTENS = 0.9  # different answers a question, from which on the question seems to be read


def draw(
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
    show_drawing(
        dots_svg(
            rows,
            (words.plain("answers_exact"), words.plain("answers_f1")),
            low=0.0,
            high=1.0,
            x_title=words.plain("answers_axis"),
            alt=words.plain(
                "answers_figures_alt",
                exact=formatted(run.exact, ".2f"),
                f1=formatted(run.f1, ".2f"),
            ),
        ),
        key="classification_answers_figures",
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


def explain(page: Page, snapshot: "FineTuneSnapshot", scores: "dict[str, AnswerScores]") -> None:
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
