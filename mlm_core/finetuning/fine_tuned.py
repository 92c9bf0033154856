"""A fine-tuned model, ready to predict: frozen layers, trained ones, a head.

    text -> frozen layers of the shared encoder -> trained layers -> head -> log P

Source: as heads.py. The numbers are those of transformers' classes with the same weights (tested).

Read before this: snapshot.py.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch

from mlm_core.encoder.bert import Bert
from mlm_core.encoder.language_model import OwnModel, pad_batch
from mlm_core.encoder.pretrained import bert_without_weights
from mlm_core.finetuning.encoded_examples import EncodedExample, Reading
from mlm_core.finetuning.heads import ClassHead, TokenHead, start_head
from mlm_core.finetuning.settings import FineTuneSettings
from mlm_core.finetuning.snapshot import FineTuneSnapshot, StoredWeights, TrainedWeights
from mlm_core.finetuning.task import log_probabilities_of
from mlm_core.finetuning.upper_layers import TrainedLayers, UpperLayers
from mlm_core.labelled.examples import Dataset
from mlm_core.pretraining.starting_weights import BERT_START, set_starting_weights
from mlm_core.shapes import Bool, Float, Int, Tensor
from mlm_core.short_repr import short_repr
from mlm_core.tagging.bio_tags import tags_of
from mlm_core.text.tokens import TokenizedText, tokenize
from mlm_core.training.loop import generator_of_step


@short_repr()
@dataclass(frozen=True, eq=False, kw_only=True)
class FineTuned:
    """A model that predicts. `upper` is in evaluation mode and never changed."""

    settings: FineTuneSettings
    dataset: Dataset  # that it was trained on
    encoder: OwnModel  # of the frozen layers
    upper: UpperLayers

    @property
    def classes(self) -> tuple[str, ...]:
        """Return the names of the head's outputs."""
        return head_classes(self.dataset, self.settings)

    @property
    def reading(self) -> Reading:
        """Return the settings by which examples are encoded for this model."""
        return reading_of(self.encoder, self.dataset, self.settings)

    @torch.inference_mode()
    def states(self, text: TokenizedText) -> Float[Tensor, "token hidden"]:
        """Return the states of one text that the head reads."""
        return self._states([text])[0][0]

    @torch.inference_mode()
    def logits(self, text: TokenizedText) -> Float[Tensor, "*token class"]:
        """Return the head's logits for one text (classes), or for each of its tokens."""
        return self.logits_of([text])[0]

    @torch.inference_mode()
    def logits_of(self, texts: Sequence[TokenizedText]) -> Float[Tensor, "text *token class"]:
        """Return the head's logits for texts that are read together, the shorter ones padded."""
        return self.upper.head(*self._states(texts))

    def _states(
        self, texts: Sequence[TokenizedText]
    ) -> tuple[Float[Tensor, "text token hidden"], Bool[Tensor, "text token"]]:
        """Return the states of texts that the head reads, and where there is no padding."""
        bert = self.encoder.bert
        ids, segments, not_padding = pad_batch(texts, bert.config.padding_id).to(bert.device)
        if self.upper.embeddings is not None:
            states = self.upper.embeddings(ids, segments)
        else:
            mask = None if not_padding.all() else not_padding
            states = bert.last_states(ids, segments, mask, n_layers=self.upper.n_frozen)
        return self.upper.last_states(states, not_padding), not_padding

    @torch.inference_mode()
    def pooled(self, text: TokenizedText) -> Float[Tensor, " hidden"]:
        """Return the vector that is classified. Raises ValueError for a token head."""
        if isinstance(self.upper.head, TokenHead):
            raise ValueError("this model reads every token by itself: there is no one vector")
        return self.upper.head.pool(*self._states([text]))[0]

    def class_log_probabilities(
        self, text: str, pair: str | None = None
    ) -> Float[Tensor, " class"]:
        """Return log P of each class of a text, or a pair."""
        return torch.log_softmax(self.logits(self.read(text, pair)), dim=-1)

    def answer_log_probabilities(self, text: TokenizedText) -> Float[Tensor, "token end"]:
        """Return log P of each token as start and end; -inf outside the passage."""
        example = EncodedExample(text=text, labels=torch.empty(0, dtype=torch.long))
        logits = self.logits(text).unsqueeze(0)
        may_answer = example.may_answer.unsqueeze(0).to(logits.device)
        return log_probabilities_of("answers", logits, may_answer)[0]

    def tag_log_probabilities(self, text: TokenizedText) -> Float[Tensor, "subword tag"]:
        """Return log P of each tag at each subword."""
        return torch.log_softmax(self.logits(text), dim=-1)

    def read(self, text: str, pair: str | None = None) -> TokenizedText:
        """Tokenize a text, or a pair, truncated to the model's window."""
        tokenizer, window = self.encoder.tokenizer, self.encoder.max_tokens
        return tokenize(tokenizer, text, pair, max_tokens=window)


