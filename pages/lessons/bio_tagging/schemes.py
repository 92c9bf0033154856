"""Mark names in a sentence; three schemes write them as tags, and one can't give them back."""

from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import streamlit as st

from mlm_core.figures.tagging.entity_spans import TagRow, entity_sentence, entity_text
from mlm_core.tagging.bio_tags import SCHEMES, Loss, Span, decode, encode, lost_by, n_tags
from pages.kit.part import Part, as_text, part
from pages.lessons.bio_tagging import setting as state
from pages.lessons.bio_tagging.setting import Marked
from pages.server.course.core_messages import translated
from pages.server.link import inputs, locks

if TYPE_CHECKING:
    from mlm_core.labelled.examples import TaggedSentence

OWN = "own"
KEPT = "bio_tagging_marked_kept"  # session state: the learner's list
REFUSED = "bio_tagging_marked_kept_refused"
MOST = 200  # sentences in it


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
    _show_kept(p, marked)


def _ask_for_text(p: Part) -> Marked:
    """Show the line for the sentence; return what is kept of it, and say what is not."""
    state.current(p)  # puts the link's sentence into the field
    text = inputs.text_of_session(
        p.label("marked_text"),
        key=state.TEXT,
        longest=state.LONGEST_TEXT,
        on_change=state.note_change,
    )
    given = state.split_words(text)
    if len(given) > state.MOST_WORDS:
        p.warn("cut", icon="content_cut", n=len(given), most=state.MOST_WORDS)
    if any(len(word) > state.LONGEST_WORD for word in given[: state.MOST_WORDS]):
        p.warn("long_word", icon="content_cut", most=state.LONGEST_WORD)
    return state.current(p)


def _ask_for_type(p: Part) -> None:
    """Show the types; one of the learner's own gets a field for its name."""
    with p.row():
        if p.choice("marked_type", (*state.USUAL_TYPES, OWN)) == OWN:
            p.text("marked_own_type", longest=30, live=False, width=200)
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
    first = st.session_state.get(state.FIRST)
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
    if state.REFUSED in st.session_state:
        p.refused(st.session_state[state.REFUSED], "block", mildly="warning")
    if first is None:
        p.caption("click_first")
    else:
        p.caption("click_last", word=marked.words[first])


def _named(marked: Marked, span: Span) -> str:
    return as_text(f"{span.type} {' '.join(marked.words[span.start : span.end])}")


# Mark spans without a mouse: first word, last word, and four buttons.


def _show_buttons(p: Part, marked: Marked) -> None:
    p.drawn("marked_spans", None)
    if locks.is_hidden(state.SPANS):
        return
    with (
        p.fold("with_buttons", "keyboard"),
        p.row(),
    ):
        keys = [_ask_for_word(p, marked, end) for end in ("marked_from", "marked_to")]

        def ends() -> list[int]:
            """Return the words chosen at the moment of the click, not of the last drawing."""
            chosen = [st.session_state[key] for key in keys]
            # A browser can send what is on no list; Streamlit hands it on as a text.
            return [value if isinstance(value, int) else 0 for value in chosen]

        none, nothing_to_undo = not marked.spans, not st.session_state.get(state.UNDO)
        for name, press, icon, is_off in (
            ("mark", lambda: state.mark(p, *ends()), "add", False),
            ("remove", lambda: state.remove(*ends()), "remove", none),
            ("undo", state.undo, "undo", nothing_to_undo),
            ("clear", lambda: state.put(()), "clear_all", none),
        ):
            settings = {"icon": icon, "disabled": is_off, "changes": ("marked_spans",)}
            p.button(f"marked_button_{name}", press, **settings)


def _ask_for_word(p: Part, marked: Marked, end: str) -> str:
    """Show the list of words; return the key of the widget."""
    # Another sentence has a list of its own: a browser would go on showing the old one's word.
    mark = sha256(" ".join(marked.words).encode(errors="replace")).hexdigest()[:8]
    key = p.key(f"{end}_{mark}")
    st.selectbox(
        p.label(end),
        range(len(marked.words)),
        format_func=lambda i: f"{i}  {marked.words[i]}",
        key=key,
        width=150,
        disabled=locks.is_fixed(state.SPANS),
    )
    return key


def _show_back(p: Part, marked: Marked) -> None:
    """Read the tags of a chosen scheme, and draw the spans that come out."""
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


# Marked sentences as files: this one, or a list of one's own that the tagger can learn from.


def _show_kept(p: Part, marked: Marked) -> None:
    """Show the list's size, its buttons and the two files."""
    box = st.expander(
        p.label("kept"), icon=":material/list:", key=p.key("kept_box"), on_change="rerun"
    )
    if not box.open:
        return
    from mlm_core.labelled.conll import FEWEST, write_conll
    from mlm_core.labelled.examples import TaggedSentence

    this = TaggedSentence(words=marked.words, spans=marked.spans)
    kept: list[TaggedSentence] = p.state.setdefault("marked_kept", [])
    with box:
        p.say("kept", n=len(kept), fewest=FEWEST)
        with p.row("top"):
            p.button("kept_add_button", _add, p, this, icon="playlist_add")
            p.button("kept_drop_button", kept.pop, icon="playlist_remove", disabled=not kept)
            p.button("kept_empty_button", kept.clear, icon="delete", disabled=not kept)
        if "marked_kept_refused" in p.state:
            st.warning(p.state.pop("marked_kept_refused"), icon=":material/block:")
        if kept:
            p.program(write_conll(kept), language=None, height=220)
        with p.row("top"):
            for name, sentences in (("kept_one", [this]), ("kept_all", kept)):
                st.download_button(
                    p.label(name),
                    write_conll(sentences).encode() if sentences else b"",
                    file_name=f"{p.plain(f'{name}_file')}.conll",
                    mime="text/plain",
                    key=p.key(name),
                    on_click="ignore",
                    icon=":material/download:",
                    disabled=not sentences,
                )


def _add(p: Part, new: "TaggedSentence") -> None:
    """Add a sentence to the list, or keep the reason why not."""
    from mlm_core.labelled.conll import check_it_reads_back

    kept = p.state["marked_kept"]
    if new in kept:
        p.state["marked_kept_refused"] = p.label("kept_twice")
    elif len(kept) >= MOST:
        p.state["marked_kept_refused"] = p.label("kept_full", most=MOST)
    else:
        try:
            check_it_reads_back(new)
            kept.append(new)
        except ValueError as error:
            p.state["marked_kept_refused"] = as_text(translated(str(error)))
