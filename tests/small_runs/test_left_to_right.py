"""One text by a next-word model and by a masked one."""

import itertools
import math

import pytest
import torch

from mlm_core.prediction.fillers import score_positions
from mlm_core.small_runs.left_to_right import fill_after, log_probability, write_next_words
from mlm_core.small_runs.snapshot import blank_guesses, model_at
from mlm_core.stored.runs import read_stored
from mlm_core.text.tokens import tokenize

SENTENCE = "He looks for a trout ."


@pytest.fixture(scope="module")
def causal():
    return model_at(read_stored("next_word"))


@pytest.fixture(scope="module")
def masked():
    return model_at(read_stored("no_nsp"))


def test_a_causal_models_probability_is_the_product_of_its_steps(causal):
    words, factors = SENTENCE.split(), []
    for i, word in enumerate(words):
        step = blank_guesses(causal, " ".join([*words[:i], "[MASK]"]), "next_word", 2_000)
        factors.append(next(one.probability for one in step.guesses if one.token == word))
    found = log_probability(causal, SENTENCE, "next_word")
    assert found == pytest.approx(math.log(math.prod(factors)), abs=1e-4)


def test_probabilities_of_all_last_words_add_up_to_that_of_the_beginning(causal):
    beginning = "He looks for a"
    rows = causal.tokenizer.get_vocab_size()
    last = blank_guesses(causal, f"{beginning} [MASK]", "next_word", rows).guesses
    assert sum(one.probability for one in last) == pytest.approx(1, abs=1e-4)


def test_the_sum_of_a_masked_model_is_that_of_each_token_hidden_in_turn(masked):
    text = tokenize(masked.tokenizer, SENTENCE)
    scores = [score.log_probability for score in score_positions(masked, text)]
    assert len(scores) == 6
    assert log_probability(masked, SENTENCE, "mlm") == pytest.approx(sum(scores))


def test_what_is_written_is_each_time_the_likeliest_next_word(causal):
    written = write_next_words(causal, "the old man", 3)
    assert len(written) == 3
    for i, word in enumerate(written):
        text = " ".join(["the old man", *written[:i], "[MASK]"])
        assert blank_guesses(causal, text, "next_word", 1).guesses[0].token == word


def test_blanks_of_one_pass_do_not_know_of_each_other(masked):
    filled = fill_after(masked, "the old man", 3)
    text = tokenize(masked.tokenizer, "the old man [MASK] [MASK] [MASK]")
    with torch.inference_mode():
        logits = masked.vocabulary_logits(text)[4:7]
    assert filled == [masked.tokenizer.id_to_token(id_) for id_ in logits.argmax(dim=1).tolist()]


def test_a_text_longer_than_the_window_is_refused(causal):
    beginning = " ".join(itertools.repeat("the", causal.max_tokens))
    with pytest.raises(ValueError, match="no \\[MASK\\] among the first"):
        write_next_words(causal, beginning, 2)
