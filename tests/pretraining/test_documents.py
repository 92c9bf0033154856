"""Text files to documents."""

import lzma
from pathlib import Path

import pytest

from mlm_core.pretraining.documents import clean, read_documents


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
