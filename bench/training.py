"""Our training loop against transformers' BertForMaskedLM under AdamW: tokens a second.

Same weights, corpus, batches, labels, optimizer settings and threads; both losses are compared
step by step before the clock runs. No dropout on either side, no compiler. Ours draws and
corrupts each batch while the clock runs; theirs finds its batches ready. Below each comparison
stand the same in equal precision.
"""

import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bench.comparison import Comparison, Remark

if TYPE_CHECKING:
    from mlm_core.encoder.bert import Bert
    from mlm_core.pretraining.corpus import TokenCorpus
    from mlm_core.pretraining.objectives import PretrainingTask
    from mlm_core.training.loop import TrainingStep

SEED, RATE = 7, 1e-3
CHECKED_STEPS = 4  # their losses are compared; they also warm both sides up
# Rounding in bfloat16 is 0.4 % a number; losses are means of hundreds and differ by far less.
TOLERANCES = {False: 1e-3, True: 2e-2}


@dataclass(frozen=True, kw_only=True)
class Size:
    """A model, its batches and the speed that the project promises."""

    vocabulary_size: int
    hidden_size: int
    n_layers: int
    batch_size: int
    length: int
    aim: float  # times their tokens a second
    steps_a_turn: int

    most_turns: int | None = None  # where a step takes seconds, few will do; None: as asked
    n_heads: int = 4

    @property
    def n_tokens(self) -> int:
        """Return the tokens of a batch."""
        return self.batch_size * self.length


SIZES = (
    Size(
        vocabulary_size=1000,
        hidden_size=64,
        n_layers=2,
        batch_size=64,
        length=48,
        aim=2.5,
        steps_a_turn=3,
    ),
    Size(
        vocabulary_size=16_000,
        hidden_size=256,
        n_layers=4,
        batch_size=32,
        length=128,
        aim=5.0,
        steps_a_turn=2,
    ),
    # The bundled model's own sizes. In larger batches the optimizer and the casting of the
    # weights weigh less: of 16, 32 and 64 texts, 64 gave the best ratio.
    Size(
        vocabulary_size=16_000,
        hidden_size=256,
        n_layers=12,
        batch_size=64,
        length=128,
        aim=5.0,
        steps_a_turn=1,
        most_turns=10,
    ),
)


@dataclass(frozen=True, kw_only=True)
class SpeedComparison(Comparison):
    """Times of a step, told as tokens a second."""

    n_tokens: int

    def line(self) -> str:
        """Return the medians in tokens a second and how many times ours is theirs."""
        ours, theirs = (
            1000 * self.n_tokens / statistics.median(times) for times in (self.ours, self.theirs)
        )
        return (
            f"{self.what:<44} {ours:>9,.0f} /s {theirs:>9,.0f} /s {ours / theirs:>6.2f} x"
            f" {ours - theirs:>+9,.0f} /s  {len(self.ours):>4}  {self.aim:<16} {self.than}"
        )


def measure(repetitions: int) -> Iterator[Comparison | Remark]:
    """Yield the speeds of all sizes, with what explains them."""
    for size in SIZES:
        yield from measure_size(size, repetitions)


def measure_bundled(repetitions: int) -> Iterator[Comparison | Remark]:
    """Yield the speeds at the bundled model's size alone."""
    yield from measure_size(SIZES[-1], repetitions)


def measure_size(size: Size, repetitions: int) -> Iterator[Comparison | Remark]:
    """Yield the speeds at one size in all precisions."""
    import torch
    from transformers.utils import logging

    from tools.pretrain.speed import bfloat16_gain

    logging.set_verbosity_error()
    logging.disable_progress_bar()
    gain = bfloat16_gain(torch.device("cpu"))
    bfloat16 = gain > 1
    yield Remark(f"  bfloat16 multiplies {gain:.1f} times as fast as float32 here")
    task = _task(size)
    repetitions = min(repetitions, size.most_turns or repetitions)
    sides = {
        (side, half): steps(size, task, half)
        for side, steps in (("ours", _our_steps), ("theirs", _their_steps))
        for half in ((False, True) if bfloat16 else (False,))
    }
    _refuse_other_losses(sides)
    times = _take_turns(sides, repetitions, size.steps_a_turn)
    what = f"training, width {size.hidden_size}, {size.n_layers} layers"
    wanted = f"at least {size.aim} x"
    for half_of_ours, half_of_theirs in ((bfloat16, False), (False, False), (True, True)):
        if half_of_ours and not bfloat16:
            continue
        names = ["bfloat16" if half else "float32" for half in (half_of_ours, half_of_theirs)]
        yield SpeedComparison(
            what=what if wanted else f"  the same, {names[0]} and {names[1]}",
            ours=times["ours", half_of_ours],
            theirs=times["theirs", half_of_theirs],
            than=f"transformers, {names[1]}; ours {names[0]}; {size.batch_size} x {size.length}",
            aim=wanted,
            n_tokens=size.n_tokens,
        )
        wanted = ""


def _take_turns(sides: dict, n_rounds: int, n_steps: int) -> dict[tuple[str, bool], list[float]]:
    times: dict = {name: [] for name in sides}
    for round_ in range(n_rounds):
        for name in sides if round_ % 2 else reversed(sides):
            started = time.perf_counter()
            for _ in range(n_steps):
                next(sides[name])
            times[name].append(1000 * (time.perf_counter() - started) / n_steps)
    return times


