"""The part "in short" of every lesson: its summary, with numbers that are computed here.

The words are the section "in_short" of pages/text/<language>/overview/<lesson>.md.
"""

from collections.abc import Callable, Mapping
from math import exp, log
from statistics import mean

import streamlit as st

from pages.shared.caches import (
    cache,
    cache_finetuning,
    cache_inside,
    cache_senses,
    cache_training,
    cache_vectors,
)
from pages.shared.caches.cache_vectors import CorpusKey
from pages.shared.course.language import read_on, reader
from pages.shared.course.words import read_examples, read_words
from pages.shared.exercises.own_words import show_card, show_explain
from pages.shared.frame.overview import questions_of
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import offer_notebook
from pages.shared.link.controls import controls_of
from pages.shared.record import tab_memory

Numbers = Mapping[str, object]


@part
def show(page: Page) -> None:
    """Show the lesson's summary, its open questions, its evidence card and its notebook."""
    words, numbers = read_words(f"overview/{page.lesson.slug}"), NUMBERS[page.lesson.slug]()
    st.markdown(words.section("in_short", **numbers))
    for question, answer in questions_of(page.lesson):
        with st.expander(question, icon=":material/help:"):
            st.markdown(answer)
    show_explain(page)
    show_card(page)
    offer_notebook(page.lesson)
    tab_memory.keep_of_part("in_short")


def _tokens_per_word() -> Numbers:
    """Return the stored curve's ends: how many tokens a word becomes."""
    from mlm_core.stored.size_curve import stored_curve
    from mlm_core.text.size_curve import SIZES

    rates = {point.size: point for point in stored_curve() if point.algorithm == "WordPiece"}
    small, large = rates[SIZES[0]], rates[SIZES[-1]]
    return {
        "small": small.reached,
        "large": large.reached,
        "many": small.tokens_per_word,
        "few": large.tokens_per_word,
    }


def _two_masks() -> Numbers:
    """Return the last layer's cosine of the opening's two vectors of a word under each mask."""
    from mlm_core.encoder.comparison import compare_word, shared_words

    words, model = read_examples("attention_mask"), reader("attention_mask")
    first, second = words.plain("default_first"), words.plain("default_second")
    numbers: dict[str, object] = {"model": model}
    for name, causal in (("causal", True), ("both", False)):
        tokens_1, encoding_1 = cache.encoding(model, first, causal)
        tokens_2, encoding_2 = cache.encoding(model, second, causal)
        word = max(shared_words(tokens_1, tokens_2), key=lambda one: len(one.text))
        numbers["word"] = word.text
        numbers[name] = compare_word(encoding_1, encoding_2, word).cosines[-1]
    return numbers


def _of_a_hundred_tokens() -> Numbers:
    """Return what becomes of the tokens by BERT's rule, in proportions of all."""
    from mlm_core.masking.rule import CorruptionRule

    rule = CorruptionRule()
    chosen = rule.mlm_probability
    return {
        "chosen": chosen,
        "masked": chosen * rule.mask_rate,
        "random": chosen * rule.random_rate,
        "kept": chosen * rule.keep_rate,
    }


def _two_losses() -> Numbers:
    """Return two losses to compare others with: of one in two, and of one in all tokens."""
    n_tokens = cache.bundled_tokenizer().get_vocab_size()
    return {"half": log(2), "n_tokens": n_tokens, "blind": log(n_tokens)}


def _random_guess() -> Numbers:
    return {"coin": log(2)}


def _default_run() -> Numbers:
    """Return the perplexities of the stored run's first and last test."""
    run = cache_training.stored_run("default")
    first, last = run.held_out[0], run.held_out[-1]
    return {"n_steps": last.step, "first": exp(first.loss), "last": exp(last.loss)}


def _senses_of_bank() -> Numbers:
    """Return the accuracy before the first and after the last layer for the lesson's word."""
    name = str(controls_of("word_senses")["word_senses_word"].start)
    model_name = reader("word_senses")
    scores = cache_senses.sense_layer_scores(model_name, name, "mean", "centroids")
    return {
        "word": cache_senses.stored_word(name).word,
        "model": model_name,
        "layer": len(scores) - 1,
        "first": scores[0][0],
        "last": scores[-1][0],
    }


