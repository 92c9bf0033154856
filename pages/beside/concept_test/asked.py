"""The questions of one half of the course: asked before and after, then explained.

Nothing is said of right or wrong before the second time: who knows the answers gains nothing.
"""

from collections.abc import Mapping, Sequence

from mlm_core.evaluation.learning_gain import RIGHT, SITTINGS, WHEN
from pages.beside.concept_test import in_study
from pages.kit.part import Part, Text
from pages.server.course.concept_items import HALVES, Item, form_at
from pages.server.record import tab_memory
from pages.server.record.session_record import begun_answers, concept_answers
from pages.server.room import membership, study
from pages.server.room.telling import tell_concept_answers

# State: the halves that a learner opened for the second time; whether one was just handed in.
OPENED, HANDED_IN = "opened", "handed_in"


def ask(p: Part) -> None:
    """Ask the questions of a half, wait for the lessons, or explain them after the second time.

    The part has the name of the half.
    """
    if in_study.stops(p):
        return
    half, items, kept = p.name, HALVES[p.name], concept_answers()
    when = next((one for one in study.sittings() if items[0].name not in kept[one]), None)
    is_asked = when == study.sittings()[0] or (when is not None and _is_open(p))
    if when is None or not is_asked:
        _show_receipt(p, items, when)
        in_study.show_between(p, when)
    if when is None and study.tells_answers():
        p.write(f"#### {score(p, items)}")
        explain(p, dict(enumerate(items, 1)))
    elif when is not None and is_asked:
        _ask(p, items, when)
    elif when is not None and not study.is_in() and membership.is_reached():
        p.caption("teacher_opens")
    elif when is not None and not study.is_in():
        p.button(f"{half}_open_after", _open, p, label="open_after", icon="edit")
    if not study.is_in():
        p.caption("private")
    if when != WHEN[0] and not study.is_in():
        label = "start_over"
        p.button(f"{half}_{label}", _start_over, p, label=label, icon="delete", type="tertiary")
    tell_concept_answers(kept)
    tab_memory.keep_of_part(p.key(half))


def _is_open(p: Part) -> bool:
    """Return whether the second time is open: by the teacher in a room, else by the learner."""
    if membership.current() is not None:
        membership.follow("test")
        room = membership.look()
        if room is not None:
            return room.asks_after
    begun = begun_answers()[WHEN[1]]
    is_opened = p.name in p.state.get(OPENED, ()) and not study.is_in()
    return is_opened or any(item.name in begun for item in HALVES[p.name])


def _show_receipt(p: Part, items: tuple[Item, ...], when: str | None) -> None:
    """Say what was handed in last and what comes next, in view if it was just now."""
    given = concept_answers()[WHEN[0] if when else study.sittings()[-1]]
    n = sum(bool(given.get(item.name)) for item in items)
    name = "handed_in" if study.is_in() else "come_back" if when else "done"
    with p.place(css=p.key("receipt")):
        p.confirm(name, n=n, of=len(items))
    if p.state.pop(HANDED_IN, False):
        p.scroll_to(p.key("receipt"), focuses=True)


def _ask(p: Part, items: tuple[Item, ...], when: str) -> None:
    """Show the questions; each answer is kept when it is chosen, and counts when handed in."""
    with p.place(css=p.key("asked")):
        p.say(when if study.tells_answers() else "study_asked")
    if p.state.pop(in_study.ANSWERED, False):
        p.scroll_to(p.key("asked"), focuses=True)
    form = form_at(when, study.order())
    for number, item in enumerate(items, 1):
        asked = item.asked_in(form)
        options = {name: p.label(f"{asked}_{name}") for name in item.options(form)}
        options[""] = p.label("no_answer")
        title = Text(f"**{number}.** {p.label(asked)}")
        p.one_of(_field(item, when), options, title, persist_state="session")
    name, label = f"{p.name}_hand_in_{when}", f"hand_in_{when}"
    p.button(name, _hand_in, p, when, label=label, icon="check", type="primary")


def _field(item: Item, when: str) -> str:
    """Return the name of the field for an answer, whose key is session_record.answer_key."""
    return f"{item.name}_{when}"


def _hand_in(p: Part, when: str) -> None:
    begun, items = begun_answers()[when], HALVES[p.name]
    missing = [str(number) for number, item in enumerate(items, 1) if item.name not in begun]
    if missing:
        p.toast("open_questions", icon="edit", which=", ".join(missing))
    else:
        concept_answers()[when].update({item.name: begun[item.name] for item in items})
        p.state[HANDED_IN] = True
        if study.is_done():
            study.show_figures()


def _open(p: Part) -> None:
    p.state.setdefault(OPENED, set()).add(p.name)


def _start_over(p: Part) -> None:
    p.state.get(OPENED, set()).discard(p.name)
    study.forget_answers(p.name)


def score(p: Part, items: Sequence[Item]) -> str:
    """Return how many of the questions were right, before and after."""
    kept = concept_answers()
    n_right = {when: sum(kept[when].get(one.name) == RIGHT for one in items) for when in SITTINGS}
    is_delayed = items[0].name in kept[SITTINGS[-1]]
    return p.label("score_delayed" if is_delayed else "score", n=len(items), **n_right)


def explain(p: Part, items: Mapping[int, Item]) -> None:
    """Show both answers to each question, what a wrong one misses, and the view that shows it.

    The questions come by their numbers, in the form after the lessons. A wrong answer of before is
    a misconception, so it has words in this form too.
    """
    kept, titles = concept_answers(), p.with_words("columns")
    for number, item in items.items():
        with p.place(border=True):
            form = item.asked_in(form_at(WHEN[-1], study.order()))
            p.write(f"**{number}.** {p.label(form)}")
            lines = [f":material/check: {p.label(f'{form}_{RIGHT}')}"]
            for when in SITTINGS if item.name in kept[SITTINGS[-1]] else WHEN:
                given = kept[when].get(item.name, "")
                said = p.label(f"{form}_{given}" if given else "no_answer")
                if given == RIGHT:
                    said = p.label("is_right")
                lines.append(f"{titles.label(when)}: {said}")
            p.write("  \n".join(lines))
            given = kept[WHEN[-1]].get(item.name, "")
            if given in item.wrong:
                p.write(f"{p.label('says')} {p.label(f'thinks_{given}')}")
            slug, _, part = item.shown_by.partition("/")
            title = p.with_words(slug).label(f"part_{part}" if part else "title")
            p.link_to(slug, part, p.label("what_shows", title=title))
