"""A short and a long sentence: a fixed count against each token by itself."""

import streamlit as st

from mlm_core.figures.charts import counts_chart
from mlm_core.masking.counts import probability_of_count, probability_of_none
from mlm_core.masking.rule import CorruptionRule, count_to_choose
from mlm_core.masking.steps import why_excluded
from pages.parts.masking import setting
from pages.parts.masking.setting import Setting
from pages.shared.caches import cache_predictions
from pages.shared.kit.part import Part, part
from pages.shared.link import inputs

GUESSES = ("0", "5", "15", "38", "62")  # per cent; 38 is (1 - 0.15)^6
RATE = 0.15
N_DRAWS = 2000


@part()
def show(p: Part) -> None:
    """Let the learner guess how often nothing is masked; then compute and simulate it."""
    p.say("lead")
    options = {guess: f"{guess} %" for guess in GUESSES} | {"0": p.label("never")}
    guess = p.guess("short", options)
    texts = {name: p.text(name) for name in ("short_text", "long_text")}
    if guess is None:
        return
    none = probability_of_none(6, RATE)
    p.say("right" if guess == "38" else "wrong", guess=guess, none=none)
    seed = setting.current(p).seed
    for name, text in texts.items():
        st.subheader(p.label(name), anchor=False)
        _compare(p, name.removesuffix("_text"), setting.of_text(p, text, seed))
    p.say("notice")
    p.say("packing")
    # Not before the guess.
    p.code("short", count_to_choose, probability_of_none, probability_of_count)


def _compare(p: Part, name: str, now: Setting) -> None:
    """Show both rules on one sentence: the fixed count, and how the other one spreads."""
    inputs.say_what_was_left_out(now.text)
    if now.is_empty:
        p.note("empty", icon="edit")
        return
    tokens = now.text.tokens
    n_tokens, n_free = len(tokens), sum(why_excluded(token) is None for token in tokens)
    rule = CorruptionRule(mlm_probability=RATE, selection="independent")
    counts = cache_predictions.corruption_counts(
        now.model_name, now.text.text, now.seed, rule, N_DRAWS, _tokens=tokens
    )
    expected = [chance * N_DRAWS for chance in probability_of_count(n_free, RATE)]
    fixed = min(n_free, count_to_choose(n_tokens, RATE))
    # The far end of the binomial is all but empty; what was seen stays in.
    last = max(i for i, mean in enumerate(expected) if mean >= 1 or counts.n_chosen.get(i))
    numbers = range(max(last, fixed) + 1)
    observed, expected = [counts.n_chosen.get(i, 0) for i in numbers], expected[: len(numbers)]
    p.say(
        "both",
        n=n_tokens,
        free=n_free,
        product=n_tokens * RATE,
        fixed=fixed,
        none=probability_of_none(n_free, RATE),
        seen=observed[0] / N_DRAWS,
        draws=N_DRAWS,
    )
    labels = [p.plain("n_masks_fixed" if i == fixed else "n_masks", n=i) for i in numbers]
    p.figure(
        f"{name}_counts",
        counts_chart(labels, observed, expected),
        {
            "chosen": numbers,
            "observed": observed,
            "expected": expected,
            "fixed count": [N_DRAWS if i == fixed else 0 for i in numbers],
        },
        alt="alt",
        source="source",
        n=n_free,
        draws=N_DRAWS,
        seed=now.seed,
    )
