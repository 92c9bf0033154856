"""A pretraining run from text files to a model folder, which can be resumed.

    vocabulary/    WordPiece, learned from the training files
    train/, held_out/   token ids (corpus.py)
    run.json       the settings and the number of steps, fixed at the first start
    state.safetensors   weights and optimizer, saved every few minutes (run_state.py)
    log.csv, held_out.csv, curve.svg   (record.py)
    model/         the result, in half precision, as transformers reads it

Each stage is skipped if its folder is finished. The run yields rows and prints nothing.

Read before this: objectives.py, starting_weights.py, run_state.py.
"""

import copy
import json
import time
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

import torch

from mlm_core.encoder.checkpoints import load_bert, save_bert
from mlm_core.encoder.pretrained import bert_without_weights
from mlm_core.pretraining.evaluation import evaluate
from mlm_core.pretraining.objectives import Phase, PretrainingTask
from mlm_core.pretraining.starting_weights import set_starting_weights
from mlm_core.text.tokens import load_tokenizer
from mlm_core.training.loop import TrainingStep, generator_of_step, make_optimizer, train
from tools.pretrain.record import (
    HeldOutRow,
    Progress,
    append_row,
    curve_svg,
    drop_rows_after,
    read_rows,
)
from tools.pretrain.run_state import load_state, save_state
from tools.pretrain.settings import PretrainingSettings, make_task
from tools.pretrain.speed import Machine, compile_blocks

HELD_OUT_SEED = 0  # fixed, so that all runs on the same files have the same test


