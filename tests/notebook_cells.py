"""Run a notebook's cells in order, in this process, and show what each would show.

    python tests/notebook_cells.py docs/notebooks/1_fill_a_blank.ipynb

Trainings and counts are shorter than a reader's, and long enough for what the last cell of each
asserts; of a guess that a short training has only begun to learn, it asks for less.

The notebooks have no magics, so this is what Jupyter does with them, without its forty packages.
Prints one line of JSON for each thing that a cell shows: the type, and the text or the traces.
"""

import ast
import json
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

SHORTER = {
    "range(200)": "range(60)",
    "n_steps=800": "n_steps=300, n_layers=1, batch_size=24",
    "answers[-1] > 0.1": "answers[-1] > 0.02",
    "sentences(), 300": "sentences(), 120",
    "n_epochs=3": "n_epochs=1",
    "search_task(test)": "search_task(test[: len(test) // 2])",
    "n_top_layers=2": "n_top_layers=2, n_read_layers=4, n_examples=320, batch_size=4,"
    " peak_learning_rate=1e-3",
    "test = run.snapshot.dataset.test": "test = run.snapshot.dataset.test[:40]",
}


def code_cells(notebook: dict) -> list[str]:
    cells = ["".join(c["source"]) for c in notebook["cells"] if c["cell_type"] == "code"]
    for written, shorter in SHORTER.items():
        cells = [cell.replace(written, shorter) for cell in cells]
    return cells


def run(cells: list[str]) -> Iterator[object]:
    """Run the cells in one namespace and yield the value of each that ends with an expression."""
    names: dict[str, object] = {"__name__": "__main__"}
    for number, cell in enumerate(cells, start=1):
        body = ast.parse(cell, f"cell {number}").body
        last = body.pop() if isinstance(body[-1], ast.Expr) else None
        exec(compile(ast.Module(body, []), f"cell {number}", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), names)
            if value is not None:
                yield value


def shown(value: object) -> dict:
    """Return what Jupyter shows of a value; a figure is built down to its JSON."""
    if hasattr(value, "to_plotly_json"):
        figure = json.loads(value.to_json(validate=True))
        return {"type": "figure", "n_traces": len(figure["data"])}
    return {"type": type(value).__name__, "text": repr(value)}


if __name__ == "__main__":
    warnings.simplefilter("error")
    notebook = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    for value in run(code_cells(notebook)):
        print(json.dumps(shown(value)))
