"""A passage with two bars at each word: P(answer starts here), P(answer ends here).

The bar above a word is P(start), the one below it P(end); both have the same scale, from 0 to
1, 0.5 or 0.25: the smallest that fits all, so that small probabilities are visible. The model's
answer is framed, the right one underlined twice, so that neither depends on colour.

Read before this: ../chips.py.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mlm_core.figures.theme import BLUE, FONT, GREEN, GREY, PURPLE, escaped, weight_label

if TYPE_CHECKING:
    from mlm_core.answers.words import PassageWord

FULL, NUMBER = 28, 12  # pixels of the longest bar that the scale has, and of a number at its end
SCALES = (0.25, 0.5, 1.0)
N_NUMBERS, NUMBER_FROM = 3, 0.03  # of each distribution: those that have their number at the bar
LONGEST_WORD = 30  # letters

Stretch = tuple[int, int]  # first character in the passage, and one past the last

STYLE = f"""
.answer {{ font-family: {FONT}; }}
.answer .word {{ display: inline-block; position: relative; max-width: 100%; }}
.answer .bar {{ position: absolute; left: 0; right: 0; }}
.answer .bar.start {{ top: 0; }}
.answer .bar.end {{ bottom: 0; }}
.answer .bar i {{ position: absolute; left: 10%; width: 80%; min-height: 0; display: block; }}
.answer .bar.start i {{ bottom: 0; background: {BLUE}; border-radius: 2px 2px 0 0; }}
.answer .bar.end i {{ top: 0; border-radius: 0 0 2px 2px; background: repeating-linear-gradient(
  45deg, {PURPLE} 0 3px, color-mix(in srgb, {PURPLE} 55%, transparent) 3px 6px); }}
.answer .bar b {{ position: absolute; left: 50%; transform: translateX(-50%); font-size: .7rem;
  font-weight: 600; line-height: 12px; white-space: nowrap; }}
.answer .letters {{ display: block; border-block: 2px solid transparent; white-space: pre;
  overflow: hidden; text-overflow: ellipsis; line-height: 1.35; padding-bottom: 1px; }}
.answer .given .letters {{ border-color: {BLUE};
  background: color-mix(in srgb, {BLUE} 14%, transparent); }}
.answer .given.first .letters {{ margin-left: .25em; border-left: 2px solid {BLUE};
  border-radius: .3rem 0 0 .3rem; }}
.answer .given.last .letters {{ border-right: 2px solid {BLUE};
  border-radius: 0 .3rem .3rem 0; }}
.answer .right .letters {{ text-decoration: underline double {GREEN} 2px;
  text-underline-offset: 3px; }}
.answer .unread {{ opacity: .8; font-style: italic; border-left: 3px dashed {GREY};
  margin: .5rem 0 0; padding-left: .5rem; overflow-wrap: anywhere; }}
.answer ul {{ display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; margin: 0 0 .3rem; padding: 0;
  list-style: none; font-size: .875rem; align-items: center; }}
.answer li.start::before, .answer li.end::before {{ content: ""; display: inline-block;
  width: .7rem; height: .9rem; margin-right: .35rem; vertical-align: -2px; background: {BLUE}; }}
.answer li.end::before {{ background: repeating-linear-gradient(45deg, {PURPLE} 0 3px,
  color-mix(in srgb, {PURPLE} 55%, transparent) 3px 6px); }}
.answer li.given span {{ border: 2px solid {BLUE}; border-radius: .3rem; padding: 0 .25rem; }}
.answer li.right span {{ text-decoration: underline double {GREEN} 2px;
  text-underline-offset: 3px; }}
"""


@dataclass(frozen=True, kw_only=True)
class AnswerNames:
    """The texts of the legend."""

    start: str
    end: str
    given: str
    right: str


def bar_scale(words: "Sequence[PassageWord]") -> float:
    """Return the probability whose bar has full height."""
    highest = max((max(word.p_start, word.p_end) for word in words), default=0.0)
    return next((scale for scale in SCALES if highest <= scale), SCALES[-1])


def answer_html(
    passage: str,
    words: "Sequence[PassageWord]",
    *,
    given: Stretch | None,
    right: Stretch | None,
    names: AnswerNames,
    label: str,
) -> str:
    """Return the passage with both distributions; text beyond the window is below.

    `given` is the model's answer, `right` the right one, if known.
    """
    scale, told = bar_scale(words), (_told(w.p_start for w in words), _told(w.p_end for w in words))
    before = [word.start for word in words[:1]] + [word.stop for word in words[:-1]]
    cells = []
    for word, stop in zip(words, before, strict=True):
        above, start = _bar("start", word.p_start, scale, told[0])
        below, end = _bar("end", word.p_end, scale, told[1])
        cells.append(
            f'<span class="{_names(word, given, right)}" title="{_title(word)}"'
            f' style="padding:{above}px 0 {below}px">{start}'
            f'<span class="letters">{_space(passage[stop : word.start], word, given)}'
            f"{escaped(word.text, LONGEST_WORD)}</span>{end}</span>"
        )
    rest = passage[words[-1].stop :].strip() if words else passage
    unread = f'<p class="unread">{escaped(rest)}</p>' if rest else ""
    shown = ["start", "end", *["given"] * bool(given), *["right"] * bool(right)]
    legend = "".join(
        f'<li class="{name}"><span>{escaped(getattr(names, name))}</span></li>' for name in shown
    )
    return (
        f'<div class="answer"><ul>{legend}</ul><div class="text" role="img"'
        f' aria-label="{escaped(label)}">{"".join(cells)}</div>{unread}</div>'
    )


def _names(word: "PassageWord", given: Stretch | None, right: Stretch | None) -> str:
    names = ["word"]
    if given and _touches(word, given):
        names.append("given")
        names += ["first"] * _begins(word, given)
        names += ["last"] * (word.start < given[1] <= word.stop)
    return " ".join([*names, *["right"] * _touches(word, right)])


def _title(word: "PassageWord") -> str:
    return escaped(f"{word.text}: {weight_label(word.p_start)} / {weight_label(word.p_end)}")


def _space(between: str, word: "PassageWord", given: Stretch | None) -> str:
    """Return the text before a word: a space, or characters that the tokenizer drops."""
    if between.isspace() and _begins(word, given):
        return ""  # the frame stands apart by itself
    return escaped(re.sub(r"\s+", " ", between))


def _begins(word: "PassageWord", given: Stretch | None) -> bool:
    return given is not None and word.start <= given[0] < word.stop


def _told(probabilities: Iterable[float]) -> float:
    """Return the lowest probability that is written at its bar."""
    largest = sorted(probabilities, reverse=True)[:N_NUMBERS]
    return max([NUMBER_FROM, *largest[-1:]])


def _touches(word: "PassageWord", stretch: Stretch | None) -> bool:
    return stretch is not None and word.start < stretch[1] and stretch[0] < word.stop


def _bar(name: str, probability: float, scale: float, told: float) -> tuple[int, str]:
    """Return a bar that grows away from the word, and the height that it needs.

    Its number is at its end if it is long. A line of words is as high as its highest bars ask for.
    """
    height = FULL * min(1.0, probability / scale)
    side = "bottom" if name == "start" else "top"
    number, room = "", round(height)
    if probability >= told:
        number = f'<b style="{side}:{height:.0f}px">{weight_label(probability)}</b>'
        room += NUMBER
    bar = f'<span class="bar {name}" style="height:{room}px"><i style="height:{height:.1f}px"></i>'
    return room, f"{bar}{number}</span>"
