"""Our step-by-step cutting against the tokenizers library, word by word."""

import pytest

from mlm_core.text import corpora, cutting
from mlm_core.text.tokens import ALGORITHMS, tokenize, train_tokenizer

SIZES = (150, 900, 4000)
STRANGE = ("unhappinesses", "Weltanschauung", "blorptastic", "Zürich", "日本語", "🙂", "xqzzy")


@pytest.fixture(scope="module")
def lines() -> tuple[str, ...]:
    return corpora.sentences()[:700]


@pytest.fixture(scope="module")
def words(lines: tuple[str, ...]) -> tuple[str, ...]:
    found = {word for line in lines for word in line.split() if word.isalpha()}
    return (*sorted(found)[::3], *STRANGE)


def _library_cut(tokenizer, word: str) -> list[str]:
    ids = tokenizer.encode(word, add_special_tokens=False).ids
    return [tokenizer.id_to_token(id_) for id_ in ids]


def _alone(tokenizer, word: str) -> bool:
    """Return whether the tokenizer's rules leave the word in one stretch (not so for CJK)."""
    clean = tokenizer.normalizer.normalize_str(word)
    return len(tokenizer.pre_tokenizer.pre_tokenize_str(clean)) == 1


@pytest.mark.parametrize("size", SIZES)
def test_wordpiece_takes_the_pieces_the_library_takes(lines, words, size):
    tokenizer = train_tokenizer("WordPiece", lines, size)
    vocabulary = tokenizer.get_vocab()
    for word in (*words, "a" * 101):
        if _alone(tokenizer, word):
            tries = cutting.wordpiece_attempts(word, vocabulary)
            cut = [try_.subword for try_ in tries if try_.found]
            is_unknown = not tries or not tries[-1].found
            assert (["[UNK]"] if is_unknown else cut) == _library_cut(tokenizer, word)


@pytest.mark.parametrize("size", SIZES)
def test_bpe_replays_its_merges_as_the_library_does(lines, words, size):
    tokenizer = train_tokenizer("BPE", lines, size)
    merges, vocabulary = cutting.merges_of(tokenizer), tokenizer.get_vocab()
    for word in words:
        if _alone(tokenizer, word):
            steps = cutting.bpe_steps(word, merges, vocabulary)
            assert list(steps[-1].subwords) == _library_cut(tokenizer, word)


@pytest.mark.parametrize("size", SIZES)
def test_unigram_finds_the_librarys_cut_likeliest(lines, words, size):
    tokenizer = train_tokenizer("Unigram", lines, size)
    log_probs = cutting.log_probs_of(tokenizer)
    for word in words:
        best, *others = cutting.unigram_segmentations("▁" + word, log_probs, 2)
        library = _library_cut(tokenizer, word)
        if "[UNK]" in library:
            continue  # the library joins unknown letters that touch; we show each
        # Two cuts can be equally likely to the last digit; then either is right.
        is_tie = bool(others) and abs(others[0].log_prob - best.log_prob) < 1e-9
        assert list(best.subwords) == library or is_tie


def test_the_first_merges_are_those_of_the_librarys_trainer(lines):
    tokenizer = train_tokenizer("BPE", lines, 400)
    learnt = cutting.first_merges(cutting.count_words(tokenizer, lines), 60)
    assert [(merge.left, merge.right) for merge in learnt] == list(cutting.merges_of(tokenizer))[
        :60
    ]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_same_text_gives_the_same_vocabulary_on_every_run(lines, algorithm):
    text = "The unhappiness of Zürich’s blorptastic Weltanschauung"
    runs = [train_tokenizer(algorithm, lines, 700) for _ in range(4)]
    assert all(run.get_vocab() == runs[0].get_vocab() for run in runs)
    assert all(tokenize(run, text) == tokenize(runs[0], text) for run in runs)


@pytest.mark.parametrize("algorithm", ["WordPiece", "BPE"])
def test_a_small_vocabulary_is_the_beginning_of_a_large_one(lines, algorithm):
    small = train_tokenizer(algorithm, lines, 300).get_vocab()
    large = train_tokenizer(algorithm, lines, 1100).get_vocab()
    assert {token: id_ for token, id_ in large.items() if id_ < 300} == small
