"""Files that a learner uploads: every place that takes one, every hostile file and file name."""

import asyncio
import gzip
import io
import re
import tomllib
import urllib.request
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import cycle
from unittest.mock import patch

import pytest
from streamlit.elements.widgets import file_uploader
from streamlit.runtime.uploaded_file_manager import DeletedFile
from streamlit.web.server.starlette.starlette_app_utils import generate_xsrf_token_string

from bench.load.session import Session
from pages.kit.files import GONE
from pages.kit.training.finetune_own_data import MOST_FILES as MOST_PARTS
from pages.server.course.lessons import PAGES
from pages.server.course.words import read_words
from pages.server.process.visits_files import (
    MOST_BYTES,
    MOST_FILES,
    VisitsFiles,
    most_bytes_of_all,
)
from tests import own_loop
from tests.app_code import sources
from tests.browser.live import ROOT, Server
from tests.hostile import SCRIPT, TEXTS

OF_KIT = "pages/kit/files.py"  # with p.upload and p.upload_into, which lessons call
UNEXPECTED = read_words("frame").section("unexpected")
SENT_BYTES = 4_900_000  # of one file


@dataclass(frozen=True)
class Upload:
    """A place that takes files, and how to get there."""

    source: str  # the file that shows the upload
    key: str
    ending: str
    link: dict[str, str]
    session: dict = field(default_factory=dict)  # what was chosen before, in no link

    @property
    def page(self) -> str:
        """Return the file of the page, with whose name the key begins."""
        return next(page.file for slug, page in PAGES.items() if self.key.startswith(f"{slug}_"))


