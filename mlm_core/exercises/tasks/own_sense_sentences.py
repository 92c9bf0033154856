"""Exercises with the learner's own sentence and the sense the model predicts.

Read before this: ../exercise.py, ../../embeddings/word_senses.py.
"""

from random import Random
from typing import TYPE_CHECKING

from mlm_core.embeddings.senses_data import SenseWord, stored_word
from mlm_core.exercises.exercise import Learner, Task, Verdict, read_pair, read_words
from mlm_core.exercises.tasks.own_words import (
    check_order,
    check_own_sentence,
    not_one_word_apart,
    our_texts,
    word_with_stem_of,
)
from mlm_core.number_format import formatted
from mlm_core.text.words import words_of

if TYPE_CHECKING:
    from mlm_core.encoder.language_model import MaskedLanguageModel
    from mlm_core.shapes import Float, Tensor

# Sentences that say nothing of a sense; the lead of one is what a sentence must exceed.
WITHOUT_CLUE = ("They saw the {}.", "They liked the {} very much.", "We talked about the {}.")
LEAST_GAIN = 0.005  # cosine
WORDS = ("bank", "bat", "crane", "mouse", "plant", "spring")  # a short list, kept for all learners


def draw_place_in_sense(learner: Learner, rng: Random) -> Task:
    """Ask for an own sentence to which the model gives a given sense."""
    word = stored_word(rng.choice(WORDS))
    number = rng.randrange(len(word.senses))
    sense = word.senses[number]

    def judge(answer: str) -> Verdict:
        read = _read_sense(learner, word, read_words(answer))
        if isinstance(read, Verdict):
            return read
        if read["chosen"] == sense.name:
            leads = _leads_without_clue(learner, word)
            if _lead(sense_cosines(learner, word, answer), number) < leads[number] + LEAST_GAIN:
                return Verdict.wrong("no_clue", **read)
            check_order(learner, answer)
            return Verdict.right(**read)
        return Verdict.wrong("other_sense", **read)

    return Task(
        values={
            "word": word.word,
            "sense": sense.name,
            "gloss": sense.gloss,
            "senses": _listed(word),
        },
        judge=judge,
    )


def draw_fool_it(learner: Learner, rng: Random) -> Task:
    """Ask for two own sentences that differ in one word and get different senses."""
    word = stored_word(rng.choice(WORDS))

    def judge(answer: str) -> Verdict:
        pair = read_pair(answer)
        if fault := not_one_word_apart(pair):
            return fault
        reads: list[dict[str, str]] = []
        for sentence in pair:
            read = _read_sense(learner, word, sentence)
            if isinstance(read, Verdict):
                return read
            reads.append(read)
        values = {f"{name}_{i}": read[name] for i, read in enumerate(reads, 1) for name in read}
        if reads[0]["chosen"] == reads[1]["chosen"]:
            return Verdict.wrong("same_sense", **values)
        check_order(learner, *pair)
        return Verdict.right(**values)

    return Task(values={"word": word.word, "senses": _listed(word)}, judge=judge)


def _read_sense(learner: Learner, word: SenseWord, sentence: str) -> dict[str, str] | Verdict:
    """Return the predicted sense and all cosines, or what is wrong with the sentence."""
    from mlm_core.embeddings.locating import find_word

    if not find_word(sentence, word.word, word.forms).spans:
        return Verdict.wrong("no_word")
    check_own_sentence(learner, sentence)
    printed = word_with_stem_of(sentence, _printed_words(learner, word))
    if printed:
        return Verdict.wrong("printed_word", printed=printed)
    try:
        near = sense_cosines(learner, word, sentence)
    except ValueError:  # the tokenizer leaves nothing of it
        return Verdict.wrong("not_readable")
    order = sorted(range(len(near)), key=lambda i: -near[i])
    return {
        "chosen": word.senses[order[0]].name,
        "cosines": ", ".join(f"{word.senses[i].name} {formatted(near[i], '.3f')}" for i in order),
    }


def sense_cosines(learner: Learner, word: SenseWord, sentence: str) -> list[float]:
    """Return the cosine of a word in a sentence with the mean of each of its senses."""
    import torch

    from mlm_core.embeddings.contextual import word_vectors
    from mlm_core.embeddings.locating import find_word
    from mlm_core.embeddings.word_senses import choose_senses

    model, found = learner.model(), find_word(sentence, word.word, word.forms)
    point = word_vectors(model, [found.marked()], layer=model.n_layers)
    examples, senses = last_layer_vectors(learner, model, word), torch.tensor(word.sense_numbers)
    return choose_senses(point, examples, senses, len(word.senses)).cosines[0].tolist()


def _leads_without_clue(learner: Learner, word: SenseWord) -> list[float]:
    """Return by how much each sense leads at most in sentences that say nothing of it."""

    def read() -> list[float]:
        near = [sense_cosines(learner, word, one.format(word.word)) for one in WITHOUT_CLUE]
        return [max(_lead(one, i) for one in near) for i in range(len(word.senses))]

    return learner.remember(f"leads of {word.word} without clue by {learner.model().name}", read)


def _lead(cosines: list[float], sense: int) -> float:
    return cosines[sense] - max(x for i, x in enumerate(cosines) if i != sense)


def last_layer_vectors(
    learner: Learner, model: "MaskedLanguageModel", word: SenseWord
) -> "Float[Tensor, 'sentence hidden']":
    """Return the word's vectors in its stored sentences, computed once."""
    from mlm_core.embeddings.contextual import word_vectors

    return learner.remember(
        f"last layer of {word.word} ({word.language}) by {model.name}",
        lambda: word_vectors(model, word.sentences, layer=model.n_layers),
    )


def _printed_words(learner: Learner, word: SenseWord) -> set[str]:
    """Return the words of the glosses and names of all senses, which the question prints."""
    return {*words_of(_listed(word))} - {*word.forms, word.word} - our_texts(learner).frequent


def _listed(word: SenseWord) -> str:
    return "; ".join(f"{sense.name} ({sense.gloss})" for sense in word.senses)
