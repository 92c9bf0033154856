"""The settings of a fine-tuning of one's own: each has a start value, what can't be is said."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import streamlit as st

from mlm_core.number_format import current_marks, formatted, with_marks
from pages.kit.training import finetune_own_data, finetune_runs, finetune_understood, run_status
from pages.kit.training.finetune_runs import MINE, layers, title_of
from pages.server import session
from pages.server.caches import cache, cache_finetuning
from pages.server.caches.cache_training import training_service
from pages.server.course.core_messages import translated
from pages.server.course.words import as_text, read_words
from pages.server.frame.landing import Arrived
from pages.server.frame.page_frame import Page
from pages.server.frame.parts import part
from pages.server.link import inputs, whole_page
from pages.server.link.controls import part_key

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from mlm_core.encoder.language_model import OwnModel
    from mlm_core.finetuning.settings import Data, FineTuneSettings

COUNTS = ("10", "100")  # examples, beside all there are
EPOCHS = ("1", "2", "3", "5", "8", "10", "15", "20", "30", "40")
FEW_EPOCHS = "20"  # where the examples are few, each is seen more often
BATCHES = ("2", "4", "8", "16", "32", "64")
RATES = (
    *("0.00002", "0.00005", "0.0001", "0.0002", "0.0005", "0.001", "0.002", "0.005"),
    *("0.01", "0.02", "0.05", "0.1", "1"),
)
LARGEST_SEED = 100
Name = TypeVar("Name", bound=str)
MEGABYTE = 1_000_000


def refused_key(slug: str) -> str:
    """Return where the session notes why the last run could not be started."""
    return f"{slug}_refused"


def reads_own(page: Page) -> bool:
    """Return whether the examples are a learner's own, as far as the panel was drawn before."""
    return str(st.session_state.get(f"{page.lesson.slug}_set_data")).startswith("own_")


@part
def panel(page: Page, data: "tuple[Data, ...]", is_wide: bool) -> None:
    """Show the settings, what they amount to, and the button that starts.

    For a learner's own examples it is wide: these and what was understood of them take the full
    width, the settings are next to what they amount to. The page is drawn again when that changes.
    """
    from mlm_core.encoder.language_model import OwnModel

    words, slug = read_words("finetune_runs"), page.lesson.slug
    st.markdown(f"**{words.label('own_run')}**")
    encoder = cache.model(page.model_name)
    if encoder.bert is None:
        st.info(words.section("no_bert", name=page.model_name), icon=":material/block:")
        return
    assert isinstance(encoder, OwnModel)
    settings, has_room, examples = None, False, st.container()
    understood = st.container()
    if is_wide:
        understood, chosen = run_status.columns([1, 1], "settings")
    else:
        chosen = st.container()
    with chosen:
        try:
            settings = _choose(page, data, encoder, examples, understood, is_wide=is_wide)
            has_room = settings is not None and _say_cost(settings, encoder)
        except ValueError as error:
            finetune_own_data.say_refused(str(error))
        run_status.start_button(f"{slug}_start", _start, (slug, settings), is_ready=has_room)
        if refused_key(slug) in st.session_state:
            refused = as_text(translated(st.session_state[refused_key(slug)]))
            st.error(refused, icon=":material/error:")
        if own := [run for run in MINE.all() if run.settings.data in data]:
            st.caption(read_words("runs").section("started", run=title_of(own[-1])))


