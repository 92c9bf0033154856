"""Masked language models other than BERT, run by transformers.

transformers does not return queries, keys and values, so there is no mask switch and no step of
attention to show.

Read before this: language_model.py, fetching.py.
"""

from collections.abc import Sequence
from copy import copy
from typing import TYPE_CHECKING

import torch
from tokenizers import Tokenizer
from torch.nn.functional import pad

from mlm_core.encoder.bert import Encoding
from mlm_core.encoder.fast_paths import states_at_positions
from mlm_core.encoder.fetching import ModelUnavailableError
from mlm_core.encoder.language_model import SHOWN, pad_batch
from mlm_core.encoder.model_list import (
    LONGEST_WINDOW,
    MissingHeadError,
    MissingLensError,
    MissingWeightsError,
)
from mlm_core.shapes import Bool, Float, Int, Tensor
from mlm_core.short_repr import short_repr
from mlm_core.text.tokens import TokenizedText

if TYPE_CHECKING:
    from transformers import PreTrainedModel
    from transformers.utils import ModelOutput


@short_repr(*SHOWN)
class TransformersModel:
    """A model that transformers runs."""

    bert = None

    def __init__(
        self,
        name: str,
        model: "PreTrainedModel",
        tokenizer: Tokenizer,
        *,
        has_language_head: bool = True,
    ) -> None:
        """Take a model of a masked-language class; without its head, that one is random."""
        from transformers.modeling_outputs import BaseModelOutput

        config = model.config
        self.has_language_head = has_language_head
        self.name, self.model, self.tokenizer = name, model, tokenizer
        self.architecture, self.folder = config.model_type, None
        self.n_layers = config.num_hidden_layers
        # FNet has no attention, so its config names no heads.
        self.n_heads = getattr(config, "num_attention_heads", 0)
        self.has_attention_weights = self.n_heads > 0
        self.hidden_size = config.hidden_size
        # Funnel's positions are relative, so its config names no window.
        n_positions = getattr(config, "max_position_embeddings", LONGEST_WINDOW)
        self.max_tokens = min(n_positions - _n_lost_positions(model), LONGEST_WINDOW)
        self.n_parameters = model.num_parameters()
        self.n_entries = tokenizer.get_vocab_size()
        # False: what it computes for a text changes with the padding behind it (MobileBERT joins
        # each token's vector with its neighbours'), so each text is run alone.
        self.takes_padding = True
        # The module that reads a layer's heads, what normalizes the last layer's state, by name,
        # and the class of what the encoder returns; trial.py finds these, and tries the head on
        # states, and the encoder on vectors.
        self.head_projection = ""
        self.last_norms: tuple[str, ...] = ()
        self.output_class: type[ModelOutput] = BaseModelOutput
        self.has_lens = True
        self.takes_vectors = True
        self._takes_segments = getattr(config, "type_vocab_size", 0) > 1
        self._padding_id = getattr(config, "pad_token_id", None) or 0

    def to(self, device: torch.device | str) -> "TransformersModel":
        """Move the weights, in place, to a device."""
        self.model.to(device)
        return self

    @property
    def token_embedding(self) -> Float[Tensor, "vocabulary width"]:
        """Return the input vectors, one row for each vocabulary entry."""
        weight = self.model.get_input_embeddings().weight
        assert isinstance(weight, torch.Tensor)
        return weight.detach()[: self.n_entries]

    @torch.inference_mode()
    def _run(self, texts: Sequence[TokenizedText], **options: bool) -> dict:
        batch = pad_batch(texts, self._padding_id)
        if batch.ids.shape[1] > self.max_tokens:
            raise ValueError(
                f"{batch.ids.shape[1]} tokens, but this model has positions for"
                f" {self.max_tokens}: shorten the text"
            )
        is_full = batch.not_padding.all()
        batch = batch.to(self.model.device)
        inputs = {"input_ids": batch.ids}
        if self._takes_segments:
            inputs["token_type_ids"] = batch.segment_ids
        if not is_full:
            inputs["attention_mask"] = batch.not_padding.long()
        return self.model(**inputs, **options)

    def encode(
        self,
        text: TokenizedText,
        *,
        causal: bool = False,
        attention_mask: Bool[Tensor, "query key"] | None = None,
        record: bool = False,
    ) -> Encoding:
        """Return the states of one text (batch of 1) and the weights if recorded.

        Raises ModelUnavailableError if there is a mask, MissingWeightsError if it has no weights
        to record, ValueError if the text is too long.
        """
        self._refuse_masks(causal, attention_mask)
        if record and not self.has_attention_weights:
            raise MissingWeightsError(self.name)
        output = self._run([text], output_hidden_states=True, output_attentions=record)
        return Encoding(
            states=tuple(output["hidden_states"]),
            weights=tuple(output["attentions"]) if record else (),
        )

    def encode_batch(self, texts: Sequence[TokenizedText], *, causal: bool = False) -> Encoding:
        """Return the states of several texts; ignore those at padding.

        Raises ModelUnavailableError if there is a mask.
        """
        self._refuse_masks(causal, None)
        if self.takes_padding:
            return Encoding(
                states=tuple(self._run(texts, output_hidden_states=True)["hidden_states"])
            )
        alone = [self.encode(text).states for text in texts]
        longest = max((len(text.tokens) for text in texts), default=0)
        return Encoding(
            states=tuple(
                torch.cat([pad(state, (0, 0, 0, longest - state.shape[1])) for state in layer])
                for layer in zip(*alone, strict=True)
            )
        )

    def states_at(
        self, texts: Sequence[TokenizedText], layer: int, positions: Int[Tensor, "text position"]
    ) -> Float[Tensor, "text position hidden"]:
        """Return one layer's states of several texts, at these positions of each."""
        states = self.encode_batch(texts).states[layer]
        return states_at_positions(states, positions.to(states.device))

    def vocabulary_logits(
        self,
        text: TokenizedText,
        *,
        causal: bool = False,
        attention_mask: Bool[Tensor, "query key"] | None = None,
    ) -> Float[Tensor, "token vocabulary"]:
        """Return the masked-language logits at every position of one text.

        Raises ModelUnavailableError if there is a mask, MissingHeadError without a head.
        """
        if not self.has_language_head:
            raise MissingHeadError(self.name)
        self._refuse_masks(causal, attention_mask)
        # A table padded to a multiple of 64 has rows beyond the vocabulary's entries.
        return self._run([text])["logits"][0, :, : self.n_entries]

    @torch.inference_mode()
    def logits_of_states(
        self, states: Float[Tensor, "position hidden"], *, is_last: bool = True
    ) -> Float[Tensor, "position vocabulary"]:
        """Return what the head makes of states.

        ModernBERT normalizes after its last layer only; so lower states are normalized here.
        Each architecture has its head elsewhere, so the model runs, on an encoder that returns
        the given states. Model and encoder are shallow copies: visitors share the model.
        Raises MissingHeadError without a head, MissingLensError where that gives something else.
        """
        if not self.has_language_head:
            raise MissingHeadError(self.name)
        if not self.has_lens:
            raise MissingLensError(self.name)
        model, encoder = copy(self.model), copy(self.model.base_model)
        for norm in () if is_last else self.last_norms:
            states = encoder.get_submodule(norm)(states)
        encoder.forward = lambda *_, **__: self.output_class(last_hidden_state=states[None])
        model._modules = {**model._modules, model.base_model_prefix: encoder}
        ids = torch.zeros(1, len(states), dtype=torch.long, device=states.device)
        return model(input_ids=ids)["logits"][0, :, : self.n_entries]

    def logits_of_vectors(
        self, vectors: Float[Tensor, "batch token width"], text: TokenizedText, position: int
    ) -> Float[Tensor, "batch vocabulary"]:
        """Return the logits at a position, with other input vectors for the tokens of a text.

        Gradients flow back to the vectors. Raises MissingHeadError without a head,
        ModelUnavailableError for an architecture that takes tokens alone, such as ESMC, or
        predicts something else from vectors, such as ESM, which scales what is masked.
        """
        if not self.has_language_head:
            raise MissingHeadError(self.name)
        if not self.takes_vectors:
            raise ModelUnavailableError(
                f"{self.name} predicts nothing, or something else, from vectors in place of tokens,"
                " so no word can be attributed and no state replaced: choose another architecture,"
                " such as a bundled model's"
            )
        inputs = {"inputs_embeds": vectors}
        if self._takes_segments:
            segment_ids = [text.segment_ids] * len(vectors)
            inputs["token_type_ids"] = torch.tensor(segment_ids, device=vectors.device)
        return self.model(**inputs)["logits"][:, position, : self.n_entries]

    def _refuse_masks(self, causal: bool, attention_mask: Bool[Tensor, "query key"] | None) -> None:
        if causal or attention_mask is not None:
            raise ModelUnavailableError(
                f"{self.name} runs through transformers, which has no mask switch for it:"
                " choose a model of BERT's own architecture, such as a bundled one"
            )


def _n_lost_positions(model: "PreTrainedModel") -> int:
    """Return how many rows of the position table belong to no token.

    RoBERTa and its relatives number positions from the padding id + 1; their table of positions
    has a padding row.
    """
    for name, module in model.named_modules():
        row = getattr(module, "padding_idx", None)
        if name.endswith("position_embeddings") and isinstance(row, int):
            return row + 1
    return 0
