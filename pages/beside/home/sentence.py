"""The sentence of home: its words, of which some are hidden, as a row to click on."""

import re
from dataclasses import dataclass

import regex

from mlm_core.figures.theme import escaped
from mlm_core.text.words import SEGMENT, has_content
from pages.kit.part import Part

MOST_BLANKS = 3  # side by side
MOST_WORDS = 40  # enough for one sentence in any window; the lessons say more about longer texts
# A blank as a reader may type it, a word with its hyphens, or a mark.
_SEGMENT = rf"(?:{SEGMENT.pattern})"
_WORD = rf"(?=\w){_SEGMENT}"
PIECE = regex.compile(
    rf"(?P<blank>(?i:\[mask\])|_{{2,}})|(?P<word>{_WORD}(?:-{_WORD})*)|(?!\s){_SEGMENT}",
    SEGMENT.flags,
)


@dataclass(frozen=True, kw_only=True)
class Piece:
    """A word, a mark or a blank of the sentence."""

    text: str
    start: int
    end: int
    is_word: bool  # that can be hidden
    is_blank: bool


def pieces_of(sentence: str) -> list[Piece]:
    """Return the words, marks and blanks of a sentence, each with its place."""
    return [
        Piece(
            text=found[0],
            start=found.start(),
            end=found.end(),
            is_word=found["word"] is not None,
            is_blank=found["blank"] is not None,
        )
        for found in PIECE.finditer(sentence)
    ][:MOST_WORDS]


def read_hidden(link: str | None, pieces: list[Piece]) -> list[int]:
    """Return the numbers in a link such as "1-4" that are words of the sentence."""
    asked = [int(one) for one in re.findall(r"(?<!\d)\d{1,3}(?!\d)", link or "", re.ASCII)[:9]]
    known = [one for one in dict.fromkeys(asked) if one < len(pieces) and pieces[one].is_word]
    return known[:MOST_BLANKS]


def written(hidden: list[int]) -> str:
    """Return the numbers of hidden words as the link has them."""
    return "-".join(map(str, hidden)) or "none"


def gaps_of(pieces: list[Piece], hidden: list[int]) -> list[int]:
    """Return the numbers of the pieces in whose place the model reads [MASK]."""
    return [n for n, piece in enumerate(pieces) if piece.is_blank or n in hidden]


def last_of_content(pieces: list[Piece]) -> list[int]:
    """Return the number of the last word that has content, or of the last one; none after a blank.

    >>> last_of_content(pieces_of("We had soup with it.")), last_of_content(pieces_of("Eat ___!"))
    ([2], [])
    """
    words = [n for n, piece in enumerate(pieces) if piece.is_word]
    content = [n for n in words if has_content(pieces[n].text)]
    return [] if any(piece.is_blank for piece in pieces) else (content or words)[-1:]


def masked_text(sentence: str, pieces: list[Piece], hidden: list[int]) -> str:
    """Return the sentence as the model reads it.

    >>> masked_text("We ate.", pieces_of("We ate."), [1])
    'We [MASK].'
    """
    parts, end = [], 0
    for piece in (pieces[number] for number in gaps_of(pieces, hidden)):
        parts += [sentence[end : piece.start], "[MASK]"]
        end = piece.end
    return "".join([*parts, sentence[end:]])


def chips(p: Part, pieces: list[Piece], hidden: list[int], *, asks: bool) -> str:
    """Return the sentence as a row of words to click on; hidden ones are blanks.

    Several are numbered. Where the row `asks` for a word, its blank draws the eye.
    """
    gaps = gaps_of(pieces, hidden)
    parts = []
    for number, piece in enumerate(pieces):
        if number not in gaps:
            name = escaped(p.plain("hide", word=piece.text))
            parts.append(
                f'<button type="button" class="chip" data-value="{number}" aria-label="{name}">'
                f"{escaped(piece.text, 24)}</button>"
                if piece.is_word
                else f"<span>{escaped(piece.text)}</span>"
            )
            continue
        shown = str(gaps.index(number) + 1) if len(gaps) > 1 else "?"
        kind = f"chip mask{' wanted' * asks}"
        if piece.is_blank:
            parts.append(f'<span class="{kind}">{shown}</span>')
        else:
            name = escaped(p.plain("bring_back", blank=shown))
            parts.append(
                f'<button type="button" class="{kind}" data-value="{number}" aria-label="{name}"'
                f' aria-pressed="true">{shown}</button>'
            )
    label = escaped(p.plain("words_alt"))
    return f'<div class="chips sentence" role="group" aria-label="{label}">{"".join(parts)}</div>'


def with_one_blank(masked: str, originals: list[str]) -> str:
    """Return the sentence with one blank, the typed one or the first; "" if several were typed.

    >>> with_one_blank("[MASK] ate [MASK].", ["We", "it"])
    '[MASK] ate it.'
    """
    begin, *others = masked.split("[MASK]")
    typed = [i for i, original in enumerate(originals) if not original]
    if len(typed) > 1 or len(others) > len(originals):
        return ""
    kept = typed[0] if typed else 0
    words = ["[MASK]" if i == kept else original for i, original in enumerate(originals)]
    return begin + "".join(map("".join, zip(words, others, strict=False)))
