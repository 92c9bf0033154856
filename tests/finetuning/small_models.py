"""A small encoder and small data for the tests of fine-tuning; wide numbers, so mistakes show."""

import torch

from mlm_core.encoder.bert import Bert
from mlm_core.encoder.language_model import OwnModel
from mlm_core.finetuning.run import FineTuneRun
from mlm_core.finetuning.settings import FineTuneSettings
from mlm_core.finetuning.snapshot import FineTuneSnapshot
from mlm_core.labelled.examples import Dataset, LabelledText, Question, TaggedSentence
from mlm_core.tagging.bio_tags import Span
from mlm_core.text import corpora
from mlm_core.text.tokens import Algorithm, train_tokenizer
from tests.small_bert import small_config

OWN_DATA = {"classes": "own_classes", "tags": "own_tags"}
PASSAGE = "The old man crossed the river at night. His dog waited at the station."


def small_encoder(
    *, algorithm: Algorithm = "WordPiece", with_next_sentence_head: bool = True
) -> OwnModel:
    """Return a random encoder of 3 layers with a window of 40 tokens, the same each time."""
    tokenizer = train_tokenizer(algorithm, list(corpora.sentences())[:300], 500)
    config = small_config(
        tokenizer,
        n_positions=40,
        hidden_size=24,
        n_layers=3,
        intermediate_size=40,
        initializer_range=0.2,
        has_next_sentence_head=with_next_sentence_head,
    )
    with torch.random.fork_rng():
        torch.manual_seed(11)
        bert = Bert(config)
        with torch.no_grad():  # biases of zero would hide a lost one
            for parameter in bert.parameters():
                if parameter.ndim == 1:
                    parameter.add_(torch.randn_like(parameter) * 0.1)
    return OwnModel("small", bert.eval().requires_grad_(False), tokenizer)


def small_data(kind: str, *, pairs: bool = False) -> Dataset:
    """Return a few examples of a kind, of different lengths."""
    if kind == "answers":
        passages = [PASSAGE, PASSAGE + " A boat lay there.", PASSAGE.replace("dog", "sister")]
        questions = [
            Question(question=question, passage=passage, start=start, stop=start + len(answer))
            for passage in passages
            for question, answer in (("Who crossed the river?", "old man"), ("When?", "night"))
            for start in [passage.index(answer)]
        ]
        return Dataset(
            kind="answers", classes=(), train=tuple(questions[:4]), test=tuple(questions[4:])
        )
    lines = [line.rstrip(".") for line in corpora.sentences()[300:312]]
    if kind == "tags":
        cut = [tuple(line.split()) for line in lines]
        spans = [(Span(start=0, end=2, type="PER"), Span(start=2, end=3, type="LOC")), ()]
        tagged = [TaggedSentence(words=w, spans=spans[i % 2]) for i, w in enumerate(cut)]
        return Dataset(
            kind="tags",
            classes=("LOC", "PER"),
            train=tuple(tagged[:8]),
            test=tuple(tagged[8:]),
        )
    labels = ("bad", "good", "odd")
    texts = [
        LabelledText(text=line, pair=lines[i - 1] if pairs else None, label=labels[i % 3])
        for i, line in enumerate(lines)
    ]
    return Dataset(kind="classes", classes=labels, train=tuple(texts[:7]), test=tuple(texts[7:]))


def settings_for(data: Dataset, **changes: object) -> FineTuneSettings:
    """Return settings of a short run on such data, with a rate that moves every weight."""
    if data.kind == "answers":
        which: dict[str, object] = {"data": "passages"}
    else:
        which = {"data": OWN_DATA[data.kind], "own_data": "given by hand"}
    short = {"model": "small", "n_epochs": 2, "batch_size": 3, "peak_learning_rate": 0.01}
    return FineTuneSettings(**which | short | changes)


def run_to_its_end(data: Dataset, encoder: OwnModel, **changes: object) -> FineTuneSnapshot:
    """Return the last snapshot of a short run."""
    run = FineTuneRun(settings_for(data, **changes), data, encoder)
    for _ in run.go_on():
        pass
    return run.snapshot
