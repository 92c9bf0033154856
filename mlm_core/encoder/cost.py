"""The cost of an encoder: its parameters, term by term, and its attention.

    embeddings      V d + N d + S d, and a LayerNorm of 2 d
    each layer      attention 4 (d^2 + d), feed-forward 2 d f + f + d, two LayerNorms of 2 d
    masked head     transform d^2 + d, LayerNorm 2 d, bias V; its matrix is the embeddings' (tied)
    pair head       pooler d^2 + d, classifier 2 d + 2

V entries in the vocabulary, N positions, S segments, d hidden size, f inner size. A head of the
attention owns d / n_heads columns of the same matrices, so the number of heads changes nothing.

A text of N tokens takes these multiply-adds a layer:

    scores QK^T and weights x V         2 N^2 d        every token attends to every token
    projections Q, K, V and output      4 N d^2
    feed-forward                        2 N d f

The part that grows with N^2 is the larger one only from N = 2 d + f on.

Source: the shapes of bert.py; Vaswani et al. 2017, table 1; the sizes of BERT-base and XLM-R as
published (Devlin et al. 2019; Conneau et al. 2020, table 5). Left out: softmax, LayerNorm, GELU
and biases, which multiply nothing by a matrix. Corrects: the BERT manual, section 6.3, calls
d = 1024 with 24 layers "XLM-R (Base)"; those are the large model's sizes.

Read before this: bert.py.
"""

from dataclasses import dataclass, replace

from mlm_core.encoder.bert import BertConfig


@dataclass(frozen=True, kw_only=True)
class ParameterTerm:
    """One term of the sum."""

    group: str  # "embeddings", "layers", "masked_head", "pair_head"
    name: str
    formula: str  # in d, f, V, N, S and L
    count: int  # of all layers together


@dataclass(frozen=True, kw_only=True)
class PublishedModel:
    """A published model, for its count only."""

    name: str
    config: BertConfig
    published: str  # the total as its authors give it


def count_parameters(config: BertConfig, *, tied: bool = True) -> tuple[ParameterTerm, ...]:
    """Return every term of an encoder with both pretraining heads.

    `tied`: the masked head's matrix is the token embedding itself and counts once.

    >>> sum(term.count for term in count_parameters(BertConfig()))
    110106428
    """
    d, f, layers = config.hidden_size, config.intermediate_size, config.n_layers
    vocabulary = config.vocabulary_size
    terms = [
        ("embeddings", "token", "V·d", vocabulary * d),
        ("embeddings", "position", "N·d", config.n_positions * d),
        ("embeddings", "segment", "S·d", config.n_segments * d),
        ("embeddings", "norm", "2d", 2 * d),
        ("layers", "query_key_value", "L·3(d² + d)", layers * 3 * (d * d + d)),
        ("layers", "attention_output", "L·(d² + d)", layers * (d * d + d)),
        ("layers", "feed_forward", "L·(2df + f + d)", layers * (2 * d * f + f + d)),
        ("layers", "norms", "L·4d", layers * 4 * d),
        ("masked_head", "transform", "d² + d", d * d + d),
        ("masked_head", "norm", "2d", 2 * d),
        ("masked_head", "bias", "V", vocabulary),
    ]
    if not tied:
        terms.append(("masked_head", "matrix", "V·d", vocabulary * d))
    if config.has_next_sentence_head:
        terms.append(("pair_head", "pooler", "d² + d", d * d + d))
        terms.append(("pair_head", "classifier", "2d + 2", 2 * d + 2))
    return tuple(
        ParameterTerm(group=group, name=name, formula=formula, count=count)
        for group, name, formula, count in terms
    )


def published_models() -> tuple[PublishedModel, ...]:
    """Return BERT-base and the two sizes of XLM-R."""
    # XLM-R numbers positions from 2 on, so 514 rows hold 512 tokens; it has one segment.
    base = BertConfig(
        vocabulary_size=250_002, n_positions=514, n_segments=1, has_next_sentence_head=False
    )
    large = replace(base, hidden_size=1024, n_layers=24, n_heads=16, intermediate_size=4096)
    return (
        PublishedModel(name="BERT-base (uncased)", config=BertConfig(), published="110M"),
        PublishedModel(name="XLM-R base", config=base, published="270M"),
        PublishedModel(name="XLM-R large", config=large, published="550M"),
    )


