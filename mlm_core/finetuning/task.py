"""Fine-tuning as a task of the training loop: batches, losses, predictions.

    classes   loss = -log P(right class)
    answers   loss = (-log P(right start) - log P(right end)) / 2, over the passage's tokens
    tags      loss = mean of -log P(right tag) over the labelled subwords

A batch holds the ids and, unless all layers are trained, the states below the trained layers, which
were computed once. Each epoch has a different random order of the examples.

Source: Devlin et al. 2019, sections 4.1, 4.2 and 5.3; SLP3 sections 11.4 and 11.5.

Read before this: upper_layers.py; also encoded_examples.py. Read next: ../search/info_nce.py.
"""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass

import torch
from torch.nn import functional as F
from torch.nn.utils.rnn import pad_sequence

from mlm_core.encoder.attention import NEGATIVE_INFINITY
from mlm_core.encoder.bert import Bert
from mlm_core.encoder.language_model import pad_batch
from mlm_core.finetuning.encoded_examples import EncodedExample
from mlm_core.finetuning.states_on_disk import StatesOnDisk
from mlm_core.finetuning.upper_layers import UpperLayers
from mlm_core.labelled.examples import Kind
from mlm_core.masking.rule import IGNORED_LABEL
from mlm_core.shapes import Bool, Float, Int, Tensor
from mlm_core.training.loop import generator_of_step


@dataclass(frozen=True, eq=False, kw_only=True)
class FineTuneBatch:
    """Some examples, padded to the same length."""

    ids: Int[Tensor, "batch token"]
    segment_ids: Int[Tensor, "batch token"]
    not_padding: Bool[Tensor, "batch token"]
    may_answer: Bool[Tensor, "batch token"]
    labels: Int[Tensor, "batch label"]
    states: Float[Tensor, "batch token hidden"] | None  # below the trained layers


