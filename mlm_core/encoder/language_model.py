"""A tokenizer and an encoder, behind one interface for all masked language models.

OwnModel runs a BERT in our encoder, with any mask and with every step of attention;
transformers_model.py runs all others. Several texts become one table, the shorter ones padded,
with ones for real tokens and zeros for padding:

    [CLS] the bank [SEP]                   1 1 1 1 0 0
    [CLS] we sat on a [SEP]                1 1 1 1 1 1

No token attends to padding, and the states computed at padding are ignored.

Source: google-research/bert, where the table of ones and zeros is called input_mask.

Read before this: checkpoints.py. Read next: ../masking/rule.py; also transformers_model.py,
pretrained.py.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, Protocol, runtime_checkable

import torch
from tokenizers import Tokenizer

from mlm_core.encoder.bert import Bert, Encoding
from mlm_core.encoder.model_list import MissingHeadError
from mlm_core.shapes import Bool, Float, Int, Tensor
from mlm_core.short_repr import short_repr
from mlm_core.text.tokens import TokenizedText


class PaddedBatch(NamedTuple):
    """Texts as one table, the shorter ones padded."""

    ids: Int[Tensor, "batch token"]
    segment_ids: Int[Tensor, "batch token"]
    not_padding: Bool[Tensor, "batch token"]  # false at padding

    def to(self, device: torch.device | str) -> "PaddedBatch":
        """Return the batch on a device."""
        return PaddedBatch(*(part.to(device) for part in self))


def pad_batch(texts: Sequence[TokenizedText], padding_id: int) -> PaddedBatch:
    """Return texts as tensors, with padding after the shorter ones.

    Raises ValueError if there is no text.
    """
    if not texts:
        raise ValueError("a batch of no texts: pass at least one")
    lengths = torch.tensor([len(text.tokens) for text in texts])
    not_padding = torch.arange(int(lengths.max())) < lengths[:, None]
    ids = torch.full(not_padding.shape, padding_id)
    ids[not_padding] = torch.tensor([id_ for text in texts for id_ in text.ids])
    segment_ids = torch.zeros_like(ids)
    segment_ids[not_padding] = torch.tensor(
        [segment for text in texts for segment in text.segment_ids]
    )
    return PaddedBatch(ids, segment_ids, not_padding)


# The attributes in a model's repr.
SHOWN = ("name", "architecture", "n_layers", "n_heads", "hidden_size", "max_tokens", "n_parameters")


@runtime_checkable
class MaskedLanguageModel(Protocol):
    """The interface of all models, whichever library runs them."""

    name: str
    tokenizer: Tokenizer
    architecture: str  # "bert", "roberta", ...
    n_layers: int
    n_heads: int
    hidden_size: int  # dimensions per token
    max_tokens: int  # the model's window
    n_parameters: int
    folder: Path | None  # where its files are, of one that is not bundled
    has_language_head: bool  # False: it gives states and attention, no words' probabilities
    # The first layer's module that reads its heads side by side, by name; "" if none is known.
    head_projection: str

    @property
    def bert(self) -> Bert | None:
        """Return our encoder, if it runs this model."""
        ...

    def to(self, device: torch.device | str) -> "MaskedLanguageModel":
        """Move the weights, in place, to a device."""
        ...

    @property
    def token_embedding(self) -> Float[Tensor, "vocabulary width"]:
        """Return the static input vectors; ALBERT's are narrower than its states."""
        ...

    def encode(
        self,
        text: TokenizedText,
        *,
        causal: bool = False,
        attention_mask: Bool[Tensor, "query key"] | None = None,
        record: bool = False,
    ) -> Encoding:
        """Return the states of one text (batch of 1). Masks need `bert`."""
        ...

    def encode_batch(self, texts: Sequence[TokenizedText], *, causal: bool = False) -> Encoding:
        """Return the states of several texts; ignore those at padding.

        A mask needs `bert`. Raises ValueError if there is no text, or one is longer than the
        window.
        """
        ...

    def states_at(
        self, texts: Sequence[TokenizedText], layer: int, positions: Int[Tensor, "text position"]
    ) -> Float[Tensor, "text position hidden"]:
        """Return one layer's states of several texts, at these positions of each."""
        ...

    def vocabulary_logits(
        self,
        text: TokenizedText,
        *,
        causal: bool = False,
        attention_mask: Bool[Tensor, "query key"] | None = None,
    ) -> Float[Tensor, "token vocabulary"]:
        """Return the masked-language logits at every position of one text.

        Raises MissingHeadError if the model has no such head.
        """
        ...

    def logits_of_states(
        self, states: Float[Tensor, "position hidden"], *, is_last: bool = True
    ) -> Float[Tensor, "position vocabulary"]:
        """Return what the masked-language head makes of states of the last layer, or a lower one.

        Of all of the last layer's it makes `vocabulary_logits`. Raises MissingHeadError without
        a head, MissingLensError if it can't be asked about states alone.
        """
        ...

    def logits_of_vectors(
        self, vectors: Float[Tensor, "batch token width"], text: TokenizedText, position: int
    ) -> Float[Tensor, "batch vocabulary"]:
        """Return the logits at a position, with other input vectors for the tokens of a text.

        Gradients flow back to the vectors. Raises MissingHeadError without a head.
        """
        ...


