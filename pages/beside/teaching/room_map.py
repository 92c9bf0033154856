"""The class's map, from the desk: for which word and senses it begins, and what came in."""

from pages.beside.teaching.view import view_of
from pages.kit.part import Part, part
from pages.server.classroom.desk import Desk
from pages.server.classroom.rooms import MAP, Sent
from pages.server.classroom.store import StoreGoneError
from pages.server.course.lessons import BY_SLUG
from pages.server.room import class_map, collecting, desk, votes
from pages.server.room.class_map import BETWEEN, LONGEST_WORD, MOST_SENSES

LESSON, PART = BY_SLUG["word_senses"], "class_map"
# State: the fields, one for the word and one for each sense; whether they were refused.
WORD, SENSES = "room_map_word", [f"room_map_sense_{n}" for n in range(1, MOST_SENSES + 1)]
REFUSED = "room_map_refused"


@part(words=("room",))
def show(p: Part) -> None:
    """Let the teacher begin a map, and lead to it once there is one."""
    mine = desk.current()
    if mine is None:
        return
    try:
        found = class_map.look()
    except StoreGoneError:
        return  # the desk below says so
    if found is None:
        p.say("map_lead")
        _ask(p, mine)
        return
    asked = found.asked
    p.say("map_of", word=asked.word, senses=", ".join(asked.senses))
    with p.row("center"):
        show_way(p)
        collecting.show_switch(p.words, mine, MAP)
        with p.popover("another_map", "restart_alt"):
            p.say("another_map")
            _ask(p, mine)


def show_way(p: Part) -> None:
    """Lead to the map as a projector shows it."""
    p.link_to(LESSON.slug, PART, p.label("to_map"), icon="co_present", present="1")


def show_queue(p: Part, mine: Desk) -> None:
    """Show what waits, and what is on the map."""
    collecting.show_queue(p.words, mine, MAP, _text, accept="take")


def _text(one: Sent) -> str:
    return f"{one.said['sense']}: {one.said['sentence']}"


def _ask(p: Part, mine: Desk) -> None:
    """Ask for a word and its senses."""
    form = ("room_map", "room_map_begin", _begin, p, mine)
    with p.form(*form, label="begin_map", icon="", border=False):
        p.typed(WORD, "map_word", longest=LONGEST_WORD, stays=False)
        columns = p.columns(*[1] * MOST_SENSES, gap="small")
        for number, (column, name) in enumerate(zip(columns, SENSES, strict=True), start=1):
            with column:
                most, about = MAP.fields["sense"], {"n": number}
                p.typed(name, "map_sense", longest=most, stays=False, about=about)
        if p.state.pop(REFUSED, False):
            p.warn("map_refused", icon="abc")


def _begin(p: Part, mine: Desk) -> None:
    texts = [str(p.state.get(name) or "").replace(BETWEEN, " ") for name in (WORD, *SENSES)]
    asked = class_map.read_theme(BETWEEN.join(texts))
    if asked is None:
        p.state[REFUSED] = True
        return
    votes.act(class_map.begin, mine, asked, view_of(LESSON, PART).link())
