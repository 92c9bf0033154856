"""A learner's text: what is refused, what is held out, and that memory equals files."""

import pytest
import torch

from mlm_core.pretraining.corpus import corpus_in_memory, open_corpus, write_corpus
from mlm_core.small_runs.own_text import documents_of, split_train_test
from mlm_core.small_runs.settings import SmallRunSettings
from mlm_core.small_runs.text import prepare
from mlm_core.text.tokens import train_tokenizer


def sentences(n: int) -> str:
    return " ".join(f"Cat number {i} sat on mat {i * 7}." for i in range(n))


def test_a_corpus_in_memory_has_the_numbers_of_one_on_disk(tmp_path):
    documents = [["A cat sat.", "It slept."], [], ["\x00"], ["Dogs bark.", "\x01", "Cats don't!"]]
    tokenizer = train_tokenizer("WordPiece", ["A cat sat. It slept. Dogs bark. Cats don't!"], 60)
    *_, in_memory = corpus_in_memory(documents, tokenizer)
    file = tmp_path / "text.txt"
    file.write_text("\n\n".join("\n".join(document) for document in documents), encoding="utf-8")
    list(write_corpus([file], tokenizer, tmp_path / "corpus"))
    for name, part in vars(open_corpus(tmp_path / "corpus")).items():
        assert getattr(in_memory, name).equal(part), name
        assert getattr(in_memory, name).dtype == part.dtype, name


def test_documents_without_a_token_make_no_corpus():
    tokenizer = train_tokenizer("WordPiece", ["a cat"], 20)
    with pytest.raises(ValueError, match="no text"):
        list(corpus_in_memory([[" "]], tokenizer))


def test_a_wrapped_paragraph_is_joined_and_lines_of_a_list_are_not():
    wrapped = "The keeper of the lighthouse climbed the\nstairs every evening. He lit the lamp."
    assert documents_of(wrapped) == (
        ("The keeper of the lighthouse climbed the stairs every evening.", "He lit the lamp."),
    )
    assert documents_of("one line\r\nanother line") == (("one line", "another line"),)


def test_text_without_stops_is_cut_so_that_it_can_be_read():
    (document,) = documents_of("word " * 95)
    assert [len(sentence.split()) for sentence in document] == [20, 20, 20, 20, 15]


@pytest.mark.parametrize("next_sentence", [True, False])
@pytest.mark.parametrize(
    "text",
    [
        sentences(200),
        "\n\n".join(sentences(6).replace("Cat", f"Dog {i} and cat") for i in range(30)),
        sentences(50) + " Yes. No. " * 30,  # repeated sentences must not leak
        sentences(40) * 3,
        sentences(8),
    ],
)
def test_no_held_out_sentence_is_trained_on(text, next_sentence):
    parts = split_train_test(text, next_sentence=next_sentence)
    train = {sentence for document in parts.train for sentence in document}
    held_out = [sentence for document in parts.held_out for sentence in document]
    assert train and held_out and train.isdisjoint(held_out)
    if next_sentence:
        for part in (parts.train, parts.held_out):
            assert sum(len(document) > 1 for document in part) >= 2


def test_of_thirty_documents_three_are_held_out_whole():
    text = "\n\n".join(f"Cat {i} sat.\nCat {i} ran." for i in range(30))
    parts = split_train_test(text, next_sentence=True)
    assert len(parts.held_out) == 3 and len(parts.train) == 27 and not parts.was_cut
    assert all(document in documents_of(text) for document in parts.held_out)


def test_one_long_document_is_cut_and_says_so():
    parts = split_train_test(sentences(40), next_sentence=True)
    assert parts.was_cut and len(parts.train) + len(parts.held_out) == 10


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        (" \n\n\t", "is empty"),
        ("word", "1 word in 1 sentence, and at least 4"),
        ("One sentence only.", "3 words in 1 sentence"),
        (sentences(5), "at least 8 in four documents of two.*or turn NSP off"),
        ("Same words. " * 50, "different sentence"),
    ],
)
def test_too_little_text_is_refused_with_what_is_needed(text, message):
    with pytest.raises(ValueError, match=message):
        split_train_test(text, next_sentence=True)


def test_the_vocabulary_says_what_it_got_and_never_exceeds_what_was_asked():
    few = SmallRunSettings(own_text=sentences(30), vocabulary_size=1000, objective="mlm")
    *_, text = prepare(few)
    assert text.facts.vocabulary_got == text.tokenizer.get_vocab_size() < 1000
    assert text.facts.unknown_proportion == 0
    # Chinese has more characters than this vocabulary has room for.
    characters = "".join(chr(0x4E00 + i) for i in range(3000))
    lines = "\n".join(characters[i : i + 10] for i in range(0, 3000, 10))
    many = SmallRunSettings(own_text=lines, vocabulary_size=300, objective="mlm")
    *_, text = prepare(many)
    assert text.facts.vocabulary_got <= 300
    assert text.facts.unknown_proportion > 0.5


def test_the_same_text_is_prepared_alike_and_the_held_out_part_teaches_no_vocabulary():
    settings = SmallRunSettings(own_text=sentences(60), vocabulary_size=200)
    (*_, first), (*_, second) = prepare(settings), prepare(settings)
    assert first.tokenizer.to_str() == second.tokenizer.to_str()
    assert first.train.tokens.equal(second.train.tokens)
    only_held_out = set("".join(first.held_out_sentences)) - set(
        first.tokenizer.decode(first.train.tokens.tolist())
    )
    assert not only_held_out & set(first.tokenizer.get_vocab())
    assert torch.equal(first.train.counts.sum(), torch.tensor(first.train.n_tokens))
