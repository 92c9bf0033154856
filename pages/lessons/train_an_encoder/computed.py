"""What this lesson works out and keeps, how its runs begin, and the numbers of its summary."""

from collections.abc import Callable, Mapping
from math import exp

from mlm_core.probing.neighbours import StateBank, make_bank
from mlm_core.small_runs.own_text import split_train_test
from mlm_core.small_runs.settings import SmallRunSettings
from mlm_core.small_runs.snapshot import Snapshot
from mlm_core.small_runs.text import PreparedText, prepare_at_once
from mlm_core.stored import mask_rates, nsp_effect
from mlm_core.stored.mask_rates import MaskRateRun
from mlm_core.stored.nsp_effect import PairScores
from mlm_core.stored.runs import DEFAULT_RUN, read_best
from mlm_core.text.mini_world.floor import BestFigures
from pages.kit.caches import cache_training
from pages.kit.remember import remembered
from pages.kit.training.runs import begin_small_run

BY_SETTINGS = (SmallRunSettings,)


def start_run(settings: SmallRunSettings) -> str:
    """Start a run, or join the one with equal settings; return a ticket. Raises NoRoomError."""
    # The mini world is the same for all; an own text is prepared in small pieces.
    return begin_small_run(
        settings, lambda: prepared_text(settings) if settings.own_text is None else None
    )


def prepared_text(settings: SmallRunSettings) -> PreparedText:
    """Return a run's text, cut and split. Raises ValueError if it is too small."""
    # The text depends on these alone; runs that differ in the rest share it.
    judges_pairs = settings.objective == "mlm_nsp"
    return _prepared_text(
        settings.own_text, settings.vocabulary_size, judges_pairs and settings.own_text is not None
    )


@remembered(32)  # the mini world takes 1 MB, the longest own text less
def _prepared_text(own_text: str | None, vocabulary_size: int, judges_pairs: bool) -> PreparedText:
    return prepare_at_once(
        SmallRunSettings(
            own_text=own_text,
            vocabulary_size=vocabulary_size,
            objective="mlm_nsp" if judges_pairs else "mlm",
        )
    )


@remembered(48)  # three numbers each
def own_text_parts(text: str, next_sentence: bool) -> tuple[int, int, int]:
    """Return an own text in numbers: documents and sentences to learn from, held out ones.

    Raises ValueError if there is too little of it.
    """
    parts = split_train_test(text, next_sentence=next_sentence)
    learnt, held_out = (
        sum(len(document) for document in part) for part in (parts.train, parts.held_out)
    )
    return len(parts.train), learnt, held_out


@remembered(64, by_hash=BY_SETTINGS)  # six numbers each
def best_possible(settings: SmallRunSettings) -> BestFigures | None:
    """Return the best that anyone could do on a run's test, where that is known; it is stored."""
    return read_best(settings)


def state_bank(snapshot: Snapshot, checkpoint: int = -1) -> StateBank:
    """Return the words of the run's held-out sentences with their vectors, to compare with."""
    step = snapshot.checkpoints[checkpoint].step
    return _state_bank(snapshot.settings, step, snapshot, checkpoint)


@remembered(12, by_hash=BY_SETTINGS)  # some 5,000 words of 64 numbers: 1.3 MB
def _state_bank(
    settings: SmallRunSettings, step: int, _snapshot: Snapshot, _checkpoint: int
) -> StateBank:
    sentences = prepared_text(settings).held_out_sentences
    model = cache_training.model_at(_snapshot, _checkpoint)
    # Made piece by piece; the last piece is the whole.
    *_, bank = make_bank(model, sentences, causal=settings.objective == "next_word")
    assert bank is not None
    return bank


@remembered(1)
def mask_rate_runs() -> tuple[MaskRateRun, ...]:
    """Return the stored runs with 15 % hidden and with any share."""
    return mask_rates.read_runs()


@remembered(1)
def pair_scores() -> tuple[PairScores, ...]:
    """Return what stored encoders with and without NSP reach on other tasks with pairs."""
    return nsp_effect.read_scores()


def in_short() -> Mapping[str, object]:
    """Return the perplexities of the stored run's first and last test."""
    run = cache_training.stored_run(DEFAULT_RUN)
    first, last = run.held_out[0], run.held_out[-1]
    return {"n_steps": last.step, "first": exp(first.loss), "last": exp(last.loss)}


def get_ready(let_pass: Callable[[], None]) -> None:
    """Read what is shown of the stored run that the lesson begins with."""
    state_bank(cache_training.stored_run(DEFAULT_RUN))
    let_pass()
