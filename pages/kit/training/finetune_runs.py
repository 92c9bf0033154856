"""The learner's fine-tunings and the stored ones: what each is called, and which a part asks.

Both lessons on fine-tuning share one list: who trained a tagger finds it again in the other.
"""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.number_format import formatted
from pages.kit.training.runs import Run, RunList
from pages.server.caches import cache_finetuning, own_models
from pages.server.course.core_messages import translated
from pages.server.course.language import FIRST, read_on
from pages.server.course.words import Words, read_words
from pages.server.frame.page_frame import Page
from pages.server.link import inputs, locks

if TYPE_CHECKING:
    from mlm_core.finetuning.settings import Data, FineTuneSettings
    from mlm_core.finetuning.snapshot import FineTuneSnapshot
    from pages.server.trainer.jobs import View

MINE = RunList(
    prefix="finetune",
    begin=cache_finetuning.start,
    settings_type="FineTuneSettings",
    without_weights={"weights": None},
)
MOST_SIDE_BY_SIDE = 4  # runs in a picker; more are a list
DEFAULT = "top"  # the way to train of the stored run that a picker starts with
# What a title tells if it isn't as usual, in this order.
TOLD = (
    *("model", "pooling", "scheme", "labelling"),
    *("n_examples", "n_epochs", "batch_size", "peak_learning_rate", "seed"),
)


def choose(
    page: Page,
    data: "tuple[Data, ...]",
    *,
    with_weights: bool = True,
    key: str = "which",
    folded: bool = False,
) -> "tuple[str, FineTuneSnapshot] | None":
    """Let the learner choose a run on such data, their own or a stored one; return title and run.

    Says why, and returns None, if that run has no model yet, or none at all; without
    `with_weights` what it said of its test part is enough. The list is in a fold-out if `folded`.
    """
    key = f"{page.lesson.slug}_{key}"
    own = {run.name: run for run in reversed(MINE.all()) if run.settings.data in data}
    stored = stored_runs(data, with_weights=with_weights)
    several = len(data) > 1
    titles = {name: title_of(run, with_data=several) for name, run in own.items()}
    titles |= {name: stored_title(name, with_data=several) for name in stored}
    if not titles:
        part = page.words.plain("part_train")
        message = read_words("finetune_runs").section("no_run", part=part)
        st.info(message, icon=":material/model_training:")
        return None
    read = set(data) - of_other_languages(page)  # begin with what the page's sentences suit
    ready = [
        name
        for name, run in own.items()
        if run.seen and run.seen.predictions and run.settings.data in read
    ]
    usual = [f"{one}_{DEFAULT}" for one in data if f"{one}_{DEFAULT}" in stored]
    _forget_other_data(key, titles)
    show = inputs.choice if len(titles) <= MOST_SIDE_BY_SIDE else inputs.listed
    default = next(iter([*ready, *usual, *titles]))
    label = read_words("runs").label("which")
    is_open = not folded or locks.is_hidden(key)
    with nullcontext() if is_open else st.popover(label, icon=":material/tune:"):
        name = show(label, titles, key=key, default=default)
    if name in stored:
        return titles[name], cache_finetuning.stored(name)
    snapshot = _snapshot(page, own[name], with_weights, key)
    return None if snapshot is None else (titles[name], snapshot)


def read_or_own(page: Page, stored: "Mapping[str, Data]", *others: "Data") -> "tuple[Data, ...]":
    """Return the stored data that a page reads, others, and what one's own runs learned from.

    Who trained on the sentences of another language finds that run again.
    """
    own = {run.settings.data for run in MINE.all()} & of_other_languages(page)
    return (stored[read_on(page.lesson.slug)], *others, *own.intersection(stored.values()))


def of_other_languages(page: Page) -> "set[Data]":
    """Return the stored data that there is in several languages, in those not read by a page."""
    from mlm_core.finetuning.settings import SENTIMENT, TAGGED, language_of

    data, read = (*SENTIMENT.values(), *TAGGED.values()), read_on(page.lesson.slug)
    return {one for one in data if language_of(one) != read}


