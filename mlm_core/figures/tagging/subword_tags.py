"""Words with their tags, and the labels that their subwords get.

    B-LOC          the word's tag
    Sanitas        the word
    |-----.        a full line where a subword takes the word's tag as it is, a dashed one where
    San   ##itas   the tag changes, a dotted one where the subword gets no label
    B-LOC I-LOC

Each word is a block, so the drawing wraps where the page is narrow; a word of very many subwords
scrolls inside its block.

Read before this: entity_spans.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from mlm_core.figures.tagging.entity_spans import LONGEST_TYPE, LONGEST_WORD, type_looks
from mlm_core.figures.theme import FONT, GREY, TOKEN_FONT, escaped
from mlm_core.masking.rule import IGNORED_LABEL
from mlm_core.tagging.bio_tags import OUTSIDE

NO_LABEL = f"−{-IGNORED_LABEL}"

STYLE = f"""
.piece-tags {{ display: flex; flex-wrap: wrap; gap: 1.1rem .7rem; align-items: flex-start;
  font-family: {TOKEN_FONT}; font-size: .95rem; line-height: 1.45; }}
.piece-tags .of-word {{ display: flex; flex-direction: column; align-items: center;
  max-width: 100%; overflow-x: auto; }}
.piece-tags .above {{ font-family: {FONT}; font-weight: 600; white-space: pre; min-height: 1.45em;
  max-width: 100%; overflow: hidden; text-overflow: ellipsis; }}
.piece-tags .tag {{ font-size: .8rem; white-space: pre; padding: 0 .3rem; min-height: 1.45em;
  border-radius: .3rem; border: 2px solid transparent; }}
.piece-tags .tag.typed {{ border: 2px var(--line) var(--type);
  background: color-mix(in srgb, var(--type) 20%, transparent); }}
.piece-tags .tag.none {{ opacity: .8; }}
.piece-tags .trunk {{ height: .6rem; border-left: 2px solid {GREY}; }}
.piece-tags .trunk.hidden {{ visibility: hidden; }}
.piece-tags .drops {{ display: flex; max-width: 100%; }}
.piece-tags .drop {{ position: relative; display: flex; flex-direction: column;
  align-items: center; gap: .2rem; padding: 1.1rem .12rem 0; flex: none; }}
.piece-tags .drop::before {{ content: ""; position: absolute; top: 0; left: calc(50% - 1px);
  height: 1rem; border-left: 2px solid {GREY}; }}
.piece-tags .drop.changed::before {{ border-left-style: dashed; }}
.piece-tags .drop.changed .tag {{ font-weight: 700; }}
.piece-tags .drop.ignored::before {{ border-left-style: dotted; opacity: .6; }}
.piece-tags .drop.added::before {{ display: none; }}
.piece-tags .drop::after {{ content: ""; position: absolute; top: 0; left: 0; right: 0;
  border-top: 2px solid {GREY}; }}
.piece-tags .drop:first-child::after {{ left: calc(50% - 1px); }}
.piece-tags .drop:last-child::after {{ right: calc(50% - 1px); }}
.piece-tags .drop:only-child::after {{ display: none; }}
.piece-tags .chip {{ margin: 0; }}
.piece-tags .drop.ignored .chip {{ opacity: .8; }}
"""


@dataclass(frozen=True, kw_only=True)
class DrawnSubword:
    """A subword and its label."""

    text: str
    tag: str | None  # None: it gets -100 and doesn't count


@dataclass(frozen=True, kw_only=True)
class DrawnWord:
    """A word over its subwords; an added token, such as [CLS], has no word above it."""

    word: str | None
    tag: str
    subwords: tuple[DrawnSubword, ...]


def subword_tags_html(drawn: Sequence[DrawnWord], *, types: Sequence[str] = (), alt: str) -> str:
    """Return words over subwords as HTML. `alt` describes the drawing.

    `types` as in `entity_sentence`: give both the same.
    """
    seen = sorted({_type_of(word.tag) for word in drawn} - {""})
    looks = type_looks([*types, *seen])
    blocks = "".join(_block(word, looks) for word in drawn)
    return f'<div class="piece-tags" role="group" aria-label="{escaped(alt)}">{blocks}</div>'


def _block(word: DrawnWord, looks: dict[str, str]) -> str:
    is_added = word.word is None
    name = escaped(word.word or "", LONGEST_WORD) or "&nbsp;"
    above = '<span class="tag">&nbsp;</span>' if is_added else _tag(word.tag, looks)
    drops = "".join(_drop(subword, word, looks) for subword in word.subwords)
    return (
        f'<div class="of-word">{above}<span class="above" title="{escaped(word.word or "")}">'
        f'{name}</span><span class="trunk{" hidden" * is_added}"></span>'
        f'<div class="drops">{drops}</div></div>'
    )


def _drop(subword: DrawnSubword, word: DrawnWord, looks: dict[str, str]) -> str:
    if word.word is None:
        kind = "added ignored"
    elif subword.tag is None:
        kind = "ignored"
    else:
        kind = "copied" if subword.tag == word.tag else "changed"
    special = " special" if word.word is None else ""
    return (
        f'<div class="drop {kind}"><span class="chip{special}" title="{escaped(subword.text)}">'
        f"{escaped(subword.text, LONGEST_WORD)}</span>{_tag(subword.tag, looks)}</div>"
    )


def _tag(tag: str | None, looks: dict[str, str]) -> str:
    if tag is None or tag == OUTSIDE:
        shown = NO_LABEL if tag is None else OUTSIDE
        return f'<span class="tag none">{shown}</span>'
    look = looks[_type_of(tag)]
    shown = escaped(tag, LONGEST_TYPE + 2)
    return f'<span class="tag typed" style="{look}" title="{escaped(tag)}">{shown}</span>'


def _type_of(tag: str) -> str:
    return tag.partition("-")[2]
