"""Settings of a learner's own fine-tuning: each has a default, impossible ones are refused.

Each control is a row of the lesson, made by finetune_rows.py.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from streamlit.delta_generator import DeltaGenerator

from mlm_core.encoder.language_model import OwnModel
from mlm_core.finetuning.settings import (
    RANDOM_LAYERS,
    TAGGED,
    USUAL_LAYERS,
    Data,
    FineTuneSettings,
    default_settings,
)
from pages.kit.part import Part, part
from pages.kit.training import finetune_own_data, finetune_runs, finetune_understood, run_status
from pages.kit.training.finetune_runs import MINE, WORDS, layers, title_of
from pages.kit.training.runs import Run
from pages.server.caches import cache_finetuning
from pages.server.caches.cache_training import training_service

MEGABYTE = 1_000_000


def reads_own(p: Part) -> bool:
    """Return whether the examples are a learner's own, as far as the panel was drawn before."""
    return str(p.state.get("set_data")).startswith("own_")


@part(words=(WORDS,))
def panel(p: Part, data: Sequence[Data], is_wide: bool) -> None:
    """Show the settings, what they amount to, and the button that starts.

    For a learner's own examples it is wide: these and what was understood of them take the full
    width, the settings are next to what they amount to. The page is drawn again when that changes.
    """
    p.write(f"**{p.label('own_run')}**")
    encoder = p.model
    if encoder.bert is None:
        p.note("no_bert", icon="block", name=p.model_name)
        return
    assert isinstance(encoder, OwnModel)
    settings, examples, understood = None, p.place(), p.place()
    if is_wide:
        understood, chosen = p.columns(1, 1, gap="large", of_run="settings")
    else:
        chosen = p.place()
    with chosen:
        try:
            settings = _choose(p, data, encoder, examples, understood, is_wide=is_wide)
            if settings is not None and not _say_cost(p, settings, encoder):
                settings = None
        except ValueError as error:
            settings = None
            p.refused(error)
        run_status.offer_start(p, MINE, settings, partial(_show, p))
        if own := [run for run in MINE.all() if run.settings.data in data]:
            p.with_words("runs").caption("started", run=title_of(own[-1]))


def _show(p: Part, run: Run) -> None:
    """Let all parts look at a run that was started, and lead to its curve.

    The curve is above: a panel of own data is long.
    """
    p.choose("shown", run.name)
    p.choose("which", run.name)
    p.go_to_part(p.name)


def _choose(
    p: Part,
    data: Sequence[Data],
    encoder: OwnModel,
    examples: DeltaGenerator,
    understood: DeltaGenerator,
    *,
    is_wide: bool,
) -> FineTuneSettings | None:
    """Show all widgets; return their settings, None while there are no examples.

    The choice of `examples` and what was `understood` of one's own have places of their own.

    Raises ValueError if the settings are no possible run.
    """
    with examples, p.popover("set_data", "dataset", width="stretch"):
        chosen = _data(p, data)
    if reads_own(p) != is_wide:
        p.draw_page_now()
    with examples:
        finetune_runs.say_if_english(p, chosen)
        text = finetune_own_data.show(p, chosen) if is_wide else None
    of_training, of_reading = p.columns(gap="small") if is_wide else (p.place(), p.place())
    with of_training:
        way = _way(p, encoder.bert.config.n_layers)
    with of_reading:
        reading = _reading(p, chosen)
        count = p.choice("set_examples")
    usual = default_settings(p.model_name, chosen, own_data=text, **way)
    schedule = _schedule(p, usual, is_few=count != "all")
    if text is not None:
        if not text.strip():
            p.note("own_empty", icon="edit")
            return None
        with understood:  # after the settings, which bad examples must not hide
            finetune_understood.say_parts(p, chosen, text)
        if finetune_own_data.waits(p, chosen, text):
            return None
    n_examples = None if count == "all" else int(count)
    return replace(usual, n_examples=n_examples, **reading, **schedule)


def _data(p: Part, data: Sequence[Data]) -> Data:
    """Show the data that suit what is read; return the chosen."""
    names = [name for name in data if name not in finetune_runs.of_other_languages(p)]
    # In a link the sentences with names are one option, whatever language is read.
    options = {TAGGED["en"] if name in TAGGED.values() else name: name for name in names}
    labels = {
        option: p.label(f"{'set' if name.startswith('own_') else 'data'}_{name}")
        for option, name in options.items()
    }
    return options[p.choice("set_data", labels, start=next(iter(labels)))]


