"""A fine-tuned model as files: the zip, its README, the script in it, and how to load it."""

from collections.abc import Callable, Sequence

from mlm_core.finetuning.cost import refuse_foreign
from mlm_core.finetuning.fine_tuned import fine_tuned
from mlm_core.finetuning.one_answer import OneAnswer, ask
from mlm_core.finetuning.settings import Data
from mlm_core.finetuning.snapshot import FineTuneSnapshot
from mlm_core.finetuning.take_home import SCRIPT_OF_KIND, SCRIPTS, pack_fine_tuned, pins
from pages.kit.part import Part
from pages.kit.training import finetune_runs
from pages.kit.training.finetune_record import record_of, settings_told
from pages.server.caches import cache, cache_finetuning
from pages.server.course.words import Words, read_words
from pages.server.record import lesson_record

WORDS = "finetune_take_home"


def take_home(
    p: Part,
    data: Sequence[Data],
    ask_for: Callable[[Part, FineTuneSnapshot], tuple[str, ...]],
    show_answer: Callable[[Part, OneAnswer, FineTuneSnapshot, str], None],
) -> None:
    """Let the learner choose a run, ask it, save it with its answer, and keep a record.

    `ask_for` shows the fields and returns what is asked, nothing while it isn't complete;
    `show_answer` also gets the run's title.
    """
    p = p.with_words(WORDS)
    p.say("lead")
    found = finetune_runs.choose(p, data, name="take_home_run")
    if found is None:
        return
    title, snapshot = found
    finetune_runs.say_if_english(p, snapshot.settings.data)
    p.say("ask")
    asked = ask_for(p, snapshot)
    if not asked:
        p.note("empty", icon="edit")
        return
    answer, read = cache_finetuning.one_answer(snapshot, asked)
    p.say_what_was_left_out(read)
    show_answer(p, answer, snapshot, title)
    _offer_files(p, title, snapshot, answer)
    lesson_record.show(record_of(p, title, snapshot, answer), slug=p.slug)
    p.code(p.name, ask, pack_fine_tuned)


def _offer_files(p: Part, title: str, snapshot: FineTuneSnapshot, answer: OneAnswer) -> None:
    """Offer the zip, which is made when it is asked for, and show the code that uses it."""
    sort, script = _sort(snapshot), SCRIPTS / SCRIPT_OF_KIND[answer.kind]
    p.heading("files_title")
    p.say("files")
    about = readme(read_words(WORDS), title, snapshot, sort)
    # Before the press: what runs then has no session, which keeps a learner's own encoder.
    encoder = refuse_foreign(cache.model(snapshot.settings.model))

    def pack() -> bytes:
        return pack_fine_tuned(fine_tuned(snapshot, encoder), answer, about)

    p.zip("take_home_save", pack, "my-model.zip", "save")
    opened = p.box("script", "terminal", script=script.name)
    if opened.open:
        with opened:
            p.say(f"use_{sort}")
            p.program(script.read_text(encoding="utf-8"))


def _sort(snapshot: FineTuneSnapshot) -> str:
    """Return which of transformers' classes reads it: as the sections are named."""
    kind = snapshot.data.kind
    return kind if kind != "classes" else f"classes_{snapshot.settings.pooling}"


def readme(words: Words, title: str, snapshot: FineTuneSnapshot, sort: str) -> str:
    """Return what the zip says about the model and its use; `sort` names the section on that."""
    kind, test = snapshot.data.kind, snapshot.result
    values = {
        "title": title,
        "step": test.step,
        "n_steps": snapshot.n_steps,
        "share": words.plain(f"share_{kind}"),
        "proportion_right": f"{test.proportion_right:.3f}",
        "f1_name": words.plain(f"f1_{kind}"),
        "f1": f"{test.f1:.3f}",
        "use": words.section(f"use_{sort}"),
        "pins": pins(),
        "settings": "\n".join(
            f"- {name}: {value}" for name, value in settings_told(snapshot).items()
        ),
    }
    return words.file("readme", **values)
