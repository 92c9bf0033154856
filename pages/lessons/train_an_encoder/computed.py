"""What this lesson works out and keeps, and the numbers of its summary."""

from collections.abc import Callable, Mapping
from math import exp

from mlm_core.stored.runs import DEFAULT_RUN
from pages.kit.caches import cache_training


def in_short() -> Mapping[str, object]:
    """Return the perplexities of the stored run's first and last test."""
    run = cache_training.stored_run(DEFAULT_RUN)
    first, last = run.held_out[0], run.held_out[-1]
    return {"n_steps": last.step, "first": exp(first.loss), "last": exp(last.loss)}


def get_ready(let_pass: Callable[[], None]) -> None:
    """Read what is shown of the stored run that the lesson begins with."""
    cache_training.state_bank(cache_training.stored_run(DEFAULT_RUN))
    let_pass()