OWN_TASK = {"classification_set_data": "own_classes", "classification_set_trained": "head"}
OWN_TAGS = {"bio_tagging_part": "train", "bio_tagging_set_data": "own_tags"}
OWN_USES = {"word_senses_part": "own", "word_senses_own_from": "file"}
OWN_TEXT = {"teaching_own_edited": (0, 1), "teaching_own_1_kind": "text"}
FINETUNED, PLAN = "pages/kit/training/finetune_own_data.py", "pages/beside/teaching/plan.py"
OWN_CORPUS = "pages/lessons/train_an_encoder/settings.py"
OF_PLAN = {"teaching_part": "plan"}
UPLOADS = [
    Upload(OWN_CORPUS, "train_an_encoder_own_file", "txt", {"train_an_encoder_set_corpus": "own"}),
    Upload("pages/lessons/word_senses/own.py", "word_senses_own_file", "tsv", OWN_USES),
    Upload(
        *("pages/lessons/classification/our_labels.py", "classification_labels_file", "csv"),
        {"classification_part": "our_labels"},
    ),
    Upload(
        FINETUNED, "classification_own_file", "tsv", {"classification_part": "train"} | OWN_TASK
    ),
    Upload(FINETUNED, "bio_tagging_own_file", "conll", OWN_TAGS),
    Upload("pages/beside/home/record.py", "home_record_file", "json", {"home_record": "true"}),
    Upload(PLAN, "teaching_plan_file", "json", OF_PLAN),
    Upload(PLAN, "teaching_plan_file", "gift", OF_PLAN),
    Upload("pages/beside/teaching/plan_own.py", "teaching_own_1_image", "png", OF_PLAN, OWN_TEXT),
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
    if place.session:
        for key, value in place.session.items():
            app.session_state[key] = value
        app.run()
    assert app.file_uploader(key=place.key)
    return app


EVERY_PLACE = pytest.mark.parametrize("place", UPLOADS, ids=lambda place: place.key)


def test_every_place_that_takes_files_is_tested_here():
    asks = re.compile(r"\bfile_uploader\(|\bp\.upload(_into)?\(")
    asking = {path for path, text in sources().items() if asks.search(text)} - {OF_KIT}
    assert asking == {place.source for place in UPLOADS}, "give each a row in UPLOADS"


@EVERY_PLACE
def test_no_file_brings_a_page_down_and_its_name_is_nowhere_on_the_page(
    place: Upload, open_warm_page: Callable
):
    app, found = opened(place, open_warm_page), []
    for (kind, data), pattern in zip(FILES.items(), cycle(NAMES), strict=False):
        name = pattern.format(place.ending)
        app.file_uploader(key=place.key).upload(name, data, "text/html").run()
        found += [f"{kind}: {one.message}" for one in app.exception]
        found += [f"{kind}: the apology" for one in app.error if one.value == UNEXPECTED]
        assert name not in shown(app) and name[:40] not in shown(app)
        # What it became is no larger than what may be typed.
        fields = [len(one.value or "") for one in app.text_area]
        assert max(fields, default=0) <= MEGABYTE, kind
    assert not found, "\n".join(found)


@EVERY_PLACE
def test_a_file_fits_into_a_visit_and_all_that_is_typed_into_one_message(
    place: Upload, open_warm_page: Callable
):
    config = tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8"))["server"]
    app = opened(place, open_warm_page)
    (one,) = app.get("file_uploader")
    assert 0 < one.proto.max_upload_size_mb <= config["maxUploadSize"] == 5
    # Own examples may come in three parts, of which a visit holds all.
    n_files = MOST_PARTS if one.proto.multiple_files else 1
    assert n_files * one.proto.max_upload_size_mb * MEGABYTE <= MOST_BYTES
    # The pages that take files have the longest fields; a character has up to four bytes.
    most = sum(each.proto.max_chars for each in (*app.text_area, *app.text_input))
    assert 4 * most < 0.9 * config["maxWidgetStateSize"] * MEGABYTE


@pytest.mark.parametrize(
    "place", [one for one in UPLOADS if not one.session], ids=lambda one: one.key
)
def test_a_file_that_is_gone_before_it_is_read_is_missed(place: Upload, open_warm_page: Callable):
    app = opened(place, open_warm_page)
    app.file_uploader(key=place.key).upload(f"a.{place.ending}", b"{}", "text/html").run()

    def gone(sent):
        return [DeletedFile(one.file_id) for one in sent.uploaded_file_info] if sent else []

    with patch.object(file_uploader, "_get_upload_files", gone):
        app.run()
        reads_always = place.key == "word_senses_own_file"
        assert (GONE in shown(app).replace("\\", "")) == reads_always, "the others have read it"
        app.file_uploader(key=place.key).upload(f"b.{place.ending}", b"{}", "text/html").run()
        assert not app.exception and GONE in shown(app).replace("\\", "")


@pytest.fixture
def send() -> Callable:
    """Give what notes a file that a visit has sent, and returns what all visits hold then."""
    files, held = VisitsFiles(app=None), {}

    def send_(file: str, n_bytes: int, visit: str = "visit") -> list[str]:
        held.pop((visit, file), None)
        held[visit, file] = n_bytes
        for dropped in files.note((visit, file), n_bytes):
            del held[dropped]
        assert sum(held.values()) <= most_bytes_of_all()
        return [name for of, name in held if of == visit]

    return send_


def test_a_visit_holds_the_newest_files_within_its_bytes_and_no_others(send: Callable):
    send("another's", 5 * MEGABYTE, "another visit")
    for number in range(30):
        files = send(str(number), 5 * MEGABYTE)
        assert files == [str(one) for one in range(max(0, number - 1), number + 1)]
    assert send("x", 1, "another visit") == ["another's", "x"]


def test_a_visit_holds_only_so_many_files_even_of_nothing(send: Callable):
    for number in range(100):
        files = send(str(number), 0)
    assert files == [str(number) for number in range(100 - MOST_FILES, 100)]


def test_all_visits_together_hold_the_newest_files_within_the_bytes_of_all(send: Callable):
    n_fit = most_bytes_of_all() // (5 * MEGABYTE)
    for number in range(2 * n_fit):
        assert send("a", 5 * MEGABYTE, f"visit {number}") == ["a"], "a new one is always taken"
    assert send("b", 0, "visit 0") == ["b"], "its first one made way"
    assert send("b", 0, f"visit {2 * n_fit - 1}") == ["a", "b"]


def test_a_file_that_is_sent_again_counts_once(send: Callable):
    for size in (5, 4, 5):
        files = send("same", size * MEGABYTE)
    assert files == ["same"]
    assert len(send("other", 5 * MEGABYTE)) == 2


def test_a_real_server_holds_no_more_than_that_of_files_that_no_widget_asked_for(server: Server):
    """With the visit's id and the token, as a browser has them; past every widget."""
    # Without the bound all twenty are held: 98 MB. Other tests upload files of a few bytes.
    assert 2 * SENT_BYTES <= own_loop.run(send_many(server)) <= MOST_BYTES


async def send_many(server: Server) -> int:
    """Open a page, send files to the visit past every widget, and return the bytes held of them."""
    attacker = Session(server.url, "masking")
    await attacker.open()
    for number in range(20):
        await asyncio.to_thread(put, server, attacker.session_id, f"{number}")
    n_bytes = await asyncio.to_thread(uploaded_bytes, server)
    await attacker.close()
    return n_bytes


def uploaded_bytes(server: Server) -> int:
    """Return what the server says of its uploaded files, whatever else takes memory meanwhile."""
    with urllib.request.urlopen(f"{server.url}/_stcore/metrics", timeout=30) as answer:
        figures = answer.read().decode()
    return int(
        re.search(r'^\w+{cache_type="UploadedFileManager".*} (\d+)$', figures, re.MULTILINE)[1]
    )


def put(server: Server, session_id: str, file_id: str) -> None:
    """Send a file of 4.9 MB as a browser does."""
    token, boundary = generate_xsrf_token_string(), "boundary"
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="f"; filename="a.txt"\r\n\r\n'
    request = urllib.request.Request(
        f"{server.url}/_stcore/upload_file/{session_id}/{file_id}",
        data=head.encode() + bytes(SENT_BYTES) + f"\r\n--{boundary}--\r\n".encode(),
        method="PUT",
        headers={
            "Content-Type": f"multipart/form-data; boundary={boundary}",
            "X-Xsrftoken": token,
            "Cookie": f"_streamlit_xsrf={token}",
        },
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        assert answer.status == 204