@short_repr(*SHOWN)
class OwnModel:
    """A BERT in our encoder."""

    def __init__(self, name: str, bert: Bert, tokenizer: Tokenizer) -> None:
        self.name, self.bert, self.tokenizer = name, bert, tokenizer
        self.architecture, self.folder = "bert", None
        self.n_layers, self.n_heads = bert.config.n_layers, bert.config.n_heads
        self.hidden_size, self.max_tokens = bert.config.hidden_size, bert.config.n_positions
        self.n_parameters = sum(parameter.numel() for parameter in bert.parameters())
        self.has_language_head = bert.config.has_masked_language_head
        self.head_projection = "blocks.0.attention.output"

    def to(self, device: torch.device | str) -> "OwnModel":
        """Move the weights, in place, to a device."""
        self.bert.to(device)
        return self

    @property
    def token_embedding(self) -> Float[Tensor, "vocabulary width"]:
        """Return the input vectors, one row for each vocabulary entry."""
        return self.bert.embeddings.token.weight.detach()

    @torch.inference_mode()
    def encode(
        self,
        text: TokenizedText,
        *,
        causal: bool = False,
        attention_mask: Bool[Tensor, "query key"] | None = None,
        record: bool = False,
    ) -> Encoding:
        """Return the states of one text (batch of 1), under any mask."""
        inputs = torch.tensor([[text.ids], [text.segment_ids]], device=self.bert.device)
        return self.bert.encode(
            *inputs, causal=causal, attention_mask=attention_mask, record=record
        )

    @torch.inference_mode()
    def encode_batch(self, texts: Sequence[TokenizedText], *, causal: bool = False) -> Encoding:
        """Return the states of several texts; ignore those at padding."""
        return self.bert.encode(*self._batch(texts), causal=causal)

    @torch.inference_mode()
    def states_at(
        self, texts: Sequence[TokenizedText], layer: int, positions: Int[Tensor, "text position"]
    ) -> Float[Tensor, "text position hidden"]:
        """Return one layer's states at these positions; the layers above are not run."""
        positions = positions.to(self.bert.device)
        return self.bert.last_states(*self._batch(texts), positions=positions, n_layers=layer)

    def _batch(
        self, texts: Sequence[TokenizedText]
    ) -> tuple[
        Int[Tensor, "text token"], Int[Tensor, "text token"], Bool[Tensor, "text token"] | None
    ]:
        batch = pad_batch(texts, self.bert.config.padding_id)
        is_full = batch.not_padding.all()
        batch = batch.to(self.bert.device)
        # Texts of one length need no mask, and torch's attention is faster without.
        return batch.ids, batch.segment_ids, None if is_full else batch.not_padding

    @torch.inference_mode()
    def vocabulary_logits(
        self,
        text: TokenizedText,
        *,
        causal: bool = False,
        attention_mask: Bool[Tensor, "query key"] | None = None,
    ) -> Float[Tensor, "token vocabulary"]:
        """Return the masked-language logits at every position of one text, under any mask.

        Raises MissingHeadError if the model has no such head.
        """
        if not self.has_language_head:
            raise MissingHeadError(self.name)
        inputs = torch.tensor([[text.ids], [text.segment_ids]], device=self.bert.device)
        states = self.bert.last_states(*inputs, causal=causal, attention_mask=attention_mask)
        return self.bert.masked_language_logits(states[0])

    @torch.inference_mode()
    def logits_of_states(
        self, states: Float[Tensor, "position hidden"], *, is_last: bool = True
    ) -> Float[Tensor, "position vocabulary"]:
        """Return what the head makes of states; BERT's are normalized in every layer."""
        if not self.has_language_head:
            raise MissingHeadError(self.name)
        return self.bert.masked_language_logits(states)

    def logits_of_vectors(
        self, vectors: Float[Tensor, "batch token width"], text: TokenizedText, position: int
    ) -> Float[Tensor, "batch vocabulary"]:
        """Return the logits at a position, with other input vectors for the tokens of a text."""
        if not self.has_language_head:
            raise MissingHeadError(self.name)
        segment_ids = torch.tensor([text.segment_ids] * len(vectors), device=vectors.device)
        states = self.bert.embeddings.add_to(vectors, segment_ids).normalized
        for block in self.bert.blocks:
            states, _ = block(states, None)
        return self.bert.masked_language_logits(states[:, position])
