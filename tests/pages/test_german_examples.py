"""What the German examples show with the model that reads them is what the words beside say."""

from pathlib import Path

import pytest
from torch.nn.functional import cosine_similarity

from mlm_core.embeddings.frequency import score_bands
from mlm_core.embeddings.locating import find_word
from mlm_core.encoder.comparison import compare_word, shared_words
from mlm_core.encoder.model_list import READERS
from mlm_core.evaluation.seeds import best_of, compare
from mlm_core.search.ranking import right_ranks
from mlm_core.search.tf_idf import tf_idf_cosines
from mlm_core.tagging.bio_tags import lost_by
from mlm_core.tagging.marked_spans import spans_from_link
from mlm_core.text.tokens import tokenize
from pages.beside.home.guess import FIRST_HIDDEN, masked_text, pieces_of
from pages.lessons.bio_tagging.splitting import split_words
from pages.lessons.classification import computed as classification_computed
from pages.lessons.encoders_today import computed as encoders_today_computed
from pages.lessons.inside_a_prediction import computed as cache_inside
from pages.lessons.isotropy import computed as isotropy_computed
from pages.lessons.isotropy.computed import CorpusKey
from pages.lessons.masking import computed as masking_computed
from pages.lessons.prediction_and_loss import computed as prediction_and_loss_computed
from pages.lessons.prediction_and_loss import marks
from pages.lessons.sentence_pairs import computed as sentence_pairs_computed
from pages.server.caches import (
    cache,
    cache_finetuning,
    cache_predictions,
    cache_senses,
)
from pages.server.course.words import read_words
from pages.server.link.controls import controls_of

MODEL = READERS["de"]
LINES = ("text", "spans")


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
    _, found, _ = prediction_and_loss_computed.predictions(
        MODEL, text.text, replaced, tuple(sorted(chosen))
    )
    best = dict(zip(found.positions, found.probabilities.argmax(dim=-1).tolist(), strict=True))
    assert all(best[at] == text.ids[at] for at, mark in chosen.items() if mark == "m")


def test_two_blanks_filled_at_once_do_not_fit_together():
    text = example("prediction_and_loss", "blanks")
    at_once, in_turn = (
        [step.chosen.id for step in prediction_and_loss_computed.filled(MODEL, text, way)]
        for way in (None, "left_to_right")
    )
    assert at_once != in_turn


def test_the_next_sentence_is_told_from_a_random_one_but_not_from_one_with_the_same_words():
    first, following, other = (
        example("sentence_pairs", f"opening_{name}") for name in ("first", "next", "random")
    )
    with_words = read_words("sentence_pairs", "de").plain("opening_with_words")
    p_next, p_other, p_fooled = (
        sentence_pairs_computed.next_sentence(MODEL, first, second)[1].p_follows
        for second in (following, other, with_words)
    )
    assert p_next > 0.9 and p_other < 0.3 and p_fooled > 0.5


@pytest.mark.parametrize("layer", [0, 4])
def test_the_lens_finds_its_word_in_late_layers(layer: int):
    read = cache_inside.lens(MODEL, example("inside_a_prediction", "text"))
    assert read.answer.token == "Hauptstadt"
    assert read.ranks[layer] > 100 and max(read.ranks[-4:]) <= 2


def test_io_loses_a_boundary_of_the_marked_names_and_one_of_two_words_is_split():
    text, spans = (read_words("bio_tagging", "de").plain(f"schemes_{one}") for one in LINES)
    words = tuple(text.split())
    assert split_words(text) == words
    marked, refused = spans_from_link(spans, words)
    assert not refused and lost_by(marked, len(words), "IO")
    longest = max(marked, key=lambda span: span.end - span.start)
    name = tokenize(cache.model_tokenizer(MODEL), " ".join(words[longest.start : longest.end]))
    assert len(name.words) > 1 and all(len(word.positions) > 1 for word in name.words)