class PretrainingRun:
    """A run on prepared text, at the last step that was saved.

    A resumed run keeps its number of steps and ignores `n_steps`.
    Raises ValueError if the folder holds a run with other settings.
    """

    def __init__(self, settings: PretrainingSettings, machine: Machine, n_steps: int) -> None:
        self.settings, self.machine = settings, machine
        self.tokenizer = load_tokenizer(settings.folder / "vocabulary")
        self.n_steps = self._fix_settings(n_steps)
        self.task = self._task("train", settings.phases(self.n_steps))
        n_texts = settings.held_out_texts
        self.shapes = {
            f"pairs of {settings.length}": replace(
                settings.full_shape(settings.length), batch_size=n_texts
            ),
            "natural sentences": replace(settings.natural_shape(), batch_size=n_texts),
        }
        phase = Phase(until_step=self.n_steps, shapes=tuple(self.shapes.values()))
        self.held_out = self._task("held_out", (phase,))
        config = settings.bert_config(self.tokenizer.get_vocab_size(), settings.dropout_rate)
        self.bert = bert_without_weights(config)
        if settings.start_from is not None:
            self.bert.load_state_dict(load_bert(settings.start_from).state_dict())
        else:
            # Drawn on the CPU, so that every machine starts from the same weights.
            weights = generator_of_step(settings.seed, "starting weights", "cpu")
            set_starting_weights(self.bert, settings.start, weights)
        self.bert.to(machine.device)
        self.training = settings.training(self.n_steps, bfloat16=machine.bfloat16)
        self.optimizer = make_optimizer(self.bert, self.training)
        self.step, self.seconds = 0, 0.0
        if self._path("state.safetensors").is_file():
            self.step, self.seconds = load_state(
                self._path("state.safetensors"), self.bert, self.optimizer
            )
        for table in ("log.csv", "held_out.csv"):
            drop_rows_after(self._path(table), self.step)
        if machine.compiled:
            compile_blocks(self.bert)

    @property
    def is_finished(self) -> bool:
        """Return whether all steps are done."""
        return self.step >= self.n_steps

    def go_on(self, *, until_seconds: float | None = None) -> Iterator[Progress | HeldOutRow]:
        """Train, log, evaluate and save; stop at the end or after `until_seconds`."""
        begun = time.perf_counter()
        before = self.seconds
        last_save = last_log = begun
        since_log: list[TrainingStep] = []
        n_tokens = 0
        for step in train(
            self.bert,
            self.task,
            self.training,
            seed=self.settings.seed,
            first_step=self.step,
            optimizer=self.optimizer,
        ):
            self.step = step.number
            since_log.append(step)
            n_tokens += step.n_tokens
            if step.number % self.settings.log_every and not self.is_finished:
                continue
            progress = self._progress(since_log, n_tokens, begun, before, last_log)
            self.seconds = progress.seconds
            since_log, n_tokens, last_log = [], 0, time.perf_counter()
            self._append("log.csv", progress)
            yield progress
            if step.number % self.settings.evaluate_every == 0 or self.is_finished:
                yield from self.evaluate()
            now = time.perf_counter()
            is_out_of_time = until_seconds is not None and now - begun > until_seconds
            if now - last_save > self.settings.save_every_seconds:
                self.save()
                last_save = now
            if is_out_of_time:
                break
            last_log = time.perf_counter()  # the speed is without evaluating and saving
        self.save()

    def evaluate(self) -> Iterator[HeldOutRow]:
        """Yield the held-out figures of the present model."""
        generator = generator_of_step(HELD_OUT_SEED, "held out", self.machine.device)
        for texts, shape in self.shapes.items():
            figures = evaluate(
                self.bert,
                self.held_out,
                shape,
                generator,
                n_batches=self.settings.n_held_out_batches,
                bfloat16=self.machine.bfloat16,
            )
            row = HeldOutRow(step=self.step, texts=texts, figures=figures)
            self._append("held_out.csv", row)
            yield row

    def save(self) -> None:
        """Write the state, the present model, and the plot."""
        state = self._path("state.safetensors")
        save_state(state, self.bert, self.optimizer, step=self.step, seconds=self.seconds)
        for_users = copy.copy(self.bert)
        # Fine-tuning needs dropout; pretraining on so much text does not.
        for_users.config = replace(self.bert.config, dropout_rate=0.1)
        save_bert(for_users, self.tokenizer, self._path("model"), half=True)
        rows = read_rows(self._path("log.csv"))
        if rows:
            drawing = curve_svg(rows, read_rows(self._path("held_out.csv")))
            self._path("curve.svg").write_text(drawing, encoding="utf-8")

    def _progress(
        self,
        steps: list[TrainingStep],
        n_tokens: int,
        begun: float,
        before: float,
        last_log: float,
    ) -> Progress:
        def mean(name: str) -> float:
            # A batch without pairs would count as 0 in NSP, but every batch has some.
            return float(torch.stack([step.measures[name] for step in steps]).float().mean())

        figures = {
            "masked_language_loss": mean("masked_language_loss"),
            "next_sentence_loss": mean("next_sentence_loss"),
            "masked_accuracy": mean("masked_accuracy"),
            "next_sentence_accuracy": mean("next_sentence_accuracy"),
            "gradient_norm": float(torch.stack([step.gradient_norm for step in steps]).mean()),
        }
        now = time.perf_counter()  # after the figures, because reading them waits for the steps
        return Progress(
            step=self.step,
            n_steps=self.n_steps,
            **figures,
            rate=steps[-1].rate,
            tokens_a_second=n_tokens / (now - last_log),
            seconds=before + now - begun,
        )

    def _fix_settings(self, n_steps: int) -> int:
        """Write run.json at the first start; later, refuse other settings than its."""
        path = self._path("run.json")
        wanted = json.loads(json.dumps(asdict(self.settings), default=lambda p: p.name))
        unused = _FREE if self.settings.start_from is None else (*_FREE, *_OF_A_NEW_MODEL)
        wanted = {key: value for key, value in wanted.items() if key not in unused}
        if path.is_file():
            found = json.loads(path.read_text(encoding="utf-8"))
            n_steps = found.pop("n_steps")
            differing = [key for key, value in wanted.items() if found.get(key) != value]
            if differing:
                raise ValueError(
                    f"{path} was begun with other settings ({', '.join(differing)}): use those,"
                    " or a new folder"
                )
        else:
            text = json.dumps({"n_steps": n_steps, **wanted}, indent=1)
            path.write_text(text + "\n", encoding="utf-8")
        return n_steps

    def _task(self, name: str, phases: tuple[Phase, ...]) -> PretrainingTask:
        folder = self.settings.folder / name
        return make_task(folder, self.tokenizer, phases, self.settings, self.machine.device)

    def _append(self, table: str, row: Progress | HeldOutRow) -> None:
        append_row(self._path(table), row)

    def _path(self, name: str) -> Path:
        return self.settings.folder / name


# These settings don't change the model, so a resumed run may have others.
_FREE = (
    "folder",
    "log_every",
    "evaluate_every",
    "save_every_seconds",
    "n_held_out_batches",
    "held_out_texts",
)

# A run that goes on from a model takes these from it.
_OF_A_NEW_MODEL = (
    "vocabulary_size",
    "alphabet_size",
    "hidden_size",
    "n_layers",
    "n_heads",
    "intermediate_size",
    "start",
)
