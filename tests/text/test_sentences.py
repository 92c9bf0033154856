"""Text to sentences and documents: worked by hand, in several scripts, and in linear time."""

import pytest

from mlm_core.text.sentences import sentence_spans, split_documents, split_sentences


@pytest.mark.parametrize(
    ("paragraph", "sentences"),
    [
        ("It rained. We left.", ["It rained.", "We left."]),
        ('"Why?" he asked. "No!" Then he went.', ['"Why?" he asked.', '"No!"', "Then he went."]),
        ("Dr. Lee met J. K. Row in No. 7.", ["Dr. Lee met J. K. Row in No. 7."]),
        ("It cost 3.5 dollars. 40 people paid.", ["It cost 3.5 dollars.", "40 people paid."]),
        ("Apples, pears, etc. Then nuts.", ["Apples, pears, etc.", "Then nuts."]),
        ("It was I. He knew", ["It was I.", "He knew"]),
        ("It ended in 1900). Yes … no", ["It ended in 1900).", "Yes … no"]),
        ("“Vraiment?” était dit. Été vint.", ["“Vraiment?” était dit.", "Été vint."]),
        ("He cried! élan and ärger. Ärger too.", ["He cried! élan and ärger.", "Ärger too."]),
        ("שלום. עולם", ["שלום.", "עולם"]),  # letters without a small form begin sentences
        ("雨！！晴。", ["雨！！", "晴。"]),
        ("  It rained.\n We left. ", ["It rained.", "We left."]),
        ("", []),
        ("...", ["..."]),
    ],
)
def test_sentences_end_where_a_reader_would_end_them(paragraph, sentences):
    assert split_sentences(paragraph) == sentences


def test_no_letter_is_lost_between_sentences():
    paragraph = 'He said: "Mr. X. is here." (She laughed.) "Go!" Üben hilft. 5 men came… They ate.'
    assert " ".join(split_sentences(paragraph)) == paragraph


@pytest.mark.parametrize(
    ("text", "documents"),
    [
        ("", ()),
        ("  \n\n \t\n", ()),
        ("One. Two!\nThree", (("One.", "Two!", "Three"),)),
        ("One.\r\n\r\nTwo?", (("One.",), ("Two?",))),
        ('"Why?" he asked. Nobody knew.', (('"Why?" he asked.', "Nobody knew."),)),
        ("我爱你。你好！", (("我爱你。", "你好！"),)),
        ("3.5 miles", (("3.5 miles",),)),
        ("Mr. Smith came. He sat", (("Mr. Smith came.", "He sat"),)),
    ],
)
def test_pasted_text_becomes_documents_of_sentences(text, documents):
    assert split_documents(text) == documents


def test_spans_are_the_sentences_places():
    text = " He left (at 3.5). “No!” "
    assert [text[start:stop] for start, stop in sentence_spans(text)] == split_sentences(text)
    assert split_sentences(text) == ["He left (at 3.5).", "“No!”"]


def test_a_run_of_marks_is_one_stop_and_is_read_once():
    assert split_sentences("What?! Never... Yes.") == ["What?!", "Never...", "Yes."]
    assert split_sentences("(He went...) Out…”  So!") == ["(He went...)", "Out…”", "So!"]
    assert split_sentences("." * 200_000) == ["." * 200_000]  # quadratic, it took ten minutes