@dataclass(eq=False)
class FineTuneTask:
    """A task for train(); the batches are on `device`, the model's."""

    kind: Kind
    examples: Sequence[EncodedExample]
    states: Sequence[Float[Tensor, "_ hidden"]] | None  # of each example; None: no layer is frozen
    _: KW_ONLY
    padding_id: int
    batch_size: int
    seed: int
    device: torch.device | str = "cpu"

    @property
    def steps_an_epoch(self) -> int:
        """Return the number of batches that hold every example once."""
        return -(-len(self.examples) // self.batch_size)

    def batch(self, step: int, generator: torch.Generator) -> FineTuneBatch:
        """Return a step's examples in the epoch's order; `generator` isn't used."""
        n_examples = len(self.examples)
        return self.collect(numbers_of_step(step, n_examples, self.batch_size, self.seed))

    def collect(self, numbers: Sequence[int]) -> FineTuneBatch:
        """Return the examples of these numbers as one batch."""
        examples = [self.examples[i] for i in numbers]
        padded = pad_batch([example.text for example in examples], self.padding_id)
        labels = pad_sequence(
            [example.labels for example in examples], batch_first=True, padding_value=IGNORED_LABEL
        )
        may_answer = torch.zeros_like(padded.not_padding)
        if self.kind == "answers":
            may_answer[padded.not_padding] = torch.cat([e.may_answer for e in examples])
        states = None
        if self.states is not None:
            width = self.states[numbers[0]].shape[-1]
            states = torch.zeros(*padded.ids.shape, width, device=self.device)
            some = torch.cat([self.states[i] for i in numbers])
            states[padded.not_padding] = some.to(self.device)
        return FineTuneBatch(
            **padded.to(self.device)._asdict(),
            may_answer=may_answer.to(self.device),
            labels=labels.to(self.device),
            states=states,
        )

    def loss(
        self, model: UpperLayers, batch: FineTuneBatch
    ) -> tuple[Float[Tensor, ""], dict[str, Float[Tensor, ""]]]:
        """Return the loss of a batch, and no other measures."""
        return loss_of(self.kind, self.log_probabilities(model, batch), batch.labels), {}

    def log_probabilities(
        self, model: UpperLayers, batch: FineTuneBatch
    ) -> Float[Tensor, "batch *token class"]:
        """Return log P of the classes; for answers, of each token as start and as end."""
        states = batch.states
        if model.embeddings is not None:
            states = model.embeddings(batch.ids, batch.segment_ids)
        logits = model(states, batch.not_padding)
        return log_probabilities_of(self.kind, logits, batch.may_answer)

    def n_tokens(self, batch: FineTuneBatch) -> int:
        """Return the tokens of a batch, padding included."""
        return batch.ids.numel()


def numbers_of_step(step: int, n_examples: int, batch_size: int, seed: int) -> list[int]:
    """Return which examples are in the batch of a step; each epoch has an order of its own."""
    epoch, number = divmod(step, -(-n_examples // batch_size))
    shuffling = generator_of_step(seed, f"order of epoch {epoch}", "cpu")
    order = torch.randperm(n_examples, generator=shuffling).tolist()
    return order[number * batch_size : (number + 1) * batch_size]


def log_probabilities_of(
    kind: Kind, logits: Float[Tensor, "batch *token class"], may_answer: Bool[Tensor, "batch token"]
) -> Float[Tensor, "batch *token class"]:
    """Return the logarithm of the softmax: over classes, or over a passage's tokens."""
    if kind == "answers":
        logits = logits.masked_fill(~may_answer.unsqueeze(-1), NEGATIVE_INFINITY)
        return torch.log_softmax(logits, dim=1)
    return torch.log_softmax(logits, dim=-1)


def loss_of(
    kind: Kind,
    log_probabilities: Float[Tensor, "batch *token class"],
    labels: Int[Tensor, "batch label"],
) -> Float[Tensor, ""]:
    """Return the mean loss in nats; labels of -100 are ignored."""
    if kind == "classes":
        return F.nll_loss(log_probabilities, labels[:, 0])
    if kind == "answers":
        # Start and end are two classifications over the tokens.
        by_end = log_probabilities.transpose(1, 2).flatten(0, 1)
        return F.nll_loss(by_end, labels.flatten())
    return F.nll_loss(log_probabilities.flatten(0, 1), labels.flatten(), ignore_index=IGNORED_LABEL)


def predict(model: UpperLayers, task: FineTuneTask) -> Iterator[list[Float[Tensor, "... class"]]]:
    """Yield the log P of each batch's examples in order, without padding, on the CPU.

    For answers, log P of a token outside the passage is -inf.
    """
    model.eval()
    for first in range(0, len(task.examples), task.batch_size):
        numbers = range(first, min(first + task.batch_size, len(task.examples)))
        batch = task.collect(numbers)
        with torch.no_grad():
            found = task.log_probabilities(model, batch).cpu()
        if task.kind == "classes":
            yield list(found)
        else:
            yield [row[real] for row, real in zip(found, batch.not_padding.cpu(), strict=True)]
    model.train()


def frozen_states(
    bert: Bert, n_blocks: int, examples: Sequence[EncodedExample], batch_size: int
) -> Iterator[list[Float[Tensor, "_ hidden"]]]:
    """Yield the states of each batch's examples after the frozen layers, in order."""
    for first in range(0, len(examples), batch_size):
        texts = [example.text for example in examples[first : first + batch_size]]
        batch = pad_batch(texts, bert.config.padding_id)
        is_full = batch.not_padding.all()
        batch = batch.to(bert.device)
        not_padding = None if is_full else batch.not_padding
        with torch.no_grad():
            states = bert.last_states(batch.ids, batch.segment_ids, not_padding, n_layers=n_blocks)
        yield [row[: len(text.tokens)] for row, text in zip(states, texts, strict=True)]


def read_frozen(
    bert: Bert, n_blocks: int, examples: Sequence[EncodedExample], batch_size: int
) -> Generator[dict, None, StatesOnDisk]:
    """Return each example's states after the frozen layers; tell a run how many are read."""
    states, n_done = StatesOnDisk(), 0
    for part in frozen_states(bert, n_blocks, examples, batch_size):
        states.write(part)
        n_done += len(part)
        yield {"proportion_read": n_done / len(examples)}
    return states
