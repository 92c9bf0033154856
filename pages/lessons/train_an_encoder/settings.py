"""The settings of an own run: each has a start value; impossible ones are refused."""

from contextlib import AbstractContextManager
from functools import partial
from typing import Any

from mlm_core.encoder.cost import attention_cost
from mlm_core.number_format import formatted
from mlm_core.small_runs.settings import LONGEST_OWN_TEXT, SmallRunSettings
from pages.kit.caches import cache_training
from pages.kit.part import Part, part
from pages.kit.training import run_status
from pages.kit.training.runs import Run
from pages.lessons.train_an_encoder import computed, runs

TEXT = "own_text"
LARGEST_UPLOAD = 1  # MB; what one more byte would bring is refused in the browser
# Slider: field of SmallRunSettings.
SIZES = {
    "vocabulary": "vocabulary_size",
    "width": "hidden_size",
    "layers": "n_layers",
    "heads": "n_heads",
    "window": "length",
}
# One change of the start values by one click, and the values of all others that a click sets.
CHANGES: dict[str, dict[str, object]] = {
    "no_layer": {"layers": 1},
    "mask_only": {"zones": (100, 100)},
    "all_chosen": {"choose": 50},
    "short": {"steps": 400},
    "nothing": {},
}
USUAL = {"layers": 2, "zones": (80, 90), "choose": 15, "steps": SmallRunSettings().n_steps}
PASSES = 3  # forward, and about twice as much back


@part()
def show(p: Part) -> None:
    """Show the button that starts, one change by one click, and all settings in one row."""
    settings = None
    with p.row(gap="xsmall"):
        start = p.place(width=160)
        _offer_changes(p)
        window = p.popover("all", "tune")
    try:
        settings = _choose(p, window)
    except ValueError as error:
        p.refused(error)
    with start:
        run_status.offer_start(p, runs.MINE, settings, partial(_show, p), label="own_run")
    if settings is not None:
        _say_what_differs(p, settings)
    if own := runs.newest():
        with window:
            p.with_words("runs").caption("started", run=runs.title_of(p, own))


def _show(p: Part, run: Run) -> None:
    p.choose("shown", run.name)


def _offer_changes(p: Part) -> None:
    """Show changes of one thing, each a button that sets the widgets below."""
    for name, changes in CHANGES.items():
        changed = {f"set_{one}": value for one, value in (USUAL | changes).items()}
        p.button(f"change_{name}", p.state.update, changed, changes=list(changed))


def _choose(p: Part, window: AbstractContextManager) -> SmallRunSettings | None:
    """Show all widgets in a window, own text below; return the settings, None without a text.

    Raises ValueError if the settings are no possible run.
    """
    with window:
        objective, corpus = p.choice("set_objective"), p.choice("set_corpus")
    text = _own_text(p) if corpus == "own" else None
    with window:
        sizes = {field: _slider(p, name) for name, field in SIZES.items()}
        rates = _hiding(p, objective)
        schedule = _schedule(p)
    made = SmallRunSettings(own_text=text, objective=objective, **sizes, **rates, **schedule)
    return made if text is None or _has_text(p, made) else None


def _slider(p: Part, name: str, **more: Any) -> Any:
    return p.slider(f"set_{name}", **more)


def _hiding(p: Part, objective: str) -> dict[str, float]:
    """Show how words are hidden; a run on next words hides none."""
    if objective == "next_word":
        p.caption("hides_none")
        return {}
    percent = _slider(p, "choose", format="%d %%")
    # Two marks on one line cut it in three: any three shares that sum to 1.
    mask, rest = _slider(p, "zones", format="%d %%", help=p.label("set_zones_help"))
    shares = {"mask": mask, "random": rest - mask, "keep": 100 - rest}
    p.write_small(p.label("set_shares", **shares))
    rates = {f"{name}_rate": share / 100 for name, share in shares.items()}
    return {"mlm_probability": percent / 100, **rates}


def _schedule(p: Part) -> dict[str, int | float]:
    """Show how long, in what portions and how fast is trained."""
    start = SmallRunSettings()
    n_steps, batch_size, rate = _slider(p, "steps"), p.choice("set_batch"), p.choice("set_rate")
    warmup = _slider(p, "warmup", format="%d %%")
    decay = p.choice("set_decay")
    return {
        "n_steps": n_steps,
        "batch_size": int(batch_size),
        "peak_learning_rate": float(rate),
        "warmup_proportion": warmup / 100,
        "weight_decay": float(decay),
        # As many tests as in a run of the start values, however long this one is.
        "evaluate_every": max(1, n_steps * start.evaluate_every // start.n_steps),
        "seed": _slider(p, "seed"),
    }


def _own_text(p: Part) -> str:
    """Show the field and the upload, which fills the field; return what is in it."""
    p.upload_into(
        "own_file",
        TEXT,
        longest=LONGEST_OWN_TEXT,
        type=["txt"],
        max_upload_size=LARGEST_UPLOAD,
        help=p.label("own_file_help", longest=LONGEST_OWN_TEXT),
    )
    text = p.pasted(TEXT, longest=LONGEST_OWN_TEXT, height=160)
    p.caption("own_text.help")
    return text


def _has_text(p: Part, settings: SmallRunSettings) -> bool:
    """Say what there is to learn from, or that there is nothing.

    Raises ValueError if there is too little of it.
    """
    own_text = settings.own_text
    assert own_text is not None
    if not own_text.strip():
        p.note("own_text.empty", icon="edit")
        return False
    with_pairs = settings.objective == "mlm_nsp"
    documents, learnt, held_out = computed.own_text_parts(own_text, with_pairs)
    p.caption("own_text.parts", documents=documents, learnt=learnt, held_out=held_out)
    return not p.waits_for_encoding(TEXT)


def _say_what_differs(p: Part, settings: SmallRunSettings) -> None:
    """Say what is changed, how many numbers are learnt, and how much work it is."""
    differs = runs.differences(p, settings)
    stored = cache_training.stored_run(runs.STORED[0])
    ratio = work_of(settings) / work_of(stored.settings)
    cost = p.section(
        "cost",
        parameters=settings.parameter_count,
        steps=settings.n_steps,
        ratio=formatted(ratio, ".2g" if ratio < 10 else ".0f"),
    )
    p.write_small(f"{p.section('differs', what=differs) if differs else p.section('same')} {cost}")


def work_of(settings: SmallRunSettings) -> float:
    """Return the multiply-adds of a run if all its texts filled the window, to compare two runs.

    The head for words runs at the chosen positions only, or at all of them for next words.
    """
    config = settings.bert_config()
    cost = attention_cost(settings.length, config)
    layers = settings.n_layers * (cost.quadratic_products + cost.linear_products)
    share = 1.0 if settings.objective == "next_word" else settings.mlm_probability
    of_head = config.hidden_size * (config.hidden_size + config.vocabulary_size)
    a_text = layers + share * settings.length * of_head
    return PASSES * settings.n_steps * settings.batch_size * a_text
