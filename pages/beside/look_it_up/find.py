"""The field that searches all lists, and which of them have what is searched."""

from functools import partial

from mlm_core.number_format import formatted
from pages.beside.look_it_up.entries import LISTS, matching, read_list
from pages.kit.part import Part, part


@part()
def show(p: Part) -> None:
    """Show the field; with a search, the lists that have entries, to go there."""
    _take_older_link(p)
    placeholder = p.plain("search_placeholder")
    asked = p.text("search", "", placeholder=placeholder, on_change=p.draw_whole_page)
    if not asked.strip():
        return
    same_words, opening = p.section("same_words"), p.label("opening")
    with p.row("top", css=p.key("found")):
        for name in LISTS:
            found = matching(read_list(p.words, name), asked, same_words, opening=opening)
            if found:
                p.button(
                    f"found_{name}",
                    partial(p.choose, "part", name, on_whole_page=True),
                    label="found",
                    about={"list": p.title_of(p.slug, name), "n": formatted(len(found), ",")},
                    icon="arrow_forward",
                    type="tertiary",
                )


def _take_older_link(p: Part) -> None:
    """Let a link of when each list had its own field fill this one."""
    for name in LISTS:
        asked = p.in_link(f"{name}_filter", take_out=True)
        if asked and not p.in_link("search"):
            p.choose("search", asked)
