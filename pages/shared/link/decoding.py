"""How an uploaded file was decoded: said below the upload, and changed by one press.

A text that was decoded by a guess is in doubt where another encoding fits as well. Whoever starts
something with it waits until the learner has chosen the words that are right.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import streamlit as st

from pages.shared.course.words import as_text, read_words

if TYPE_CHECKING:
    from mlm_core.text.plain_text import Decoded

MOST_LINES = 5  # of those with wrong bytes, by their numbers
LONGEST_LINE = 60  # characters of a line that was left out


@dataclass(frozen=True, kw_only=True)
class Kept:
    """What is known of the files whose text is in a field; each without its text."""

    files: tuple["Decoded", ...]
    cut_lines: tuple[str, ...]  # last lines that were left out, since they end inside a character
    of: int  # the hash of the field's text

    @property
    def encodings(self) -> list[str]:
        """Return the different encodings; where there are several, no choice is one for all."""
        return list(dict.fromkeys(one.encoding for one in self.files))

    @property
    def asked(self) -> "Decoded":
        """Return the file whose words are shown: one that is in doubt, if any is."""
        return next((one for one in self.files if one.in_doubt), self.files[0])


def keep(field: str, files: "Sequence[Decoded]", cut_lines: Sequence[str] = ()) -> None:
    """Remember how the text that a field has now was decoded."""
    beyond_ascii = [one for one in files if not one.text.isascii()]  # ASCII is in all encodings
    st.session_state[_key(field)] = Kept(
        files=tuple(replace(one, text="") for one in beyond_ascii or files),
        cut_lines=tuple(line for line in cut_lines if line),
        of=_hash(st.session_state[field]),
    )


def show(field: str) -> None:
    """Say how a field's text was decoded, and offer the other encodings; nothing once edited."""
    if kept := _kept(field):
        if len(kept.encodings) == 1:
            ask(field, kept.asked, on_change=_change)
        else:
            names = ", ".join(kept.encodings)
            st.caption(read_words("frame").section("decoded", encoding=names))
        for line in kept.cut_lines:
            shown = as_text(line[:LONGEST_LINE])
            st.caption(read_words("frame").section("decoded_cut_line", line=shown))


def is_in_doubt(field: str) -> bool:
    """Return whether a field's text waits for the learner's choice of its encoding."""
    kept = _kept(field)
    return kept is not None and len(kept.encodings) == 1 and kept.asked.in_doubt


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
            key=f"{_key(field)}_{hash((decoded.encoding, *decoded.samples.values()))}",
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


def _key(field: str) -> str:
    return f"{field}_decoded"


def _hash(text: str) -> int:
    return hash("\n".join(text.splitlines()))  # a browser's field has line ends of its own


def _kept(field: str) -> Kept | None:
    kept, text = st.session_state.get(_key(field)), st.session_state.get(field)
    return kept if kept is not None and text and _hash(text) == kept.of else None


def _change(field: str) -> None:
    """Read the bytes of a field's text in the encoding that was chosen."""
    from mlm_core.text.plain_text import decoded_as

    kept = _kept(field)
    if kept is None:
        return
    now = kept.asked
    wanted = st.session_state.get(f"{_key(field)}_{hash((now.encoding, *now.samples.values()))}")
    if wanted is None:
        return
    st.session_state[field] = decoded_as(st.session_state[field], now.encoding, wanted)
    keep(
        field,
        [replace(one, encoding=wanted, in_doubt=False) for one in kept.files],
        kept.cut_lines,
    )
