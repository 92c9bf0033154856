"""What the German examples show with the model that reads them is what the words beside say."""

import pytest

from mlm_core.encoder.comparison import compare_word, shared_words
from mlm_core.encoder.model_list import READERS
from mlm_core.text.tokens import tokenize
from pages.parts.home.guess import FIRST_HIDDEN, masked_text, pieces_of
from pages.parts.prediction_and_loss import marks
from pages.shared.caches import (
    cache,
    cache_finetuning,
    cache_inside,
    cache_predictions,
    cache_senses,
)
from pages.shared.course.words import read_words
from pages.shared.link.controls import controls_of

MODEL = READERS["de"]


def example(slug: str, name: str) -> str:
    return str(read_words(slug, "de").plain(f"default_{name}"))


def test_frequent_words_are_whole_and_rare_ones_are_split():
    cut = tokenize(cache.model_tokenizer(MODEL), example("subword_tokens", "text"))
    split = [word.text for word in cut.words if len(word.positions) > 1]
    assert split == ["unermesslich", "flumpig", "gemütlich"] and "[UNK]" not in cut.texts


def test_a_word_after_equal_beginnings_has_the_same_vectors_with_the_causal_mask_alone():
    cosines = {}
    for causal in (True, False):
        (first, one), (second, other) = (
            cache.encoding(MODEL, example("attention_mask", name), causal)
            for name in ("first", "second")
        )
        word = next(word for word in shared_words(first, second) if word.text == "Bank")
        cosines[causal] = compare_word(one, other, word).cosines[-1]
    assert cosines[True] > 0.9999 and cosines[False] < 0.9


def test_homes_hidden_word_is_the_models_first_guess():
    pieces = pieces_of(sentence := example("home", "sentence"))
    masked = masked_text(sentence, pieces, [int(FIRST_HIDDEN)])
    ((best, probability),) = cache_predictions.fillers(MODEL, masked, 2, 1)
    assert best == pieces[int(FIRST_HIDDEN)].text and probability > 0.5


def test_the_model_names_the_hidden_words_of_the_loss_beside_a_random_one():
    words, tokenizer = read_words("prediction_and_loss", "de"), cache.model_tokenizer(MODEL)
    text = tokenize(tokenizer, example("prediction_and_loss", "text"))
    chosen = marks.of_figure(text, words.plain("figure_marks"))
    assert sorted(chosen.values()) == ["m", "m", "r0"]
    mask = tokenizer.token_to_id("[MASK]")
    new = marks.random_word(tokenizer, 2, 0, words.plain("figure_random").split(", "))
    replaced = tuple((at, mask if mark == "m" else new) for at, mark in chosen.items())
    _, found, _ = cache_predictions.predictions(MODEL, text.text, replaced, tuple(sorted(chosen)))
    best = dict(zip(found.positions, found.probabilities.argmax(dim=-1).tolist(), strict=True))
    assert all(best[at] == text.ids[at] for at, mark in chosen.items() if mark == "m")


def test_two_blanks_filled_at_once_do_not_fit_together():
    text = example("prediction_and_loss", "blanks")
    at_once, in_turn = (
        [step.chosen.id for step in cache_predictions.filled(MODEL, text, way)]
        for way in (None, "left_to_right")
    )
    assert at_once != in_turn


def test_the_next_sentence_is_told_from_a_random_one_but_not_from_one_with_the_same_words():
    first, following, other = (
        example("sentence_pairs", f"opening_{name}") for name in ("first", "next", "random")
    )
    with_words = read_words("sentence_pairs", "de").plain("opening_with_words")
    p_next, p_other, p_fooled = (
        cache_predictions.next_sentence(MODEL, first, second)[1].p_follows
        for second in (following, other, with_words)
    )
    assert p_next > 0.9 and p_other < 0.3 and p_fooled > 0.5


@pytest.mark.parametrize("layer", [0, 4])
def test_the_lens_finds_its_word_in_late_layers(layer: int):
    read = cache_inside.lens(MODEL, example("inside_a_prediction", "text"))
    assert read.answer.token == "Hauptstadt"
    assert read.ranks[layer] > 100 and max(read.ranks[-4:]) <= 2


def test_the_senses_of_the_first_word_are_told_apart_in_the_last_layer_and_not_before_the_first():
    name = controls_of("word_senses", "de")["word_senses_word"].start
    sizes = [len(sense.sentences) for sense in cache_senses.stored_word(name).senses]
    scores = cache_senses.sense_layer_scores(MODEL, name, "mean", "centroids")
    n, usual = sum(sizes), max(sizes) / sum(sizes)
    error = (usual * (1 - usual) / n) ** 0.5
    assert scores[0][0] < usual + error and scores[-1][0] > usual + 3 * error


def test_the_lessons_own_sentence_is_negative_by_its_last_word():
    text, run = example("classification", "own_text"), cache_finetuning.stored("sentiment_de_top")
    values = cache_finetuning.model(run).class_log_probabilities(text).exp().tolist()
    negative = run.data.classes.index("negativ")
    assert values[negative] == max(values) > 0.6
    found = cache_finetuning.words_left_out(run, text, None, 40)
    assert max(found, key=lambda one: one.moves[negative]).word == "schlecht"


def test_random_german_words_come_from_the_sentences_of_the_senses_too():
    assert len(cache_predictions.random_word_sampler(MODEL, False, "de").ids) > 500
