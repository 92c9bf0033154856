"""The corpus of a pretraining: token ids on disk, only a few of them in memory.

    text files -> documents -> sentences -> ids, appended to files as they come:
        tokens.bin      every token's id, all sentences end to end, no special tokens
        sentences.bin   where each sentence starts in tokens.bin
        documents.bin   which sentence starts each document
        counts.bin      how often each vocabulary entry occurs
        corpus.json     the sizes; written last: a folder without it is unfinished

A text of a few hundred kilobytes needs no files: `corpus_in_memory` gives the same numbers.

The files are mapped into memory: the system loads the pages that a batch reads. Only a few bytes
a document are always in memory. For a GPU the whole corpus is copied there (2 bytes a token).

Source: the memory-mapped token files of Megatron-LM and nanoGPT.

Read before this: documents.py.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch

from mlm_core.pretraining.documents import read_documents
from mlm_core.shapes import Int, Tensor
from mlm_core.text.sentences import split_sentences

if TYPE_CHECKING:
    from tokenizers import Tokenizer

DOCUMENTS_A_CHUNK = 64  # tokenized together, so that the tokenizer's threads have work


@dataclass(frozen=True, kw_only=True)
class TokenCorpus:
    """Token ids end to end, and where sentences and documents start in them."""

    tokens: Int[Tensor, " corpus_token"]
    sentence_starts: Int[Tensor, " sentence_and_end"]  # positions in tokens; last: their number
    document_starts: Int[Tensor, " document_and_end"]  # positions in sentence_starts, likewise
    counts: Int[Tensor, " vocabulary"]  # occurrences of each entry

    def to(self, device: torch.device | str) -> "TokenCorpus":
        """Return the corpus on a device; on the CPU it stays mapped to its files."""
        return TokenCorpus(**{name: part.to(device) for name, part in vars(self).items()})

    @property
    def n_tokens(self) -> int:
        """Return the number of tokens."""
        return len(self.tokens)

    @property
    def n_sentences(self) -> int:
        """Return the number of sentences."""
        return len(self.sentence_starts) - 1

    @property
    def n_documents(self) -> int:
        """Return the number of documents."""
        return len(self.document_starts) - 1


def write_corpus(
    paths: Iterable[Path], tokenizer: "Tokenizer", folder: Path
) -> Iterator[tuple[int, int]]:
    """Tokenize text files into `folder`; yield (documents, tokens) so far, for a log.

    Nothing is done if the folder already holds these files cut by this vocabulary.
    Raises ValueError if the files hold no text.
    """
    paths = list(paths)
    identity = _identity(paths, tokenizer)
    if _read_sizes(folder).get("identity") == identity:
        return
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "corpus.json").unlink(missing_ok=True)
    dtype = _dtype(tokenizer)
    counts = np.zeros(tokenizer.get_vocab_size(), dtype=np.int64)
    n_tokens = n_sentences = n_documents = 0
    documents = read_documents(paths)
    with (
        open(folder / "tokens.bin", "wb") as tokens_file,
        open(folder / "sentences.bin", "wb") as sentences_file,
        open(folder / "documents.bin", "wb") as documents_file,
    ):
        while chunk := list(islice(documents, DOCUMENTS_A_CHUNK)):
            for ids, starts in _token_ids(map(_sentences, chunk), tokenizer):
                tokens_file.write(ids.astype(dtype).tobytes())
                sentences_file.write((n_tokens + starts).astype(np.int64).tobytes())
                documents_file.write(np.int64(n_sentences).tobytes())
                counts += np.bincount(ids, minlength=len(counts))
                n_tokens += len(ids)
                n_sentences += len(starts)
                n_documents += 1
            yield n_documents, n_tokens
        sentences_file.write(np.int64(n_tokens).tobytes())
        documents_file.write(np.int64(n_sentences).tobytes())
    if not n_tokens:
        raise ValueError(f"no text in {', '.join(path.name for path in paths)}")
    counts.tofile(folder / "counts.bin")
    sizes = {
        "identity": identity,
        "dtype": dtype.name,
        "n_documents": n_documents,
        "n_sentences": n_sentences,
        "n_tokens": n_tokens,
    }
    (folder / "corpus.json").write_text(json.dumps(sizes, indent=1) + "\n", encoding="utf-8")


def corpus_in_memory(
    documents: Iterable[Sequence[str]], tokenizer: "Tokenizer"
) -> Iterator[TokenCorpus | None]:
    """Tokenize documents (sentences); yield None after each chunk, then the corpus.

    For a text that is small enough to stay in memory; the same numbers as from files.
    Raises ValueError if there is no token.
    """
    documents = iter(documents)
    parts: list[tuple[np.ndarray, np.ndarray]] = []
    while chunk := list(islice(documents, DOCUMENTS_A_CHUNK)):
        parts.extend(_token_ids(chunk, tokenizer))
        yield None
    if not parts:
        raise ValueError("no text: the documents hold no token")
    tokens = np.concatenate([ids for ids, _ in parts])
    # The cumulative lengths are the starts of sentences and documents.
    ends = np.cumsum([len(ids) for ids, _ in parts])
    begins = ends - [len(ids) for ids, _ in parts]
    starts = [start + begin for (_, start), begin in zip(parts, begins, strict=True)]
    sizes = np.cumsum([0, *(len(start) for start in starts)])
    counts = np.bincount(tokens, minlength=tokenizer.get_vocab_size())
    yield TokenCorpus(
        tokens=torch.from_numpy(tokens.astype(_dtype(tokenizer))),
        sentence_starts=torch.from_numpy(np.concatenate([*starts, ends[-1:]]).astype(np.int64)),
        document_starts=torch.from_numpy(sizes.astype(np.int64)),
        counts=torch.from_numpy(counts.astype(np.int64)),
    )


def open_corpus(folder: Path) -> TokenCorpus:
    """Map the corpus in `folder` into memory. Raises ValueError if it is not finished."""
    sizes = _read_sizes(folder)
    if not sizes:
        raise ValueError(f"no finished corpus in {folder}: write_corpus() makes one")
    dtype = np.dtype(sizes["dtype"])
    return TokenCorpus(
        tokens=_map(folder / "tokens.bin", dtype),
        sentence_starts=_map(folder / "sentences.bin", np.dtype(np.int64)),
        document_starts=_map(folder / "documents.bin", np.dtype(np.int64)),
        counts=_map(folder / "counts.bin", np.dtype(np.int64)),
    )


def _sentences(paragraphs: Sequence[str]) -> list[str]:
    return [sentence for paragraph in paragraphs for sentence in split_sentences(paragraph)]


def _token_ids(
    documents: Iterable[Sequence[str]], tokenizer: "Tokenizer"
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield each document's ids end to end and where in them its sentences start.

    Sentences without tokens and documents without sentences are left out.
    """
    documents = list(documents)
    flat = [sentence for document in documents for sentence in document]
    encodings = iter(tokenizer.encode_batch_fast(flat, add_special_tokens=False))
    for document in documents:
        ids = [encoding.ids for encoding in islice(encodings, len(document)) if encoding.ids]
        if ids:
            lengths = np.array([len(sentence) for sentence in ids])
            yield np.concatenate(ids), np.cumsum(lengths) - lengths


def _dtype(tokenizer: "Tokenizer") -> np.dtype:
    """Return int16 where it holds every id, since it halves the space."""
    return np.dtype(np.int16 if tokenizer.get_vocab_size() < 2**15 else np.int32)


def _identity(paths: list[Path], tokenizer: "Tokenizer") -> str:
    """Return a fingerprint of the files (by name and size) and of the vocabulary."""
    parts = [f"{path.name}:{path.stat().st_size}" for path in paths if path.is_file()]
    return hashlib.sha256("\n".join([*parts, tokenizer.to_str()]).encode()).hexdigest()


def _read_sizes(folder: Path) -> dict:
    path = folder / "corpus.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def _map(path: Path, dtype: np.dtype) -> Tensor:
    # Copy-on-write, because torch warns about memory that it may not write to.
    return torch.from_numpy(np.memmap(path, dtype=dtype, mode="c"))
