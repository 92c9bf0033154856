"""How many numbers an encoder has to learn, counted term by term from its sizes.

    embeddings      V d + N d + S d, and a LayerNorm of 2 d
    each layer      attention 4 (d^2 + d), feed-forward 2 d f + f + d, two LayerNorms of 2 d
    masked head     transform d^2 + d, LayerNorm 2 d, bias V; its matrix is the embeddings' (tied)
    pair head       pooler d^2 + d, classifier 2 d + 2

V entries in the vocabulary, N positions, S segments, d hidden size, f inner size. A head of
the attention owns d / n_heads columns of the same matrices, so their number changes nothing.

Source: the shapes of encoder/bert.py; the sizes of BERT-base and XLM-R as their authors
published them (Devlin et al. 2019; Conneau et al. 2020, table 5). Corrects: the BERT manual,
section 6.3, calls d = 1024 with 24 layers "XLM-R (Base)"; those are the large model's sizes.

Read before this: bert.py. Read next: block_steps.py.
"""

from dataclasses import dataclass

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
    """A model that is too large for this app, for its count only."""

    name: str
    config: BertConfig
    published: str  # the total as its authors give it


def count_parameters(config: BertConfig, *, tied: bool = True) -> tuple[ParameterTerm, ...]:
    """Return every term of an encoder with both pretraining heads.

    `tied`: the masked head's matrix is the token embedding itself and counts once.

    >>> sum(term.count for term in count_parameters(BertConfig()))
    110106428
    """
    d, f, layers = config.hidden_size, config.inner_size, config.n_layers
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
    return (
        PublishedModel(name="BERT-base (uncased)", config=BertConfig(), published="110M"),
        # XLM-R numbers positions from 2 on, so 514 rows hold 512 tokens; it has one segment.
        PublishedModel(
            name="XLM-R base",
            config=BertConfig(
                vocabulary_size=250_002,
                n_positions=514,
                n_segments=1,
                has_next_sentence_head=False,
            ),
            published="270M",
        ),
        PublishedModel(
            name="XLM-R large",
            config=BertConfig(
                vocabulary_size=250_002,
                hidden_size=1024,
                n_layers=24,
                n_heads=16,
                inner_size=4096,
                n_positions=514,
                n_segments=1,
                has_next_sentence_head=False,
            ),
            published="550M",
        ),
    )
