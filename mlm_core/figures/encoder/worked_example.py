r"""The three-word example written out: its arithmetic as LaTeX, and the whole as a NumPy script.

The numbers come from attend(). The LaTeX and the script contain numbers only, never a learner's
text.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from mlm_core.encoder.attention import AttentionSteps
from mlm_core.figures.matrix import matrix_svg
from mlm_core.figures.theme import escaped
from mlm_core.number_format import as_tex, current_marks, in_formula, with_marks

Matrix = tuple[tuple[float, ...], ...]
Step = Literal["scores", "scaled_scores", "masked_scores", "weights", "output"]
STEPS: tuple[Step, ...] = get_args(Step)

SIZE = 3  # words, and numbers in a vector
IDENTITY: Matrix = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
LARGEST_ENTRY = 100.0
DECIMALS = 4  # of the drawing and the arithmetic; the table beside them has all digits
# e^30 is about 10^13: beyond that the written-out softmax subtracts the largest score first.
LARGEST_PLAIN_EXPONENT = 30.0


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One cell of one matrix of the chain; rows and columns count from 0."""

    step: Step
    row: int
    column: int


def read_matrix(text: str) -> Matrix:
    """Return the 3 x 3 matrix that a link carries as "1,0,0;0,1,0;0,0,1".

    Raises ValueError if the text is no such matrix, or an entry is beyond ±100.

    >>> read_matrix("1,0,0;0,1,0;0,0,0.5")[2]
    (0.0, 0.0, 0.5)
    """
    expected = f"expected {SIZE} rows of {SIZE} numbers from -100 to 100, as in 1,0,0;0,1,0;0,0,1"
    try:
        rows = tuple(tuple(float(entry) for entry in row.split(",")) for row in text.split(";"))
    except ValueError as error:
        raise ValueError(f"{expected}; this text has something that is no number") from error
    if len(rows) != SIZE or any(len(row) != SIZE for row in rows):
        raise ValueError(f"{expected}; this text has another size")
    if not all(abs(entry) <= LARGEST_ENTRY for row in rows for entry in row):  # NaN fails, too
        raise ValueError(f"{expected}; this text has a number outside that range")
    return rows


def write_matrix(matrix: Sequence[Sequence[float]]) -> str:
    """Return a matrix as a link carries it.

    >>> write_matrix(((1.0, 0.0), (0.25, -2.0)))
    '1,0;0.25,-2'
    """
    return ";".join(",".join(f"{entry:.12g}" for entry in row) for row in matrix)


def chain_html(
    steps: AttentionSteps,
    words: Sequence[str],
    *,
    titles: dict[Step, str],
    selected: Cell,
    alt: str,
) -> str:
    """Return the five matrices of the chain side by side, every cell a button.

    Columns are numbered through all matrices, so that the arrow keys go from one matrix to the
    next; clicked_cell() reads the value of a click.
    """
    blocked = (~steps.attention_mask).tolist()
    figures = []
    for i, step in enumerate(STEPS):
        is_selected = step == selected.step
        values = getattr(steps, step)
        svg = matrix_svg(
            # 3e-17 would not fit into its cell; weights have a label of their own for that.
            (values if step == "weights" else values.round(decimals=DECIMALS)).tolist(),
            words,
            [str(k + 1) for k in range(SIZE)] if step == "output" else words,
            blocked=blocked if step in ("masked_scores", "weights") else None,
            scale="weights" if step == "weights" else "signed",
            selected_cell=(selected.row, selected.column) if is_selected else None,
            clickable="cells",
            alt=f"{alt}: {titles[step]}",
        )
        svg = _shift_columns(svg, SIZE * i)
        if not is_selected:  # one stop for the tab key in the whole chain
            svg = svg.replace('tabindex="0"', 'tabindex="-1"')
        figures.append(
            '<figure style="margin:0;flex:1 1 150px;max-width:190px;display:flex;'
            'flex-direction:column;justify-content:space-between">'
            f'<figcaption style="font-weight:600;margin-bottom:.15rem">{escaped(titles[step])}'
            f"</figcaption>{svg}</figure>"
        )
    return f'<div style="display:flex;flex-wrap:wrap;gap:.9rem .3rem">{"".join(figures)}</div>'


