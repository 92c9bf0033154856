"""The settings of a run of one's own: every one has a start value, what can't be is said."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.number_format import current_marks, formatted, with_marks
from pages.parts.train_an_encoder import own_text, runs
from pages.shared.caches import cache_training
from pages.shared.course.core_messages import translated
from pages.shared.course.words import as_text, read_words
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.link import inputs, whole_page
from pages.shared.training import run_status

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from mlm_core.small_runs.settings import SmallRunSettings

SLUG = "train_an_encoder"
REFUSED = f"{SLUG}_refused"  # session state: why the last run could not be started
OBJECTIVES = ("mlm_nsp", "mlm", "next_word")
CORPORA = ("world", "own")
BATCHES = ("4", "8", "16", "32", "48", "64", "128", "256", "512")
RATES = ("0.0001", "0.0003", "0.001", "0.002", "0.004", "0.01", "0.03", "0.1", "1", "10")
DECAYS = ("0", "0.01", "0.1", "0.5")
# Name: (field of SmallRunSettings, smallest, largest, step). They start where the core does.
SLIDERS = {
    "vocabulary": ("vocabulary_size", 100, 4_000, 100),
    "width": ("hidden_size", 8, 128, 8),
    "layers": ("n_layers", 1, 4, 1),
    "heads": ("n_heads", 1, 8, 1),
    "window": ("length", 16, 64, 16),
    "steps": ("n_steps", 20, 5_000, 20),
}
SIZES = ("vocabulary", "width", "layers", "heads", "window")
LARGEST_SEED = 100
PASSES = 3  # forward, and about twice as much back


@part
def panel(page: Page) -> None:
    """Show the settings, what they amount to, and the button that starts."""
    words = page.words
    st.markdown(f"**{words.label('own_run')}**")
    settings, problem = None, None
    try:
        settings = _choose(page)
    except ValueError as error:
        problem = str(error)
    if problem is not None:
        st.error(as_text(translated(problem)), icon=":material/error:")
    if settings is not None:
        _say_cost(page, settings)
    st.button(
        read_words("runs").label("button_start"),
        key=f"{SLUG}_start",
        type="primary",
        icon=":material/play_arrow:",
        disabled=settings is None,
        on_click=_start,
        args=(settings,),
        width="stretch",
    )
    if REFUSED in st.session_state:
        st.error(as_text(translated(st.session_state[REFUSED])), icon=":material/error:")
    if own := runs.newest():
        st.caption(read_words("runs").section("started", run=runs.title_of(page, own)))


def _choose(page: Page) -> "SmallRunSettings | None":
    """Show all widgets; return their settings, None while there is no text.

    Raises ValueError if the settings are no possible run.
    """
    from mlm_core.small_runs.settings import SmallRunSettings

    words = page.words
    objectives = {name: words.label(f"objective_{name}") for name in OBJECTIVES}
    objective = inputs.choice(words.label("objective"), objectives, key=f"{SLUG}_set_objective")
    corpora = {name: words.label(f"corpus_{name}") for name in CORPORA}
    corpus = inputs.choice(words.label("corpus"), corpora, key=f"{SLUG}_set_corpus")
    text = own_text.show(page) if corpus == "own" else None
    start = SmallRunSettings()
    with _group(page, "sizes", ":material/straighten:"):
        sizes = {SLIDERS[name][0]: _core_slider(page, name, start) for name in SIZES}
    with _group(page, "hiding", ":material/casino:"):
        rates = _hiding(page, objective)
    with _group(page, "schedule", ":material/schedule:"):
        schedule = _schedule(page, start)
    made = SmallRunSettings(own_text=text, objective=objective, **sizes, **rates, **schedule)
    if corpus == "own":
        return own_text.checked(page, made)
    return made


def _group(page: Page, name: str, icon: str) -> "DeltaGenerator":
    """Return a panel that opens over the page, so that the curves beside it stay in view."""
    return st.popover(page.words.label(f"group_{name}"), icon=icon, width="stretch")


def _hiding(page: Page, objective: str) -> dict[str, float]:
    """Show how words are hidden; a run on next words hides none."""
    words = page.words
    if objective == "next_word":
        st.caption(words.section("settings.hides_none"))
        return {}
    percent = _slider(page, "choose", 5, 100, 15, 5, unit="%d %%")
    # Two marks on one line cut it in three: any three shares that sum to 1.
    mask, rest = inputs.slider(
        words.label("set_zones"),
        0,
        100,
        (80, 90),
        5,
        format="%d %%",
        key=f"{SLUG}_set_zones",
        persist_state="session",
        help=words.label("set_zones_help"),
    )
    shares = {"mask": mask, "random": rest - mask, "keep": 100 - rest}
    st.caption(words.label("set_shares", **shares))
    rates = {f"{name}_rate": share / 100 for name, share in shares.items()}
    return {"mlm_probability": percent / 100, **rates}


def _schedule(page: Page, start: "SmallRunSettings") -> dict[str, int | float]:
    """Show how long, in what portions and how fast is trained."""
    words = page.words
    n_steps = _core_slider(page, "steps", start)
    batch_size = inputs.step(
        words.label("set_batch"),
        {name: name for name in BATCHES},
        key=f"{SLUG}_set_batch",
        default=str(start.batch_size),
    )
    peak_learning_rate = inputs.step(
        words.label("set_rate"),
        {name: with_marks(name, current_marks()) for name in RATES},
        key=f"{SLUG}_set_rate",
        default=f"{start.peak_learning_rate:g}",
    )
    warmup = _slider(page, "warmup", 0, 50, round(100 * start.warmup_proportion), 5, unit="%d %%")
    decay = inputs.step(
        words.label("set_decay"),
        {name: with_marks(name, current_marks()) for name in DECAYS},
        key=f"{SLUG}_set_decay",
        default=f"{start.weight_decay:g}",
    )
    return {
        "n_steps": n_steps,
        "batch_size": int(batch_size),
        "peak_learning_rate": float(peak_learning_rate),
        "warmup_proportion": warmup / 100,
        "weight_decay": float(decay),
        # As many tests as in a run of the start values, however long this one is.
        "evaluate_every": max(1, n_steps * start.evaluate_every // start.n_steps),
        "seed": _slider(page, "seed", 1, LARGEST_SEED, start.seed, 1),
    }


def _core_slider(page: Page, name: str, start: "SmallRunSettings") -> int:
    field, least, most, step = SLIDERS[name]
    return _slider(page, name, least, most, getattr(start, field), step)


def _slider(
    page: Page, name: str, least: int, most: int, start: int, step: int, unit: str | None = None
) -> int:
    return inputs.slider(
        page.words.label(f"set_{name}"),
        least,
        most,
        start,
        step,
        format=unit,
        key=f"{SLUG}_set_{name}",
        persist_state="session",
    )


def _say_cost(page: Page, settings: "SmallRunSettings") -> None:
    """Say how many numbers are learnt, how much is read, and how long that may take."""
    from pages.parts.train_an_encoder.settings import work_of

    stored = cache_training.stored_run(runs.STORED[0])
    ratio = work_of(settings) / work_of(stored.settings)
    st.markdown(
        page.words.section(
            "settings.cost",
            parameters=formatted(settings.parameter_count, ","),
            steps=formatted(settings.n_steps, ","),
            tokens=formatted(settings.n_steps * settings.batch_size * settings.length, ","),
            ratio=formatted(ratio, ".2g") if ratio < 10 else formatted(ratio, ".0f"),
        )
    )


def _start(settings: "SmallRunSettings") -> None:
    """Start a run, or show the one that this learner has of the same settings."""
    state = st.session_state
    state.pop(REFUSED, None)
    try:
        run = runs.MINE.find_or_start(settings)
    except ValueError as error:
        state[REFUSED] = str(error)
        return
    inputs.choose(run_status.shown_key(SLUG), run.name)
    whole_page.want()  # the opening shows the run


# How much work a run is, in multiply-adds, so that two runs can be compared before they start.


def work_of(settings: "SmallRunSettings") -> float:
    """Return the multiply-adds of a run if all its texts filled the window.

    The head for words runs at the chosen positions only, or at all of them for next words.
    """
    from mlm_core.encoder.cost import attention_cost

    config = settings.bert_config()
    cost = attention_cost(settings.length, config)
    layers = settings.n_layers * (cost.quadratic_products + cost.linear_products)
    share = 1.0 if settings.objective == "next_word" else settings.mlm_probability
    of_head = config.hidden_size * (config.hidden_size + config.vocabulary_size)
    a_text = layers + share * settings.length * of_head
    return PASSES * settings.n_steps * settings.batch_size * a_text
