"""What is worked out before anybody asks is what the lessons then ask for."""

import os
from collections.abc import Iterator
from itertools import product

import pytest

from mlm_core.encoder.model_list import READERS
from mlm_core.text.subword_trainers import ALGORITHMS
from pages.lessons.bio_tagging import computed as bio_tagging_computed
from pages.lessons.inside_a_prediction import computed as cache_inside
from pages.lessons.isotropy import computed as isotropy_computed
from pages.lessons.isotropy.computed import CorpusKey
from pages.lessons.subword_tokens import computed as subword_tokens_computed
from pages.lessons.train_an_encoder import computed as train_an_encoder_computed
from pages.lessons.train_an_encoder import runs
from pages.lessons.word_senses import computed as word_senses_computed
from pages.server.caches import (
    cache_finetuning,
    cache_senses,
    cache_training,
)
from pages.server.course.language import languages
from pages.server.course.words import read_words
from pages.server.link.controls import controls_of
from pages.server.upkeep import readiness
from tests.caches import own_caches
from tests.fresh import run_fresh

ONE_LESSON = ("isotropy",)  # where it doesn't matter what the others do


@pytest.fixture
def ready() -> Iterator[None]:
    """Get ready, with few of each."""
    with pytest.MonkeyPatch.context() as patch, own_caches():
        patch.setattr(isotropy_computed, "N_WORDS", 20)
        patch.setattr(isotropy_computed, "N_POOL_WORDS", 30)
        patch.setattr(isotropy_computed, "POOL_WORDS_A_BAND", 8)
        patch.setattr(cache_senses, "stored_names", lambda language: ("mouse",))
        few = word_senses_computed.story_uses()[:40]
        patch.setattr(word_senses_computed, "story_uses", lambda: few)
        patch.setattr(subword_tokens_computed, "SIZES", (200,))
        readiness.get_ready()
        readiness.get_ready_in("de")
        yield


def refuse(*args, **kwargs):
    raise AssertionError("this was to be worked out already")


def test_what_lessons_ask_for_first_is_there(ready, monkeypatch):
    """In one test: several processes would each get ready."""
    whatever_a_seed_draws_of_our_sentences_is_there(monkeypatch)
    the_gradients_of_the_blank_that_a_lesson_opens_with_are_there(monkeypatch)
    the_scores_that_the_lesson_on_senses_opens_with_are_there(monkeypatch)
    the_examples_of_senses_are_there(monkeypatch)
    the_tokenizers_of_the_size_curve_are_there(monkeypatch)
    what_the_stored_runs_say_of_their_tests_is_there(monkeypatch)


def whatever_a_seed_draws_of_our_sentences_is_there(monkeypatch) -> None:
    monkeypatch.setattr(isotropy_computed.Pool, "_read_block", refuse)
    for seed, language in ((1, "en"), (2, "de"), (77, "en")):
        corpus = CorpusKey(model_name=READERS[language], seed=seed, text=None, language=language)
        isotropy_computed.read_corpus(corpus, refuse)
        assert isotropy_computed.corpus_states(corpus, 12).shape == (20, 256)
        assert len(isotropy_computed.band_states(corpus, 12, refuse)) > 8


def the_gradients_of_the_blank_that_a_lesson_opens_with_are_there(monkeypatch) -> None:
    monkeypatch.setattr("mlm_core.inside.attribution.integrated_gradients", refuse)
    for language in languages():
        text = str(read_words("inside_a_prediction", language).label("default_text"))
        token = cache_inside.lens(READERS[language], text).answer.id
        assert cache_inside.integrated_gradients(READERS[language], text, token).parts


def the_scores_that_the_lesson_on_senses_opens_with_are_there(monkeypatch) -> None:
    monkeypatch.setattr("mlm_core.embeddings.word_senses.scores_by_layer", refuse)
    rows = controls_of("word_senses")
    join = rows["word_senses_join"].start
    for method in rows["word_senses_method"].options:
        scores = cache_senses.sense_layer_scores("mini-bert", "mouse", join, method)
        assert len(scores) == 13


def the_examples_of_senses_are_there(monkeypatch) -> None:
    monkeypatch.setattr("mlm_core.embeddings.contextual.all_layers_word_vectors", refuse)
    row = controls_of("word_senses")["word_senses_join"]
    uses = [use.sentence for use in word_senses_computed.story_uses()]
    assert len(cache_senses.uses("mini-bert", uses, row.start).located) == len(uses)


def the_tokenizers_of_the_size_curve_are_there(monkeypatch) -> None:
    monkeypatch.setattr(subword_tokens_computed, "train_tokenizer", refuse)
    for algorithm, language in product(ALGORITHMS, languages()):
        trained = subword_tokens_computed.trained_tokenizer(algorithm, 200, language)
        assert trained.get_vocab_size() > 100


def what_the_stored_runs_say_of_their_tests_is_there(monkeypatch) -> None:
    monkeypatch.setattr(train_an_encoder_computed, "make_bank", refuse)
    monkeypatch.setattr(bio_tagging_computed, "decode_all_ways", refuse)
    run = cache_training.stored_run(runs.STORED[0])
    assert len(train_an_encoder_computed.state_bank(run).occurrences) > 1000
    row = controls_of("bio_tagging")["bio_tagging_types_run"]
    for name in (row.start, *row.start_in.values()):
        assert len(bio_tagging_computed.decoding_scores(cache_finetuning.stored(name))[0]) == 6


def test_a_model_that_cant_be_loaded_is_told_and_nothing_breaks(monkeypatch, caplog):
    def fail(*_):
        raise ValueError("damaged")

    monkeypatch.setattr(isotropy_computed, "read_our_sentences", fail)
    monkeypatch.setattr(readiness, "SLUGS", ONE_LESSON)
    readiness.get_ready()
    assert "not ready for a class" in caplog.text and "ready for a class after" not in caplog.text


def test_a_server_that_is_stopped_waits_for_the_piece_that_is_being_done_and_for_nothing_else():
    """Torch aborts a process that ends while a daemon thread computes."""
    done = run_fresh(
        "import threading, time\n"
        "from pages.lessons.isotropy import computed as isotropy_computed\n"
        "from pages.server.upkeep import readiness\n"
        "def pieces(language, on_progress):\n"
        "    for number in (1, 2):\n"
        "        print('begins', number, flush=True)\n"
        "        begun.set()\n"
        "        readiness._server_stops.wait(60)\n"
        "        time.sleep(0.5)\n"
        "        print('ends', number, flush=True)\n"
        "        on_progress()\n"
        "isotropy_computed.read_our_sentences = pieces\n"
        f"readiness.SLUGS = {ONE_LESSON}\n"
        "readiness.helper_process.begin = lambda: None\n"
        "from mlm_core.embeddings import word_senses\n"  # get_ready() imports it first
        "begun = threading.Event()\n"
        "readiness.get_ready_in = lambda language: print('ready in', language)\n"
        "readiness.begin_in('de', 6000.0)\n"  # longer than the process is waited for
        "readiness.begin(0.0)\n"
        "begun.wait(60)\n",
        environment=os.environ | {"MLM_GET_READY": "yes"},
    )
    assert (done.returncode, done.stdout.split("\n")[:-1]) == (0, ["begins 1", "ends 1"])
