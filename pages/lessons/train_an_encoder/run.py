"""Opening: an own run's settings; a run's curve next to its guesses through its training."""

import re
from collections.abc import Sequence
from functools import partial
from itertools import chain
from typing import Any

from mlm_core.figures.bars import bars_svg
from mlm_core.figures.film import Film, frames_html
from mlm_core.prediction.fillers import FillStep
from mlm_core.small_runs.snapshot import Snapshot
from mlm_core.text.tokens import TokenizedText, entry_of
from pages.kit.caches import cache_training
from pages.kit.part import Part, part
from pages.kit.training import run_status
from pages.kit.training.run_curves import Shown
from pages.lessons.train_an_encoder import curves, runs, settings

LAST = "last"  # state: run and step of the film's end
SECONDS = 0.7  # that the film shows a step
RISEN = 1.03  # times the lowest held-out loss; less may be chance
STORED = "default"  # the stored run that the lesson opens on
N_GUESSES = 5
MOST_NAMED = 5  # words that are said to be cut
_TYPED_BLANK = re.compile(r"\[mask\]|_{2,}", re.IGNORECASE)


@part(redraws_page=True)
def show(p: Part) -> None:
    """Show the stored run, or the learner's own with it, and the settings of a new one.

    Two parts one after the other and none around them: run_status.py has the reason.
    """
    settings.show(p.page)
    run_status.watch(runs.MINE, _watched, p)


def _watched(p: Part) -> None:
    """Show the run that is chosen: its curves next to how far it is and its guesses for a blank."""
    run_status.say_what_came_of_the_link(p, runs.MINE)
    own = {run.name: run for run in runs.all_runs()}
    # Looking is what keeps a run going, so each is looked at, shown or not.
    views = {name: runs.look(run) for name, run in own.items()}
    titles = {name: runs.title_of(p, run) for name, run in own.items()}
    title = runs.stored_title(p, STORED)
    shown = [Shown(title=title, snapshot=cache_training.stored_run(STORED), pen=0)]
    drawn, said = p.columns(of_run="curve")
    with drawn:
        curve, choices = p.place(), p.row()
    with choices:
        # "stored" is the name that links have for it.
        name = run_status.choose_shown(p, titles, {"stored": title})
    is_training = False
    with said:
        if name in own:
            run, view = own[name], views[name]
            run_status.status(p, runs.MINE, run, view, preparing=_preparing, say=_say_reached)
            is_training = view is not None and view.status in ("queued", "running")
            snapshot = view.snapshot if view and view.snapshot else run.seen
            if snapshot is not None and snapshot.held_out:
                shown.append(Shown(title=titles[name], snapshot=snapshot, pen=1))
        at = None if is_training and len(shown) == 1 else _blank(p, shown[-1], is_training)
        _say_overfitting(p, shown[-1].snapshot)
    with curve:
        curves.show(p, "curves", shown, controls=choices, at=at, is_polled=True)


def _preparing(p: Part, snapshot: Snapshot | None) -> str | None:
    if snapshot is None or snapshot.phase == "preparing":
        return p.label("status_preparing")
    return None


def _say_reached(p: Part, snapshot: Snapshot) -> None:
    """Say what is worth saying about the text, and what the last test reached, on one line."""
    facts = snapshot.facts
    if facts is not None:
        if facts.vocabulary_got < facts.vocabulary_asked:
            p.caption("vocabulary", asked=facts.vocabulary_asked, got=facts.vocabulary_got)
        if facts.documents_were_cut:
            p.caption("cut", n=facts.n_train_documents)
        if facts.unknown_proportion > 0:
            p.caption("unknown", share=facts.unknown_proportion)
    if not snapshot.held_out:
        return
    point = snapshot.held_out[-1]
    values = {
        "held_out": point.loss,
        "perplexity": point.perplexity,
        "accuracy": point.accuracy,
        "pairs": point.next_sentence_accuracy,
        "speed": snapshot.tokens_a_second if snapshot.step else None,
    }
    told = {name: value for name, value in values.items() if value is not None}
    p.write(" · ".join(p.label(f"reached_{name}", value=value) for name, value in told.items()))


