"""All words of a sentence mapped to a list of senses, and what happens without an example."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch

from mlm_core.embeddings.locating import find_word
from mlm_core.embeddings.senses_data import MarkedSentence
from mlm_core.embeddings.word_senses import choose_senses, sentence_groups
from mlm_core.number_format import formatted
from mlm_core.shapes import Float, Int, Tensor
from pages.kit.caches import cache_senses
from pages.kit.part import Part, Table
from pages.lessons.word_senses import computed
from pages.lessons.word_senses.setting import Setting
from pages.lessons.word_senses.uses import gather

MOST_USES = 12  # of a sentence, that are judged


@dataclass(frozen=True, kw_only=True)
class Examples:
    """A word's examples at one layer."""

    sentences: Sequence[MarkedSentence]
    vectors: Float[Tensor, "example hidden"]
    senses: Int[Tensor, " example"]


@dataclass(frozen=True, kw_only=True)
class Use:
    """A stored word in the learner's sentence."""

    name: str
    sentence: MarkedSentence


def show_inventory(p: Part, now: Setting) -> None:
    """Give every stored word in a sentence of the learner's a sense (Fig 11.7)."""
    p.say("inventory.lead", labelled=len(computed.story_uses()))
    uses = _uses_in(p.text("all_words", p.own_text(f"star_{now.name}")))
    if not uses:
        names = ", ".join(cache_senses.stored_word(n).word for n in cache_senses.stored_names("en"))
        p.note("inventory.no_word", icon="edit", words=names)
        return
    if len(uses) > MOST_USES:
        p.caption("inventory.cut", n=len(uses), most=MOST_USES)
    sentences = tuple(use.sentence for use in uses[:MOST_USES])
    vectors = cache_senses.own_uses(p.model_name, sentences, now.pooling).at(now.layer)
    judged = [_judged(p, now, use, vector) for use, vector in zip(uses, vectors, strict=False)]
    columns = ["word", "sense", "how", "cosine", "examples", "meaning"]
    table = Table([row for row, _ in judged], columns)
    # In the page a sense's meaning is next to its name: a phone has room for five columns.
    short = [[row[0], f"{row[1]}: {row[-1]}", *row[2:-1]] for row, _ in judged]
    Table(short, columns[:-1]).show()
    if p.words_language != "en":
        p.caption("inventory.in_english")
    p.numbers("all_words_senses", table)
    fallen = dict.fromkeys((row[0], row[1]) for row, is_fallback in judged if is_fallback)
    for word, sense in fallen:
        p.say("inventory.fallback", word=word, sense=sense)


def _uses_in(text: str) -> list[Use]:
    found = []
    for name in cache_senses.stored_names("en"):
        word = cache_senses.stored_word(name)
        in_text = find_word(text, word.word, word.forms)
        found += [Use(name=name, sentence=in_text.marked(k)) for k in range(len(in_text.spans))]
    return sorted(found, key=lambda use: use.sentence.start)


def _judged(p: Part, now: Setting, use: Use, vector: Float[Tensor, " hidden"]) -> tuple[list, bool]:
    """Return a line for one use, and whether the word has no example."""
    word = cache_senses.stored_word(use.name)
    examples = _examples(p, now, use.name)
    # The learner's own sentence among the examples would judge itself.
    groups = sentence_groups([use.sentence, *examples.sentences])
    kept = groups[1:] != groups[0]
    vectors, senses = examples.vectors[kept], examples.senses[kept]
    choice = choose_senses(vector[None], vectors, senses, len(word.senses), method=now.method)
    k, is_fallback = int(choice.senses[0]), len(senses) == 0
    cosine = "" if is_fallback else formatted(choice.cosines[0, k].item(), ".3f")
    how = p.plain("inventory_fallback" if is_fallback else "inventory_nearest")
    sense, n = word.senses[k], int((senses == k).sum())
    return [use.sentence.target, sense.name, how, cosine, n, sense.gloss], is_fallback


def _examples(p: Part, now: Setting, name: str) -> Examples:
    """Return a stored word's examples in the stories, maybe none."""
    uses, word = computed.story_uses(), cache_senses.stored_word(name)
    # All words' sentences are read as one block, which is kept.
    vectors = gather(p, tuple(use.sentence for use in uses), now.pooling).at(now.layer)
    own = [i for i, use in enumerate(uses) if use.name == name]
    senses = [sense.name for sense in word.senses]
    return Examples(
        sentences=[uses[i].sentence for i in own],
        vectors=vectors[own],
        senses=torch.tensor([senses.index(uses[i].sense) for i in own], dtype=torch.long),
    )