def _way(p: Part, n_layers: int) -> dict[str, Any]:
    """Show what training starts from, and what of the model is read and trained."""
    with p.popover("set_start", "flag", width="stretch"):
        start = p.choice("set_start")
    if start == "random":
        p.caption("random_trains_all", layers=min(RANDOM_LAYERS, n_layers))
        return {"start": start, "trained": "all"}
    trained = p.choice("set_trained")
    way: dict[str, Any] = {"trained": trained, "n_read_layers": None}
    if trained == "top":
        way["n_top_layers"] = 1
    if n_layers == 1:
        return way
    with p.popover("group_layers", "layers", width="stretch"):
        # Whatever is learned from; own data has no text here.
        usual = default_settings(p.model_name, "sentiment", trained).n_read(n_layers)
        n_read = _layers(p, f"set_read_{trained}", n_layers, usual)
        if n_read < n_layers:
            way["n_read_layers"] = n_read
        if trained == "top" and n_layers > 2 and n_read > 1:
            most = min(n_read, n_layers - 1)
            way["n_top_layers"] = _layers(p, "set_k", most, min(USUAL_LAYERS, most))
    return way


def _layers(p: Part, name: str, most: int, usual: int) -> int:
    """Show numbers of layers along a slider; return the chosen one."""
    return int(p.choice(name, [str(n) for n in range(1, most + 1)], start=str(usual)))


def _reading(p: Part, data: Data) -> dict[str, str]:
    """Show how classes are read from the states, or which tags words and pieces get."""
    if data in (*TAGGED.values(), "own_tags"):
        return {"scheme": p.choice("set_scheme"), "labelling": p.choice("set_labelling")}
    if data == "passages":
        return {}
    with p.popover("set_pooling", "output", width="stretch"):
        return {"pooling": p.choice("set_pooling")}


def _schedule(p: Part, usual: FineTuneSettings, *, is_few: bool) -> Mapping[str, Any]:
    """Show how often, in what portions and how fast is trained.

    What is usual depends on what is trained, so each has widgets of its own.
    """
    way = "random" if usual.start == "random" else usual.trained
    long = "long" if usual.data == "passages" else "short"
    with p.popover("group_schedule", "schedule", width="stretch"):
        return {
            "n_epochs": int(p.choice(f"set_epochs_{way}{'_few' * is_few}")),
            "batch_size": int(p.choice(f"set_batch_{long}", start=str(usual.batch_size))),
            "peak_learning_rate": float(p.choice(f"set_rate_{way}")),
            "seed": p.slider("set_seed"),
        }


def _say_cost(p: Part, settings: FineTuneSettings, encoder: OwnModel) -> bool:
    """Say how many numbers are learnt and what that takes; return whether there is room."""
    examples = cache_finetuning.dataset(settings.data, settings.own_data)
    n_examples = min(len(examples.train), settings.n_examples or len(examples.train))
    needed, room = cache_finetuning.cost(settings), training_service().limits.most_bytes
    p.say(
        "cost",
        layers=_told_layers(p, settings, encoder.bert.config.n_layers),
        trained=cache_finetuning.n_trained(settings),
        all=_n_numbers(settings, encoder),
        steps=settings.n_steps(n_examples),
        megabytes=max(1, round(needed / MEGABYTE)),
    )
    if needed > room:
        p.warn("no_room", icon="memory", needed=needed / MEGABYTE, room=room / MEGABYTE)
    return needed <= room


def _told_layers(p: Part, settings: FineTuneSettings, n_layers: int) -> str:
    """Return which parts of the encoder are frozen, trained and left out."""
    n_read, n_frozen = settings.n_read(n_layers), settings.n_frozen(n_layers)
    parts = {"frozen": (1, n_frozen), "trained": (n_frozen + 1, n_read)}
    parts["left_out"] = (n_read + 1, n_layers)
    with_embeddings, said = "trained" if settings.trained == "all" else "frozen", []
    for name, (first, last) in parts.items():
        what = [p.plain("layers_embeddings")] * (name == with_embeddings)
        if first <= last:
            what.append(layers(first, last))
        if what:
            joined = f" {p.plain('layers_and')} ".join(what)
            said.append(p.plain(f"layers_{name}", what=joined))
    return ", ".join(said)


def _n_numbers(settings: FineTuneSettings, encoder: OwnModel) -> int:
    """Return how many numbers encoder and head have; the pretraining heads are no part of it."""
    bert = encoder.bert
    parts = (bert.embeddings, *bert.blocks)
    head = cache_finetuning.n_trained(replace(settings, trained="head", start="pretrained"))
    return head + sum(one.numel() for part in parts for one in part.parameters())
