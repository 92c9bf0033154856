"""BERT in full, small enough to read: embeddings, encoder blocks, two heads.

    ids -> token + position + segment embedding -> LayerNorm            [batch, token, hidden]
        -> n_layers times: attention, add, LayerNorm; feed-forward, add, LayerNorm
        -> masked-language head (a distribution over the vocabulary at each chosen position)
        -> next-sentence head (does B follow A?), from [CLS] alone

Source: Devlin et al. 2019; SLP3 chapter 11; the arithmetic of google-research/bert. Every
parameter maps one to one onto transformers' BertForPreTraining
(parameter_names.py), and with the same weights both give the same numbers.
Departs: a `causal` switch (and any other mask) on the same weights, which BERT itself does not
have; the masked-language head and the last layer can run on the chosen positions only, which
saves most of the time. Code that only saves time or memory is in fast_paths.py.

Read before this: attention.py. Read next: checkpoints.py; also block_steps.py, cost.py.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import NamedTuple, cast

import torch
from torch import nn
from torch.nn import functional as F

from mlm_core.encoder.attention import AttentionSteps, attend, causal_mask, padding_mask
from mlm_core.encoder.fast_paths import (
    attention_output,
    empty_table,
    rows_of_mask,
    states_at_positions,
)
from mlm_core.encoder.model_list import MissingHeadError
from mlm_core.ranges import refuse_counts, refuse_rates
from mlm_core.shapes import Bool, Float, Int, Tensor
from mlm_core.short_repr import short_repr

LARGEST_COUNT = 10_000_000  # no published encoder has more of anything


@dataclass(frozen=True, kw_only=True)
class BertConfig:
    """The sizes that define an encoder. Defaults are BERT-base's."""

    vocabulary_size: int = 30_522  # entries
    hidden_size: int = 768  # dimensions per token
    n_layers: int = 12
    n_heads: int = 12
    intermediate_size: int = 3072  # width of the feed-forward layer
    n_positions: int = 512  # tokens; a longer text does not fit
    n_segments: int = 2
    dropout_rate: float = 0.1  # proportion of values zeroed in training
    layer_norm_epsilon: float = 1e-12
    initializer_range: float = 0.02  # standard deviation of the initial weights
    padding_id: int = 0
    has_masked_language_head: bool = True  # sentence encoders are saved without it
    has_next_sentence_head: bool = True  # some checkpoints were saved without it

    def __post_init__(self) -> None:
        """Refuse impossible sizes."""
        counts = ("vocabulary_size", "hidden_size", "n_layers", "n_heads", "intermediate_size")
        counts += ("n_positions", "n_segments")
        refuse_counts(self, dict.fromkeys(counts, (1, LARGEST_COUNT)))
        refuse_rates(self, "dropout_rate", "layer_norm_epsilon", "initializer_range")
        if self.hidden_size % self.n_heads:
            raise ValueError(
                f"hidden_size {self.hidden_size} does not divide into {self.n_heads} heads:"
                " choose a hidden_size that is a multiple of n_heads"
            )

    @property
    def head_size(self) -> int:
        """Return d_k, the dimensions of each head."""
        return self.hidden_size // self.n_heads


class EmbeddingSteps(NamedTuple):
    """The three summands of a token's input vector, their sum, and its LayerNorm."""

    token: Float[Tensor, "batch token hidden"]
    position: Float[Tensor, "batch token hidden"]
    segment: Float[Tensor, "batch token hidden"]
    total: Float[Tensor, "batch token hidden"]
    normalized: Float[Tensor, "batch token hidden"]


@short_repr()
@dataclass(frozen=True, kw_only=True)
class Encoding:
    """The states of a batch of texts after each layer.

    `states[0]` is the embedding output, `states[i]` the output of layer i: a model of 12
    layers has 13 states. `weights[i]` are the attention weights of layer i + 1, `attention[i]`
    all steps to them. Both are empty unless recorded; transformers gives no `attention`.
    """

    states: tuple[Float[Tensor, "batch token hidden"], ...]
    weights: tuple[Float[Tensor, "batch head query key"], ...] = ()
    attention: tuple[AttentionSteps, ...] = ()

    @property
    def last(self) -> Float[Tensor, "batch token hidden"]:
        """Return the output of the last layer, h in the textbook."""
        return self.states[-1]


