"""The notebooks of docs/notebooks: each runs to its end in a fresh interpreter."""

import json
from pathlib import Path

import pytest

from tests.fresh import run_file

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "docs").glob("*/*.ipynb"))
LONGEST_SHOWN = 500  # characters of a result


def read(path: Path) -> dict:
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_to_its_end_and_shows_figures_and_short_results(path: Path, tmp_path: Path):
    cells = ROOT / "tests/notebook_cells.py"
    ran = run_file(cells, str(path), folder=tmp_path, path=(str(ROOT),))
    assert ran.returncode == 0, ran.stderr
    lines = [json.loads(line) for line in ran.stdout.splitlines() if line.startswith('{"type"')]
    figures = [line for line in lines if line["type"] == "figure"]
    assert len(figures) >= 3 and all(figure["n_traces"] for figure in figures)
    results = [line for line in lines if line["type"] != "figure"]
    assert results and all(len(result["text"]) <= LONGEST_SHOWN for result in results)


def test_a_notebook_is_stored_without_outputs():
    for notebook in map(read, NOTEBOOKS):
        assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
        assert len({cell["id"] for cell in notebook["cells"]}) == len(notebook["cells"])
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                assert cell["outputs"] == [] and cell["execution_count"] is None
