"""A model's parameters term by term: formula, number, and proportion as a bar."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from mlm_core.figures.theme import BLUE, GREEN, GREY, ORANGE, PURPLE, TOKEN_FONT, escaped
from mlm_core.number_format import formatted

if TYPE_CHECKING:
    from mlm_core.encoder.cost import ParameterTerm

COLOURS = {"embeddings": BLUE, "layers": GREEN, "masked_head": ORANGE, "pair_head": PURPLE}

STYLE = f"""
.terms {{ max-width: 620px; }}
.terms .whole {{ display: flex; height: 22px; border-radius: 4px; overflow: hidden;
  margin-bottom: .6rem; }}
.terms h4 {{ font-size: .95rem; margin: .7rem 0 .2rem; display: flex; gap: .5rem;
  align-items: center; }}
.terms h4 i {{ width: 12px; height: 12px; border-radius: 3px; flex: none; }}
.terms h4 b, .terms li b {{ margin-left: auto; font-variant-numeric: tabular-nums; }}
.terms ul {{ list-style: none; margin: 0; padding: 0; }}
.terms li {{ font-size: .9rem; padding: .1rem 0; }}
.terms li div {{ display: flex; gap: .7rem; flex-wrap: wrap; }}
.terms li b {{ font-weight: 400; }}
.terms code {{ font-family: {TOKEN_FONT}; opacity: .75; }}
.terms .bar {{ height: 5px; border-radius: 3px; background: {GREY}22; }}
.terms .bar i {{ display: block; height: 100%; border-radius: 3px; }}
"""


def parameter_terms_html(
    terms: "Sequence[ParameterTerm]", *, name_of: Callable[[str], str], alt: str
) -> str:
    """Return the terms in their groups; a bar is a proportion of the whole model.

    `name_of` gives a group's or a term's name in the learner's language.
    """
    total = sum(term.count for term in terms)
    groups = list(dict.fromkeys(term.group for term in terms))
    sums = {group: sum(term.count for term in terms if term.group == group) for group in groups}
    whole = "".join(
        f'<span style="width:{100 * sums[group] / total:.3f}%;background:{COLOURS[group]}"></span>'
        for group in groups
    )
    parts = [f'<div class="whole" aria-hidden="true">{whole}</div>']
    for group in groups:
        proportion = f"{formatted(100 * sums[group] / total, '.1f')} %"
        parts.append(
            f'<h4><i style="background:{COLOURS[group]}"></i>{escaped(name_of(group))}'
            f"<b>{formatted(sums[group], ',')} · {proportion}</b></h4><ul>"
        )
        parts += [
            f"<li><div>{escaped(name_of(term.name))} <code>{escaped(term.formula)}</code>"
            f'<b>{formatted(term.count, ",")}</b></div><div class="bar">'
            f'<i style="width:{100 * term.count / total:.3f}%;background:{COLOURS[group]}"></i>'
            "</div></li>"
            for term in terms
            if term.group == group
        ]
        parts.append("</ul>")
    return f'<div class="terms" role="group" aria-label="{escaped(alt)}">{"".join(parts)}</div>'
