"""What attention costs as a text grows: counted from the model's sizes, and timed.

Every token looks at every token, so each head computes N x N scores: twice the text, four
times the scores. All else in a layer (projections, feed-forward) is done once a token.

    scores QK^T and weights x V         2 N^2 d        multiply-adds a layer
    projections Q, K, V and output      4 N d^2
    feed-forward                        2 N d inner

so the part that grows with N^2 overtakes the rest only at N = 2 d + inner.

Source: Vaswani et al. 2017, table 1. Left out: softmax, LayerNorm, GELU and biases, which
multiply nothing by a matrix.

Read before this: attention.py, bert.py.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median

import torch

from mlm_core.encoder.attention import attend
from mlm_core.encoder.bert import BertConfig

BYTES_A_NUMBER = 4  # float32
SIZES = (16, 32, 64, 128, 256, 512, 1024)  # tokens
MOST_TOKENS = 2048  # one head's steps take 16 MB each there; more has no place on a shared server
FEWEST_REPETITIONS, MOST_REPETITIONS = 3, 200


@dataclass(frozen=True, kw_only=True)
class AttentionCost:
    """What one text of `n_tokens` costs, counted from a model's sizes."""

    n_tokens: int
    scores_per_head: int
    scores_per_layer: int
    scores_per_model: int
    score_products: int  # multiply-adds of QK^T in one layer, all heads
    value_products: int  # multiply-adds of weights x V in one layer
    projection_products: int  # multiply-adds of the four projections of one layer
    feed_forward_products: int  # multiply-adds of one layer's feed-forward net
    weights_bytes: int  # the attention weights of one layer in float32, if they are all kept
    parameter_bytes: int  # the parameters of one layer in float32, for any number of tokens

    @property
    def quadratic_products(self) -> int:
        """Return one layer's multiply-adds that grow with N^2."""
        return self.score_products + self.value_products

    @property
    def linear_products(self) -> int:
        """Return one layer's multiply-adds that grow with N."""
        return self.projection_products + self.feed_forward_products


@dataclass(frozen=True, kw_only=True)
class Measurement:
    """How long attend() took for one text length."""

    n_tokens: int
    seconds: float  # median of the repetitions
    n_repetitions: int


def attention_cost(n_tokens: int, config: BertConfig) -> AttentionCost:
    """Return what a text of `n_tokens` costs in a model of these sizes.

    Raises ValueError if there is no token.

    >>> cost = attention_cost(512, BertConfig())  # BERT-base
    >>> cost.scores_per_layer, cost.weights_bytes // 2**20  # 12 MiB a layer and text
    (3145728, 12)
    """
    if n_tokens < 1:
        raise ValueError(f"{n_tokens} tokens: a text has at least one")
    hidden, inner = config.hidden_size, config.inner_size
    per_head = n_tokens**2
    per_layer = per_head * config.n_heads
    biases_and_norms = 4 * hidden + inner + hidden + 4 * hidden
    return AttentionCost(
        n_tokens=n_tokens,
        scores_per_head=per_head,
        scores_per_layer=per_layer,
        scores_per_model=per_layer * config.n_layers,
        score_products=per_head * hidden,
        value_products=per_head * hidden,
        projection_products=4 * n_tokens * hidden**2,
        feed_forward_products=2 * n_tokens * hidden * inner,
        weights_bytes=BYTES_A_NUMBER * per_layer,
        parameter_bytes=BYTES_A_NUMBER * (4 * hidden**2 + 2 * hidden * inner + biases_and_norms),
    )


def crossing(config: BertConfig) -> int:
    """Return the number of tokens at which N^2 costs as much as all that grows with N.

    >>> crossing(BertConfig())
    4608
    """
    return 2 * config.hidden_size + config.inner_size


def measure_attention(
    sizes: Sequence[int] = SIZES,
    *,
    head_size: int,
    generator: torch.Generator,
    seconds_at_most: float = 2.0,
    clock: Callable[[], float] = time.perf_counter,
) -> Iterator[Measurement]:
    """Yield the time attend() takes for one head, one text length after another.

    Each length gets an equal share of the seconds that are left, at least three repetitions
    and at most 200, after one that isn't counted.
    Raises ValueError if a size is below 1 or above MOST_TOKENS.

    >>> chance = torch.Generator()
    >>> times = measure_attention((4, 8), head_size=3, generator=chance, seconds_at_most=0.01)
    >>> [measurement.n_tokens for measurement in times]
    [4, 8]
    """
    unfit = [size for size in sizes if not 1 <= size <= MOST_TOKENS]
    if unfit:
        raise ValueError(f"{unfit[0]} tokens can't be timed here: choose 1 to {MOST_TOKENS}")
    start = clock()
    for i, n_tokens in enumerate(sizes):
        query, key, value = torch.randn(3, n_tokens, head_size, generator=generator)
        attend(query, key, value)  # the first call pays for memory that the next ones reuse
        now = clock()
        stop = now + (seconds_at_most - (now - start)) / (len(sizes) - i)
        seconds: list[float] = []
        while len(seconds) < FEWEST_REPETITIONS or (now < stop and len(seconds) < MOST_REPETITIONS):
            before = clock()
            attend(query, key, value)
            now = clock()
            seconds.append(now - before)
        yield Measurement(n_tokens=n_tokens, seconds=median(seconds), n_repetitions=len(seconds))
