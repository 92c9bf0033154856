"""Fresh interpreters that need not import torch: each is forked from one that has it and idles.

Importing torch takes a processor three seconds and transformers as long again; a fork takes
milliseconds. A fork has its own modules, environment, folder and end. What it shares with its
sisters is the seed of hash(), so a test of two processes starts one of them the long way.
"""

import atexit
import functools
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
TORCH = "import torch"
TRANSFORMERS = "from transformers import AutoTokenizer, BertForMaskedLM"

# Runs in the interpreter that idles. A fork leaves the loop and ends as any script does.
_IDLE = """
import gc, json, os, signal, sys, time

def status_of(pid, seconds):
    stop_at = time.monotonic() + seconds
    while not (ended := os.waitpid(pid, os.WNOHANG))[0]:
        if time.monotonic() > stop_at:
            os.kill(pid, signal.SIGKILL)
        time.sleep(0.01)
    return os.waitstatus_to_exitcode(ended[1])

def next_script():
    while line := sys.stdin.readline():
        asked = json.loads(line)
        if "pid" in asked:
            print(status_of(asked["pid"], asked["seconds"]), flush=True)
        elif (pid := os.fork()) == 0:
            return asked
        else:
            print(pid, flush=True)
    return None

exec(sys.argv[1])
gc.freeze()  # or each fork would go through all of it at its end
if asked := next_script():
    os.chdir(asked["folder"])
    os.environ.clear()
    os.environ.update(asked["environment"])
    flags = (os.O_RDONLY, os.O_WRONLY | os.O_TRUNC, os.O_WRONLY | os.O_TRUNC)
    for number, (file, flag) in enumerate(zip(asked["files"], flags)):
        os.dup2(os.open(file, flag), number)
    sys.stdin = open(0, closefd=False)
    sys.argv = asked["arguments"]
    sys.path[:0] = asked["path"]
    code = compile(asked["code"], sys.argv[0], "exec")
    exec(code, {"__name__": "__main__", "__file__": sys.argv[0]})
"""


@dataclass(frozen=True)
class Fresh:
    """A script that runs in a process of its own."""

    pid: int
    idle: subprocess.Popen
    files: tempfile.TemporaryDirectory

    def wait(self, seconds: float = 600.0) -> subprocess.CompletedProcess:
        """Wait for its end, which comes by force after some time; return what it said."""
        returncode = _ask(self.idle, pid=self.pid, seconds=seconds)
        said = [(Path(self.files.name) / name).read_text() for name in ("out", "error")]
        self.files.cleanup()
        return subprocess.CompletedProcess([], returncode, *said)


def start_fresh(
    code: str,
    *arguments: str,
    having: str = TORCH,
    folder: Path = ROOT,
    path: Sequence[str] = ("",),
    environment: Mapping[str, str] = os.environ,
    said_to_it: str = "",
) -> Fresh:
    """Run Python code in a process that has executed `having` and nothing else.

    `path` comes before the paths of the installed packages; "" is the folder it runs in.
    """
    idle, files = _idle(having), tempfile.TemporaryDirectory()
    names = [str(Path(files.name) / name) for name in ("in", "out", "error")]
    for name in names:
        Path(name).write_text(said_to_it if name == names[0] else "")
    pid = _ask(
        idle,
        code=code,
        arguments=["-c", *arguments],
        folder=str(folder),
        path=list(path),
        environment=dict(environment),
        files=names,
    )
    return Fresh(pid, idle, files)


def run_fresh(code: str, *arguments: str, **options) -> subprocess.CompletedProcess:
    """Run Python code as `start_fresh` does, and wait for its end."""
    return start_fresh(code, *arguments, **options).wait()


@functools.cache
def _idle(having: str) -> subprocess.Popen:
    idle = subprocess.Popen(
        [sys.executable, "-I", "-c", _IDLE, having],
        env=os.environ | {"OMP_NUM_THREADS": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    atexit.register(_end, idle)  # if this process is killed, the other's input ends and so does it
    return idle


def _end(idle: subprocess.Popen) -> None:
    with idle:
        idle.kill()


def _ask(idle: subprocess.Popen, **asked) -> int:
    idle.stdin.write(json.dumps(asked) + "\n")
    idle.stdin.flush()
    return int(idle.stdout.readline())


def run_file(script: str | Path, *arguments: str, **options) -> subprocess.CompletedProcess:
    """Run a Python file as `run_fresh` runs code."""
    run_it = (
        "import runpy, sys\ndel sys.argv[0]\nrunpy.run_path(sys.argv[0], run_name='__main__')\n"
    )
    return run_fresh(run_it, str(script), *arguments, **options)


def run_taken_home(script: str, *arguments: str, folder: Path) -> subprocess.CompletedProcess:
    """Run a script in its folder outside the project, where transformers and torch are all."""
    return run_file(script, *arguments, having=TRANSFORMERS, folder=folder, path=())
