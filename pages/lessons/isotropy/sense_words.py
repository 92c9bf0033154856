"""1-NN sense choices on the stored words under each treatment, with a bar while they are made."""

import torch

from mlm_core.embeddings.postprocessing import Postprocessing
from mlm_core.shapes import Bool, Tensor
from pages.kit.caches import cache_senses
from pages.kit.part import Part
from pages.lessons.isotropy import computed, setting

FEW_WORDS = 5  # that say little about others


def sense_words(p: Part) -> tuple[str, ...]:
    """Return the names of the stored words in the language that the lesson reads."""
    return cache_senses.stored_names(p.language)


def say_few(p: Part) -> None:
    """Say so if there are few words, and which."""
    names = sense_words(p)
    if len(names) < FEW_WORDS:
        words = map(cache_senses.stored_word, names)
        listed = ", ".join(f"{one.word} ({len(one.senses)})" for one in words)
        p.caption("senses.few", n=len(names), words=listed)


def measure(p: Part, view: setting.View) -> dict[Postprocessing, Bool[Tensor, " sentence"]]:
    """Return for each treatment which uses are right, word after word."""
    names, found = sense_words(p), {name: [] for name in setting.POSTPROCESSINGS}
    with p.reported("measuring_senses") as told:
        for n_done, word in enumerate(names, 1):
            for name, right in found.items():
                # Only one of them depends on how many are dropped.
                n_dropped = view.n_dropped if name == "dropped" else 0
                right.append(computed.right_senses(view.corpus, view.layer, word, name, n_dropped))
            told(n_done, len(names))
    return {name: torch.cat(right) for name, right in found.items()}
