"""How an uploaded file was decoded: said below the upload, and changed by one press.

A text that was decoded by a guess is in doubt where another encoding fits as well. A start that
needs it waits until the learner has chosen the words that are right.
"""

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import streamlit as st

from pages.server import session
from pages.server.course.words import as_text, read_words

if TYPE_CHECKING:
    from mlm_core.text.plain_text import Decoded

MOST_LINES = 5  # of those with wrong bytes, by their numbers
LONGEST_LINE = 60  # characters of a line that was left out


@dataclass(frozen=True, kw_only=True)
class Kept:
    """What is known of the files whose text is in a field; each without its text."""

    files: tuple["Decoded", ...]
    lines: tuple[slice, ...]  # of the field's text, for each file
    cut_lines: tuple[str, ...]  # last lines that were left out, since they end inside a character
    of: int  # the hash of the field's text

    @property
    def asked(self) -> list["Decoded"]:
        """Return one file of each encoding that was found: one in doubt, or with wrong bytes."""
        by_first = sorted(self.files, key=lambda one: (one.in_doubt, bool(one.broken_lines)))
        return list({_found(one): one for one in by_first}.values())


@dataclass
class Decodings:
    """How the texts of a visit's fields were decoded."""

    by_field: dict[str, Kept] = dataclasses.field(default_factory=dict)


def keep(
    field: str,
    files: "Sequence[Decoded]",
    cut_lines: Sequence[str] = (),
    texts: Sequence[str] = (),
) -> None:
    """Remember how the text that a field has now was decoded.

    Of several files the field has the `texts`, with one more line before each.
    """
    lines = _lines_of_each(texts) if len(files) > 1 else [slice(None)]
    every = list(zip(files, lines, strict=True))
    # ASCII is in all encodings.
    kept = [(one, of) for one, of in every if not one.text.isascii()] or every
    session.of(Decodings).by_field[field] = Kept(
        files=tuple(replace(one, text="") for one, _ in kept),
        lines=tuple(of for _, of in kept),
        cut_lines=tuple(line for line in cut_lines if line),
        of=_hash(st.session_state[field]),
    )


def show(field: str) -> None:
    """Say how a field's text was decoded, and offer the other encodings; nothing once edited."""
    if kept := _kept(field):
        for one in kept.asked:
            ask(field, one, on_change=lambda field, one=one: _change(field, one))
        for line in kept.cut_lines:
            shown = as_text(line[:LONGEST_LINE])
            st.caption(read_words("frame").section("decoded_cut_line", line=shown))


def is_in_doubt(field: str) -> bool:
    """Return whether a field's text waits for the learner's choice of an encoding."""
    kept = _kept(field)
    return kept is not None and any(one.in_doubt for one in kept.files)


def say_it_waits() -> None:
    """Say why a start waits."""
    st.warning(read_words("frame").section("waits"), icon=":material/help:")


def ask(field: str, decoded: "Decoded", on_change: Callable[[str], None] | None = None) -> str:
    """Say how a text was decoded and offer the other encodings; return the chosen one."""
    words, chosen = read_words("frame"), None
    if len(decoded.samples) > 1:
        chosen = st.pills(
            words.label("decoded_doubt" if decoded.in_doubt else "decoded_others"),
            list(decoded.samples),
            default=None if decoded.in_doubt else decoded.encoding,
            format_func=lambda name: f"{name}: {as_text(decoded.samples[name])}",
            # Another file, or another encoding of it, has another widget.
            key=_choice_key(field, decoded),
            on_change=on_change,
            args=(field,) if on_change else None,
        )
    else:
        st.caption(words.section("decoded", encoding=decoded.encoding))
    if decoded.broken_lines:
        numbers = ", ".join(map(str, decoded.broken_lines[:MOST_LINES]))
        more = "decoded_broken_more" if len(decoded.broken_lines) > MOST_LINES else "decoded_broken"
        st.warning(words.section(more, lines=numbers), icon=":material/broken_image:")
    if decoded.is_cut:
        st.caption(words.section("decoded_cut"))
    return chosen or decoded.encoding


def text_as_chosen(field: str, decoded: "Decoded") -> str:
    """Ask as ask() does; return the text in the chosen encoding."""
    from mlm_core.text.plain_text import decoded_as

    chosen = ask(field, decoded)
    if chosen == decoded.encoding:
        return decoded.text
    return decoded_as(decoded.text, decoded.encoding, chosen)


def _choice_key(field: str, decoded: "Decoded") -> str:
    return f"{field}_decoded_{hash((decoded.encoding, *decoded.samples.values()))}"


def _found(decoded: "Decoded") -> str:
    """Return the encoding that was found first, whatever was chosen since."""
    return next(iter(decoded.samples), decoded.encoding)


def _lines_of_each(texts: Sequence[str]) -> list[slice]:
    from mlm_core.text.plain_text import LINE_END

    lines, stop = [], 0
    for text in texts:
        start = stop + 1
        stop = start + len(LINE_END.findall(f"{text}\n"))
        lines.append(slice(start, stop))
    return lines


def _hash(text: str) -> int:
    return hash("\n".join(text.splitlines()))  # a browser's field has line ends of its own


def _kept(field: str) -> Kept | None:
    kept, text = session.of(Decodings).by_field.get(field), st.session_state.get(field)
    return kept if kept is not None and text and _hash(text) == kept.of else None


def _change(field: str, asked: "Decoded") -> None:
    """Decode anew, as the learner chose, each file that had the encoding of the asked one."""
    from mlm_core.text.plain_text import LINE_END, decoded_as

    kept, wanted = _kept(field), st.session_state.get(_choice_key(field, asked))
    if kept is None or wanted is None:
        return
    lines, files = LINE_END.split(st.session_state[field]), []
    for one, of in zip(kept.files, kept.lines, strict=True):
        if _found(one) == _found(asked):
            text = one.text or "\n".join(lines[of])  # as it was found
            lines[of] = decoded_as(text, _found(one), wanted).split("\n")
            one = replace(one, text=text, encoding=wanted, in_doubt=False)
        files.append(one)
    text = st.session_state[field] = "\n".join(lines)
    session.of(Decodings).by_field[field] = replace(kept, files=tuple(files), of=_hash(text))
