"""The core runs where its model is: on torch's meta device, and on a GPU where there is one.

A tensor on the meta device has a shape and no numbers. A guard looks at every operation of torch
there: one that takes tensors of the meta device and of the CPU together would fail on a GPU.
"""

import copy
from collections.abc import Callable, Iterator

import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from mlm_core.encoder.bert import Bert
from mlm_core.encoder.pretrained import OwnModel
from mlm_core.finetuning.encoded_examples import EncodedExample
from mlm_core.finetuning.fine_tuned import fine_tuned
from mlm_core.finetuning.heads import ClassHead, TokenHead, start_head
from mlm_core.finetuning.task import FineTuneTask
from mlm_core.finetuning.upper_layers import UpperLayers, UsedEmbeddings
from mlm_core.masking import batch as corruption
from mlm_core.masking.rule import IGNORED_LABEL, CorruptionRule
from mlm_core.pretraining.batches import PretrainingBatch
from mlm_core.pretraining.objectives import pretraining_losses
from mlm_core.text.tokens import tokenize
from mlm_core.training import loop
from mlm_core.training.loop import TrainingSettings, train
from tests.finetuning.small_models import run_to_its_end, small_data

META = torch.device("meta")
# Copies go from one device to another; a GPU takes indices from the CPU, and waits for them.
MAY_MIX = ("aten::copy_", "aten::_to_copy", "aten::index", "aten::index_put_")
SENTENCES = ["The man went home.", "A boat lay there in the river at night."]

needs_gpu = pytest.mark.skipif(not torch.cuda.is_available(), reason="this machine has no CUDA GPU")


class OneDevice(TorchDispatchMode):
    """Refuses operations on tensors of two devices, numbers without an axis aside."""

    def __torch_dispatch__(self, operation, types, arguments=(), options=None):
        tensors = [
            one
            for one in tree_leaves((arguments, options or {}))
            if isinstance(one, torch.Tensor) and one.ndim
        ]
        devices = {one.device.type for one in tensors}
        if len(devices) > 1 and operation.name().partition(".")[0] not in MAY_MIX:
            raise RuntimeError(f"{operation.name()} takes tensors of {sorted(devices)}")
        return operation(*arguments, **(options or {}))


@pytest.fixture
def guard() -> Iterator[None]:
    with OneDevice():
        yield


@pytest.fixture
def meta(encoder: OwnModel) -> OwnModel:
    return OwnModel("small", copy.deepcopy(encoder.bert), encoder.tokenizer).to("meta")


def texts_of(model: OwnModel) -> list:
    return [tokenize(model.tokenizer, text) for text in SENTENCES]


def a_batch(bert: Bert, device: torch.device) -> PretrainingBatch:
    """Return a corrupted batch of 5 texts of 11 tokens on a device."""
    # The meta device has no generator, and needs none.
    generator = torch.Generator("cpu" if device.type == "meta" else device).manual_seed(1)
    n_entries = bert.config.vocabulary_size
    ids = torch.randint(5, n_entries, (5, 11), generator=torch.Generator().manual_seed(2)).to(
        device
    )
    n_real = torch.full((5,), 11, device=device)
    counts = torch.ones(n_entries, dtype=torch.long, device=device)
    shares = (
        torch.ones(n_entries, device=device).cumsum(0) / n_entries
        if device == META
        else (corruption.random_word_cdf(counts, frozenset(range(5))))
    )
    rule = CorruptionRule(mlm_probability=0.3)
    chosen = corruption.choose(ids >= 5, n_real, rule, generator)
    made = corruption.replace(ids, chosen, rule, generator, mask_id=4, word_cdf=shares)
    slots = corruption.gather_slots(made.labels, 3)
    return PretrainingBatch(
        ids=made.ids,
        segment_ids=torch.zeros_like(ids),
        not_padding=torch.ones_like(ids, dtype=torch.bool),
        positions=slots.positions,
        labels=slots.labels,
        branches=made.branch.gather(1, slots.positions),
        pair_labels=torch.zeros(5, dtype=torch.long, device=device),
        n_predictions=(slots.labels != IGNORED_LABEL).sum().float(),
        n_pairs=torch.tensor(5.0, device=device),
    )


class OneBatch:
    """A task that gives the same batch again and again, where its generator is."""

    def __init__(self, bert: Bert) -> None:
        self.bert = bert

    def batch(self, step: int, generator: torch.Generator) -> PretrainingBatch:
        return a_batch(self.bert, self.bert.device)

    def loss(self, model: Bert, batch: PretrainingBatch) -> tuple[torch.Tensor, dict]:
        return pretraining_losses(model, batch).total, {}

    def n_tokens(self, batch: PretrainingBatch) -> int:
        return batch.ids.numel()


