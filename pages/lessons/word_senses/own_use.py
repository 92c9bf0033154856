"""The word in a sentence of the learner's own, and the sense that the examples give it."""

from dataclasses import dataclass

import torch

from mlm_core.embeddings.contextual import WordVectors
from mlm_core.embeddings.locating import FoundWord, find_word, regular_forms
from mlm_core.embeddings.senses_data import MarkedSentence
from mlm_core.embeddings.word_senses import Method, SenseChoice, choose_senses, sentence_groups
from mlm_core.shapes import Float, Int, Tensor
from pages.kit.caches import cache_senses
from pages.kit.part import Part
from pages.lessons.word_senses.setting import Setting
from pages.lessons.word_senses.uses import gather


@dataclass(frozen=True, kw_only=True)
class OwnUse:
    """The word in a sentence of the learner's."""

    sentence: MarkedSentence
    vectors: WordVectors


@dataclass(frozen=True, kw_only=True)
class Judged:
    """The sense chosen for a use, and the examples that it was compared with."""

    choice: SenseChoice
    sentences: list[MarkedSentence]
    vectors: Float[Tensor, "example hidden"]
    senses: Int[Tensor, " example"]
    groups: Int[Tensor, " example"]  # equal for examples with the same sentence


def find_use(p: Part, now: Setting, text: str, name: str) -> OwnUse | None:
    """Return the word's use in a text; say so if it is missing, and ask which if there are two."""
    word, found = now.word, _find(now, text)
    if not found.spans:
        p.note("word_missing", icon="edit", word=word.word, forms=", ".join(word.forms))
        return None
    number = 0
    if len(found.spans) > 1:
        places = [text[max(0, a - 20) : b + 20] for a, b in found.spans]
        number = p.position(f"{name}_place", places, default=0)
    use = own_use(p, now, found.marked(number))
    if n_left_out := use.vectors.n_left_out[0]:
        p.warn("cut_around", icon="content_cut", n=n_left_out)
    return use


def use_of_opening(p: Part, now: Setting) -> OwnUse | None:
    """Return the word's use in the sentence of the opening, if it is there."""
    found, place = _find(now, p.chosen(f"star_{now.name}")), p.chosen("star_place")
    if not found.spans:
        return None
    number = int(place) if place.isdecimal() else 0
    return own_use(p, now, found.marked(min(number, len(found.spans) - 1)))


def _find(now: Setting, text: str) -> FoundWord:
    word = now.word
    forms = (*word.forms, *(regular_forms(word.word) if word.language == "en" else ()))
    return find_word(text, word.word, forms)


def own_use(p: Part, now: Setting, sentence: MarkedSentence) -> OwnUse:
    """Return a use of the learner's with its vectors."""
    vectors = cache_senses.own_uses(p.model_name, (sentence,), now.pooling)
    return OwnUse(sentence=sentence, vectors=vectors)


def judge(p: Part, now: Setting, own: OwnUse, method: Method | None = None) -> Judged:
    """Return the sense of a use by the word's stored examples.

    An example with the learner's very sentence is left out, or it would judge itself.
    """
    uses = gather(p, now.word.sentences, now.pooling)
    groups = sentence_groups([own.sentence, *uses.sentences])
    kept = (groups[1:] != groups[0]).nonzero()[:, 0]
    vectors = uses.at(now.layer)[kept]
    senses = torch.tensor(now.word.sense_numbers)[kept]
    choice = choose_senses(
        own.vectors.at(now.layer),
        vectors,
        senses,
        len(now.word.senses),
        method=method or now.method,
    )
    return Judged(
        choice=choice,
        sentences=[uses.sentences[i] for i in kept.tolist()],
        vectors=vectors,
        senses=senses,
        groups=groups[1:][kept],
    )
