"""The numbers of small pictures on the course map, one a lesson, stored in data/pictures.json.

    make stored STORED=pictures    in some seconds

Each is what its lesson shows first: the bundled model on the lesson's first sentences, or a
stored run or map. Home draws them without torch. For another language that is read, such as
German, pictures_de.json has those of the lessons with examples in it, by the model that reads it.

Read next: ../mlm_core/figures/classroom/pictures.py.
"""

import json
import re
from collections.abc import Callable, Iterator
from random import Random

import torch

from mlm_core.embeddings.contextual import all_layers_word_vectors
from mlm_core.embeddings.isotropy import sample_words
from mlm_core.embeddings.senses_data import stored_word
from mlm_core.encoder.language_model import MaskedLanguageModel
from mlm_core.encoder.model_list import READERS
from mlm_core.encoder.pretrained import load
from mlm_core.inside.lens import lens
from mlm_core.labelled.conll import stored_entities
from mlm_core.masking.random_words import random_words, unigram_counts
from mlm_core.masking.rule import CorruptionRule
from mlm_core.masking.steps import corrupt, roll
from mlm_core.prediction.fillers import top_fillers
from mlm_core.prediction.next_sentence import next_sentence_steps
from mlm_core.stored import finetunes as stored_finetunes
from mlm_core.stored import maps as stored_maps
from mlm_core.stored import runs as stored_runs
from mlm_core.stored.pictures import pictures_file
from mlm_core.tagging.bio_tags import encode
from mlm_core.text import corpora
from mlm_core.text.tokens import tokenize
from pages.server.course.language import examples_in
from pages.server.course.words import read_words
from pages.server.link.controls import controls_of

DIGITS = 3  # significant: a small probability is not 0
N_WORDS, SEED, N_BINS = 200, 0, 24
MOST_WORDS = 10
# With four bars to be seen, and no answer to the lesson's own blank.
BLANK = {"en": "They [MASK] to the station by train."}


def make_pictures() -> Iterator[str]:
    """Compute and write all, in each language that is read; yield one line a picture."""
    for language, model_name in READERS.items():
        model, found = load(model_name), {}
        for slug, make in PICTURES.items():
            if language in examples_in(slug):
                found[slug] = make(model, language)
                yield f"{language} {slug}: {', '.join(found[slug])}"
        text = json.dumps(found, ensure_ascii=False, separators=(",", ":"))
        pictures_file(language).write_text(text.replace('},"', '},\n"') + "\n", encoding="utf-8")


def example(language: str, slug: str, name: str) -> str:
    """Return what a lesson begins with in a language."""
    return read_words(slug, language).plain(f"default_{name}")


def _subwords(model: MaskedLanguageModel, language: str) -> dict:
    two_words = re.findall(r"\w+", example(language, "subword_tokens", "text"))[-4:-2]
    text = tokenize(model.tokenizer, " ".join(two_words))
    own = [token for token in text.tokens if not token.is_special]
    return {"tokens": [token.text for token in own], "words": [token.word for token in own]}


def _attention(model: MaskedLanguageModel, language: str) -> dict:
    text = tokenize(model.tokenizer, example(language, "attention_mask", "first"))
    weights = model.encode(text, causal=True, record=True).weights[-1].mean(dim=(0, 1))
    return {"tokens": text.texts, "weights": _rounded(weights.tolist())}


def _masking(model: MaskedLanguageModel, language: str) -> dict:
    text = tokenize(model.tokenizer, example(language, "masking", "text"))
    counts = unigram_counts(model.tokenizer, corpora.sentences(language))
    words = random_words(model.tokenizer, counts)
    rolls, mask = (
        roll(len(text.tokens), Random(SEED)),
        (model.tokenizer.token_to_id("[MASK]"), "[MASK]"),
    )
    corruption = corrupt(text.tokens, rolls, CorruptionRule(), words, mask)
    return {"tokens": text.texts, "corrupted": corruption.texts, "at": corruption.choice.positions}


