"""Where the senses' examples come from: our sentences, as many of each, or the stories."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mlm_core.embeddings.senses_data import MarkedSentence
from pages.parts.word_senses.setting import Setting
from pages.parts.word_senses.uses import gather
from pages.shared.caches import cache_senses
from pages.shared.frame.page_frame import Page

if TYPE_CHECKING:
    from mlm_core.shapes import Tensor

SOURCES = ("stories", "lists")


@dataclass(frozen=True, kw_only=True)
class Examples:
    """A word's examples at one layer."""

    sentences: Sequence[MarkedSentence]
    vectors: "Tensor"  # [example, hidden]
    senses: "Tensor"  # [example]: numbers of the senses


def examples_of(page: Page, now: Setting, name: str, source: str) -> Examples:
    """Return a stored word's examples; of the stories there may be none."""
    import torch

    word = cache_senses.stored_word(name)
    if source == "lists":
        vectors = gather(page, word.sentences, now.pooling).at(now.layer)
        return Examples(
            sentences=word.sentences, vectors=vectors, senses=torch.tensor(word.sense_numbers)
        )
    uses = cache_senses.story_uses()
    # All words' sentences are read as one block, which is kept.
    vectors = gather(page, tuple(use.sentence for use in uses), now.pooling).at(now.layer)
    own = [i for i, use in enumerate(uses) if use.name == name]
    senses = [sense.name for sense in word.senses]
    return Examples(
        sentences=[uses[i].sentence for i in own],
        vectors=vectors[own],
        senses=torch.tensor([senses.index(uses[i].sense) for i in own], dtype=torch.long),
    )