class Embeddings(nn.Module):
    """Turns ids into input vectors.

    Source: SLP3 section 11.2.2; Devlin et al. 2019, Fig 2.
    """

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.token = empty_table(config.vocabulary_size, config.hidden_size)
        self.position = empty_table(config.n_positions, config.hidden_size)
        self.segment = empty_table(config.n_segments, config.hidden_size)
        self.last_segment = config.n_segments - 1
        self.norm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_epsilon)
        self.dropout = nn.Dropout(config.dropout_rate)

    def steps(
        self, ids: Int[Tensor, "batch token"], segment_ids: Int[Tensor, "batch token"]
    ) -> EmbeddingSteps:
        """Return each summand, the sum and the normalized sum."""
        return self.add_to(self.token(ids), segment_ids)

    def add_to(
        self, token: Float[Tensor, "batch token hidden"], segment_ids: Int[Tensor, "batch token"]
    ) -> EmbeddingSteps:
        """Return the same for token vectors, which need not be those of the vocabulary."""
        # A model of one segment reads both texts of a pair as that one.
        segment = self.segment(segment_ids.clamp(max=self.last_segment))
        position = self.position.weight[: token.shape[1]].expand_as(token)
        total = token + position + segment
        return EmbeddingSteps(token, position, segment, total, self.norm(total))

    def forward(
        self, ids: Int[Tensor, "batch token"], segment_ids: Int[Tensor, "batch token"]
    ) -> Float[Tensor, "batch token hidden"]:
        """Return the normalized sum of the three embeddings."""
        return self.dropout(self.steps(ids, segment_ids).normalized)


class SelfAttention(nn.Module):
    """Multi-head self-attention: a query, key and value projection for each head."""

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.n_heads, self.head_size = config.n_heads, config.head_size
        self.query = nn.Linear(config.hidden_size, config.hidden_size)
        self.key = nn.Linear(config.hidden_size, config.hidden_size)
        self.value = nn.Linear(config.hidden_size, config.hidden_size)
        self.output = nn.Linear(config.hidden_size, config.hidden_size)
        self.dropout_rate = config.dropout_rate

    def forward(
        self,
        states: Float[Tensor, "batch key hidden"],
        attention_mask: Bool[Tensor, "*mask query key"] | None,
        record: bool,
        query_states: Float[Tensor, "batch query hidden"] | None = None,
        positions: Int[Tensor, "batch query"] | None = None,
    ) -> tuple[Float[Tensor, "batch query hidden"], AttentionSteps | None]:
        """Return the heads' joint output, and the steps if `record`.

        `query_states` are the states that queries are made from, all by default, and `positions`
        where in the text they are.
        """
        query_states = states if query_states is None else query_states
        query, key, value = (
            projected.unflatten(-1, (self.n_heads, self.head_size)).transpose(1, 2)
            for projected in (self.query(query_states), self.key(states), self.value(states))
        )
        query, key = self.turn(query, key, positions)
        steps, dropout_rate = None, self.dropout_rate if self.training else 0.0
        if record:
            steps = attend(query, key, value, attention_mask)
            heads = steps.output
        else:  # the same numbers (tested), without the steps
            heads = attention_output(query, key, value, attention_mask, dropout_rate)
        return self.output(heads.transpose(1, 2).flatten(-2)), steps

    def turn(
        self,
        query: Float[Tensor, "batch head query head_size"],
        key: Float[Tensor, "batch head key head_size"],
        positions: Int[Tensor, "batch query"] | None,
    ) -> tuple[
        Float[Tensor, "batch head query head_size"], Float[Tensor, "batch head key head_size"]
    ]:
        """Return both as they are: in BERT, positions are in the states (modern.py has others)."""
        return query, key


class EncoderBlock(nn.Module):
    """One layer: attention, then a feed-forward net, each added and normalized."""

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.attention = SelfAttention(config)
        epsilon = config.layer_norm_epsilon
        self.attention_norm: nn.Module = nn.LayerNorm(config.hidden_size, eps=epsilon)
        self.inner = nn.Linear(config.hidden_size, config.intermediate_size)
        self.outer = nn.Linear(config.intermediate_size, config.hidden_size)
        self.feed_forward_norm: nn.Module = nn.LayerNorm(config.hidden_size, eps=epsilon)
        self.dropout = nn.Dropout(config.dropout_rate)

    def forward(
        self,
        states: Float[Tensor, "batch token hidden"],
        attention_mask: Bool[Tensor, "*mask query key"] | None,
        record: bool = False,
        positions: Int[Tensor, "batch position"] | None = None,
    ) -> tuple[Float[Tensor, "batch _ hidden"], AttentionSteps | None]:
        """Return the layer's output states, and the attention steps if recorded.

        With `positions`, only the states at these positions of each text; they look at all others.
        """
        query_states = states
        if positions is not None:
            query_states = states_at_positions(states, positions)
            attention_mask = rows_of_mask(attention_mask, positions)
        attended, steps = self.attention(states, attention_mask, record, query_states)
        states = self.attention_norm(query_states + self.dropout(attended))
        fed_forward = self.outer(F.gelu(self.inner(states)))
        return self.feed_forward_norm(states + self.dropout(fed_forward)), steps


