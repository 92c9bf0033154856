"""The map of one word to which sentences are added, and which lie nearest to their own sense.

    map of n      PCA of all n vectors, turned onto the map of the first m that was shown before
                  m = 3, 6, 12, 24 ...: the largest below n
    judged        each sentence against the centroids of all others (leave-one-out); one whose
                  sense no other sentence has, or all others have, can't be judged

PCA and not UMAP: UMAP needs at least 5 points, arranges all of them again for each new one, and
its gaps have no meaning. PCA has a map from 3 points on, the same in every process, and says how
much of the variance two directions keep. Only the turn depends on the order of the sentences.

Source: Pearson 1901 for PCA, Schönemann 1966 for the rotation; SLP3 Eq 11.6 and 11.7 for the
nearest centroid; Wilson 1927 for the interval.
Departs: the interval takes sentences for independent, but each has a part in the centroids that
judge the others.

Read before this: maps.py.
"""

from dataclasses import dataclass

from torch.nn import functional as F

from mlm_core.embeddings.maps import align, pca_layout
from mlm_core.embeddings.word_senses import NOTHING, SenseChoice, leave_one_out
from mlm_core.evaluation.seeds import interval_of_proportion
from mlm_core.shapes import Bool, Float, Int, Tensor
from mlm_core.short_repr import short_repr

FEWEST = 3  # points of a map: two lie on a line
FEWEST_FOR_INTERVAL = 10  # judged sentences: 5 of 10 have 24 to 76 %, fewer say next to nothing


@short_repr()
@dataclass(frozen=True, kw_only=True)
class OwnSenses:
    """Which sentences lie nearest to the centroid of their own sense."""

    choice: SenseChoice  # of each sentence, by all others
    senses: Int[Tensor, " sentence"]  # each sentence's own
    is_judged: Bool[Tensor, " sentence"]

    @property
    def is_own(self) -> Bool[Tensor, " sentence"]:
        """Return which of the judged sentences lie nearest to their own sense."""
        return self.is_judged & (self.choice.senses == self.senses)

    @property
    def n_judged(self) -> int:
        """Return how many sentences can be judged."""
        return int(self.is_judged.sum())

    @property
    def n_own(self) -> int:
        """Return how many of these lie nearest to their own sense."""
        return int(self.is_own.sum())

    @property
    def n_most_frequent(self) -> int:
        """Return how many of the judged sentences have the most frequent sense."""
        return int(self.senses[self.is_judged].bincount(minlength=1).max())

    @property
    def interval(self) -> tuple[float, float] | None:
        """Return the 95 % interval of the proportion; None with too few sentences."""
        if self.n_judged < FEWEST_FOR_INTERVAL:
            return None
        return interval_of_proportion(self.n_own, self.n_judged)


@short_repr()
@dataclass(frozen=True, kw_only=True)
class GrowingMap:
    """A map of all sentences so far, and what they say of each other."""

    layout: Float[Tensor, "sentence 2"]
    kept: float  # the proportion of the vectors' variance that the map has
    own: OwnSenses


def growing_map(
    vectors: Float[Tensor, "sentence hidden"],
    senses: Int[Tensor, " sentence"],
    n_senses: int,
    groups: Int[Tensor, " sentence"] | None = None,
) -> GrowingMap:
    """Return the map, and which sentences lie nearest to their own sense.

    Raises ValueError as growing_layout and own_senses do.
    """
    layout = growing_layout(vectors)
    own = own_senses(vectors, senses, n_senses, groups)
    return GrowingMap(layout=layout, kept=kept_variance(vectors, layout), own=own)


def growing_layout(vectors: Float[Tensor, "point hidden"]) -> Float[Tensor, "point 2"]:
    """Return the PCA map of all points, turned so that the first ones move little.

    Raises ValueError for vectors with NaN.
    """
    layout, n_first = pca_layout(vectors), FEWEST
    if len(vectors) <= n_first:
        return layout
    while 2 * n_first < len(vectors):
        n_first *= 2
    return align(layout, growing_layout(vectors[:n_first]))


def kept_variance(
    vectors: Float[Tensor, "point hidden"], layout: Float[Tensor, "point 2"]
) -> float:
    """Return the proportion of the vectors' variance that their PCA map has, 0 to 1.

    Points that are all the same lose nothing.
    """
    unit = F.normalize(vectors.double(), dim=-1)
    total = (unit - unit.mean(dim=0)).square().sum().item()
    kept = (layout - layout.mean(dim=0)).double().square().sum().item()
    return min(1.0, kept / total) if total > 1e-12 else 1.0


def own_senses(
    vectors: Float[Tensor, "sentence hidden"],
    senses: Int[Tensor, " sentence"],
    n_senses: int,
    groups: Int[Tensor, " sentence"] | None = None,
) -> OwnSenses:
    """Return for each sentence whether the nearest centroid of the others is its own sense's.

    `groups` numbers the sentences, equal for copies, which do not judge each other. Raises
    ValueError if a sense's number is not below n_senses.
    """
    choice = leave_one_out(vectors, senses, n_senses, groups)
    is_there = choice.cosines != NOTHING
    has_own = is_there.gather(1, senses[:, None])[:, 0]
    return OwnSenses(choice=choice, senses=senses, is_judged=has_own & (is_there.sum(dim=1) > 1))
