"""Text files to documents and sentences."""

import lzma
from pathlib import Path

import pytest

from mlm_core.pretraining.documents import clean, read_documents, split_sentences


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
        ("", []),
        ("...", ["..."]),
    ],
)
def test_sentences_end_where_a_reader_would_end_them(paragraph, sentences):
    assert split_sentences(paragraph) == sentences


def test_no_letter_is_lost_between_sentences():
    paragraph = 'He said: "Mr. X. is here." (She laughed.) "Go!" Üben hilft. 5 men came… They ate.'
    assert " ".join(split_sentences(paragraph)) == paragraph


def test_a_run_of_marks_is_one_stop_and_is_read_once():
    assert split_sentences("What?! Never... Yes.") == ["What?!", "Never...", "Yes."]
    assert split_sentences("(He went...) Out…”  So!") == ["(He went...)", "Out…”", "So!"]
    assert split_sentences("." * 200_000) == ["." * 200_000]  # quadratic, it took ten minutes


def test_brackets_that_lost_their_content_go():
    assert clean("Moi (; born 1924 ) spoke ().") == "Moi (born 1924 ) spoke."


def test_plain_and_compressed_files_give_the_same_documents(tmp_path: Path):
    text = "One.\nTwo.\n\n\nThree.\n"
    (tmp_path / "a.txt").write_text(text, encoding="utf-8")
    with lzma.open(tmp_path / "a.txt.xz", "wt", encoding="utf-8") as file:
        file.write(text)
    for name in ("a.txt", "a.txt.xz"):
        assert list(read_documents([tmp_path / name])) == [["One.", "Two."], ["Three."]]


def test_a_missing_file_and_a_binary_file_are_named(tmp_path: Path):
    with pytest.raises(ValueError, match=r"no file .*nowhere\.txt"):
        list(read_documents([tmp_path / "nowhere.txt"]))
    (tmp_path / "image.txt").write_bytes(b"\xff\xfe\x00\x80")
    with pytest.raises(ValueError, match=r"image\.txt is no UTF-8 text"):
        list(read_documents([tmp_path / "image.txt"]))
