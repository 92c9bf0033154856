"""Marked sentences as files: the current one, or a list that the tagger can learn from."""

from mlm_core.labelled.conll import FEWEST, check_it_reads_back, write_conll
from mlm_core.labelled.examples import TaggedSentence
from pages.kit.part import Part
from pages.lessons.bio_tagging.marked import Marked

KEPT, REFUSED = "marked_kept", "marked_kept_refused"  # session state: the list; why not added
MOST = 200  # sentences in the list


def show_kept(p: Part, marked: Marked) -> None:
    """Show the list's size, its buttons and the two files."""
    box = p.box("kept", "list")
    if not box.open:
        return
    this = TaggedSentence(words=marked.words, spans=marked.spans)
    kept: list[TaggedSentence] = p.state.setdefault(KEPT, [])
    with box:
        p.say("kept", n=len(kept), fewest=FEWEST)
        with p.row("top"):
            p.button("kept_add_button", _add, p, this, icon="playlist_add")
            p.button("kept_drop_button", kept.pop, icon="playlist_remove", disabled=not kept)
            p.button("kept_empty_button", kept.clear, icon="delete", disabled=not kept)
        _say_if_refused(p)
        if kept:
            p.program(write_conll(kept), language=None, height=220)
        with p.row("top"):
            for name, sentences in (("kept_one", [this]), ("kept_all", kept)):
                data = write_conll(sentences) if sentences else ""
                file = f"{p.plain(f'{name}_file')}.conll"
                p.download(name, data.encode(), file, "text/plain", disabled=not sentences)


def _add(p: Part, new: TaggedSentence) -> None:
    """Add a sentence to the list, or keep the reason why not: a section, or what the core said."""
    kept = p.state[KEPT]
    if new in kept:
        p.state[REFUSED] = "kept_twice"
    elif len(kept) >= MOST:
        p.state[REFUSED] = "kept_full"
    else:
        try:
            check_it_reads_back(new)
            kept.append(new)
        except ValueError as error:
            p.state[REFUSED] = error


def _say_if_refused(p: Part) -> None:
    refused = p.state.pop(REFUSED, None)
    if isinstance(refused, ValueError):
        p.refused(refused, "block", mildly="warning")
    elif refused is not None:
        p.warn(refused, icon="block", most=MOST)
