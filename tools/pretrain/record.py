"""The record of a run: two CSV tables, lines for the log, and a plot.

    log.csv        training figures, a row every few steps
    held_out.csv   figures on held-out text, a row an evaluation
    curve.svg      a plot of both, without a plotting library

Read before this: evaluation.py.
"""

import csv
from dataclasses import asdict, dataclass
from pathlib import Path

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
    """Return a plot of the MLM loss: training as a line, held-out text as dots."""
    if not log:
        raise ValueError("nothing to draw: the log has no rows")
    width, height, left, bottom, top = 720, 400, 60, 50, 40
    last = max(int(row["step"]) for row in log)
    losses = [float(row["masked_language_loss"]) for row in [*log, *held_out]]
    low, high = int(min(losses)), int(max(losses)) + 1

    def coordinates(row: dict[str, str]) -> tuple[float, float]:
        proportion = (float(row["masked_language_loss"]) - low) / (high - low)
        x = left + int(row["step"]) / last * (width - left - 20)
        return x, height - bottom - proportion * (height - bottom - top)

    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in map(coordinates, log))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
        ' font-family="sans-serif" font-size="13" role="img">',
        f"<title>MLM loss from {losses[0]:.2f} to {float(log[-1]['masked_language_loss']):.2f}"
        f" in {last:,} steps</title>",
        f'<rect width="{width}" height="{height}" fill="white"/>',
    ]
    for tick in range(low, high + 1):
        y = height - bottom - (tick - low) / (high - low) * (height - bottom - top)
        parts.append(f'<path d="M{left} {y:.1f}H{width - 20}" stroke="#ddd"/>')
        parts.append(f'<text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{tick}</text>')
    for quarter in range(5):
        x = left + quarter / 4 * (width - left - 20)
        label = f"{round(last * quarter / 4):,}"
        parts.append(f'<text x="{x:.1f}" y="{height - 30}" text-anchor="middle">{label}</text>')
    # Blue and vermilion of Okabe and Ito; the shapes differ too.
    parts.append(f'<polyline points="{line}" fill="none" stroke="#0072B2" stroke-width="1.5"/>')
    kinds = list(dict.fromkeys(row["texts"] for row in held_out))
    for row in held_out:
        x, y = coordinates(row)
        fill = "#D55E00" if row["texts"] == kinds[0] else "white"
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{fill}" stroke="#D55E00"/>')
    legend = ["line: training"]
    for kind, word in zip(kinds, ("filled", "open"), strict=False):
        legend.append(f"{word} dots: held-out {kind}")
    parts.append(f'<text x="{left}" y="20">MLM loss, nats ({"; ".join(legend)})</text>')
    parts.append(f'<text x="{width / 2}" y="{height - 8}" text-anchor="middle">step</text></svg>')
    return "\n".join(parts) + "\n"
