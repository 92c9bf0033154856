"""A probe of a frozen encoder for next-sentence prediction: does B follow A?

    pair -> encoder, nothing trained -> one vector -> logistic regression -> follows or random

The vector is [CLS]'s last state, which next-sentence prediction trains, or the mean over all
tokens, which every objective trains. A causal model has the same [CLS] vector for every pair,
since [CLS] attends only to itself. Only the regression learns, on pairs of training documents;
it is evaluated on held-out ones. So encoders with and without NSP, which have different heads or
none, are compared on the same task.

Source: Devlin et al. 2019, section 5.1 and table 5 (the effect of NSP); Liu et al. 2019,
section 4.2, who found none.
Departs: both of them fine-tune on other tasks; here the task is NSP's own, the encoder frozen.

Read before this: linear_probe.py, ../small_runs/held_out.py.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import torch

from mlm_core.encoder.bert import Bert
from mlm_core.prediction.pair_examples import FOLLOWS
from mlm_core.pretraining.sentence_pairs import DocumentTable, Texts, draw_natural, read_texts
from mlm_core.probing.linear_probe import fit_logistic_regression
from mlm_core.shapes import Bool, Float, Tensor
from mlm_core.small_runs.text import PreparedText
from mlm_core.training.loop import generator_of_step

N_TRAIN, N_HELD_OUT = 2_048, 1_024  # pairs
PAIRS_A_PASS = 128


@dataclass(frozen=True, kw_only=True)
class PairResult:
    """How well one kind of vector separates true pairs from random ones."""

    right: tuple[bool, ...]  # of each held-out pair
    train_accuracy: float

    @property
    def accuracy(self) -> float:
        """Return the accuracy on held-out pairs, 0 to 1; guessing has 0.5."""
        return sum(self.right) / len(self.right)


@dataclass(frozen=True, kw_only=True)
class PairTaskResult:
    """The results of both kinds of vector."""

    from_cls: PairResult
    from_mean: PairResult


class PairVectors(NamedTuple):
    """The vectors of some pairs, and whether B follows A."""

    cls: Float[Tensor, "pair hidden"]
    mean: Float[Tensor, "pair hidden"]  # over all real tokens
    follows: Bool[Tensor, " pair"]


def pair_task(
    bert: Bert,
    text: PreparedText,
    *,
    seed: int,
    causal: bool = False,
    n_train: int = N_TRAIN,
    n_held_out: int = N_HELD_OUT,
) -> Iterator[PairTaskResult | None]:
    """Yield None after each pass of the encoder, and the result at the end.

    The same seed gives the same pairs to every encoder.
    Raises ValueError if the text has fewer than two documents of two sentences in each part.
    """
    made: list[PairVectors] = []
    length = bert.config.n_positions
    for name, corpus, n in (
        ("train", text.train, n_train),
        ("held out", text.held_out, n_held_out),
    ):
        parts: list[PairVectors] = []
        generator = generator_of_step(seed, f"pairs of {name}", "cpu")
        table = DocumentTable(corpus, least_tokens=2, least_sentences=2)
        for start in range(0, n, PAIRS_A_PASS):
            stretches = draw_natural(
                corpus, table, min(PAIRS_A_PASS, n - start), length, generator, single_rate=0.0
            )
            texts = read_texts(corpus, stretches, length, text.special)
            parts.append(pair_vectors(bert, texts, causal=causal))
            yield None
        made.append(PairVectors(*map(torch.cat, zip(*parts, strict=True))))
    train, held_out = made
    from_cls = judge(train.cls, train.follows, held_out.cls, held_out.follows)
    yield None
    from_mean = judge(train.mean, train.follows, held_out.mean, held_out.follows)
    yield PairTaskResult(from_cls=from_cls, from_mean=from_mean)


@torch.no_grad()
def pair_vectors(bert: Bert, texts: Texts, *, causal: bool = False) -> PairVectors:
    """Return [CLS]'s last state and the mean of all, for each pair."""
    positions = torch.arange(texts.ids.shape[1], device=texts.ids.device)
    not_padding = positions < texts.n_real.unsqueeze(1)
    states = bert.last_states(texts.ids, texts.segment_ids, not_padding, causal=causal)
    total = (states * not_padding.unsqueeze(-1)).sum(dim=1)
    return PairVectors(
        cls=states[:, 0],
        mean=total / texts.n_real.unsqueeze(1),
        follows=texts.pair_label == FOLLOWS,
    )


def judge(
    train: Float[Tensor, "pair hidden"],
    train_follows: Bool[Tensor, " pair"],
    held_out: Float[Tensor, "held_out_pair hidden"],
    held_out_follows: Bool[Tensor, " held_out_pair"],
) -> PairResult:
    """Return the accuracy on `held_out` of a logistic regression learned on `train`."""
    mean, deviation = train.mean(dim=0), train.std(dim=0).clamp(min=1e-6)
    # Z-scores, so that the penalty means the same for every encoder.
    train, held_out = (train - mean) / deviation, (held_out - mean) / deviation
    found = fit_logistic_regression(train, train_follows.long(), penalty=2.0)  # of two rows
    right = found.predict(held_out) == held_out_follows
    train_right = found.predict(train) == train_follows
    return PairResult(
        right=tuple(right.tolist()), train_accuracy=float(train_right.double().mean())
    )
