"""From text files to what a run trains on: a vocabulary, two corpora, and the task.

Read before this: vocabulary.py, corpus.py, objectives.py, settings.py. Read next: speed.py.
"""

from collections.abc import Iterator
from pathlib import Path

import torch
from tokenizers import Tokenizer

from mlm_core.pretraining.corpus import open_corpus, write_corpus
from mlm_core.pretraining.documents import read_documents
from mlm_core.pretraining.objectives import Phase, PretrainingTask
from mlm_core.pretraining.sentence_pairs import SpecialIds
from mlm_core.pretraining.settings import PretrainingSettings
from mlm_core.pretraining.vocabulary import learn_wordpieces
from mlm_core.text.tokens import load_tokenizer, save_tokenizer, special_token_ids


def prepare_text(settings: PretrainingSettings) -> Iterator[str]:
    """Make the vocabulary and both corpora, unless they are there; yield lines for a log."""
    folder = settings.folder / "vocabulary"
    if not (folder / "tokenizer_config.json").is_file():
        yield "learning the vocabulary"
        tokenizer = learn_wordpieces(
            lambda: (p for document in read_documents(settings.train_files) for p in document),
            settings.vocabulary_size,
            settings.alphabet_size,
        )
        save_tokenizer(tokenizer, folder, max_tokens=settings.length)
    tokenizer = load_tokenizer(folder)
    yield f"vocabulary of {tokenizer.get_vocab_size():,} entries"
    for name, files in (("train", settings.train_files), ("held_out", settings.held_out_files)):
        for n_documents, n_tokens in write_corpus(files, tokenizer, settings.folder / name):
            yield f"{name}: {n_documents:,} documents, {n_tokens:,} tokens so far"
        corpus = open_corpus(settings.folder / name)
        yield f"{name}: {corpus.n_documents:,} documents, {corpus.n_tokens:,} tokens"


def make_task(
    folder: Path,
    tokenizer: Tokenizer,
    phases: tuple[Phase, ...],
    settings: PretrainingSettings,
    device: torch.device,
) -> PretrainingTask:
    """Return the pretraining task on the corpus in `folder`."""
    pad, cls, sep, mask = (
        tokenizer.token_to_id(name) for name in ("[PAD]", "[CLS]", "[SEP]", "[MASK]")
    )
    stops = (tokenizer.token_to_id(stop) for stop in ".!?")
    return PretrainingTask(
        open_corpus(folder).to(device),
        phases,
        SpecialIds(pad=pad, cls=cls, sep=sep, mask=mask),
        special_token_ids(tokenizer),
        tuple(stop for stop in stops if stop is not None),
        settings.corruption,
    )
