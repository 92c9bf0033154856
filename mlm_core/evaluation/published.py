"""Published results of well-known encoders, each with its paper and the place there.

    model, task  ->  value, part (dev or test), paper, table

A number that stands alone says little: a dev set is the one that settings were chosen on, one
task has several metrics, and models differ in size and in the text they were trained on.

Source: data/published.json, whose papers are listed in docs/references.md. A value that a paper
doesn't report, or that was not checked there, is None.

Read before this: metrics.py.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

FILE = Path(__file__).parents[1] / "data" / "published.json"


@dataclass(frozen=True, kw_only=True)
class Result:
    """The result of one model on one task."""

    task: str
    metric: str
    model: str
    value: float | None  # per cent
    part: Literal["dev", "test"] | None
    paper: str  # authors and year
    where: str | None  # the table; "README" is that of the authors' repository


@dataclass(frozen=True, kw_only=True)
class SizedResult:
    """The result of one model on SQuAD 2.0, and its size."""

    model: str
    is_fine_tuned: bool  # on all training questions; if not, prompted with one example
    n_parameters: int
    value: float  # per cent of questions with an exact match
    paper: str
    where: str  # a file of the authors' repository


def results() -> tuple[Result, ...]:
    """Return all published results, task by task.

    >>> results()[0].model, results()[0].value
    ('BERT-base', 84.6)
    """
    return tuple(Result(**row) for row in _read()["results"])


def sized_results() -> tuple[SizedResult, ...]:
    """Return results on SQuAD 2.0 by size: fine-tuned encoders, and prompted language models.

    Source: the READMEs of ELECTRA and of RoBERTa (fairseq); the model card of Llama 3.1, July 23,
    2024, and its eval_details.md, which says that the base models answer SQuAD 2.0 after one
    example. The encoders' results are those on the dev part; the card names no part.

    >>> [one.value for one in sized_results() if one.n_parameters == 110_000_000]
    [80.5]
    """
    return tuple(SizedResult(**row) for row in _read()["sized"])


def _read() -> dict:
    return json.loads(FILE.read_text(encoding="utf-8"))
