"""A sense inventory, and what to answer for a word that no labelled text has.

    inventory   each word's senses: definition, examples, and the cosine that most examples reach
    stories     the same words where they occur in this project's stories, sense-labelled by hand:
                running text, so most senses are rare there and many never occur

With the stories as the only examples, a sense that never occurs can't be found, and a word that
never occurs gets the first sense of the inventory (the "most frequent sense", if the senses stand
in the order of their frequency, as in WordNet; ours do not). A use whose largest cosine is below
that of nearly all examples may have a sense that is not on the list.

Source: SLP3 section 11.3.1 and Fig 11.7 for the task. The fallback to the first sense of WordNet
is in SLP3's chapter "Word Senses and WordNet" (drafts of 2019 and 2021), not in this one.

Read before this: word_senses.py.
"""

from dataclasses import dataclass
from pathlib import Path

from mlm_core.embeddings.senses_data import MarkedSentence, marked
from mlm_core.embeddings.word_senses import choose_senses, leave_one_out
from mlm_core.shapes import Float, Int, Tensor

REFUSED = 0.05  # of the examples, that are below the threshold
# The two largest cosines differ by less: the sense is undecided. Chosen by the 1,263 sentences of
# all words, each compared with the others, last layer of the bundled models: 80 are closer, and
# 48 % of them get the wrong sense (13 % of the rest). At 0.01 it would be 43 % of 169. Of the
# nearest single examples, and at layer 6, the same half of the answers below 0.005 is wrong.
UNDECIDED = 0.005
STORIES_FILE = Path(__file__).parents[1] / "data" / "senses_in_stories.tsv"


@dataclass(frozen=True, kw_only=True)
class LabelledUse:
    """One occurrence of a stored word in the stories, and its sense."""

    name: str  # of the stored word
    sense: str
    sentence: MarkedSentence


def story_uses() -> tuple[LabelledUse, ...]:
    """Return the labelled occurrences in the stories, in the order of the file."""
    _, *lines = STORIES_FILE.read_text(encoding="utf-8").splitlines()
    uses = (line.split("\t") for line in lines)
    return tuple(
        LabelledUse(name=name, sense=sense, sentence=marked(text)) for name, sense, text in uses
    )


def refusal_threshold(
    vectors: Float[Tensor, "example hidden"],
    senses: Int[Tensor, " example"],
    n_senses: int,
    groups: Int[Tensor, " example"],
) -> float:
    """Return the cosine below which no sense of the list is said to fit.

    The examples are the development data: each is compared with the centroids of the others, and
    a proportion REFUSED of them stays below.
    """
    largest = leave_one_out(vectors, senses, n_senses, groups).cosines.max(dim=1).values
    return largest.quantile(REFUSED).item()


def refused_if_unlisted(
    vectors: Float[Tensor, "example hidden"],
    senses: Int[Tensor, " example"],
    n_senses: int,
    groups: Int[Tensor, " example"],
) -> float:
    """Return the proportion of uses that are refused if their own sense is not on the list.

    Each sense is taken from the list in turn, and the threshold is chosen by the others' examples.
    Raises ValueError for fewer than two senses.
    """
    if n_senses < 2:
        raise ValueError(f"{n_senses} sense: give at least two, of which one is taken away")
    n_refused = 0
    for unlisted in range(n_senses):
        out = senses == unlisted
        listed = vectors[~out], senses[~out], n_senses
        threshold = refusal_threshold(*listed, groups[~out])
        largest = choose_senses(vectors[out], *listed).cosines.max(dim=1).values
        n_refused += int((largest < threshold).sum())
    return n_refused / len(senses)