def _prediction(model: MaskedLanguageModel, language: str) -> dict:
    blank = BLANK.get(language) or example(language, "prediction_and_loss", "cloze")
    text = tokenize(model.tokenizer, blank)
    guesses = top_fillers(model.vocabulary_logits(text)[text.texts.index("[MASK]")], 4)
    names = [model.tokenizer.id_to_token(guess.id) for guess in guesses]
    return {"names": names, "values": _rounded([guess.probability for guess in guesses])}


def _pairs(model: MaskedLanguageModel, language: str) -> dict:
    first, *others = (
        example(language, "sentence_pairs", f"opening_{name}")
        for name in ("first", "next", "random")
    )
    found = []
    for second in others:
        text = tokenize(model.tokenizer, first, second)
        with torch.inference_mode():
            encoded = model.bert.encode(torch.tensor([text.ids]), torch.tensor([text.segment_ids]))
        found.append(next_sentence_steps(model.bert, encoded.last[0]).p_follows)
    return {"values": _rounded(found)}


def _training(model: MaskedLanguageModel, language: str) -> dict:
    run = stored_runs.read_stored("default")
    return {
        "steps": [p.step for p in run.held_out],
        "loss": _rounded([p.loss for p in run.held_out]),
    }


def _senses(model: MaskedLanguageModel, language: str) -> dict:
    name = controls_of("word_senses", language)["word_senses_word"].start
    layouts = stored_maps.read_maps(name, model_name=model.name).layouts
    return {
        "senses": stored_word(name).sense_numbers,
        "points": _rounded(layouts[-1].tolist()),
    }


def _isotropy(model: MaskedLanguageModel, language: str) -> dict:
    words = sample_words(corpora.sentences(language), N_WORDS, Random(SEED)).words
    states = all_layers_word_vectors(model, words).states[-1].float()
    unit = states / states.norm(dim=-1, keepdim=True)
    above = torch.triu(torch.ones(len(unit), len(unit), dtype=torch.bool), diagonal=1)
    cosines = (unit @ unit.T)[above]
    low, high = -0.2, 1.0
    counts = torch.histc(cosines, N_BINS, min=low, max=high)
    return {"counts": [int(n) for n in counts], "from": low, "to": high}


def _classification(model: MaskedLanguageModel, language: str) -> dict:
    task = stored_finetunes.SENTIMENT[language]
    runs = {way: stored_finetunes.read_stored(f"{task}_{way}") for way in ("head", "top", "all")}
    return {
        way: _rounded([[test.step, test.proportion_right] for test in run.tests])
        for way, run in runs.items()
    }


def _tagging(model: MaskedLanguageModel, language: str) -> dict:
    chosen = next(
        one
        for one in stored_entities(language).test
        if len(one.words) < MOST_WORDS and any(span.end - span.start > 1 for span in one.spans)
    )
    return {
        "words": list(chosen.words),
        "tags": list(encode(chosen.spans, len(chosen.words), "BIO")),
    }


def _inside(model: MaskedLanguageModel, language: str) -> dict:
    text = tokenize(model.tokenizer, example(language, "inside_a_prediction", "text"))
    read = lens(model, text, n=1)
    return {
        "ranks": list(read.ranks),
        "words": [row.top[0].token for row in read.rows],
        "n_tokens": model.tokenizer.get_vocab_size(),
    }


def _search(model: MaskedLanguageModel, language: str) -> dict:
    from mlm_core.stored.search_results import read_results

    found = read_results(language)
    ways = ("tf_idf", found.best_untrained, "labelled")
    return {"values": _rounded([found.scores[way]["mean_reciprocal_rank"].value for way in ways])}


def _rounded(values: list) -> list:
    return [_rounded(v) if isinstance(v, list) else float(f"{v:.{DIGITS}g}") for v in values]


PICTURES: dict[str, Callable[[MaskedLanguageModel, str], dict]] = {
    "subword_tokens": _subwords,
    "attention_mask": _attention,
    "masking": _masking,
    "prediction_and_loss": _prediction,
    "sentence_pairs": _pairs,
    "train_an_encoder": _training,
    "word_senses": _senses,
    "isotropy": _isotropy,
    "classification": _classification,
    "bio_tagging": _tagging,
    "inside_a_prediction": _inside,
    "encoders_today": _search,
}
