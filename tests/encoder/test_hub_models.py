"""Hub models, from a small hub of our own on this machine: fetched, refused, out of reach."""

import json
import os
from collections.abc import Iterator
from functools import partial
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tests.fresh import run_fresh
from tests.reference.small_checkpoints import save_small

COMMIT = "0123456789abcdef0123456789abcdef01234567"
# Importing what reads models takes seconds, so each process asks for several.
SCRIPT = """
import sys
from mlm_core.encoder.pretrained import ModelUnavailableError, load
from mlm_core.text.tokens import tokenize
for name in sys.argv[1:]:
    try:
        model = load(name)
    except ModelUnavailableError as error:
        print("refused:", error)
    else:
        text = tokenize(model.tokenizer, "the dog")
        print("loaded:", model.architecture, tuple(model.vocabulary_logits(text).shape))
"""
FETCHED = ("somebody/bert", "somebody/roberta")
REFUSED = ("nobody/nothing", "somebody/pickle", "somebody/huge", "somebody/adapter")
ON_THE_REAL_HUB = "google-bert/bert-base-cased"


class SmallHub(BaseHTTPRequestHandler):
    """Answers as the hub does, for the folders under `root`."""

    def __init__(self, root: Path, asked: list[str], *arguments) -> None:
        self.root, self.asked = root, asked
        super().__init__(*arguments)

    def log_message(self, *_) -> None:
        """Say nothing."""

    def do_HEAD(self) -> None:
        """Answer with the headers of a file."""
        self.do_GET()

    def do_GET(self) -> None:
        """Answer with a model's description or one of its files."""
        path = self.path.partition("?")[0]
        self.asked.append(path)
        if path.startswith("/api/models/"):
            owner, name, *rest = path.removeprefix("/api/models/").split("/")
            folder = self.root / owner / name
            if not folder.is_dir():
                return self._answer(None)
            found = [file for file in sorted(folder.rglob("*")) if file.is_file()]
            files = [(str(file.relative_to(folder)), file.stat().st_size) for file in found]
            if "tree" in rest:
                tree = [
                    {"type": "file", "path": file, "size": size, "oid": sha256(b"").hexdigest()}
                    for file, size in files
                ]
                return self._answer(json.dumps(tree).encode())
            siblings = [{"rfilename": file, "size": size} for file, size in files]
            listing = {"id": f"{owner}/{name}", "sha": COMMIT, "siblings": siblings}
            return self._answer(json.dumps(listing).encode())
        name, _, file = path.partition("/resolve/")
        found = self.root / name.lstrip("/") / file.partition("/")[2]
        return self._answer(found.read_bytes() if file and found.is_file() else None)

    def _answer(self, content: bytes | None) -> None:
        self.send_response(200 if content is not None else 404)
        if content is None:
            self.send_header("X-Error-Code", "RepoNotFound")
        self.send_header("X-Repo-Commit", COMMIT)
        self.send_header("ETag", f'"{sha256(content or b"").hexdigest()}"')
        self.send_header("Content-Length", str(len(content or b"")))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(content or b"")


