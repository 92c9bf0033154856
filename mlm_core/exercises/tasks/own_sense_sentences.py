"""Exercises with the learner's own sentence and the sense the model predicts.

Read before this: ../exercise.py, ../../embeddings/word_senses.py.
"""

from random import Random
from typing import TYPE_CHECKING

from mlm_core.embeddings.senses_data import SenseWord, stored_word
from mlm_core.exercises.exercise import Learner, Task, Verdict, read_pair, read_words
from mlm_core.exercises.tasks.fine_tuned_tasks import words_apart
from mlm_core.exercises.tasks.own_words import (
    check_own_sentence,
    frequent_words,
    is_copy,
    word_with_stem_of,
)
from mlm_core.number_format import formatted
from mlm_core.text.words import words_of

if TYPE_CHECKING:
    from mlm_core.encoder.language_model import MaskedLanguageModel
    from mlm_core.shapes import Float, Tensor

FEWEST_WORDS = 4  # of a sentence
WORDS = ("bank", "bat", "crane", "mouse", "plant", "spring")  # a short list, kept for all learners


def draw_place_in_sense(learner: Learner, rng: Random) -> Task:
    """Ask for an own sentence to which the model gives a given sense."""
    word = stored_word(rng.choice(WORDS))
    sense = rng.choice(word.senses)

    def judge(answer: str) -> Verdict:
        read = _read_sense(learner, word, read_words(answer))
        if isinstance(read, Verdict):
            return read
        if read["chosen"] == sense.name:
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
        apart = words_apart(*pair)
        if apart != 1:
            hint = "nothing_changed" if apart == 0 else "too_far_apart"
            return Verdict.wrong(hint, n=apart)
        reads: list[dict[str, str]] = []
        for sentence in pair:
            read = _read_sense(learner, word, sentence)
            if isinstance(read, Verdict):
                return read
            reads.append(read)
        values = {f"{name}_{i}": read[name] for i, read in enumerate(reads, 1) for name in read}
        if reads[0]["chosen"] == reads[1]["chosen"]:
            return Verdict.wrong("same_sense", **values)
        return Verdict.right(**values)

    return Task(values={"word": word.word, "senses": _listed(word)}, judge=judge)


def _read_sense(learner: Learner, word: SenseWord, sentence: str) -> dict[str, str] | Verdict:
    """Return the predicted sense and all cosines, or what is wrong with the sentence."""
    import torch

    from mlm_core.embeddings.contextual import word_vectors
    from mlm_core.embeddings.locating import find_word
    from mlm_core.embeddings.word_senses import choose_senses

    found = find_word(sentence, word.word, word.forms)
    if not found.spans:
        return Verdict.wrong("no_word")
    model = learner.model()
    check_own_sentence(sentence, model.tokenizer, fewest=FEWEST_WORDS)
    if any(is_copy(sentence, stored.text) for stored in word.sentences):
        return Verdict.wrong("stored_sentence")
    printed = word_with_stem_of(sentence, _printed_words(word))
    if printed:
        return Verdict.wrong("printed_word", printed=printed)
    try:
        point = word_vectors(model, [found.marked()], layer=model.n_layers)
    except ValueError:  # the tokenizer leaves nothing of it
        return Verdict.wrong("not_readable")
    examples, senses = last_layer_vectors(learner, model, word), torch.tensor(word.sense_numbers)
    near = choose_senses(point, examples, senses, len(word.senses)).cosines[0]
    order = near.argsort(descending=True).tolist()
    return {
        "chosen": word.senses[order[0]].name,
        "cosines": ", ".join(f"{word.senses[i].name} {formatted(near[i], '.3f')}" for i in order),
    }


def last_layer_vectors(
    learner: Learner, model: "MaskedLanguageModel", word: SenseWord
) -> "Float[Tensor, 'sentence hidden']":
    """Return the word's vectors in its stored sentences, computed once."""
    from mlm_core.embeddings.contextual import word_vectors

    return learner.remember(
        f"last layer of {word.word} ({word.language}) by {model.name}",
        lambda: word_vectors(model, word.sentences, layer=model.n_layers),
    )


def _printed_words(word: SenseWord) -> set[str]:
    """Return the words of the glosses and names of all senses, which the question prints."""
    return {*words_of(_listed(word))} - {*word.forms, word.word} - frequent_words()


def _listed(word: SenseWord) -> str:
    return "; ".join(f"{sense.name} ({sense.gloss})" for sense in word.senses)