def test_the_senses_of_the_first_word_are_told_apart_in_the_last_layer_and_not_before_the_first():
    name = controls_of("word_senses", "de")["word_senses_word"].start
    sizes = [len(sense.sentences) for sense in cache_senses.stored_word(name).senses]
    scores = cache_senses.sense_layer_scores(MODEL, name, "mean", "centroids")
    n, usual = sum(sizes), max(sizes) / sum(sizes)
    error = (usual * (1 - usual) / n) ** 0.5
    assert scores[0][0] < usual + error and scores[-1][0] > usual + 3 * error


def test_random_german_words_come_from_many_german_sentences():
    assert len(masking_computed.random_word_sampler(MODEL, False, "de").ids) > 1_500


def test_random_german_words_are_not_isotropic_until_z_scored_and_frequent_ones_stay_apart():
    corpus = CorpusKey(model_name=MODEL, seed=1, text=None, language="de")
    learned = isotropy_computed.learned(corpus, 12)
    many, apart = isotropy_computed.random_cosines(corpus, 12, "raw", 0)
    assert many.mean > 0.1 + 3 * apart.standard_error
    assert learned.proportions.n_for_proportion(0.5) <= 10
    pair = tuple(
        find_word(example("isotropy", name), example("isotropy", f"{name}_word")).marked(0)
        for name in ("first", "second")
    )
    vectors = cache_senses.own_uses(MODEL, pair).at(12)
    raw, z = (
        cosine_similarity(*learned.postprocess(vectors, name), dim=0).item()
        for name in ("raw", "z-scored")
    )
    assert raw > 0.3 and abs(z) < raw / 2
    sample = isotropy_computed.band_words(corpus)
    states = isotropy_computed.band_states(corpus, 12, lambda *_: None)
    for name in ("raw", "z-scored"):
        rare, *_, frequent = score_bands(learned.postprocess(states, name), sample)
        assert rare.self_similarity > frequent.self_similarity + 2 * rare.standard_error


def test_the_ways_of_searching_differ_much_for_the_first_german_query():
    task = encoders_today_computed.task(language="de")
    number = int(controls_of("encoders_today", "de")["encoders_today_search_query"].start)
    query, texts, right = task.queries[number], task.candidates, [task.right[number]]
    asked, searched = (
        encoders_today_computed.vectors(MODEL, one, "de") for one in ((query,), texts)
    )
    cosines = [
        encoders_today_computed.cosines_of(asked[way], searched[way]) for way in ("cls", "mean")
    ]
    ranks = [right_ranks(one, right)[0] for one in (tf_idf_cosines([query], texts), *cosines)]
    assert max(ranks) > 10 * min(ranks)


def test_the_lessons_own_sentence_is_negative_by_its_last_word():
    text, run = example("classification", "own_text"), cache_finetuning.stored("sentiment_de_top")
    values = cache_finetuning.model(run).class_log_probabilities(text).exp().tolist()
    negative = run.data.classes.index("negativ")
    assert values[negative] == max(values) > 0.6
    found = classification_computed.words_left_out(run, text, None, 40)
    assert max(found, key=lambda one: one.moves[negative]).word == "schlecht"


def test_in_german_a_lead_of_pretraining_is_shown_that_in_english_is_larger():
    """pretraining.head_leads says so in words, and the model card."""
    leads = {}
    for task, way in (("sentiment_de", "top"), ("sentiment_de", "head"), ("sentiment", "top")):
        pretrained, *others = [
            classification_computed.variant(task, name) for name in (way, "random", "bag_of_words")
        ]
        n_test = len(cache_finetuning.dataset(task).test)
        leads[task, way] = compare(pretrained, best_of(others), n_test)
    of_layers, of_head, in_english = leads.values()
    assert of_layers.direction == of_head.direction == in_english.direction == 1
    assert in_english.difference > of_head.difference > of_layers.difference
    card = (Path(__file__).parents[2] / "docs" / "model_card_de_en.md").read_text(encoding="utf-8")
    for found in (of_head, of_layers):
        assert f"{100 * found.difference:.1f} (±{100 * found.margin:.1f})" in card.replace(
            " points", ""
        )