def clicked_cell(value: str) -> Cell:
    """Return the cell that a click on chain_html reports.

    >>> clicked_cell("1,10")
    Cell(step='weights', row=1, column=1)
    """
    row, column = (int(number) for number in value.split(","))
    matrix, column = divmod(column, SIZE)
    return Cell(step=STEPS[matrix], row=row, column=column)


def one_picture(html: str) -> str:
    """Return the matrices of chain_html as one SVG file, dark on white."""
    titles = re.findall(r"<figcaption[^>]*>(.*?)</figcaption>", html)
    drawings = re.findall(r"<svg.*?</svg>", html, flags=re.DOTALL)
    placed, x, tallest = [], 0.0, 0.0
    for title, svg in zip(titles, drawings, strict=True):
        box = re.search(r'viewBox="0 0 (\d+) (\d+)"', svg)
        assert box
        width, height = (float(size) for size in box.groups())
        inside = svg[svg.index(">") + 1 : -len("</svg>")]
        placed.append(
            f'<text x="{x + 6}" y="16" font-weight="700">{title}</text>'
            f'<svg x="{x}" y="20" width="{width}" height="{height}">{inside}</svg>'
        )
        x, tallest = x + width, max(tallest, height)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {x:.0f} {tallest + 24:.0f}">'
        '<rect width="100%" height="100%" fill="#fff"/>'
        "<style>text { font-family: monospace; fill: #1c2430; }</style>"
        f"{''.join(placed)}</svg>"
    )


def arithmetic(
    steps: AttentionSteps,
    embeddings: Matrix,
    projections: dict[str, Matrix],
    *,
    cell: Cell,
    divide_by_root: bool,
) -> tuple[str, ...]:
    """Return the LaTeX lines that compute one cell, with its numbers.

    `projections` are W_Q, W_K, W_V by the names "query", "key", "value". The formulas
    count rows and columns from 1.
    """
    step, row, column = cell.step, cell.row, cell.column
    i, j = row + 1, column + 1
    name = rf"s_{{{i}{j}}}"
    scores, scaled = steps.scores.tolist(), steps.scaled_scores.tolist()
    if step == "scores":
        query, key = steps.query[row].tolist(), steps.key[column].tolist()
        return (
            *_projected("q", i, embeddings[row], "Q", projections["query"], query),
            *_projected("k", j, embeddings[column], "K", projections["key"], key),
            rf"{name} = \mathbf{{q}}_{i} \cdot \mathbf{{k}}_{j} = {_products(query, key)}"
            rf" = {_n(scores[row][column])}",
        )
    if step == "scaled_scores":
        start = _n(scores[row][column])
        if not divide_by_root:
            return (rf"{name} = {start}",)
        return (
            rf"\frac{{{name}}}{{\sqrt{{d_k}}}} = \frac{{{start}}}{{\sqrt{{{SIZE}}}}}"
            rf" = \frac{{{start}}}{{{_n(math.sqrt(SIZE))}}} = {_n(scaled[row][column])}",
        )
    if step == "masked_scores":
        after = _n(steps.masked_scores[row, column].item())
        reason = "" if steps.attention_mask[row, column] else rf"{j} > {i}:\quad "
        return (rf"{reason}{_n(scaled[row][column])} \;\longrightarrow\; {after}",)
    if step == "weights":
        return _softmax(steps.masked_scores[row].tolist(), steps.weights[row].tolist(), i, j)
    weights, values = steps.weights[row].tolist(), steps.value[:, column].tolist()
    return (
        rf"\mathbf{{a}}_{i} = ({_listed(weights)})",
        rf"v_{{1{j}}},\, v_{{2{j}}},\, v_{{3{j}}} = {_listed(values)}",
        rf"o_{{{i}{j}}} = {_products(weights, values)} = {_n(steps.output[row, column].item())}",
    )


def numpy_script(
    embeddings: Matrix,
    projections: dict[str, Matrix],
    *,
    causal: bool,
    divide_by_root: bool,
) -> str:
    """Return a complete Python script that computes the example with NumPy alone.

    Run, it leaves `weights` and `output` equal to attend()'s.
    """
    scaled = "scores / np.sqrt(K.shape[1])" if divide_by_root else "scores  # not divided"
    blocked = (
        "np.tril(np.ones(scores.shape, dtype=bool))  # row i sees columns 1 to i"
        if causal
        else "np.ones(scores.shape, dtype=bool)  # every word sees every word"
    )
    return f"""import numpy as np

E = {_array(embeddings)}  # one row a word
W_Q = {_array(projections["query"])}
W_K = {_array(projections["key"])}
W_V = {_array(projections["value"])}

Q, K, V = E @ W_Q, E @ W_K, E @ W_V
scores = Q @ K.T
scaled = {scaled}
attention_mask = {blocked}
masked = np.where(attention_mask, scaled, -np.inf)
exponentials = np.exp(masked - masked.max(axis=1, keepdims=True))
weights = exponentials / exponentials.sum(axis=1, keepdims=True)
output = weights @ V

print(weights.round(4))
print(output.round(4))
"""