def say_if_english(page: Page, data: "Data" = "sentiment") -> None:
    """Say that examples are English where the page reads another language."""
    from mlm_core.finetuning.settings import language_of, usual_model

    if read_on(page.lesson.slug) == FIRST or data.startswith("own_"):
        return
    if language_of(data) == FIRST:
        st.caption(read_words("finetune_runs").section("in_english", model=usual_model(data)))


def stored_runs(data: Sequence[str], *, with_weights: bool) -> list[str]:
    """Return the names of the stored runs on such data, in the order of `data`."""
    from mlm_core.stored.finetunes import has_weights

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


def describe(settings: "FineTuneSettings", *, with_data: bool = True) -> str:
    """Say in a few words what is trained, on what, and how that differs from what is usual."""
    from mlm_core.finetuning.settings import default_settings, usual_model

    words = read_words("finetune_runs")
    usual = default_settings(
        usual_model(settings.data),
        settings.data,
        settings.trained,
        start=settings.start,
        own_data=settings.own_data,
    )
    told = [words.plain(f"data_{settings.data}")] * with_data + [_way(words, settings)]
    told += [
        words.plain(f"differs_{name}", value=_shown(words, settings, name))
        for name in TOLD
        if getattr(settings, name) != getattr(usual, name)
    ]
    return ", ".join(told)


def _way(words: Words, settings: "FineTuneSettings") -> str:
    n_read = settings.n_read_layers
    if settings.start == "random":
        return words.plain("way_random" if n_read is None else "way_random_of", read=n_read)
    if settings.trained != "top":
        way = f"way_{settings.trained}"
        return words.plain(way) if n_read is None else words.plain(f"{way}_of", read=n_read)
    n = settings.n_top_layers
    if n_read is None:
        return words.plain("way_top_1") if n == 1 else words.plain("way_top", n=n)
    first = max(1, n_read - n + 1)
    return layers(words, first, n_read)


def layers(words: Words, first: int, last: int) -> str:
    """Name some layers, of which there is one at least."""
    if first == last:
        return words.plain("layers_one", n=first)
    return words.plain("layers_several", first=first, last=last)


def _shown(words: Words, settings: "FineTuneSettings", name: str) -> str:
    value = getattr(settings, name)
    if name == "model":
        return words.plain("model_own") if value.startswith(own_models.PREFIX) else value
    if name in ("pooling", "labelling"):
        return words.plain(value)
    return formatted(value, "g") if isinstance(value, float) else str(value)


def _forget_other_data(key: str, titles: "dict[str, str]") -> None:
    """Let go of a choice that another part made among other runs, so that nobody is warned."""
    if key in st.session_state and st.session_state[key] not in titles:
        del st.session_state[key]
        st.query_params.pop(key, None)


def _snapshot(page: Page, run: Run, with_weights: bool, key: str) -> "FineTuneSnapshot | None":
    """Return a run of the learner's own; say why if it can't be asked."""
    view = MINE.look(run)
    snapshot = run.seen if view is None else view.snapshot
    part = "weights" if with_weights else "predictions"
    if snapshot is None or getattr(snapshot, part) is None:
        _say_why_not(view, key)
        return None
    words = read_words("finetune_runs")
    if with_weights and run.settings.model not in own_models.choices():
        st.info(words.section("encoder_gone"), icon=":material/cloud_off:")
        return None
    if view is not None and view.status in ("queued", "running", "paused"):
        values = {"step": formatted(snapshot.step, ","), "n": formatted(snapshot.n_steps, ",")}
        part_train = page.words.plain("part_train")
        st.caption(words.section("on_its_way", **values, part=part_train))
        _look_again(key)
    return snapshot


def _say_why_not(view: "View | None", key: str) -> None:
    words = read_words("finetune_runs")
    if view is None:
        st.info(read_words("runs").section("gone"), icon=":material/history:")
    elif view.status == "failed":
        st.info(words.section("failed", reason=translated(view.message)), icon=":material/error:")
    else:
        st.info(read_words("runs").section("not_ready"), icon=":material/hourglass_top:")
        _look_again(key)


def _look_again(key: str) -> None:
    """Show a button that does nothing but let the part be drawn anew."""
    label = read_words("finetune_runs").label("look_again")
    st.button(label, icon=":material/refresh:", key=f"{key}_look_again")