@pytest.mark.usefixtures("guard")
def test_the_guard_finds_an_operation_on_two_devices():
    with pytest.raises(RuntimeError, match=r"aten::gather takes tensors of \['cpu', 'meta'\]"):
        torch.zeros(3, 5, device=META).gather(1, torch.zeros(3, 1, dtype=torch.long))


@pytest.mark.usefixtures("guard")
def test_one_text_and_many_are_read_where_the_model_is(meta: OwnModel):
    text, *_ = texts = texts_of(meta)
    n = len(text.tokens)
    for causal in (False, True):
        own_mask = torch.ones(n, n, dtype=torch.bool)  # as a lesson makes one, on the CPU
        for mask in (None, own_mask):
            found = meta.encode(text, causal=causal, attention_mask=mask, record=True)
            assert {s.device for s in (*found.states, *found.weights)} == {META}
            logits = meta.vocabulary_logits(text, causal=causal, attention_mask=mask)
            assert logits.device == META and logits.shape == (n, meta.bert.config.vocabulary_size)
        assert meta.encode_batch(texts, causal=causal).last.device == META
    assert meta.states_at(texts, 2, torch.tensor([[1, 2], [3, 3]])).shape == (2, 2, 24)


@pytest.mark.usefixtures("guard")
def test_a_training_step_stays_on_one_device(meta: OwnModel, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(loop, "generator_of_step", lambda *_: torch.Generator())
    bert = meta.bert.requires_grad_(True)
    # Nobody can look at a loss without numbers.
    steps = train(bert, OneBatch(bert), TrainingSettings(n_steps=3, check_every=9), seed=1)
    step = next(steps)
    assert step.loss.device == step.gradient_norm.device == META
    losses = pretraining_losses(bert, a_batch(bert, META))
    assert losses.next_sentence_loss.device == losses.is_right.device == META


@pytest.mark.usefixtures("guard")
def test_fine_tuning_batches_heads_and_layers_are_where_the_encoder_is(meta: OwnModel):
    examples = [EncodedExample(text=text, labels=torch.tensor([1])) for text in texts_of(meta)]
    states = [torch.zeros(len(e.text.tokens), 24, device=META) for e in examples]
    task = FineTuneTask(
        "classes", examples, states, padding_id=0, batch_size=2, seed=1, device=META
    )
    batch = task.collect([0, 1])
    assert {v.device for v in vars(batch).values()} == {META}
    for head in (ClassHead(24, 3, "cls"), ClassHead(24, 3, "mean"), TokenHead(24, 3)):
        upper = UpperLayers(meta.bert, 2, head)
        start_head(upper.head, meta.bert, torch.Generator().manual_seed(1))
        assert {p.device for p in upper.parameters()} == {META}
        assert upper.head(batch.states, batch.not_padding).device == META
    used = UsedEmbeddings(meta.bert.embeddings, torch.tensor([3, 8, 9]))
    assert used(batch.ids, batch.segment_ids).device == META


def on_gpu(model: OwnModel) -> OwnModel:
    return OwnModel("small", copy.deepcopy(model.bert), model.tokenizer).to("cuda")


def first_losses(model: OwnModel) -> list[float]:
    bert = copy.deepcopy(model.bert).requires_grad_(True)
    for module in bert.modules():  # no two devices draw the same dropout
        module.p = module.dropout_rate = 0.0
    batch = a_batch(bert, torch.device("cpu"))
    task = OneBatch(bert)
    task.batch = lambda *_: PretrainingBatch(
        **{name: value.to(bert.device) for name, value in vars(batch).items()}
    )
    settings = TrainingSettings(n_steps=5, peak_learning_rate=0.01)
    return [float(step.loss) for step in train(bert, task, settings, seed=1)]


def of_trained(model: OwnModel, kind: str) -> list[torch.Tensor]:
    snapshot = run_to_its_end(small_data(kind), model, trained="all")
    text = tokenize(model.tokenizer, *SENTENCES)
    return [*snapshot.predictions.log_probabilities, fine_tuned(snapshot, model).logits(text)]


@needs_gpu
@pytest.mark.parametrize(
    "compute",
    [
        lambda model: [torch.tensor(first_losses(model))],
        lambda model: list(model.encode_batch(texts_of(model)).states),
        *(lambda model, kind=kind: of_trained(model, kind) for kind in ("classes", "tags")),
    ],
)
def test_a_gpu_gives_the_numbers_of_the_cpu(encoder: OwnModel, compute: Callable):
    ours, theirs = compute(encoder), compute(on_gpu(encoder))
    for one, other in zip(ours, theirs, strict=True):
        # float32 sums in another order, and training lets differences grow.
        torch.testing.assert_close(one, other.cpu(), rtol=1e-3, atol=1e-3)