def _choose(
    page: Page,
    data: "tuple[Data, ...]",
    encoder: "OwnModel",
    examples: "DeltaGenerator",
    understood: "DeltaGenerator",
    *,
    is_wide: bool,
) -> "FineTuneSettings | None":
    """Show all widgets; return their settings, None while there are no examples.

    The choice of `examples` and what was `understood` of one's own have places of their own.

    Raises ValueError if the settings are no possible run.
    """
    from mlm_core.finetuning.settings import TAGGED, default_settings

    words, slug = read_words("finetune_runs"), page.lesson.slug
    names = {
        name: words.label(f"set_{name}" if name.startswith("own_") else f"data_{name}")
        for name in data
        if name not in finetune_runs.of_other_languages(page)
    }
    # In a link the sentences with names are one option, whatever language is read.
    options = {TAGGED["en"] if name in TAGGED.values() else name: name for name in names}
    with (
        examples,
        st.popover(words.label("set_data"), icon=":material/dataset:", width="stretch"),
    ):
        shown = {option: names[name] for option, name in options.items()}
        option = inputs.choice(words.label("set_data"), shown, key=f"{slug}_set_data")
    chosen = options[option]
    if reads_own(page) != is_wide:
        st.rerun()
    with examples:
        finetune_runs.say_if_english(page, chosen)
        text = finetune_own_data.show(page, chosen) if is_wide else None
    of_training, of_reading = st.columns(2) if is_wide else (st.container(), st.container())
    with of_training:
        way = _way(slug, page.model_name, encoder.bert.config.n_layers)
    with of_reading:
        reading = _reading(slug, chosen)
        counts = {name: name for name in COUNTS} | {"all": words.label("set_examples_all")}
        count = inputs.choice(
            words.label("set_examples"), counts, key=f"{slug}_set_examples", default="all"
        )
    usual = default_settings(page.model_name, chosen, own_data=text, **way)
    schedule = _schedule(slug, usual, is_few=count != "all")
    if text is not None:
        if not text.strip():
            st.info(words.section("own_empty"), icon=":material/edit:")
            return None
        with understood:  # after the settings, which bad examples must not hide
            finetune_understood.say_parts(chosen, text, page.model_name)
        if finetune_own_data.waits(slug, chosen, text):
            return None
    n_examples = None if count == "all" else int(count)
    return replace(usual, n_examples=n_examples, **reading, **schedule)


def _way(slug: str, model: str, n_layers: int) -> dict[str, Any]:
    """Show what training starts from, and what of the model is read and trained."""
    from mlm_core.finetuning.settings import RANDOM_LAYERS, USUAL_LAYERS, default_settings

    words = read_words("finetune_runs")
    with st.popover(words.label("set_start"), icon=":material/flag:", width="stretch"):
        start = _named(slug, "start", ("pretrained", "random"))
    if start == "random":
        st.caption(words.section("random_trains_all", layers=min(RANDOM_LAYERS, n_layers)))
        return {"start": start, "trained": "all"}
    trained = _named(slug, "trained", ("head", "top", "all"), default="top")
    way: dict[str, Any] = {"trained": trained, "n_read_layers": None}
    if trained == "top":
        way["n_top_layers"] = 1
    if n_layers == 1:
        return way
    with st.popover(words.label("group_layers"), icon=":material/layers:", width="stretch"):
        # Whatever is learned from; own data has no text here.
        usual = default_settings(model, "sentiment", trained).n_read(n_layers)
        n_read = _layers(slug, "read", n_layers, usual, f"_{trained}")
        if n_read < n_layers:
            way["n_read_layers"] = n_read
        if trained == "top" and n_layers > 2 and n_read > 1:
            most = min(n_read, n_layers - 1)
            way["n_top_layers"] = _layers(slug, "k", most, min(USUAL_LAYERS, most))
    return way


def _layers(slug: str, name: str, most: int, usual: int, of: str = "") -> int:
    """Show numbers of layers along a slider; return the chosen one."""
    options = {str(n): str(n) for n in range(1, most + 1)}
    label, key = read_words("finetune_runs").label(f"set_{name}"), f"{slug}_set_{name}{of}"
    return int(inputs.step(label, options, key=key, default=str(usual)))


def _reading(slug: str, data: str) -> dict[str, str]:
    """Show how classes are read from the states, or which tags words and pieces get."""
    from mlm_core.finetuning.settings import TAGGED

    words = read_words("finetune_runs")
    if data in (*TAGGED.values(), "own_tags"):
        schemes = {name: name for name in ("IO", "BIO", "BIOES")}
        label, key = words.label("set_scheme"), f"{slug}_set_scheme"
        rules = ("first_only", "all_pieces", "copy_to_all")
        return {
            "scheme": inputs.choice(label, schemes, key=key, default="BIO"),
            "labelling": _named(slug, "labelling", rules),
        }
    if data == "passages":
        return {}
    poolings, label = (
        {name: words.label(name) for name in ("mean", "cls")},
        words.label("set_pooling"),
    )
    with st.popover(label, icon=":material/output:", width="stretch"):
        return {"pooling": inputs.choice(label, poolings, key=f"{slug}_set_pooling")}


