"""Use the trained encoder in the other lessons, and take it home as a zip."""

from functools import partial

from mlm_core.figures.bars import bars_svg
from mlm_core.finetuning.take_home import pack_encoder, pins
from mlm_core.number_format import formatted
from mlm_core.small_runs.held_out import HeldOutPoint
from mlm_core.small_runs.snapshot import Snapshot, model_at
from mlm_core.text.tokens import entry_of
from pages.kit.caches import cache_training, own_models
from pages.kit.part import Part, part
from pages.lessons.train_an_encoder import runs

N_GUESSES = 5
TAKEN = "taken"  # state: an encoder of this visit was put to use


@part(code=("finetuning.take_home:pack_encoder",))
def show(p: Part) -> None:
    """Choose a run; put its encoder into the picker, or pack it with a filling."""
    p.say("lead")
    found = runs.choose_snapshot(p)
    if found is None:
        return
    title, snapshot = found
    at, objective = snapshot.best_checkpoint, snapshot.settings.objective
    _say_which(p, snapshot)
    p.heading("use_title")
    p.say("use")
    p.button("use", _use, p, snapshot, icon="swap_horiz")
    if TAKEN in p.state:
        p.confirm("used")
    p.heading("zip_title")
    p.say("zip")
    sentence = p.text("take_home_text")
    try:
        shown = cache_training.blank_guesses(snapshot, sentence, N_GUESSES, at)
    except ValueError as error:
        p.note("no_blank", icon="edit", reason=p.translated(error))
        return
    p.say_what_was_left_out(shown.before)
    assert snapshot.tokenizer is not None
    names = [entry_of(snapshot.tokenizer, guess.id) for guess in shown.guesses]
    values = [guess.probability for guess in shown.guesses]
    bars = partial(bars_svg, names, values, longest=1.0)
    table = {"token": names, "probability": values}
    p.figure("filling", bars, table, source="of_run", run=title, word=names[0])
    model, about = cache_training.model_at(snapshot, at), _about(p, title, snapshot)
    p.zip("save", lambda: pack_encoder(model, shown, objective, about), "my-encoder.zip")
    p.caption("script_next_word" if objective == "next_word" else "script_fill")


def _say_which(p: Part, snapshot: Snapshot) -> None:
    """Say which step's weights are used, where they are not the last ones."""
    best = _best_test(snapshot)
    if best is None or best.step == snapshot.checkpoints[-1].step:
        return
    last = snapshot.held_out[-1]
    values = {"step": best.step, "loss": best.loss, "last": last.step, "last_loss": last.loss}
    p.note("best", icon="trending_down", **values)


def _best_test(snapshot: Snapshot) -> HeldOutPoint | None:
    """Return the test of the weights that are used and packed; None before the first test."""
    step = snapshot.checkpoints[snapshot.best_checkpoint].step
    return next((point for point in snapshot.held_out if point.step == step), None)


def _use(p: Part, snapshot: Snapshot) -> None:
    # A new one: the cached one is shared, and this one gets a name.
    p.use_model(own_models.keep(model_at(snapshot, snapshot.best_checkpoint)))
    p.state[TAKEN] = True


def _about(p: Part, title: str, snapshot: Snapshot) -> str:
    """Return the README of the zip: what was trained, how, and how well."""
    settings = "\n".join(
        f"- {name}: {value}"
        for name, value in vars(snapshot.settings).items()
        if name != "own_text"  # the learner's own; they have it
    )
    best = _best_test(snapshot)
    return p.words.file(
        "take_home.readme",
        title=title,
        step=snapshot.checkpoints[snapshot.best_checkpoint].step,
        n_steps=snapshot.n_steps,
        loss="" if best is None else formatted(best.loss, ".3f"),
        accuracy="" if best is None else formatted(100 * best.accuracy, ".1f"),
        pins=pins(),
        settings=settings,
    )
