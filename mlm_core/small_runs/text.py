"""From a text to the data of a small run: a vocabulary and two corpora.

    documents -> WordPiece vocabulary from the training part -> token ids of both parts

Read before this: own_text.py, ../pretraining/corpus.py, ../text/mini_world/world.py.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from tokenizers import Tokenizer

from mlm_core.pretraining.corpus import TokenCorpus, corpus_in_memory
from mlm_core.pretraining.sentence_pairs import SpecialIds
from mlm_core.pretraining.vocabulary import learn_wordpieces
from mlm_core.small_runs.own_text import TrainTestSplit, split_train_test
from mlm_core.small_runs.settings import SmallRunSettings
from mlm_core.text.mini_world import world as mini_world
from mlm_core.text.tokens import SPECIAL_TOKENS, role_id

MOST_LETTERS = 1 / 3  # proportion of the vocabulary; as many entries are letters with "##"


@dataclass(frozen=True, kw_only=True)
class TextFacts:
    """The sizes of the prepared text, to show beside the settings."""

    n_train_documents: int
    n_train_sentences: int
    n_train_tokens: int
    n_held_out_sentences: int
    n_held_out_tokens: int
    vocabulary_asked: int  # entries
    vocabulary_got: int  # fewer if the text is too short
    unknown_proportion: float  # of the training tokens, cut to [UNK]
    documents_were_cut: bool  # into shorter ones, because they were too few


@dataclass(frozen=True, eq=False, kw_only=True)
class PreparedText:
    """What a run needs besides its settings; runs on the same text can share it."""

    tokenizer: Tokenizer
    train: TokenCorpus
    held_out: TokenCorpus
    held_out_sentences: tuple[str, ...]  # uncut, for probes
    facts: TextFacts

    @property
    def special(self) -> SpecialIds:
        """Return the ids of the special tokens."""
        return SpecialIds.of(self.tokenizer)


def prepare(settings: SmallRunSettings) -> Iterator[PreparedText | None]:
    """Yield None after each piece of work, and the prepared text at the end.

    Of the settings, own_text, vocabulary_size and objective count.
    Raises ValueError if the text is too small.
    """
    if settings.own_text is None:
        train = mini_world.documents("train")
        yield None
        held_out = mini_world.documents("held_out")
        yield None
        parts = TrainTestSplit(train=train, held_out=held_out, was_cut=False)
    else:
        parts = split_train_test(settings.own_text, next_sentence=settings.objective == "mlm_nsp")
        yield None
    tokenizer = _learn(parts, settings.vocabulary_size)
    yield None
    corpora: list[TokenCorpus] = []
    for documents in (parts.train, parts.held_out):
        for corpus in corpus_in_memory(documents, tokenizer):
            if corpus is None:
                yield None
            else:
                corpora.append(corpus)
    train, held_out = corpora
    yield PreparedText(
        tokenizer=tokenizer,
        train=train,
        held_out=held_out,
        held_out_sentences=tuple(s for document in parts.held_out for s in document),
        facts=_facts(settings, parts, tokenizer, train, held_out),
    )


def prepare_at_once(settings: SmallRunSettings) -> PreparedText:
    """Return the prepared text. Raises ValueError if the text is too small."""
    *_, text = prepare(settings)
    assert text is not None
    return text


def _learn(parts: TrainTestSplit, vocabulary_size: int) -> Tokenizer:
    """Return a vocabulary learnt from the training part only.

    In a text with many letters (Chinese, say), rare ones become [UNK], so that words get entries.
    """
    n_letters = int((vocabulary_size - len(SPECIAL_TOKENS)) * MOST_LETTERS)
    return learn_wordpieces(
        lambda: (sentence for document in parts.train for sentence in document),
        vocabulary_size,
        n_letters,
    )


def _facts(
    settings: SmallRunSettings,
    parts: TrainTestSplit,
    tokenizer: Tokenizer,
    train: TokenCorpus,
    held_out: TokenCorpus,
) -> TextFacts:
    return TextFacts(
        n_train_documents=train.n_documents,
        n_train_sentences=train.n_sentences,
        n_train_tokens=train.n_tokens,
        n_held_out_sentences=held_out.n_sentences,
        n_held_out_tokens=held_out.n_tokens,
        vocabulary_asked=settings.vocabulary_size,
        vocabulary_got=tokenizer.get_vocab_size(),
        unknown_proportion=float(train.counts[role_id(tokenizer, "[UNK]")]) / train.n_tokens,
        documents_were_cut=parts.was_cut,
    )