def _refuse_other_losses(sides: dict) -> None:
    """Run the first steps of all sides; the same work must give the same losses."""
    for _ in range(CHECKED_STEPS):
        losses = {name: float(next(steps)) for name, steps in sides.items()}
        reference = losses["theirs", False]
        for (side, half), loss in losses.items():
            assert abs(loss - reference) < TOLERANCES[half] * reference, (side, half, losses)


def _task(size: Size) -> "PretrainingTask":
    from mlm_core.masking.rule import CorruptionRule
    from mlm_core.pretraining.batches import BatchShape, Phase
    from mlm_core.pretraining.objectives import PretrainingTask
    from mlm_core.pretraining.sentence_pairs import SpecialIds

    shape = BatchShape(length=size.length, batch_size=size.batch_size)
    phase = Phase(until_step=10**9, shapes=(shape,))
    # The ids of [PAD], [UNK], [CLS], [SEP], [MASK] in every vocabulary that we learn.
    special = SpecialIds(pad=0, cls=2, sep=3, mask=4, all=frozenset(range(5)))
    return PretrainingTask(_drawn_corpus(size), (phase,), special, CorruptionRule())


def _drawn_corpus(size: Size) -> "TokenCorpus":
    """Return sentences of 12 words drawn by Zipf's law: as costly as text, and at hand."""
    import torch

    from mlm_core.pretraining.corpus import TokenCorpus

    n_sentences = 40_000
    shares = 1 / torch.arange(1.0, size.vocabulary_size + 1)
    shares[:5] = 0  # the special tokens
    generator = torch.Generator().manual_seed(SEED)
    tokens = torch.multinomial(shares, 12 * n_sentences, replacement=True, generator=generator)
    return TokenCorpus(
        tokens=tokens.short(),
        sentence_starts=torch.arange(0, len(tokens) + 1, 12),
        document_starts=torch.arange(0, n_sentences + 1, 40),
        counts=tokens.bincount(minlength=size.vocabulary_size),
    )


def _fresh_bert(size: Size) -> "Bert":
    import torch

    from mlm_core.encoder.bert import Bert, BertConfig
    from mlm_core.pretraining.starting_weights import StartSettings, set_starting_weights

    config = BertConfig(
        vocabulary_size=size.vocabulary_size,
        hidden_size=size.hidden_size,
        n_layers=size.n_layers,
        n_heads=size.n_heads,
        intermediate_size=4 * size.hidden_size,
        n_positions=size.length,
        dropout_rate=0.0,
        has_next_sentence_head=False,  # BertForMaskedLM has none
    )
    bert = Bert(config)
    set_starting_weights(bert, StartSettings(), torch.Generator().manual_seed(SEED))
    return bert


def _our_training(size: Size, task: "PretrainingTask", half: bool) -> Iterator["TrainingStep"]:
    from mlm_core.training.loop import TrainingSettings, make_optimizer, train

    settings = TrainingSettings(
        n_steps=10**9, peak_learning_rate=RATE, warmup_proportion=0.0, bfloat16=half
    )
    bert = _fresh_bert(size)
    optimizer = make_optimizer(bert, settings)
    return train(bert, task, settings, seed=SEED, optimizer=optimizer)


def _our_steps(size: Size, task: "PretrainingTask", half: bool) -> Iterator:
    for step in _our_training(size, task, half):
        yield step.loss


def _their_steps(size: Size, task: "PretrainingTask", half: bool) -> Iterator:
    import torch

    batches = _their_batches(task)
    model = _their_model(size).train()
    matrices = [p for p in model.parameters() if p.ndim > 1]
    vectors = [p for p in model.parameters() if p.ndim <= 1]
    optimizer = torch.optim.AdamW(
        [{"params": matrices, "weight_decay": 0.01}, {"params": vectors, "weight_decay": 0.0}],
        lr=RATE,
        betas=(0.9, 0.98),
        eps=1e-6,
    )
    step = 0
    while True:
        with torch.autocast("cpu", torch.bfloat16) if half else nullcontext():
            loss = model(**batches[step % len(batches)]).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        step += 1
        yield loss.detach()


def _their_model(size: Size):
    from transformers import BertForMaskedLM

    from mlm_core.encoder.checkpoints import save_bert
    from mlm_core.encoder.model_list import BUNDLED_FOLDER
    from mlm_core.text.tokens import load_tokenizer

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        save_bert(_fresh_bert(size), load_tokenizer(BUNDLED_FOLDER), folder)
        return BertForMaskedLM.from_pretrained(folder)


def _their_batches(task: "PretrainingTask") -> list[dict]:
    """Return the batches of our first steps, with a label at each position as they want it."""
    import torch

    from mlm_core.masking.rule import IGNORED_LABEL
    from mlm_core.training.loop import generator_of_step

    batches = []
    for step in range(16):
        batch = task.batch(step, generator_of_step(SEED, step, "cpu"))
        labels = torch.full_like(batch.ids, IGNORED_LABEL)
        labels.scatter_(1, batch.positions, batch.labels)
        batches.append(
            {"input_ids": batch.ids, "token_type_ids": batch.segment_ids, "labels": labels}
        )
    return batches
