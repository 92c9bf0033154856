"""A small matrix of numbers to type into.

Not st.data_editor, which imports pandas: that takes 65 MB.
"""

import json
import math
from collections.abc import Callable, Sequence
from typing import Any

# A component of this lesson: a table of number fields, which no other lesson has.
import streamlit as st

from mlm_core.figures.theme import escaped

_GRID_SCRIPT = """
export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const box = parentElement.querySelector(".grid");
  const inside = box.getRootNode().activeElement;
  const focused = inside && box.contains(inside) ? inside.getAttribute("data-at") : null;
  box.innerHTML = data.html;
  if (focused !== null) box.querySelector(`[data-at="${focused}"]`)?.focus();
  box.onchange = () => {
    const rows = [...box.querySelectorAll("tr[data-row]")];
    const numbers = rows.map((row) => [...row.querySelectorAll("input")].map((input) =>
      Number.isFinite(input.valueAsNumber) ? input.valueAsNumber : 0));
    setTriggerValue("edited", JSON.stringify(numbers));
  };
}
"""
_GRID_STYLE = """
.grid table { border-collapse: collapse; color: var(--st-text-color); font: inherit; }
.grid th { font-weight: 400; opacity: .8; padding: .2rem .5rem; text-align: right; }
.grid input { font: inherit; width: 4.2rem; padding: .3rem .4rem; text-align: right;
  color: var(--st-text-color); background: var(--st-secondary-background-color);
  border: 1px solid var(--st-border-color); border-radius: .3rem; }
.grid input:focus { outline: 2px solid var(--st-primary-color); }
"""
_mount = st.components.v2.component(
    "mlm_number_grid", html='<div class="grid"></div>', css=_GRID_STYLE, js=_GRID_SCRIPT
)


def number_grid(
    numbers: Sequence[Sequence[float]],
    *,
    key: str,
    label: str,
    rows: Sequence[str],
    columns: Sequence[str],
    largest: float,
    on_edit: Callable[[list[list[float]]], None],
    disabled: bool = False,
) -> None:
    """Show the numbers; `on_edit` gets all of them when one was changed, before the rerun."""

    def report() -> None:
        edited = read_numbers(st.session_state[key].edited, like=numbers)
        if edited is not None:
            on_edit([[max(-largest, min(largest, x)) for x in row] for row in edited])

    html = _html(
        numbers, label=label, rows=rows, columns=columns, largest=largest, disabled=disabled
    )
    _mount(key=key, data={"html": html}, on_edited_change=report)


def read_numbers(sent: Any, *, like: Sequence[Sequence[float]]) -> list[list[float]] | None:
    """Return what a browser sent, which can be anything; None if it is no such table of numbers.

    >>> read_numbers("[[1, 2.5]]", like=[[0, 0]]), read_numbers("[[1, NaN]]", like=[[0, 0]])
    ([[1.0, 2.5]], None)
    """
    try:
        numbers = [[float(x) for x in row] for row in json.loads(sent)]
    except (ValueError, TypeError, OverflowError, RecursionError):
        return None
    is_like = [len(row) for row in numbers] == [len(row) for row in like]
    return numbers if is_like and all(math.isfinite(x) for row in numbers for x in row) else None


def _html(
    numbers: Sequence[Sequence[float]],
    *,
    label: str,
    rows: Sequence[str],
    columns: Sequence[str],
    largest: float,
    disabled: bool,
) -> str:
    off = " disabled" if disabled else ""
    head = "".join(f"<th scope='col'>{escaped(name)}</th>" for name in columns)
    body = "".join(
        f"<tr data-row><th scope='row'>{escaped(name)}</th>"
        + "".join(
            f'<td><input type="number" step="any" min="{-largest:g}" max="{largest:g}"'
            f' value="{number:g}" data-at="{i},{k}"'
            f' aria-label="{escaped(label)}, {escaped(name)}, {escaped(columns[k])}"{off}></td>'
            for k, number in enumerate(row)
        )
        + "</tr>"
        for i, (name, row) in enumerate(zip(rows, numbers, strict=True))
    )
    return f'<table aria-label="{escaped(label)}"><tr><td></td>{head}</tr>{body}</table>'