@pytest.fixture(scope="module")
def hub(tmp_path_factory) -> Iterator[tuple[str, list[str]]]:
    """Give the hub's address and the list of what it was asked for."""
    root, asked = tmp_path_factory.mktemp("hub"), []
    save_small("bert-cased", root / "somebody" / "bert")
    save_small("roberta", root / "somebody" / "roberta")
    (root / "somebody" / "bert" / "pytorch_model.bin").write_bytes(b"a pickle")
    (root / "somebody" / "bert" / "own_code.py").write_text("raise SystemExit")
    (root / "somebody" / "bert" / "modules.json").write_text('[{"path": ""}]')
    (root / "somebody" / "bert" / "1_Pooling").mkdir()
    (root / "somebody" / "bert" / "1_Pooling" / "config.json").write_text("{}")
    (root / "somebody" / "adapter").mkdir()
    (root / "somebody" / "adapter" / "adapter_config.json").write_text("{}")
    only_pickle = root / "somebody" / "pickle"
    only_pickle.mkdir()
    for name in ("config.json", "tokenizer.json"):
        (only_pickle / name).write_bytes((root / "somebody" / "bert" / name).read_bytes())
    (only_pickle / "pytorch_model.bin").write_bytes(b"a pickle")
    huge = root / "somebody" / "huge"
    huge.mkdir()
    for name in ("config.json", "tokenizer.json"):
        (huge / name).write_bytes((root / "somebody" / "bert" / name).read_bytes())
    with open(huge / "model.safetensors", "wb") as file:
        file.truncate(2**42)  # 4 TB on paper, a few bytes on disk
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(SmallHub, root, asked))
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", asked
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(scope="module")
def home(tmp_path_factory) -> Path:
    """Give the folder in which fetched models stay."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def said(hub, home) -> dict[str, str]:
    """Give what was said of each model of the hub, all asked for in one process."""
    return ask_for((*FETCHED, *REFUSED), hub[0], home)


@pytest.fixture(scope="module")
def said_offline(said, home) -> dict[str, str]:
    """Give what a later process says, whose hub can't be reached."""
    return ask_for((*FETCHED, ON_THE_REAL_HUB), "http://127.0.0.1:9", home)


def ask_for(names: tuple[str, ...], endpoint: str, home: Path) -> dict[str, str]:
    """Return what a new process says that loads each model from the hub at `endpoint`."""
    environment = os.environ | {
        "HF_ENDPOINT": endpoint,
        "HF_HOME": str(home),
        "HF_HUB_OFFLINE": "0",
        "HF_HUB_DISABLE_XET": "1",
        "NO_PROXY": "127.0.0.1",
        "no_proxy": "127.0.0.1",
    }
    ran = run_fresh(SCRIPT, *names, environment=environment)
    assert ran.returncode == 0, ran.stderr
    # One line a model: a sentence of several would show as a name too many.
    return dict(zip(names, ran.stdout.splitlines(), strict=True))


@pytest.mark.parametrize("name", FETCHED)
def test_a_hub_model_is_fetched_once_and_then_needs_no_network(hub, said, said_offline, name):
    loaded = f"loaded: {name.removeprefix('somebody/')} ("
    assert said[name].startswith(loaded)
    asked = [path for path in hub[1] if path.startswith(f"/{name}/resolve/")]
    files = {path.rpartition("/")[2] for path in asked}
    assert "model.safetensors" in files
    assert not files & {"pytorch_model.bin", "own_code.py"}, "no pickle and no code is ever fetched"
    if name == "somebody/bert":  # what a sentence encoder says of itself
        assert "modules.json" in files and any("1_Pooling/config.json" in path for path in asked)
    assert said_offline[name].startswith(loaded)


def test_what_another_program_left_out_of_a_sentence_encoder_is_fetched_later(hub, said, home):
    [kept] = home.rglob("modules.json")
    kept.unlink()
    assert ask_for(FETCHED[:1], hub[0], home)[FETCHED[0]] == said[FETCHED[0]]
    assert kept.is_file(), "with the size check of a first fetch"


def test_no_network(said_offline):
    sentence = said_offline[ON_THE_REAL_HUB]
    assert sentence.startswith(f"refused: {ON_THE_REAL_HUB} is not on this server yet")
    assert "can't be reached" in sentence and "go on with a bundled model" in sentence


def test_a_name_the_hub_does_not_know(said):
    assert said["nobody/nothing"].startswith("refused: the hub refused nobody/nothing")
    assert "check the name on huggingface.co" in said["nobody/nothing"]


def test_a_model_that_has_only_a_pickle(said):
    assert said["somebody/pickle"].startswith(
        "refused: somebody/pickle lacks model.safetensors on the hub"
    )


def test_an_adapter(said):
    assert said["somebody/adapter"].startswith(
        "refused: somebody/adapter is an adapter on the hub, expected a whole model: load the"
    )


def test_a_model_too_large_for_this_machine_is_not_fetched(hub, said):
    assert said["somebody/huge"].startswith("refused: somebody/huge needs about")
    assert "choose a smaller" in said["somebody/huge"]
    assert not any("huge/resolve" in path for path in hub[1])
