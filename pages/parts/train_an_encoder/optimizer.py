"""How far a step goes: the learning rate's schedule, and AdamW's terms for one weight."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.charts import lines_chart
from mlm_core.figures.curves import Curve, Level
from mlm_core.figures.theme import significant
from mlm_core.number_format import formatted
from pages.parts.train_an_encoder import optimizer_terms, runs
from pages.shared.caches import cache_training
from pages.shared.course.core_messages import translated
from pages.shared.course.words import as_text
from pages.shared.figures.show import show_chart
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs

if TYPE_CHECKING:
    from mlm_core.small_runs.snapshot import Snapshot
    from mlm_core.training.loop import TrainingSettings

SLUG = "train_an_encoder"
DRAWN_STEPS = 100  # points of the schedule
FOLLOWED = ("token", "query", "feed_forward", "norm")
NO_WORD = "[MASK]"


@part
def show(page: Page) -> None:
    """Draw a run's schedule and mark its step; follow one weight through its first steps."""
    from mlm_core.training.adamw import update_weight
    from mlm_core.training.loop import learning_rate_at

    st.markdown(page.words.section("optimizer.lead"))
    found = runs.choose_snapshot(page)
    if found is None:
        return
    title, snapshot = found
    _schedule(page, title, snapshot)
    st.divider()
    _one_weight(page, title, snapshot)
    show_source(learning_rate_at, update_weight, key=f"{SLUG}_optimizer_code")


def _schedule(page: Page, title: str, snapshot: "Snapshot") -> None:
    from mlm_core.training.loop import learning_rate_at, warmup_steps

    words, training = page.words, snapshot.settings.training()
    n_warm, n_steps = warmup_steps(training), training.n_steps
    rates = {step: learning_rate_at(step - 1, training) for step in _drawn(training)}
    st.markdown(
        words.section(
            "optimizer.schedule",
            warm=formatted(n_warm, ","),
            steps=formatted(n_steps, ","),
            percent=formatted(100 * training.warmup_proportion, "g"),
            peak=formatted(training.peak_learning_rate, "g"),
            last=significant(rates[n_steps], 2),
        )
    )
    marks = [Level(name=words.plain("optimizer_warm", n=formatted(n_warm, ",")), value=n_warm)]
    if snapshot.step:
        now = words.plain("optimizer_now", n=formatted(snapshot.step, ","))
        marks.append(Level(name=now, value=snapshot.step))
    show_chart(
        lines_chart(
            [Curve(name=words.plain("optimizer_rate"), points=list(rates.items()), pen=0)],
            x_title=words.plain("curve_steps"),
            y_title=words.plain("optimizer_rate"),
            marks=marks,
            y_axis={"rangemode": "tozero"},
        ),
        key=f"{SLUG}_schedule",
        alt=words.plain(
            "optimizer_schedule_alt",
            warm=n_warm,
            steps=n_steps,
            peak=formatted(training.peak_learning_rate, "g"),
            step=snapshot.step,
        ),
        table=Table({"step": list(rates), "rate": list(rates.values())}),
        source=title,
    )
    if snapshot.step:
        rate = learning_rate_at(snapshot.step - 1, training)
        step = formatted(snapshot.step, ",")
        st.markdown(words.section("optimizer.now", step=step, rate=significant(rate, 3)))


def _drawn(training: "TrainingSettings") -> list[int]:
    """Return the steps at which the schedule is drawn: its corners, and some between."""
    from mlm_core.training.loop import warmup_steps

    n_warm, n_steps = warmup_steps(training), training.n_steps
    between = range(1, n_steps, max(1, n_steps // DRAWN_STEPS))
    return sorted({1, *between, max(1, n_warm), min(n_warm + 1, n_steps), n_steps})


def _one_weight(page: Page, title: str, snapshot: "Snapshot") -> None:
    from mlm_core.training.loop import NonFiniteLossError

    words, settings = page.words, snapshot.settings
    st.markdown(words.section("optimizer.weight", run=title))
    names = {name: words.label(f"optimizer_{name}") for name in FOLLOWED}
    followed = inputs.choice(words.label("optimizer_followed"), names, key=f"{SLUG}_followed")
    row, name = (0, words.plain(f"optimizer_{followed}"))
    if followed == "token":
        row, name = _token(page, snapshot)
    entry = inputs.slider(
        words.label("optimizer_entry"),
        0,
        settings.hidden_size - 1,
        0,
        1,
        key=f"{SLUG}_entry",
    )
    try:
        found = cache_training.first_steps(settings, followed, row)
    except NonFiniteLossError as error:
        st.error(as_text(translated(str(error))), icon=":material/error:")
        return
    source = words.label("optimizer_source", run=title, name=name, entry=entry)
    optimizer_terms.show(page, found, entry, source)


def _token(page: Page, snapshot: "Snapshot") -> tuple[int, str]:
    """Show the field for a word; return the id and the text of its first subword."""
    from mlm_core.text.tokens import tokenize

    words = page.words
    typed = inputs.text(words.label("optimizer_word"), NO_WORD, key=f"{SLUG}_optimizer_word")
    text = tokenize(snapshot.tokenizer, typed, max_tokens=snapshot.settings.length)
    if len(text.tokens) < 3:  # [CLS] and [SEP] only
        text = tokenize(snapshot.tokenizer, NO_WORD, max_tokens=snapshot.settings.length)
    token = text.tokens[1]
    return token.id, token.text