def _blank(p: Part, run: Shown, is_training: bool) -> int | None:
    """Show a film of a sentence's blank; return the step that it shows, None without one.

    The field of the sentence is hidden while the run is training.
    """
    typed = p.chosen("sentence") if is_training else p.text("sentence")
    snapshot = run.snapshot
    if not snapshot.checkpoints:
        return None
    step = _step(p, run)
    sentence = _TYPED_BLANK.sub("[MASK]", typed)
    if "[MASK]" not in sentence:
        p.note("no_blank", icon="edit")
        return step
    steps = [checkpoint.step for checkpoint in snapshot.checkpoints]
    try:
        fills = [
            cache_training.blank_guesses(snapshot, sentence, N_GUESSES, k)
            for k in range(len(steps))
        ]
    except ValueError as error:  # the blank lies beyond the window
        p.refused(error, "edit", mildly="note")
        return step
    _play(p, run, steps, fills, steps.index(step))
    tokenizer, first = snapshot.tokenizer, fills[0].guesses[0]
    assert tokenizer is not None
    p.say(
        "says",
        first=tokenizer.id_to_token(first.id),
        q=first.probability,
        n=tokenizer.get_vocab_size(),
    )
    if snapshot.settings.objective == "next_word":
        p.caption("from_the_left")
    _say_what_was_not_known(p, fills[0].before)
    return step


def _step(p: Part, run: Shown) -> int:
    """Return the step that the film shows; a film at its end moves on with the run."""
    steps = [str(checkpoint.step) for checkpoint in run.snapshot.checkpoints]
    end = (run.title, steps[-1])
    before = p.state.get(LAST, end)
    moves = before[0] != end[0] or p.state.get("at") == before[1]
    if moves and not p.is_fixed("at"):
        p.choose("at", end[1])
    p.state[LAST] = end
    if len(steps) == 1:
        return int(steps[0])
    return int(p.played("at", {step: step for step in steps}, start=end[1]))


def _play(p: Part, run: Shown, steps: Sequence[int], fills: Sequence[FillStep], shown: int) -> None:
    """Draw the guesses at every step as a film, and those of one step where a link fixes it."""
    tokenizer = run.snapshot.tokenizer
    assert tokenizer is not None
    names = [[entry_of(tokenizer, guess.id) for guess in fill.guesses] for fill in fills]
    told: list[dict[str, Any]] = [
        {"step": step, "word": name[0], "p": fill.guesses[0].probability}
        for step, name, fill in zip(steps, names, fills, strict=True)
    ]
    said = [p.plain("said", **one) for one in told]
    frames = [
        bars_svg(
            name,
            [guess.probability for guess in fill.guesses],
            longest=1.0,
            alt=alt,
            letters=max(len(one) for one in chain(*names)),
        )
        for name, fill, alt in zip(names, fills, said, strict=True)
    ]
    values = [str(step) for step in steps]
    film = Film(lasts=[SECONDS] * len(steps), said=said, begins=shown, values=values)
    is_fixed = len(steps) == 1 or p.is_fixed("at")
    p.figure(
        "guesses",
        (lambda alt: frames[shown])
        if is_fixed
        else partial(frames_html, film, p.film_names, frames, "guesses"),
        [
            {"step": step, "rank": rank, "word": word, "probability": guess.probability}
            for step, name, fill in zip(steps, names, fills, strict=True)
            for rank, (word, guess) in enumerate(zip(name, fill.guesses, strict=True), start=1)
        ],
        on_click=partial(p.choose, "at"),
        run=run.title,
        **told[shown],
    )


def _say_what_was_not_known(p: Part, text: TokenizedText) -> None:
    """Say what was left out, which words are cut, and which have letters that are unknown."""
    p.say_what_was_left_out(text)
    cut = [word.text for word in text.words if len(word.positions) > 1]
    unknown = {i for i, token in enumerate(text.tokens) if token.text == "[UNK]"}
    lost = [word.text for word in text.words if unknown.intersection(word.positions)]
    for name, found in (("cut_words", cut), ("unknown_words", lost)):
        if found:
            named = ", ".join(dict.fromkeys(found[:MOST_NAMED]))
            p.caption(name, words=named + ", …" * (len(found) > MOST_NAMED))


def _say_overfitting(p: Part, snapshot: Snapshot) -> None:
    """Say where the held-out loss was lowest, once it has clearly risen."""
    best, last = min(snapshot.held_out, key=lambda point: point.loss), snapshot.held_out[-1]
    if last.loss > RISEN * best.loss:
        values = {"step": best.step, "loss": best.loss, "last": last.loss}
        p.warn("overfitting", icon="trending_up", **values)
