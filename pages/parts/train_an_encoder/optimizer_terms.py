"""AdamW's terms for one weight: one step written out, and all steps as a table."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.theme import significant, tex
from mlm_core.number_format import as_tex, formatted
from pages.shared.figures.show import keep
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.link import inputs

if TYPE_CHECKING:
    from mlm_core.small_runs.first_steps import FollowedRow
    from mlm_core.training.adamw import WeightUpdate

SLUG = "train_an_encoder"
WEIGHT_DIGITS = 7  # what a float32 knows: a step changes the last ones


def show(page: Page, found: "FollowedRow", entry: int, source: str) -> None:
    """Write out the step that the learner chooses, then show all of them side by side."""
    words, updates = page.words, found.updates(entry)
    numbers = {str(update.number): str(update.number) for update in updates}
    number = int(inputs.choice(words.label("optimizer_step"), numbers, key=f"{SLUG}_adamw_step"))
    update = updates[number - 1]
    before = updates[number - 2] if number > 1 else None
    st.markdown(words.section(_clipping(found, number), **_norms(found, number)))
    for line in _formulas(update, before, found):
        st.latex(line)
    st.markdown(
        words.section(
            "optimizer.moved",
            step=number,
            gradient=significant(update.gradient, 3),
            ratio=formatted(abs(update.step) / update.rate, ".3f"),
        )
    )
    st.markdown(words.section("optimizer.decayed" if found.weight_decay else "optimizer.spared"))
    _table(page, updates, [weights[entry] for weights in found.weights[1:]], source)
    after = [weights[entry] for weights in found.weights[1:]]
    largest = max(abs(u.after - own) for u, own in zip(updates, after, strict=True))
    st.markdown(words.section("optimizer.agrees", n=len(updates), largest=significant(largest, 2)))
    st.markdown(words.section("optimizer.notice"))


def _clipping(found: "FollowedRow", number: int) -> str:
    is_clipped = found.gradient_norms[number - 1] > found.settings.max_grad_norm
    return "optimizer.clipped" if is_clipped else "optimizer.not_clipped"


def _norms(found: "FollowedRow", number: int) -> dict[str, object]:
    norm, most = found.gradient_norms[number - 1], found.settings.max_grad_norm
    return {
        "step": number,
        "norm": significant(norm, 3),
        "most": formatted(most, "g"),
        "factor": significant(min(1.0, most / norm) if norm else 1.0, 3),
    }


def _formulas(
    update: "WeightUpdate", before: "WeightUpdate | None", found: "FollowedRow"
) -> list[str]:
    """Return each term of a step in LaTeX, with its numbers."""
    t = update.number
    (b1, b2), epsilon = found.settings.betas, found.settings.epsilon
    m, v = (0.0, 0.0) if before is None else (before.first_moment, before.second_moment)
    g, rate, decay = tex(update.gradient), tex(update.rate), found.weight_decay
    first, second = plain(b1), plain(b2)
    rest, other = plain(round(1 - b1, 6)), plain(round(1 - b2, 6))
    first_m, second_m = tex(update.first_moment), tex(update.second_moment)
    m_now, v_now = tex(update.first_corrected), tex(update.second_corrected)
    return [
        _lines(
            r"m_t &= \beta_1 m_{t-1} + (1-\beta_1)\,g",
            rf"&= {first} \cdot {_signed(m)} + {rest} \cdot {_signed(update.gradient)}",
            rf"&= {first_m}",
        ),
        _lines(
            r"v_t &= \beta_2 v_{t-1} + (1-\beta_2)\,g^2",
            rf"&= {second} \cdot {tex(v)} + {other} \cdot ({g})^2",
            rf"&= {second_m}",
        ),
        rf"m' = \frac{{m_t}}{{1-\beta_1^t}} = \frac{{{first_m}}}{{1-{first}^{t}}} = {m_now}",
        rf"v' = \frac{{v_t}}{{1-\beta_2^t}} = \frac{{{second_m}}}{{1-{second}^{t}}} = {v_now}",
        _lines(
            r"s &= \eta\,\frac{m'}{\sqrt{v'}+\epsilon}",
            rf"&= {rate} \cdot \frac{{{m_now}}}{{\sqrt{{{v_now}}} + {tex(epsilon)}}}",
            rf"&= {tex(update.step)}",
        ),
        _lines(
            rf"\eta\,\lambda\,w_{{t-1}} &= {rate} \cdot {plain(decay)} \cdot"
            rf" {_signed(update.before)}",
            rf"&= {tex(update.decay)}",
        ),
        _lines(
            r"w_t &= w_{t-1} - \eta\lambda w_{t-1} - s",
            rf"&= {_weight(update.after)}",
        ),
    ]


def _lines(*lines: str) -> str:
    """Return one formula over several lines, none wider than a phone."""
    return r"\begin{aligned}" + r" \\ ".join(lines) + r"\end{aligned}"


def plain(value: float) -> str:
    """Return a setting in LaTeX as it was set."""
    return as_tex(formatted(value, "g"))


def _signed(value: float) -> str:
    """Return a number behind a sign of arithmetic: a negative one in brackets."""
    return f"({tex(value)})" if value < 0 else tex(value)


def _weight(value: float) -> str:
    return as_tex(significant(value, WEIGHT_DIGITS))


def _table(
    page: Page, updates: "tuple[WeightUpdate, ...]", after: list[float], source: str
) -> None:
    """Show a row a term, a column a step."""
    rows = {
        "rate": [update.rate for update in updates],
        "gradient": [update.gradient for update in updates],
        "m": [update.first_moment for update in updates],
        "v": [update.second_moment for update in updates],
        "m_corrected": [update.first_corrected for update in updates],
        "v_corrected": [update.second_corrected for update in updates],
        "step": [update.step for update in updates],
        "decay": [update.decay for update in updates],
        "before": [update.before for update in updates],
        "after": [update.after for update in updates],
        "run": after,
    }
    digits = {"before": WEIGHT_DIGITS, "after": WEIGHT_DIGITS, "run": WEIGHT_DIGITS}
    columns = ["term", *(str(update.number) for update in updates)]
    short = [
        [page.words.plain(f"term_of_{name}"), *(significant(x, digits.get(name, 3)) for x in row)]
        for name, row in rows.items()
    ]
    Table(short, columns).show()
    full = [[page.words.plain(f"term_of_{name}"), *row] for name, row in rows.items()]
    keep(f"{SLUG}_adamw", table=Table(full, columns), source=source)