def _random_words() -> Numbers:
    """Return the last layer's mean cosine of two random words, raw and z-scored."""
    model_name, language = reader("isotropy"), read_on("isotropy")
    corpus = CorpusKey(model_name=model_name, seed=1, text=None, language=language)
    layer = cache.model(model_name).n_layers
    with st.spinner(read_words("frame").label("reading_corpus")):
        cache_vectors.read_corpus(corpus, lambda n_done, of: None)
    return {
        "model": model_name,
        "layer": layer,
        "raw": cache_vectors.learned(corpus, layer).proportions.mean_cosine,
        "z_scored": abs(cache_vectors.mean_cosine(corpus, layer, "z-scored", 0)),
    }


def _worth_of_pretraining() -> Numbers:
    """Return what is reached with pretraining, without it, and without an encoder, in English."""
    from mlm_core.finetuning.settings import RANDOM_LAYERS

    data = cache_finetuning.dataset("sentiment")
    ways = {"pretrained": "top", "random": "random", "bag": "bag_of_words"}
    reached = {name: cache_finetuning.shares("sentiment", way) for name, way in ways.items()}
    return {
        "n": len(data.train),
        "n_classes": len(data.classes),
        "layers": RANDOM_LAYERS,
        "n_seeds": len(reached["pretrained"]),
        **{name: mean(shares) for name, shares in reached.items()},
    }


def _two_scores() -> Numbers:
    """Return the accuracy by word and the F1 by entity of the stored tagger of what is read."""
    from mlm_core.finetuning.settings import TAGGED

    test = cache_finetuning.stored(f"{TAGGED[read_on('bio_tagging')]}_top").result
    return {"right": test.proportion_right, "f1": test.f1}


def _rank_by_layer() -> Numbers:
    """Return the rank of the opening's final word at the embedding and in a middle layer."""
    words, model = read_examples("inside_a_prediction"), reader("inside_a_prediction")
    read = cache_inside.lens(model, words.plain("default_text"))
    middle = len(read.rows) // 2
    return {
        "model": model,
        "sentence": words.plain("default_text"),
        "word": read.answer.token,
        "first": read.ranks[0],
        "layer": middle,
        "middle": read.ranks[middle],
    }


def _search_and_answers() -> Numbers:
    """Return how well a search finds the right sentence; then two results on SQuAD 2.0.

    The results are a small fine-tuned encoder's and a prompted language model's.
    """
    from mlm_core.evaluation.published import sized_results
    from mlm_core.stored.search_results import read_results

    found = read_results()
    gain = found.leads["labelled", "mean_layer_8"]["mean_reciprocal_rank"]
    rank_of = {way: measures["mean_reciprocal_rank"] for way, measures in found.scores.items()}
    rows = {row.model: row for row in sized_results()}
    small, large = rows["ELECTRA-base"], rows["Llama 3.1 8B"]
    return {
        "n_candidates": found.n_candidates,
        "bag": rank_of["tf_idf"].value,
        "before": rank_of["mean_layer_8"].value,
        "trained": rank_of["labelled"].value,
        "gain": gain.value,
        "low": gain.low,
        "high": gain.high,
        "small": round(small.n_parameters / 1e6),
        "tuned": small.value,
        "large": round(large.n_parameters / 1e9),
        "prompted": large.value,
    }


NUMBERS: Mapping[str, Callable[[], Numbers]] = {
    "subword_tokens": _tokens_per_word,
    "attention_mask": _two_masks,
    "masking": _of_a_hundred_tokens,
    "prediction_and_loss": _two_losses,
    "sentence_pairs": _random_guess,
    "train_an_encoder": _default_run,
    "word_senses": _senses_of_bank,
    "isotropy": _random_words,
    "classification": _worth_of_pretraining,
    "bio_tagging": _two_scores,
    "inside_a_prediction": _rank_by_layer,
    "encoders_today": _search_and_answers,
}
