"""What this lesson works out and keeps, and the numbers of its summary."""

from collections.abc import Callable, Mapping

from pages.kit.caches import cache_finetuning
from pages.kit.remember import read_on
from pages.lessons.bio_tagging.lesson import STORED


def in_short() -> Mapping[str, object]:
    """Return the accuracy by word and the F1 by entity of the stored tagger of what is read."""
    test = cache_finetuning.stored(STORED[read_on("bio_tagging")]).result
    return {"right": test.proportion_right, "f1": test.f1}


def get_ready_in(language: str, let_pass: Callable[[], None]) -> None:
    """Read and decode what the lesson scores, with the tagger that it begins with."""
    tagger = cache_finetuning.stored(STORED[language])
    for part in range(cache_finetuning.n_parts(tagger)):
        cache_finetuning.decoded_part(tagger, part)
        let_pass()
    cache_finetuning.decoding_scores(tagger)
