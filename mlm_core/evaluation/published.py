"""Published results on SQuAD 2.0 by size: fine-tuned encoders, and prompted language models.

    model  ->  parameters, exact match, paper, file

A number alone says little: a dev part is the one that settings were chosen on, and models differ
in size and in the text they were trained on.

Source: data/published.json, whose papers are listed in docs/references.md: the READMEs of ELECTRA
and of RoBERTa (fairseq); the model card of Llama 3.1, July 23, 2024, and its eval_details.md, which
says that the base models answer SQuAD 2.0 after one example. The encoders' results are those on
the dev part; the card names no part.

Read before this: metrics.py.
"""

import json
from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).parents[1] / "data" / "published.json"


@dataclass(frozen=True, kw_only=True)
class Result:
    """The result of one model, and its size."""

    model: str
    is_fine_tuned: bool  # on all training questions; if not, prompted with one example
    n_parameters: int
    value: float  # per cent of questions with an exact match
    paper: str  # authors and year
    where: str  # a file of the authors' repository


def results() -> tuple[Result, ...]:
    """Return all results, the smallest model first.

    >>> [one.value for one in results() if one.n_parameters == 110_000_000]
    [80.5]
    """
    return tuple(Result(**row) for row in json.loads(FILE.read_text(encoding="utf-8")))
