"""The record of a run: two CSV tables, lines for the log, and a plot.

    log.csv        training figures, a row every few steps
    held_out.csv   figures on held-out text, a row an evaluation
    curve.svg      a plot of both

Read before this: evaluation.py.
"""

import csv
from dataclasses import asdict, dataclass
from pathlib import Path

from mlm_core.figures.curves import Curve, curves_file, curves_svg, nice_range
from mlm_core.pretraining.evaluation import HeldOutFigures


@dataclass(frozen=True, kw_only=True)
class Progress:
    """Means over the steps since the last row."""

    step: int
    n_steps: int
    masked_language_loss: float
    next_sentence_loss: float
    masked_accuracy: float
    next_sentence_accuracy: float
    gradient_norm: float
    rate: float
    tokens_a_second: float
    seconds: float  # trained so far, earlier parts of the run included

    def line(self) -> str:
        """Return the row as a sentence with the time left."""
        left = self.seconds / self.step * (self.n_steps - self.step)
        return (
            f"step {self.step:,} of {self.n_steps:,} ({self.step / self.n_steps:.0%})"
            f"  MLM loss {self.masked_language_loss:.3f}  right {self.masked_accuracy:.1%}"
            f"  NSP loss {self.next_sentence_loss:.3f}  right {self.next_sentence_accuracy:.1%}"
            f"  gradient {self.gradient_norm:.2f}  rate {self.rate:.2g}"
            f"  {self.tokens_a_second:,.0f} tokens/s  {duration(left)} left"
        )


@dataclass(frozen=True, kw_only=True)
class HeldOutRow:
    """An evaluation's figures on one kind of text."""

    step: int
    texts: str  # "pairs of 128", "natural sentences"
    figures: HeldOutFigures

    def line(self) -> str:
        """Return the row as a sentence."""
        figures = self.figures
        return (
            f"held out after {self.step:,} steps, {self.texts}:"
            f"  MLM loss {figures.masked_language_loss:.3f}  right {figures.masked_accuracy:.1%}"
            f" (at [MASK] {figures.accuracy_at_masked:.1%})"
            f"  NSP right {figures.next_sentence_accuracy:.1%}"
        )


def duration(seconds: float) -> str:
    """Return a time in words.

    >>> duration(42), duration(754), duration(8000)
    ('42 s', '12 min 34 s', '2 h 13 min')
    """
    minutes, rest = divmod(round(seconds), 60)
    if minutes == 0:
        return f"{rest} s"
    if minutes < 60:
        return f"{minutes} min {rest} s"
    return f"{minutes // 60} h {minutes % 60} min"


def append_row(path: Path, row: Progress | HeldOutRow) -> None:
    """Add a row to a table, with the heading if the table is new."""
    values = asdict(row)
    values |= values.pop("figures", {})
    is_new = not path.is_file()
    with open(path, "a", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, fieldnames=list(values))
        if is_new:
            writer.writeheader()
        writer.writerow({k: f"{v:.6g}" if isinstance(v, float) else v for k, v in values.items()})


def read_rows(path: Path) -> list[dict[str, str]]:
    """Return a table's rows; none if there is no table yet."""
    if not path.is_file():
        return []
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def drop_rows_after(path: Path, step: int) -> None:
    """Delete rows of steps that a resumed run will repeat."""
    rows = [row for row in read_rows(path) if int(row["step"]) <= step]
    path.unlink(missing_ok=True)
    if rows:
        with open(path, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, fieldnames=list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)


def curve_svg(log: list[dict[str, str]], held_out: list[dict[str, str]]) -> str:
    """Return a plot of the MLM loss: training as a line, held-out text with dots."""
    if not log:
        raise ValueError("nothing to draw: the log has no rows")
    found = {"training": log}
    for row in held_out:
        found.setdefault(f"held-out {row['texts']}", []).append(row)
    curves = []
    for pen, (name, rows) in enumerate(found.items()):
        points = [(int(row["step"]), float(row["masked_language_loss"])) for row in rows]
        curves.append(Curve(name=name, points=points, pen=pen, dots=pen > 0))
    drawn = curves_svg(
        curves,
        last_step=int(log[-1]["step"]),
        y_range=nice_range([loss for one in curves for _, loss in one.points], from_zero=False),
        x_title="step",
        y_title="",
        alt="MLM loss by step",
    )
    return curves_file({"MLM loss, nats": drawn}, list(found))