def _softmax(scores: list[float], weights: list[float], i: int, j: int) -> tuple[str, ...]:
    largest = max(scores)  # finite: a word always sees itself
    reach = max(abs(score) for score in scores if math.isfinite(score))
    shift = largest if reach > LARGEST_PLAIN_EXPONENT else 0.0
    shown = [score - shift for score in scores]
    powers = [math.exp(score) for score in shown]
    name, own = rf"a_{{{i}{j}}}", _n(powers[j - 1])
    written = " + ".join(f"e^{{{_n(score)}}}" for score in shown)
    added = " + ".join(_n(power) for power in powers)
    lines = (
        rf"{name} = \frac{{e^{{{_n(shown[j - 1])}}}}}{{{written}}}",
        rf"\phantom{{{name}}} = \frac{{{own}}}{{{added}}} = \frac{{{own}}}{{{_n(sum(powers))}}}"
        rf" = {_n(weights[j - 1])}",
    )
    if not shift:
        return lines
    # Softmax does not change when all scores move by the same amount.
    moved = rf"s'_{{{i}k}} = s_{{{i}k}} - \max_k s_{{{i}k}} = s_{{{i}k}} - {_factor(largest)}"
    return (moved, *lines)


def _projected(
    letter: str, i: int, embedding: Sequence[float], w: str, matrix: Matrix, result: list[float]
) -> tuple[str, str]:
    rows = r" \\ ".join(" & ".join(_n(entry) for entry in row) for row in matrix)
    name = rf"\mathbf{{{letter}}}_{i}"
    return (
        rf"{name} = \mathbf{{e}}_{i} W_{w} = ({_listed(embedding)})"
        rf" \begin{{pmatrix}} {rows} \end{{pmatrix}}",
        rf"\phantom{{{name}}} = ({_listed(result)})",
    )


def _products(left: Sequence[float], right: Sequence[float]) -> str:
    return " + ".join(rf"{_factor(a)} \cdot {_factor(b)}" for a, b in zip(left, right, strict=True))


def _factor(value: float) -> str:
    return f"({_n(value)})" if value < 0 else _n(value)


def _listed(values: Sequence[float]) -> str:
    return r",\; ".join(_n(value) for value in values)


def _n(value: float) -> str:
    r"""Return a number as LaTeX: four decimals at most, six digits if it is large.

    >>> _n(0.57735), _n(1.0), _n(-12345.678), _n(float("-inf")), _n(3.2e-7)
    ('0.5774', '1', '-12345.7', '-\\infty', '3.2 \\times 10^{-7}')
    """
    if math.isinf(value):
        return r"\infty" if value > 0 else r"-\infty"
    if value == 0:
        return "0"
    if abs(value) < 1e-4 or abs(value) >= 1e7:
        digits, exponent = f"{value:.3e}".split("e")
        return rf"{in_formula(float(digits), 'g')} \times 10^{{{int(exponent)}}}"
    decimals = max(0, min(DECIMALS, 5 - math.floor(math.log10(abs(value)))))
    shown = f"{value:.{decimals}f}"
    shown = shown.rstrip("0").rstrip(".") if "." in shown else shown
    return as_tex(with_marks(shown, current_marks()))


def _array(matrix: Matrix) -> str:
    rows = ", ".join(f"[{', '.join(f'{entry:.12g}' for entry in row)}]" for row in matrix)
    return f"np.array([{rows}], dtype=float)"


def _shift_columns(svg: str, by: int) -> str:
    def shifted(match: re.Match[str]) -> str:
        i, j = match[1], int(match[2]) + by
        return f'data-value="{i},{j}" data-row="{i}" data-column="{j}"'

    return re.sub(r'data-value="(\d+),(\d+)" data-row="\d+" data-column="\d+"', shifted, svg)
