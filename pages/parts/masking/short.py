"""A short and a long sentence: a fixed count against each token by itself."""

import streamlit as st

from mlm_core.figures.masking.counts import counts_svg
from mlm_core.masking.counts import probability_of_count, probability_of_none
from mlm_core.masking.rule import CorruptionRule, count_to_choose
from mlm_core.masking.steps import why_excluded
from mlm_core.number_format import formatted
from pages.parts.masking import setting
from pages.parts.masking.setting import Setting
from pages.shared.figures.show import show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.guess import ask_for_guess
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs

GUESSES = ("0", "5", "15", "38", "62")  # per cent; 38 is (1 - 0.15)^6
RATE = 0.15
N_DRAWS = 2000


@part
def show(page: Page) -> None:
    """Let the learner guess how often nothing is masked; then compute and simulate it."""
    words = page.words
    st.markdown(words.section("short.lead"))
    options = {guess: f"{guess} %" for guess in GUESSES} | {"0": words.label("never")}
    guess = ask_for_guess(page, "short", options, key="masking_short_guess")
    short = inputs.text(
        words.label("short_sentence"), words.label("default_short"), key="masking_short_text"
    )
    long = inputs.text(
        words.label("long_sentence"), words.label("default_long"), key="masking_long_text"
    )
    if guess is None:
        return
    st.markdown(
        words.section(
            "short.right" if guess == "38" else "short.wrong",
            guess=guess,
            none=formatted(100 * probability_of_none(6, RATE), ".1f"),
        )
    )
    seed = setting.current(page).seed
    for name, text in (("short", short), ("long", long)):
        _one(page, name, setting.of_text(page, text, seed))
    st.markdown(words.section("short.notice"))
    st.markdown(words.section("short.packing"))
    show_source(
        count_to_choose, probability_of_none, probability_of_count, key="masking_short_code"
    )


def _one(page: Page, name: str, now: Setting) -> None:
    """Show both rules on one sentence: the fixed count, and how the other one spreads."""
    words = page.words
    st.subheader(words.label(f"{name}_sentence"), anchor=False)
    inputs.say_what_was_left_out(now.text)
    if now.is_empty:
        setting.say_it_is_empty(page)
        return
    n_tokens = len(now.text.tokens)
    n_free = sum(why_excluded(token) is None for token in now.text.tokens)
    rule = CorruptionRule(mlm_probability=RATE, selection="independent")
    counts = setting.counts_of(now, rule, N_DRAWS)
    expected = [chance * N_DRAWS for chance in probability_of_count(n_free, RATE)]
    fixed = min(n_free, count_to_choose(n_tokens, RATE))
    # The far end of the binomial is all but empty; what was seen stays in.
    last = max(i for i, mean in enumerate(expected) if mean >= 1 or counts.n_chosen.get(i))
    last = max(last, fixed)
    observed = [counts.n_chosen.get(i, 0) for i in range(last + 1)]
    st.markdown(
        words.section(
            "short.both",
            n=n_tokens,
            free=n_free,
            product=formatted(n_tokens * RATE, ".2f"),
            fixed=fixed,
            none=formatted(100 * probability_of_none(n_free, RATE), ".1f"),
            seen=formatted(100 * observed[0] / N_DRAWS, ".1f"),
            draws=formatted(N_DRAWS, ","),
        )
    )
    labels = [
        words.plain("n_masks_fixed" if i == fixed else "n_masks", n=i) for i in range(last + 1)
    ]
    show_drawing(
        counts_svg(labels, observed, expected[: last + 1], alt=words.plain("short_alt", n=n_free)),
        key=f"masking_{name}_counts",
        table=Table(
            {
                "chosen": range(last + 1),
                "observed": observed,
                "expected": expected[: last + 1],
                "fixed count": [N_DRAWS if i == fixed else 0 for i in range(last + 1)],
            }
        ),
        source=words.label(
            "short_source", model=page.model_name, n=formatted(N_DRAWS, ","), seed=now.seed
        ),
    )