class MaskedLanguageHead(nn.Module):
    """Scores every vocabulary entry: u = LayerNorm(GELU(h W + b)) E^T + b'.

    E is the token embedding itself (weight tying), so the head owns only W, b, b' and its
    LayerNorm. Source: SLP3 Eq 11.3; google-research/bert for the transform before E^T.
    """

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.transform = nn.Linear(config.hidden_size, config.hidden_size)
        self.norm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_epsilon)
        self.bias = nn.Parameter(torch.zeros(config.vocabulary_size))

    def forward(
        self,
        states: Float[Tensor, "*position hidden"],
        token_embedding: Float[Tensor, "vocabulary hidden"],
    ) -> Float[Tensor, "*position vocabulary"]:
        """Return the logits u over the vocabulary."""
        return F.linear(self.norm(F.gelu(self.transform(states))), token_embedding, self.bias)


class NextSentenceHead(nn.Module):
    """Scores a pair from [CLS]: class 0 "B follows A", class 1 "B is random".

    Source: Devlin et al. 2019, section 3.1; SLP3 section 11.2.2. The tanh layer before the
    classifier (BERT's "pooler") is not in the textbook's formula h_CLS W_NSP, but in BERT.
    """

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.pooler = nn.Linear(config.hidden_size, config.hidden_size)
        self.classifier = nn.Linear(config.hidden_size, 2)

    def forward(self, states: Float[Tensor, "batch token hidden"]) -> Float[Tensor, "batch 2"]:
        """Return the two logits of each pair."""
        return self.classifier(torch.tanh(self.pooler(states[:, 0])))


