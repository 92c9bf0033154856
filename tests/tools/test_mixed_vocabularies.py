"""Vocabularies from two languages mixed by alpha: the shares, the command, what is stored."""

import lzma
from random import Random

import pytest

from mlm_core.encoder.model_list import BILINGUAL, BUNDLED, BUNDLED_FOLDER
from mlm_core.pretraining.mixed_vocabulary import (
    N_ENTRIES,
    N_WORDS,
    NATURAL,
    CountedDocument,
    count_documents,
    draw_documents,
)
from mlm_core.stored.two_languages import MIXED_ALPHAS, MIXED_SEEDS, read_vocabularies
from mlm_core.text.tokens import load_tokenizer
from tools.mixed_vocabularies import corpus_files, make_vocabularies


def test_words_of_letters_are_counted_and_whole_documents_drawn_until_there_are_enough():
    documents = count_documents(
        [["It's 7 o'clock.", "He ran."], ["No."], ["12, 13"]], load_tokenizer(BUNDLED_FOLDER)
    )
    # By hand: It s o clock He ran; No; none.
    assert [one.n_words for one in documents] == [6, 1, 0]
    drawn, n_words = draw_documents(documents, 7, Random(3))
    assert n_words == 7 and {"It's 7 o'clock.", "He ran.", "No."} <= set(drawn)
    alike = [CountedDocument(paragraphs=(str(i),), n_words=5) for i in range(9)]
    drawn, n_words = draw_documents(alike, 11, Random(3))
    assert n_words == 15 and len(set(drawn)) == 3
    assert drawn != draw_documents(alike, 11, Random(4))[0]
    with pytest.raises(ValueError, match="46 words wanted, but the texts have 45: add files"):
        draw_documents(alike, 46, Random(3))


def test_the_command_learns_from_all_files_but_the_last_and_counts_in_that(tmp_path):
    # A word of 4 in a document: alpha 0 takes 10 of each language, 20 in all.
    for language, words in (("en", "the tree grows high"), ("de", "der Baum wird hoch")):
        for i in range(3):
            with lzma.open(tmp_path / f"{language}-wiki-{i:02}.txt.xz", "wt") as file:
                file.write("\n\n".join([f"{words} 8."] * 9))
    path = tmp_path / "made.json"
    lines = list(
        make_vocabularies(tmp_path, alphas=(0.0, 1.0), n_words=20, n_entries=90, path=path)
    )
    assert len(lines) == 2 + 2 * len(MIXED_SEEDS)
    stored = read_vocabularies(path)
    english, german = stored.texts
    assert english.learnt_from == ("en-wiki-00.txt.xz", "en-wiki-01.txt.xz")
    assert german.held_out == "de-wiki-02.txt.xz"
    assert english.n_words == german.n_words == 36
    assert english.n_bytes == 9 * len("the tree grows high 8.")
    # By hand: 10 words are 3 documents; of 20, 1 in 40 is half a word, so 1 document, and 5.
    assert [one.n_words for one in stored.mixed[:2]] == [(12, 12), (20, 4)]
    assert stored.mixed[0].proportion == 0.5
    assert stored.of_model(BUNDLED).subwords_per_word[0] == 1.0
    assert stored.of_model(BILINGUAL).proportion == read_vocabularies().models[1].proportion
    with pytest.raises(ValueError, match="0 files en-wiki"):
        corpus_files(tmp_path / "none", "en")


def test_the_stored_vocabularies_are_all_there_and_follow_the_definition():
    stored = read_vocabularies()
    assert (stored.natural, stored.words, stored.entries) == (NATURAL, N_WORDS, N_ENTRIES)
    assert [(one.seed, one.alpha) for one in stored.mixed] == [
        (seed, alpha) for seed in MIXED_SEEDS for alpha in MIXED_ALPHAS
    ]
    for text in stored.texts:
        assert text.held_out not in text.learnt_from and text.n_bytes > 3 * text.n_words > 0
    for one in stored.mixed:
        # q by hand, with p = 1/40; the last document of each language may go beyond its share.
        q = 1 / (1 + 39**one.alpha)
        assert one.proportion == pytest.approx(q, abs=0.01)
        assert N_WORDS <= sum(one.n_words) < 1.02 * N_WORDS
    english, german = zip(*(one.subwords_per_word for one in stored.mixed), strict=True)
    # The smaller alpha is, the better for German and the worse for English.
    assert list(german) == sorted(german) and list(english) == sorted(english, reverse=True)
    assert all(1 < value < 3 for value in (*english, *german))
    # No German at all is worse still, and more of it than alpha 0 gives is not needed.
    without, both = stored.models
    assert without.subwords_per_word[1] > german[-1] > both.subwords_per_word[1] > german[0]
    assert without.subwords_per_word[0] < english[-1]