def gpt_2_parameters() -> int:
    """Return the parameters of GPT-2 small, a decoder of BERT-base's width and depth.

    It has no segments and none of BERT's heads. Its last LayerNorm stands after the blocks and not
    after the embeddings, which doesn't change the count.

    Source: Radford et al. 2019, table 2, with the sizes of the published weights.

    >>> gpt_2_parameters()
    124439808
    """
    config = BertConfig(vocabulary_size=50_257, n_positions=1024)
    terms = count_parameters(config)
    return sum(
        term.count
        for term in terms
        if term.group in ("embeddings", "layers") and term.name != "segment"
    )


BYTES_A_NUMBER = 4  # float32


@dataclass(frozen=True, kw_only=True)
class AttentionCost:
    """What one text of `n_tokens` costs, counted from a model's sizes."""

    n_tokens: int
    scores_per_head: int
    scores_per_layer: int
    scores_per_model: int
    quadratic_products: int  # multiply-adds of one layer in QK^T and weights x V, all heads
    linear_products: int  # multiply-adds of one layer in the projections and the feed-forward net
    weights_bytes: int  # the attention weights of one layer in float32, if they are all kept
    parameter_bytes: int  # the parameters of one layer in float32, for any number of tokens


def attention_cost(n_tokens: int, config: BertConfig) -> AttentionCost:
    """Return what a text of `n_tokens` costs in a model of these sizes.

    Raises ValueError if there is no token.

    >>> cost = attention_cost(512, BertConfig())  # BERT-base
    >>> cost.scores_per_layer, cost.weights_bytes // 2**20  # 12 MiB a layer and text
    (3145728, 12)
    """
    if n_tokens < 1:
        raise ValueError(f"{n_tokens} tokens: a text has at least one")
    hidden, inner = config.hidden_size, config.intermediate_size
    per_head = n_tokens**2
    per_layer = per_head * config.n_heads
    n_parameters = sum(t.count for t in count_parameters(config) if t.group == "layers")
    return AttentionCost(
        n_tokens=n_tokens,
        scores_per_head=per_head,
        scores_per_layer=per_layer,
        scores_per_model=per_layer * config.n_layers,
        quadratic_products=2 * per_head * hidden,
        linear_products=n_tokens * (4 * hidden**2 + 2 * hidden * inner),
        weights_bytes=BYTES_A_NUMBER * per_layer,
        parameter_bytes=BYTES_A_NUMBER * n_parameters // config.n_layers,
    )


def scores_to_write(n_tokens: int, *, keeps_earlier: bool) -> int:
    """Return the attention scores of one head that a text takes, written token by token.

    With a causal mask the earlier keys and values can be kept (KV cache), and a step computes one
    new row: i scores. Without one, a new token changes all rows: i² scores.

    >>> scores_to_write(3, keeps_earlier=True), scores_to_write(3, keeps_earlier=False)
    (6, 14)
    """
    return sum(i if keeps_earlier else i * i for i in range(1, n_tokens + 1))


def crossing(config: BertConfig) -> int:
    """Return the number of tokens at which the terms in N^2 and in N cost the same.

    >>> crossing(BertConfig())
    4608
    """
    return 2 * config.hidden_size + config.intermediate_size


def weight_bytes(n_parameters: int, bits: int) -> float:
    """Return the bytes that a model's weights take with so many bits each.

    What a text takes on its way through the model comes on top.

    >>> weight_bytes(405_000_000_000, 16) / 1e9  # GB
    810.0
    """
    return n_parameters * bits / 8


def fine_tuning_bytes(n_parameters: int) -> int:
    """Return the bytes that AdamW takes to train all parameters in float32.

    Four numbers a parameter: its value, its gradient, and AdamW's two running means. The states
    of a batch that the gradient needs come on top.

    >>> fine_tuning_bytes(110_000_000) / 1e9  # GB
    1.76
    """
    return 4 * BYTES_A_NUMBER * n_parameters


def operations(n_parameters: int, n_tokens: int) -> int:
    """Return about how many operations a text takes: each weight multiplies and adds once a token.

    Left out: attention's terms in N^2. Too high by the embeddings, which are only looked up.

    >>> operations(110_000_000, 300)
    66000000000
    """
    return 2 * n_parameters * n_tokens
