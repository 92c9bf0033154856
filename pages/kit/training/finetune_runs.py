"""The learner's fine-tunings and the stored ones: what each is called, and which a part asks.

Both lessons on fine-tuning share one list: who trained a tagger finds it again in the other.
"""

from collections.abc import Mapping, Sequence

from mlm_core.finetuning.settings import (
    SENTIMENT,
    TAGGED,
    Data,
    FineTuneSettings,
    default_settings,
    language_of,
    usual_model,
)
from mlm_core.finetuning.snapshot import FineTuneSnapshot
from mlm_core.number_format import formatted
from mlm_core.stored.finetunes import WITH_WEIGHTS, has_weights
from pages.kit.part import Part
from pages.kit.remember import read_words
from pages.kit.training import run_status
from pages.kit.training.runs import Run, RunList
from pages.server.caches import cache_finetuning, own_models

MINE = RunList(
    prefix="finetune",
    begin=cache_finetuning.start,
    settings_type=FineTuneSettings,
    without_weights={"weights": None},
)
WORDS = "finetune_runs"  # the file of the words of this folder
MOST_SIDE_BY_SIDE = 4  # runs in a picker; more are a list
DEFAULT = "top"  # the way to train of the stored run that a picker starts with
# What a title tells if it isn't as usual, in this order.
TOLD = (
    *("model", "pooling", "scheme", "labelling"),
    *("n_examples", "n_epochs", "batch_size", "peak_learning_rate", "seed"),
)


def choose(
    p: Part,
    data: Sequence[Data],
    *,
    with_weights: bool = True,
    name: str = "which",
    folded: bool = False,
) -> tuple[str, FineTuneSnapshot] | None:
    """Let the learner choose a run on such data, their own or a stored one; return title and run.

    Says why, and returns None, if that run has no model yet, or none at all; without
    `with_weights` what it said of its test part is enough. The list is in a fold-out if `folded`.
    It isn't shown to a visit without own runs that would choose between two stored ones on the
    same data, unless a link names the other one.
    """
    p = p.with_words(WORDS)
    own = {run.name: run for run in reversed(MINE.all()) if run.settings.data in data}
    stored = stored_runs(data, with_weights=with_weights)
    several = len(data) > 1
    titles = {name: title_of(run, with_data=several) for name, run in own.items()}
    titles |= {name: stored_title(name, with_data=several) for name in stored}
    if not titles:
        p.note("no_run", icon="model_training", part=p.plain("part_train"))
        return None
    read = set(data) - of_other_languages(p)  # begin with what the page's sentences suit
    ready = [
        name
        for name, run in own.items()
        if run.seen and run.seen.predictions and run.settings.data in read
    ]
    usual = [f"{one}_{DEFAULT}" for one in data if f"{one}_{DEFAULT}" in stored]
    start = next(iter([*ready, *usual, *titles]))
    chosen = start
    if len(titles) > len(WITH_WEIGHTS) or own or name in p.state or p.in_link(name) is not None:
        with run_status.place_of_list(p, name, folded=folded):
            chosen = p.choice(name, titles, start=start, as_list=len(titles) > MOST_SIDE_BY_SIDE)
    if chosen in stored:
        return titles[chosen], cache_finetuning.stored(chosen)
    snapshot = _snapshot(p, own[chosen], with_weights, name)
    return None if snapshot is None else (titles[chosen], snapshot)


def read_or_own(p: Part, stored: Mapping[str, Data], *others: Data) -> tuple[Data, ...]:
    """Return the stored data that a page reads, others, and what one's own runs learned from.

    Who trained on the sentences of another language finds that run again.
    """
    own = {run.settings.data for run in MINE.all()} & of_other_languages(p)
    return (stored[p.language], *others, *own.intersection(stored.values()))


def of_other_languages(p: Part) -> set[Data]:
    """Return the stored data that there is in several languages, in those not read by a page."""
    data = (*SENTIMENT.values(), *TAGGED.values())
    return {one for one in data if language_of(one) != p.language}


