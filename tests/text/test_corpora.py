"""The sentences that small vocabularies are learnt from."""

from mlm_core.text.corpora import documents, sentences


def test_the_sentences_are_those_of_the_documents_in_order():
    assert sentences() == tuple(line for document in documents() for line in document)


def test_no_document_and_no_sentence_is_empty():
    assert len(documents()) > 50
    assert all(documents())
    assert all(line == line.strip() != "" for line in sentences())


def test_every_sentence_is_whole_characters_and_short_enough_for_a_small_model():
    for line in sentences():
        line.encode("utf-8")
        assert line.isprintable()
        assert len(line.split()) <= 40


def test_no_sentence_stands_there_twice():
    seen = set()
    twice = [line for line in sentences() if line in seen or seen.add(line)]
    assert len(twice) <= len(sentences()) // 100, twice[:5]
