"""A list of what the search leaves; each entry has its links below."""

from collections.abc import Callable
from functools import partial

from pages.beside.look_it_up.entries import Entry, matching
from pages.kit.part import Part


def with_name(entry: Entry) -> str:
    """Return an entry of two fields: its name, and what it says."""
    return "**{}**  \n{}".format(*entry.fields)


def show_list(
    p: Part, entries: tuple[Entry, ...], in_words: Callable[[Entry], str] = with_name
) -> None:
    """Show how many entries the search leaves, and these."""
    asked, opening = p.state.get("search") or "", p.label("opening")
    p.say("lead")
    found = matching(entries, asked, p.section("same_words"), opening=opening)
    p.caption("counted", shown=len(found), n=len(entries))
    if not found:
        p.note("nothing", icon="search_off", asked=asked[:60])
        clear = partial(p.choose, "search", "", on_whole_page=True)
        p.button("search_clear", clear, label="clear", icon="clear")
    with p.place(gap="medium", css=p.key(f"{p.name}_list")):
        for entry in found:
            with p.place(gap="xsmall"):
                p.write(in_words(entry))
                with p.row("top"):
                    for place in entry.places:
                        title = place.title(opening)
                        p.link_to(place.lesson.slug, place.part, title, view=place.settings)