def say_if_english(p: Part, data: Data = "sentiment") -> None:
    """Say that examples are English where the page reads another language."""
    if not p.reads_first and not data.startswith("own_") and language_of(data) == "en":
        p.with_words(WORDS).caption("in_english", model=usual_model(data))


def stored_runs(data: Sequence[str], *, with_weights: bool) -> list[str]:
    """Return the names of the stored runs on such data, in the order of `data`."""
    return [
        name
        for one in data
        for name, settings in cache_finetuning.stored_settings().items()
        if settings.data == one and (has_weights(name) or not with_weights)
    ]


def title_of(run: Run, *, with_data: bool = True) -> str:
    """Return a run's name for readers."""
    what = describe(run.settings, with_data=with_data)
    return read_words("runs").plain("run_title", n=run.number, what=what)


def stored_title(name: str, *, with_data: bool = True) -> str:
    """Return a stored run's name for readers; it says that it is stored."""
    what = describe(cache_finetuning.stored_settings()[name], with_data=with_data)
    return read_words("runs").plain("stored_title", what=what)


def describe(settings: FineTuneSettings, *, with_data: bool = True) -> str:
    """Say in a few words what is trained, on what, and how that differs from what is usual."""
    words = read_words(WORDS)
    usual = default_settings(
        usual_model(settings.data),
        settings.data,
        settings.trained,
        start=settings.start,
        own_data=settings.own_data,
    )
    said = [words.plain(f"data_{settings.data}")] * with_data + [_way(settings)]
    said += [
        words.plain(f"differs_{name}", value=_shown(settings, name))
        for name in TOLD
        if getattr(settings, name) != getattr(usual, name)
    ]
    return ", ".join(said)


def _way(settings: FineTuneSettings) -> str:
    words, n_read = read_words(WORDS), settings.n_read_layers
    if settings.start == "random":
        return words.plain("way_random" if n_read is None else "way_random_of", read=n_read)
    if settings.trained != "top":
        way = f"way_{settings.trained}"
        return words.plain(way) if n_read is None else words.plain(f"{way}_of", read=n_read)
    n = settings.n_top_layers
    if n_read is None:
        return words.plain("way_top_1") if n == 1 else words.plain("way_top", n=n)
    return layers(max(1, n_read - n + 1), n_read)


def layers(first: int, last: int) -> str:
    """Name some layers, of which there is one at least."""
    words = read_words(WORDS)
    if first == last:
        return words.plain("layers_one", n=first)
    return words.plain("layers_several", first=first, last=last)


def _shown(settings: FineTuneSettings, name: str) -> str:
    words, value = read_words(WORDS), getattr(settings, name)
    if name == "model":
        return words.plain("model_own") if value.startswith(own_models.PREFIX) else value
    if name in ("pooling", "labelling"):
        return words.plain(value)
    return formatted(value, "g") if isinstance(value, float) else str(value)


def _snapshot(p: Part, run: Run, with_weights: bool, name: str) -> FineTuneSnapshot | None:
    """Return a run of the learner's own; say why if it can't be asked."""
    view = MINE.look(run)
    snapshot = run.seen if view is None else view.snapshot
    if snapshot is None or getattr(snapshot, "weights" if with_weights else "predictions") is None:
        if view is not None and view.status == "failed":
            p.note("failed", icon="error", reason=p.translated(view.message))
        else:
            run_status.say_no_model(p, view)
            if view is not None:
                _offer_to_look_again(p, name)
        return None
    if with_weights and run.settings.model not in own_models.choices():
        p.note("encoder_gone", icon="cloud_off")
        return None
    if view is not None and view.status in ("queued", "running", "paused"):
        at = {"step": snapshot.step, "n": snapshot.n_steps}
        p.caption("on_its_way", **at, part=p.plain("part_train"))
        _offer_to_look_again(p, name)
    return snapshot


def _offer_to_look_again(p: Part, name: str) -> None:
    """Show a button that does nothing but let the part be drawn again."""
    p.button(f"{name}_look_again", icon="refresh", label="look_again")