def _schedule(slug: str, usual: "FineTuneSettings", *, is_few: bool) -> dict[str, Any]:
    """Show how often, in what portions and how fast is trained.

    What is usual depends on what is trained, so each has widgets of its own.
    """
    words = read_words("finetune_runs")
    way = "random" if usual.start == "random" else usual.trained
    with st.popover(words.label("group_schedule"), icon=":material/schedule:", width="stretch"):
        few = "_few" * is_few
        start = FEW_EPOCHS if is_few else str(usual.n_epochs)
        epochs = _numbers(slug, "epochs", EPOCHS, start, f"{way}{few}")
        long = "long" if usual.data == "passages" else "short"
        batch = _numbers(slug, "batch", BATCHES, str(usual.batch_size), long)
        rate = _numbers(slug, "rate", RATES, f"{usual.peak_learning_rate:g}", way)
        seed = inputs.slider(
            words.label("set_seed"),
            1,
            LARGEST_SEED,
            usual.seed,
            key=f"{slug}_set_seed",
        )
    return {
        "n_epochs": int(epochs),
        "batch_size": int(batch),
        "peak_learning_rate": float(rate),
        "seed": seed,
    }


def _named(slug: str, name: str, options: tuple[Name, ...], default: str | None = None) -> Name:
    words = read_words("finetune_runs")
    labels = {option: words.label(f"set_{name}_{option}") for option in options}
    return inputs.choice(
        words.label(f"set_{name}"), labels, key=f"{slug}_set_{name}", default=default
    )


def _numbers(slug: str, name: str, options: tuple[str, ...], start: str, of: str) -> str:
    """Show numbers along a slider, the usual one among them; return the chosen one."""
    ordered, marks = sorted({*options, start}, key=float), current_marks()
    shown = {option: with_marks(option, marks) for option in ordered}
    label, key = read_words("finetune_runs").label(f"set_{name}"), f"{slug}_set_{name}_{of}"
    return inputs.step(label, shown, key=key, default=start)


def _say_cost(settings: "FineTuneSettings", encoder: "OwnModel") -> bool:
    """Say how many numbers are learnt and what that takes; return whether there is room."""
    words = read_words("finetune_runs")
    examples = cache_finetuning.dataset(settings.data, settings.own_data)
    n_examples = min(len(examples.train), settings.n_examples or len(examples.train))
    needed, room = cache_finetuning.cost(settings), training_service().limits.most_bytes
    st.markdown(
        words.section(
            "cost",
            layers=_told_layers(settings, encoder.bert.config.n_layers),
            trained=formatted(cache_finetuning.n_trained(settings), ","),
            all=formatted(_n_numbers(settings, encoder), ","),
            steps=formatted(settings.n_steps(n_examples), ","),
            megabytes=f"{max(1, round(needed / MEGABYTE))}",
        )
    )
    if needed <= room:
        return True
    values = {
        "needed": formatted(needed / MEGABYTE, ".0f"),
        "room": formatted(room / MEGABYTE, ".0f"),
    }
    st.warning(words.section("no_room", **values), icon=":material/memory:")
    return False


def _told_layers(settings: "FineTuneSettings", n_layers: int) -> str:
    """Return which parts of the encoder are frozen, trained and left out."""
    words, n_read = read_words("finetune_runs"), settings.n_read(n_layers)
    n_frozen = settings.n_frozen(n_layers)
    parts = {"frozen": (1, n_frozen), "trained": (n_frozen + 1, n_read)}
    parts["left_out"] = (n_read + 1, n_layers)
    with_embeddings, told = "trained" if settings.trained == "all" else "frozen", []
    for name, (first, last) in parts.items():
        what = [words.plain("layers_embeddings")] * (name == with_embeddings)
        if first <= last:
            what.append(layers(words, first, last))
        if what:
            joined = f" {words.plain('layers_and')} ".join(what)
            told.append(words.plain(f"layers_{name}", what=joined))
    return ", ".join(told)


def _n_numbers(settings: "FineTuneSettings", encoder: "OwnModel") -> int:
    """Return how many numbers encoder and head have; the pretraining heads are no part of it."""
    bert = encoder.bert
    parts = (bert.embeddings, *bert.blocks)
    head = cache_finetuning.n_trained(replace(settings, trained="head", start="pretrained"))
    return head + sum(one.numel() for part in parts for one in part.parameters())


def _start(slug: str, settings: "FineTuneSettings") -> None:
    """Start a run, or show the one that this learner has of the same settings."""
    state = st.session_state
    state.pop(refused_key(slug), None)
    try:
        run = MINE.find_or_start(settings)
    except ValueError as error:
        state[refused_key(slug)] = str(error)
        return
    inputs.choose(run_status.shown_key(slug), run.name)
    inputs.choose(f"{slug}_which", run.name)  # the other parts look at it too
    # The curve is above: a panel of own data is long.
    session.of(Arrived).looked_up = part_key(slug)
    whole_page.want()  # the opening shows the run
