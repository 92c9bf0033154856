"""Make vectors more isotropic: drop rogue dimensions, or z-score all of them.

    μ = (1/|C|) Σ x                      the corpus's mean                    (11.8)
    σ = sqrt((1/|C|) Σ (x - μ)²)           its standard deviation               (11.9)
    z = (x - μ) / σ                      what each vector becomes             (11.10)

μ and σ are computed from a corpus of many words, once a layer, and used for any vector.
Dropping k dimensions removes those that add most to the mean cosine.

Source: SLP3 section 11.3.2, Eq 11.8 to 11.10; Timkey & van Schijndel 2021 (the textbook's text
says "dividing by the variance", its formula and the paper divide by the standard deviation).
A dimension that never changes is only centred, as scikit-learn's StandardScaler does.

Read before this: isotropy.py.
"""

from dataclasses import dataclass
from typing import Literal, get_args

import torch

from mlm_core.embeddings.isotropy import DimensionProportions, dimension_proportions
from mlm_core.shapes import Float, Int, Tensor

Postprocessing = Literal["raw", "dropped", "z-scored"]
POSTPROCESSINGS: tuple[Postprocessing, ...] = get_args(Postprocessing)


@dataclass(frozen=True, kw_only=True)
class LayerStatistics:
    """The statistics of one layer's dimensions in a corpus."""

    mean: Float[Tensor, " hidden"]  # μ
    deviation: Float[Tensor, " hidden"]  # σ
    proportions: DimensionProportions

    def postprocess(
        self,
        vectors: Float[Tensor, "*word hidden"],
        postprocessing: Postprocessing,
        *,
        n_dropped: int = 3,
    ) -> Float[Tensor, "*word kept"]:
        """Return vectors of the layer after the postprocessing.

        Raises ValueError for an unknown postprocessing, or if no dimension would remain.
        """
        if postprocessing == "raw":
            return vectors
        if postprocessing == "z-scored":
            return standardize(vectors, self.mean, self.deviation)
        if postprocessing == "dropped":
            return drop_dimensions(vectors, self.proportions.ranked[:n_dropped])
        raise ValueError(
            f"treatment {postprocessing!r}: choose one of {', '.join(POSTPROCESSINGS)}"
        )


def learn_from_corpus(
    vectors: Float[Tensor, "word hidden"], groups: Int[Tensor, " word"]
) -> LayerStatistics:
    """Return μ, σ and the dimensions' proportions; `groups` numbers the sentences.

    Raises ValueError if all words are of one sentence.
    """
    return LayerStatistics(
        mean=vectors.mean(dim=0),
        deviation=vectors.std(dim=0, correction=0),  # divided by |C|, not by |C| - 1
        proportions=dimension_proportions(vectors, groups),
    )


def standardize(
    vectors: Float[Tensor, "*word hidden"],
    mean: Float[Tensor, " hidden"],
    deviation: Float[Tensor, " hidden"],
) -> Float[Tensor, "*word hidden"]:
    """Return z = (x - μ) / σ for each vector; where σ is 0, z = x - μ.

    >>> standardize(torch.tensor([[5.0, 1.0]]), torch.tensor([1.0, 1.0]), torch.tensor([2.0, 0.0]))
    tensor([[2., 0.]])
    """
    return (vectors - mean) / torch.where(deviation > 0, deviation, 1.0)


def drop_dimensions(
    vectors: Float[Tensor, "*word hidden"], dimensions: tuple[int, ...]
) -> Float[Tensor, "*word kept"]:
    """Return the vectors without some of their dimensions.

    Raises ValueError if none would remain, or one is dropped that isn't there.
    """
    hidden = vectors.shape[-1]
    if not all(0 <= d < hidden for d in dimensions):
        raise ValueError(f"dimensions {dimensions} of {hidden}: choose from 0 to {hidden - 1}")
    kept = sorted(set(range(hidden)) - set(dimensions))
    if not kept:
        raise ValueError(f"all {hidden} dimensions dropped: keep at least one")
    return vectors[..., kept]