def head_classes(dataset: Dataset, settings: FineTuneSettings) -> tuple[str, ...]:
    """Return the names of the head's outputs: classes, tags, or start and end."""
    if dataset.kind == "answers":
        return "start", "end"
    return tags_of(dataset.classes, settings.scheme) if dataset.kind == "tags" else dataset.classes


def reading_of(encoder: OwnModel, dataset: Dataset, settings: FineTuneSettings) -> Reading:
    """Return the settings by which examples of this data are encoded."""
    return Reading(
        tokenizer=encoder.tokenizer,
        max_tokens=encoder.max_tokens,
        classes=head_classes(dataset, settings),
        scheme=settings.scheme,
        labelling=settings.labelling,
    )


def training_data(dataset: Dataset, settings: FineTuneSettings) -> Dataset:
    """Return the data of a run: `n_examples` of the training part, drawn by the seed."""
    if settings.n_examples is None:
        return dataset
    rng = generator_of_step(settings.seed, "examples", "cpu")
    return dataset.fewer(settings.n_examples, rng)


def make_upper(
    bert: Bert,
    dataset: Dataset,
    settings: FineTuneSettings,
    used_ids: Int[Tensor, " used"] | None,
) -> UpperLayers:
    """Return the part that is trained, as it is before the first step."""
    width, n_classes = bert.config.hidden_size, len(head_classes(dataset, settings))
    if dataset.kind == "classes":
        head = ClassHead(width, n_classes, settings.pooling)
    else:
        head = TokenHead(width, n_classes)
    n_all = bert.config.n_layers
    n_trained, n_read = settings.n_trained_layers(n_all), settings.n_read(n_all)
    upper = UpperLayers(bert, n_trained, head, used_ids, n_read)
    start_head(upper.head, bert, generator_of_step(settings.seed, "head", "cpu"))
    return upper


def starting_bert(encoder: OwnModel, settings: FineTuneSettings) -> Bert:
    """Return the encoder, or one of the same sizes with BERT's random starting weights.

    No head attends to a neighbour in advance, as the heads that pretraining starts with do.
    """
    if settings.start == "pretrained":
        return encoder.bert
    bert = bert_without_weights(replace(encoder.bert.config, has_next_sentence_head=False))
    generator = generator_of_step(settings.seed, "starting weights", "cpu")
    set_starting_weights(bert, BERT_START, generator)
    return bert.to(encoder.bert.device).eval().requires_grad_(False)


def fine_tuned(snapshot: FineTuneSnapshot, encoder: OwnModel) -> FineTuned:
    """Return the model of a snapshot; `encoder` is the one it was trained from.

    Raises ValueError if there is none yet, or its weights belong to another encoder.
    """
    if snapshot.weights is None or snapshot.dataset is None:
        raise ValueError("this run has no model yet: wait until its first test")
    settings, dataset = snapshot.settings, snapshot.dataset
    bert, weights = starting_bert(encoder, settings), snapshot.weights
    if isinstance(weights, StoredWeights):
        upper = make_upper(bert, dataset, settings, None)
        _add_changes(upper, weights)
    else:
        upper = make_upper(bert, dataset, settings, weights.used_ids)
        set_trained(upper, weights)
    upper.eval().requires_grad_(False)
    return FineTuned(settings=settings, dataset=dataset, encoder=encoder, upper=upper)


@torch.no_grad()
def set_trained(upper: TrainedLayers, weights: TrainedWeights) -> None:
    """Set the weights of the trained part. Raises ValueError if they don't fit."""
    for parameter, part in _parts(upper, np.frombuffer(weights.numbers, np.float16)):
        parameter.copy_(torch.from_numpy(part.astype(np.float32)).view_as(parameter))


@torch.no_grad()
def _add_changes(upper: UpperLayers, weights: StoredWeights) -> None:
    """Add a stored run's weight changes to the start, and round the sums to float16.

    Raises ValueError if the file's changes don't fit.
    """
    with np.load(weights.file, allow_pickle=False) as archive:
        changes, scales = archive["moves"], archive["scales"].tolist()
    for (parameter, part), scale in zip(_parts(upper, changes), scales, strict=True):
        change = torch.from_numpy(part.astype(np.float32)).view_as(parameter).to(parameter.device)
        parameter.add_(change, alpha=scale)
        parameter.copy_(parameter.half())


def _parts(
    upper: TrainedLayers, numbers: np.ndarray
) -> Iterator[tuple[torch.nn.Parameter, np.ndarray]]:
    """Yield each tensor of the trained part with its numbers."""
    sizes = [parameter.numel() for parameter in upper.parameters()]
    if len(numbers) != sum(sizes):
        raise ValueError(
            f"{len(numbers):,} weights for a model of {sum(sizes):,}: they belong to another"
            " encoder or other settings"
        )
    yield from zip(upper.parameters(), np.split(numbers, np.cumsum(sizes)[:-1]), strict=True)