class Bert(nn.Module):
    """The encoder with both pretraining heads."""

    def __init__(self, config: BertConfig, generator: torch.Generator | None = None) -> None:
        """Draw the weights as BERT's, by `generator` or torch's global one."""
        super().__init__()
        self.config = config
        self.embeddings = Embeddings(config)
        blocks = nn.ModuleList(EncoderBlock(config) for _ in range(config.n_layers))
        # torch's own type of a ModuleList doesn't say of what.
        self.blocks = cast("Sequence[EncoderBlock]", blocks)
        self.masked_language_head = (
            MaskedLanguageHead(config) if config.has_masked_language_head else None
        )
        self.next_sentence_head = (
            NextSentenceHead(config) if config.has_next_sentence_head else None
        )
        for module in self.modules():
            self._initialize(module, generator)

    @property
    def device(self) -> torch.device:
        """Return where the weights are; ids and masks are made there."""
        return self.embeddings.token.weight.device

    def _initialize(self, module: nn.Module, generator: torch.Generator | None) -> None:
        weight = getattr(module, "weight", None)
        if weight is None or weight.is_meta:
            return  # sizes only; and a normal draw without memory would import 76 MB of torch
        if isinstance(module, nn.Linear | nn.Embedding):
            nn.init.normal_(module.weight, std=self.config.initializer_range, generator=generator)
        if isinstance(module, nn.Linear):
            nn.init.zeros_(module.bias)

    def encode(
        self,
        ids: Int[Tensor, "batch token"],
        segment_ids: Int[Tensor, "batch token"] | None = None,
        not_padding: Bool[Tensor, "batch token"] | None = None,
        *,
        causal: bool = False,
        attention_mask: Bool[Tensor, "*mask query key"] | None = None,
        record: bool = False,
    ) -> Encoding:
        """Return the states after each layer, with the attention steps if `record`.

        `not_padding` is false at padding. `causal` blocks what stands to the right.
        `attention_mask` is any further mask, one for all texts or one a text; all that are given
        hold at once. Raises ValueError if the text is longer than the model's window.
        """
        states, recorded = [], []
        for state, steps in self._run(
            ids, segment_ids, not_padding, causal, attention_mask, record
        ):
            states.append(state)
            if steps is not None:
                recorded.append(steps)
        return Encoding(
            states=tuple(states),
            weights=tuple(steps.weights for steps in recorded),
            attention=tuple(recorded),
        )

    def last_states(
        self,
        ids: Int[Tensor, "batch token"],
        segment_ids: Int[Tensor, "batch token"] | None = None,
        not_padding: Bool[Tensor, "batch token"] | None = None,
        *,
        causal: bool = False,
        attention_mask: Bool[Tensor, "*mask query key"] | None = None,
        positions: Int[Tensor, "batch position"] | None = None,
        n_layers: int | None = None,
    ) -> Float[Tensor, "batch _ hidden"]:
        """Return the last layer's states alone; large batches are faster without others.

        Takes what `encode` takes, with the same errors. With `positions`, the last layer computes
        the states at these positions of each text only. Where a sixth of the positions is chosen,
        a training step that computes them all takes 1.2 times as long, measured at 2 layers and
        at 4. With `n_layers`, only the first so many layers run; 0 gives the embedding output.
        Raises ValueError if there are not so many layers.
        """
        n_layers = self.config.n_layers if n_layers is None else n_layers
        if not 0 <= n_layers <= self.config.n_layers:
            raise ValueError(f"{n_layers} layers: this model has {self.config.n_layers}")
        # Only two states are kept at a time, so that their memory is reused while in the cache.
        masks = (not_padding, causal, attention_mask)
        run = self._run(ids, segment_ids, *masks, False, positions, n_layers)
        return deque(run, maxlen=1)[0][0]

    def _run(
        self,
        ids: Int[Tensor, "batch token"],
        segment_ids: Int[Tensor, "batch token"] | None,
        not_padding: Bool[Tensor, "batch token"] | None,
        causal: bool,
        attention_mask: Bool[Tensor, "*mask query key"] | None,
        record: bool,
        positions: Int[Tensor, "batch position"] | None = None,
        n_layers: int | None = None,
    ) -> Iterator[tuple[Float[Tensor, "batch _ hidden"], AttentionSteps | None]]:
        """Yield the embedding output, then each layer's states with its attention steps.

        The last states are those at `positions`, if given.
        """
        n_tokens = ids.shape[1]
        if n_tokens > self.config.n_positions:
            raise ValueError(
                f"{n_tokens} tokens, but this model has positions for"
                f" {self.config.n_positions}: shorten the text"
            )
        if segment_ids is None:
            segment_ids = torch.zeros_like(ids)
        mask = self._join_masks(n_tokens, ids.device, not_padding, causal, attention_mask)
        state, blocks = self.embeddings(ids, segment_ids), self.blocks[:n_layers]
        if positions is not None and n_layers == 0:
            state = states_at_positions(state, positions)
        yield state, None
        for number, block in enumerate(blocks, 1):
            is_last = number == len(blocks)
            state, steps = block(state, mask, record, positions if is_last else None)
            yield state, steps

    @staticmethod
    def _join_masks(
        n_tokens: int,
        device: torch.device,
        not_padding: Bool[Tensor, "batch token"] | None,
        causal: bool,
        attention_mask: Bool[Tensor, "*mask query key"] | None,
    ) -> Bool[Tensor, "..."] | None:
        """Return all masks in one, ready to broadcast over [batch, head, query, key]."""
        masks = []
        if not_padding is not None:
            masks.append(padding_mask(not_padding).unsqueeze(1))
        if causal:
            masks.append(causal_mask(n_tokens, device=device))
        if attention_mask is not None:
            masks.append(attention_mask.to(device).unsqueeze(-3))
        return reduce(torch.logical_and, masks) if masks else None

    def masked_language_logits(
        self, states: Float[Tensor, "*position hidden"]
    ) -> Float[Tensor, "*position vocabulary"]:
        """Return the logits over the vocabulary; pass only the positions that count.

        Raises MissingHeadError if the checkpoint came without this head.
        """
        if self.masked_language_head is None:
            raise MissingHeadError("BERT")
        return self.masked_language_head(states, self.embeddings.token.weight)

    def next_sentence_logits(
        self, states: Float[Tensor, "batch token hidden"]
    ) -> Float[Tensor, "batch 2"]:
        """Return the logits of "B follows A" and "B is random".

        Raises ValueError if the checkpoint came without this head.
        """
        if self.next_sentence_head is None:
            raise ValueError(
                "this model has no next-sentence head: choose one that was pretrained with it,"
                " such as a bundled model"
            )
        return self.next_sentence_head(states)
