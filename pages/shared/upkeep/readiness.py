"""What many will ask for, worked out before they do: the vectors of our own sentences above all.

Whoever opens a lesson on vectors first would wait seconds for them, and a class would wait for
each other. It takes some forty seconds of one processor, in pieces between which pages pass.
Only the bundled model's are made: other models are their learner's own choice. Those of another
language, by the model that reads it, are made when somebody reads it. A server that is stopped
waits for the piece that is being done, since a thread in torch would abort it. The helper process
is started once, too: so a new machine has compiled umap-learn before a map is asked for.
"""

import atexit
import logging
import os
import threading
import time
from collections.abc import Callable

from mlm_core.encoder.model_list import BUNDLED, READERS
from mlm_core.text.size_curve import SIZES
from mlm_core.text.subword_trainers import ALGORITHMS
from pages.shared.caches import (
    cache_finetuning,
    cache_inside,
    cache_senses,
    cache_training,
    cache_vectors,
    cache_vocabularies,
)
from pages.shared.course.language import FIRST
from pages.shared.course.words import read_words
from pages.shared.server import helper_process, page_turns, process_memory

logger = logging.getLogger("mlm_app")

# By language: the stored run that the lesson on tags begins with.
TAGGERS = {"en": "entities_top", "de": "entities_de_top"}
PATIENCE_SECONDS = 5.0  # of a server that is stopped, for the piece that is being done

_server_stops = threading.Event()
_read_in = set[str]()  # the languages beside the first that it is ready for


class _ServerStopsError(Exception):
    """The process ends; what is not worked out yet stays so."""


def begin(delay_seconds: float) -> None:
    """Get ready after a while, in a thread that the end of the process waits for."""
    _begin(delay_seconds, get_ready)


def begin_in(language: str, delay_seconds: float) -> None:
    """Get ready for pages that read another language, once while anybody is there."""
    if os.environ.get("MLM_GET_READY") != "no" and language not in _read_in:
        _read_in.add(language)
        _begin(delay_seconds, lambda: get_ready_in(language))


def _begin(delay_seconds: float, get: Callable[[], None]) -> None:
    def work() -> None:
        if not _server_stops.wait(delay_seconds):
            get()

    thread = threading.Thread(target=work, daemon=True, name="readiness")
    thread.start()
    atexit.register(_stop, thread)


def _stop(thread: threading.Thread) -> None:
    _server_stops.set()
    thread.join(PATIENCE_SECONDS)


def _let_pass() -> None:
    """Let pages pass between two pieces. Raises _ServerStopsError if the process ends."""
    page_turns.let_pass()
    if _server_stops.is_set():
        raise _ServerStopsError


def get_ready() -> None:
    """Work it out, piece after piece, and tell the operator when it is done."""
    begun = time.monotonic()
    helper_process.begin()  # on a new machine it compiles for half a minute, beside all this
    try:
        _read_words(FIRST)
        stories = [use.sentence for use in cache_senses.story_uses()]
        cache_senses.uses(BUNDLED, stories, "mean", lambda _: _let_pass())
        for algorithm in ALGORITHMS:
            for size in SIZES:
                cache_vocabularies.trained_tokenizer(algorithm, size, None)
                _let_pass()
        _explain_the_lessons_blank()
        _read_the_stored_run()
        _decode_the_tags()
    except ValueError:
        logger.exception("not ready for a class")  # each page will say so too
        return
    except _ServerStopsError:
        return
    process_memory.settle()
    seconds, memory = time.monotonic() - begun, process_memory.memory_bytes() / 1_000_000
    logger.info("ready for a class after %.0f s: memory %.0f MB", seconds, memory)


def get_ready_in(language: str) -> None:
    """Work out for another language: the opening of lesson 11, senses, and decoded tags."""
    try:
        _explain_the_lessons_blank(language)
        _read_words(language)
        _decode_the_tags(language)
    except ValueError:
        logger.exception("not ready for a class")
    except _ServerStopsError:
        return


def forget() -> None:
    """Note that what was made for other languages is forgotten."""
    _read_in.clear()


def _read_words(language: str) -> None:
    """Read our sentences of a language, and score its words of several senses."""
    from mlm_core.embeddings.word_senses import METHODS

    cache_vectors.read_our_sentences(language, lambda *_: _let_pass())
    for name in cache_senses.stored_names(language):
        for method in METHODS:
            cache_senses.sense_layer_scores(READERS[language], name, "mean", method)
        _let_pass()


def _explain_the_lessons_blank(language: str = FIRST) -> None:
    """Work out what the lesson on one prediction opens with."""
    # Plain, as a field gives it: Streamlit's caches tell a `Text` from it.
    text = str(read_words("inside_a_prediction", language).label("default_text"))
    model = READERS[language]
    cache_inside.integrated_gradients(model, text, cache_inside.lens(model, text).answer.id)
    _let_pass()


def _read_the_stored_run() -> None:
    """Read what the lesson on training shows of the run that it begins with."""
    from mlm_core.stored.runs import DEFAULT_RUN

    cache_training.state_bank(cache_training.stored_run(DEFAULT_RUN))
    _let_pass()


def _decode_the_tags(language: str = FIRST) -> None:
    """Read and decode what the lesson on tags scores, with the tagger that it begins with."""
    tagger = cache_finetuning.stored(TAGGERS[language])
    for part in range(cache_finetuning.n_parts(tagger)):
        cache_finetuning.decoded_part(tagger, part)
        _let_pass()
    cache_finetuning.decoding_scores(tagger)
