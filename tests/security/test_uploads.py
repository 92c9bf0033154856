"""Files that a learner uploads: every place that takes one, every hostile file and file name."""

import gzip
import io
import re
import zipfile
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from pages.shared.words import read_words
from tests.browser.live import ROOT
from tests.hostile import SCRIPT, TEXTS

UNEXPECTED = read_words("frame").section("unexpected")


@dataclass(frozen=True, kw_only=True)
class Upload:
    """A place that takes files, and how to get there."""

    source: str  # the file with the st.file_uploader
    page: str
    link: dict[str, str]
    key: str
    ending: str


OWN_TASK = {"set_data": "own_classes", "set_trained": "head"}
UPLOADS = [
    Upload(
        source="pages/parts/train_an_encoder/own_text.py",
        page="pages/6_train_an_encoder.py",
        link={"train_an_encoder_set_corpus": "own"},
        key="train_an_encoder_own_file",
        ending="txt",
    ),
    Upload(
        source="pages/parts/word_senses/own_sentences.py",
        page="pages/7_word_senses.py",
        link={"word_senses_part": "own", "word_senses_own_from": "file"},
        key="word_senses_own_file",
        ending="tsv",
    ),
    Upload(
        source="pages/shared/finetune_own_data.py",
        page="pages/9_classification.py",
        link={"classification_part": "train"}
        | {f"classification_{name}": value for name, value in OWN_TASK.items()},
        key="classification_own_file",
        ending="tsv",
    ),
    Upload(
        source="pages/shared/finetune_own_data.py",
        page="pages/10_bio_tagging.py",
        link={"bio_tagging_part": "train", "bio_tagging_set_data": "own_tags"},
        key="bio_tagging_own_file",
        ending="conll",
    ),
    Upload(
        source="pages/parts/home/record.py",
        page="app.py",
        link={"home_record": "true"},
        key="home_record_file",
        ending="json",
    ),
    Upload(
        source="pages/parts/teaching/plan_file.py",
        page="pages/12_teaching.py",
        link={"teaching_part": "plan"},
        key="teaching_plan_file",
        ending="json",
    ),
]

MEGABYTE = 1_000_000


def zip_bomb() -> bytes:
    """Return a small archive of a file of fifty megabytes."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("text.txt", bytes(50 * MEGABYTE))
    return file.getvalue()


FILES = {
    "nothing": b"",
    "zip bomb": zip_bomb(),
    "gzip bomb": gzip.compress(bytes(20 * MEGABYTE)),
    "pickle that runs code": b"cposix\nsystem\n(S'echo hostile'\ntR.",
    "all bytes": bytes(range(256)) * 40,
    "zeros of the largest size": bytes(5 * MEGABYTE),
    "one line of the largest size": b"x" * (5 * MEGABYTE),
    "only line breaks": b"\n" * MEGABYTE,
    "only tabs": b"\t" * 100_000,
    "UTF-16 cut off": b"\xff\xfea",
    "script": SCRIPT.encode(),
    "hostile texts": "\n".join(TEXTS.values()).encode("utf-8", "replace"),
    "objects in objects": b'{"a":' * 50_000,
    "a column too many": b"a\tb\tc\td\te\n" * 50,
}
NAMES = [
    "<img src=x onerror='window.hostile = true'>.{}",
    "../../../../etc/passwd.{}",
    "![i](http://localhost/x) **b** :red[c] $x$.{}",
    "C:\\CON\u202etxt.exe.{}",
    "x" * 250 + ".{}",
]


def shown(app) -> str:
    """Return all that the page has drawn itself, as it was sent; Streamlit's uploader apart."""
    kinds = (*("markdown", "caption", "info", "warning", "error", "success", "text"), "text_area")
    said = [str(element.value) for kind in kinds for element in app.get(kind)]
    return " ".join(said) + " ".join(str(one.proto) for one in app.get("bidi_component"))


def opened(place: Upload, open_warm_page: Callable):
    app = open_warm_page(place.page, **place.link)
    assert app.file_uploader(key=place.key)
    return app


EVERY_PLACE = pytest.mark.parametrize("place", UPLOADS, ids=lambda place: place.key)


def test_every_place_that_takes_files_is_tested_here():
    sources = {
        str(file.relative_to(ROOT))
        for file in [ROOT / "app.py", *ROOT.glob("pages/**/*.py")]
        if re.search(r"\bfile_uploader\(", file.read_text(encoding="utf-8"))
    }
    assert sources == {place.source for place in UPLOADS}, "give each a row in UPLOADS"


@EVERY_PLACE
def test_no_file_brings_a_page_down(place: Upload, open_warm_page: Callable):
    app, found = opened(place, open_warm_page), []
    for name, data in FILES.items():
        app.file_uploader(key=place.key).upload(f"a.{place.ending}", data, "text/plain").run()
        found += [f"{name}: {one.message}" for one in app.exception]
        found += [f"{name}: the apology" for one in app.error if one.value == UNEXPECTED]
        # What it became is no larger than what may be typed.
        fields = [len(one.value or "") for one in app.text_area]
        assert max(fields, default=0) <= MEGABYTE, name
    assert not found, "\n".join(found)


@EVERY_PLACE
def test_a_files_name_is_nowhere_on_the_page(place: Upload, open_warm_page: Callable):
    app = opened(place, open_warm_page)
    for name in NAMES:
        name = name.format(place.ending)
        file = app.file_uploader(key=place.key)
        file.upload(name, b"The bank was steep.\n", "text/html").run()
        assert not app.exception
        assert name not in shown(app) and name[:40] not in shown(app)


def test_a_server_takes_five_megabytes_at_most_and_no_widget_asks_for_more(
    open_warm_page: Callable,
):
    import tomllib

    config = tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8"))
    largest = config["server"]["maxUploadSize"]
    assert largest == 5
    for place in UPLOADS:
        (one,) = opened(place, open_warm_page).get("file_uploader")
        assert 0 < one.proto.max_upload_size_mb <= largest
        assert not one.proto.multiple_files
