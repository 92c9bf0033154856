"""The verdict of a paired bootstrap: the leads drawn, and what p means."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.tagging.resamples import leads_chart
from mlm_core.number_format import formatted
from pages.shared.figures.show import show_chart
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page

if TYPE_CHECKING:
    from mlm_core.evaluation.bootstrap import Bootstrap

LEVEL = 0.05  # the usual border, which is a convention and no law
GUESS = "bio_tagging_bootstrap_guess"


def show_verdict(page: Page, found: "Bootstrap", source: str) -> None:
    """Compare the guess with p, draw the leads, and say what p means and what it doesn't."""
    words = page.words
    values = told(found, "A", "B")
    answer = "rare" if found.p_value < LEVEL else "common"
    is_right = st.session_state[GUESS] == answer
    st.markdown(words.section(f"bootstrap.guess_{'right' if is_right else 'wrong'}", **values))
    marks = [words.plain(f"bootstrap_mark_{name}", **values) for name in ("zero", "delta", "twice")]
    show_chart(
        leads_chart(
            found.deltas.tolist(),
            found.delta,
            names=(words.plain("bootstrap_below"), words.plain("bootstrap_beyond")),
            marks=marks,
            axes=(words.plain("bootstrap_x"), words.plain("bootstrap_y")),
        ),
        key="bio_tagging_leads",
        alt=words.plain("bootstrap_alt", **values),
        table=lambda: Table(
            {
                "resample": range(1, len(found.deltas) + 1),
                "delta": found.deltas.tolist(),
                "at_least_2_delta": ["yes" if beyond else "no" for beyond in _beyond(found)],
            }
        ),
        source=source,
    )
    st.markdown(words.section("bootstrap.why_twice", **values))
    if found.delta <= 0:
        verdict = "behind_verdict"
    elif found.p_value < LEVEL:
        verdict = "better"
    else:
        verdict = "open"
    st.markdown(words.section(f"bootstrap.{verdict}", **values))
    st.markdown(words.section("bootstrap.meaning", **values))


def _beyond(found: "Bootstrap") -> list[bool]:
    from mlm_core.evaluation.bootstrap import SLACK

    return (found.deltas >= 2 * found.delta - SLACK).tolist()


def told(found: "Bootstrap", name_a: str, name_b: str) -> dict[str, object]:
    """Return the numbers as the page's sentences take them."""
    n = len(found.deltas)
    return {
        "a": name_a,
        "b": name_b,
        "f1_a": formatted(found.score_a, ".3f"),
        "f1_b": formatted(found.score_b, ".3f"),
        "delta": _signed(found.delta),
        "twice": _signed(2 * found.delta),
        "beyond": formatted(found.n_as_large, ","),
        "resamples": formatted(n, ","),
        "p": f"= {formatted(found.p_value, '.3f')}"
        if found.n_as_large
        else f"< {formatted(1 / n, 'g')}",
        "mean": _signed(float(found.deltas.mean())),
        "low": _signed(float(found.deltas.min())),
        "high": _signed(float(found.deltas.max())),
    }


def _signed(value: float) -> str:
    return formatted(value, "+.3f" if abs(value) >= 0.0005 else "z.3f")
