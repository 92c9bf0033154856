"""InfoNCE: of all candidates in a batch, which one belongs to this sentence?

    s_ij = cos(u_i, v_j) / τ                        u_i: vector of sentence i; v_j: of candidate j
    P(j | i) = exp(s_ij) / Σ_k exp(s_ik)            a softmax over all candidates of the batch
    loss = mean over i of -ln P(partner of i | i)

The partners of the other sentences are the wrong candidates (in-batch negatives), so a batch of n
pairs needs no labels for its n (n - 1) negatives. Hard negatives are further candidates. A guess by
chance has a loss of ln(number of candidates). The temperature τ scales the cosines, which are at
most 1: the smaller it is, the more only the nearest wrong candidates count.

Source: van den Oord et al. 2018, Eq 4; Gao et al. 2021, Eq 1 and 5 (cosine, τ = 0.05). The loss is
also known as the normalized temperature-scaled cross-entropy, and as the multiple negatives ranking
loss of sentence-transformers, whose `scale` is 1/τ.

Read before this: ../finetuning/task.py; also graded_pairs.py. Read next: run.py.
"""

from dataclasses import dataclass

from mlm_core.embeddings.word_senses import cosines
from mlm_core.shapes import Float, Int, Tensor
from mlm_core.short_repr import short_repr

TEMPERATURE = 0.05  # Gao et al. 2021, appendix D


@short_repr()
@dataclass(frozen=True, eq=False, kw_only=True)
class InfoNce:
    """The loss of one batch, with all steps to it."""

    cosines: Float[Tensor, "pair candidate"]
    log_probabilities: Float[Tensor, "pair candidate"]
    losses: Float[Tensor, " pair"]  # nats

    @property
    def loss(self) -> Float[Tensor, ""]:
        """Return the mean over the pairs, in nats; gradients flow back to the vectors."""
        return self.losses.mean()


def info_nce(
    firsts: Float[Tensor, "pair hidden"],
    candidates: Float[Tensor, "candidate hidden"],
    partners: Int[Tensor, " pair"],
    temperature: float = TEMPERATURE,
) -> InfoNce:
    """Return the loss of finding each sentence's partner, a row of `candidates`, among all.

    Raises ValueError if there is no pair, or the temperature is not above 0.

    >>> import torch
    >>> unit = torch.eye(2)
    >>> info_nce(unit, unit, torch.tensor([0, 1]), temperature=1.0).losses  # ln(1 + 1/e)
    tensor([0.3133, 0.3133])
    """
    return info_nce_of(cosines(firsts, candidates), partners, temperature)


def info_nce_of(
    by_cosine: Float[Tensor, "pair candidate"],
    partners: Int[Tensor, " pair"],
    temperature: float,
) -> InfoNce:
    """Return the same loss, of cosines or other scores up to 1. Raises what info_nce() raises."""
    if not len(by_cosine) or not temperature > 0:
        raise ValueError(
            f"{len(by_cosine)} pairs and a temperature of {temperature}: give at least one pair,"
            " and a number above 0"
        )
    scores = by_cosine / temperature
    log_probabilities = scores - scores.logsumexp(dim=1, keepdim=True)
    losses = -log_probabilities.gather(1, partners.unsqueeze(1)).squeeze(1)
    return InfoNce(cosines=by_cosine, log_probabilities=log_probabilities, losses=losses)
