"""Mark names in a sentence; three schemes write them as tags, and one can't give them back."""

from functools import partial
from hashlib import sha256
from typing import Any

from mlm_core.figures.tagging.entity_spans import TagRow, entity_sentence, entity_text
from mlm_core.tagging.bio_tags import SCHEMES, Loss, Span, decode, encode, lost_by, n_tags
from pages.kit.part import Part, as_text, part
from pages.lessons.bio_tagging import marked as state
from pages.lessons.bio_tagging.marked import Marked
from pages.lessons.bio_tagging.schemes_kept import show_kept
from pages.lessons.bio_tagging.splitting import split_words

OWN = "own"


@part(code=("tagging.bio_tags:encode", "tagging.bio_tags:decode", "tagging.bio_tags:lost_by"))
def show(p: Part) -> None:
    """Show the sentence over its tags, let the learner mark it, and read the tags back."""
    drawn = p.place()  # above the fields: a phone's first screen shows it
    left, right = p.columns(align="bottom")
    with left:
        _ask_for_type(p)
    with right:
        marked = _ask_for_text(p)
    if not marked.words:
        p.note("no_text", icon="edit")
        return
    lost = lost_by(marked.spans, len(marked.words), "IO")
    with drawn:
        _draw(p, marked, lost)
    p.say("lost" if lost else "nothing_lost")
    for loss in lost:
        struck = " ".join(f"~~{_named(marked, span)}~~" for span in loss.spans)
        p.write(f"- {struck} → {_named(marked, loss.read_as)}")
    n = len(marked.types)
    counts = {scheme.lower(): n_tags(n, scheme) for scheme in SCHEMES}
    p.say("counts", n=n, types=", ".join(marked.types) or p.plain("no_types"), **counts)
    _show_buttons(p, marked)
    with p.fold("back_fold", "undo"):
        _show_back(p, marked)
    show_kept(p, marked)


def _ask_for_text(p: Part) -> Marked:
    """Show the line for the sentence; return what is kept of it, and say what is not."""
    state.current(p)  # puts the link's sentence into the field
    changed = partial(state.note_change, p)
    given = split_words(p.drawn_line(state.TEXT, longest=state.LONGEST_TEXT, on_change=changed))
    if len(given) > state.MOST_WORDS:
        p.warn("cut", icon="content_cut", n=len(given), most=state.MOST_WORDS)
    if any(len(word) > state.LONGEST_WORD for word in given[: state.MOST_WORDS]):
        p.warn("long_word", icon="content_cut", most=state.LONGEST_WORD)
    return state.current(p)


def _ask_for_type(p: Part) -> None:
    """Show the types; the learner's own type gets a field for its name."""
    with p.row():
        if p.choice(state.TYPE, (*state.USUAL_TYPES, OWN)) == OWN:
            p.text(state.OWN_TYPE, longest=30, live=False, width=200)
    try:
        state.own_type(p)
    except ValueError as error:
        p.refused(error, "block", mildly="warning")


def _draw(p: Part, marked: Marked, lost: tuple[Loss, ...]) -> None:
    """Draw the sentence over its tags; say what a click does, or why the last did nothing."""
    tags = {scheme: encode(marked.spans, len(marked.words), scheme) for scheme in SCHEMES}
    fused = {i for loss in lost for i in range(loss.read_as.start, loss.read_as.end)}
    rows = [
        TagRow(name=name, tags=tags[name], lost=fused if name == "IO" else ()) for name in SCHEMES
    ]
    first = p.state.get(state.FIRST)
    p.figure(
        "schemes",
        partial(
            entity_sentence,
            marked.words,
            marked.spans,
            rows=rows,
            types=marked.types,
            clickable=True,
            selected=() if first is None else (first,),
        ),
        {"word": marked.words, **tags},
        on_click=partial(state.click, p),
        text=entity_text(marked.words, marked.spans),
        n=len(marked.spans),
        n_lost=len(fused),
    )
    if state.REFUSED in p.state:
        p.refused(p.state[state.REFUSED], "block", mildly="warning")
    if first is None:
        p.caption("click_first")
    else:
        p.caption("click_last", word=marked.words[first])


def _named(marked: Marked, span: Span) -> str:
    return as_text(f"{span.type} {' '.join(marked.words[span.start : span.end])}")


# Mark spans without a mouse: first word, last word, and four buttons.


def _show_buttons(p: Part, marked: Marked) -> None:
    p.drawn(state.SPANS, None)
    if p.is_hidden(state.SPANS):
        return
    with (
        p.fold("with_buttons", "keyboard"),
        p.row(),
    ):
        names = [_ask_for_word(p, marked, end) for end in ("marked_from", "marked_to")]

        def ends() -> list[int]:
            """Return the words chosen at the moment of the click, not of the last drawing."""
            chosen = [p.state[name] for name in names]
            # A browser can send what is on no list; Streamlit returns it as a text.
            return [value if isinstance(value, int) else 0 for value in chosen]

        none, nothing_to_undo = not marked.spans, not p.can_undo(state.SPANS)
        for name, press, icon, is_off in (
            ("mark", lambda: state.mark(p, *ends()), "add", False),
            ("remove", lambda: state.remove(p, *ends()), "remove", none),
            ("undo", lambda: state.undo(p), "undo", nothing_to_undo),
            ("clear", lambda: state.put(p, ()), "clear_all", none),
        ):
            settings = {"icon": icon, "disabled": is_off, "changes": (state.SPANS,)}
            p.button(f"marked_button_{name}", press, **settings)


def _ask_for_word(p: Part, marked: Marked, end: str) -> str:
    """Show the list of words; return the name under which the state has the chosen one."""
    # Each sentence has a list of its own: a browser would go on showing the earlier one's word.
    mark = sha256(" ".join(marked.words).encode(errors="replace")).hexdigest()[:8]
    name = f"{end}_{mark}"
    numbered = [f"{i}  {word}" for i, word in enumerate(marked.words)]
    p.picked(name, numbered, end, changes=state.SPANS, width=150)
    return name


def _show_back(p: Part, marked: Marked) -> None:
    """Read the tags of a chosen scheme, and draw the spans that result."""
    scheme = p.choice("back", SCHEMES)
    tags = encode(marked.spans, len(marked.words), scheme)
    back = decode(tags, scheme, "conlleval")
    values: dict[str, Any] = {"scheme": scheme, "n": len(marked.spans), "m": len(back)}
    p.figure(
        "back_drawing",
        partial(entity_sentence, marked.words, back, types=marked.types),
        {"word": marked.words, scheme: tags},
        text=entity_text(marked.words, back),
        **values,
    )
    p.say("back_same" if set(back) == set(marked.spans) else "back_other", **values)
