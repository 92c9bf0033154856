"""Try the tests with the newest versions of all packages: `make newest`, once a month.

Makes an environment of its own in .newest, so nothing of the pinned one changes. torch keeps its
pin, since its version decides the random numbers (pyproject.toml). First come the changes to
Streamlit, which are made for one version, then all other tests. It ends by saying which versions
are newer than the pins and which tests failed. CONTRIBUTING.md says until when this was tried.
"""

import os
import re
import subprocess
import sys
import venv
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / ".newest"
FIRST = ("tests/pages/test_streamlit_patches.py", "tests/security", "tests/pages/test_history.py")
KEPT = "torch"


def without_pins(lines: Iterable[str]) -> list[str]:
    """Return the lines of a requirements file without the versions, but for torch.

    >>> without_pins(["# why", "numpy==2.4.6", "torch==2.13.0 ; x", "-r requirements.txt"])
    ['numpy', 'torch==2.13.0 ; x']
    """
    needed = (line.strip() for line in lines if re.match(r"[A-Za-z]", line))
    return [
        line if re.match(rf"{KEPT}\b", line) else re.sub(r"==[^\s;]+", "", line) for line in needed
    ]


def newer(pinned: str, installed: str) -> list[str]:
    r"""Return the packages of a requirements text whose version differs in that of `pip freeze`.

    >>> newer("a==1\nb==2", "a==1\nb==3\nc==4")
    ['b 2 -> 3']
    """
    pins, found = (dict(re.findall(r"^([\w.-]+)==(\S+)", t, re.M)) for t in (pinned, installed))
    there = pins.keys() & found.keys()
    moved = sorted(name for name in there if pins[name] != found[name])
    return [f"{name} {pins[name]} -> {found[name]}" for name in moved]


def main() -> None:
    """Install, test and report; the exit status is that of the tests."""
    files = [ROOT / name for name in ("requirements.txt", "requirements-dev.txt")]
    pinned = "\n".join(file.read_text(encoding="utf-8") for file in files)
    venv.create(FOLDER, clear=True, with_pip=True)
    python = FOLDER / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    pip = [python, "-m", "pip", "--disable-pip-version-check"]
    wanted = without_pins(pinned.splitlines())
    subprocess.run([*pip, "install", "--quiet", "--upgrade", *wanted], check=True)
    for name in ("nginx", "redis"):
        command = ["sh", "tests/deploy/unpack_server.sh", name, FOLDER / name]
        subprocess.run(command, cwd=ROOT, check=True)
    subprocess.run(["sh", "tests/browser/install_chromium.sh", python], cwd=ROOT, check=True)
    frozen = subprocess.run([*pip, "freeze"], check=True, capture_output=True, text=True).stdout
    tests = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-r", "fE"]
    one_thread = os.environ | {"OMP_NUM_THREADS": "1"}
    first = subprocess.run([*tests, *FIRST], cwd=ROOT, env=one_thread).returncode
    rest = ["-n", "3", "--dist", "worksteal", *(f"--ignore={name}" for name in FIRST)]
    others = subprocess.run([*tests, *rest], cwd=ROOT, env=one_thread).returncode
    print("\nother versions than the pins:", *newer(pinned, frozen), sep="\n  ")
    for what, failed in (("Streamlit's changes and bounds", first), ("all other tests", others)):
        print(f"{what}: {'what broke is listed above' if failed else 'passed'}")
    sys.exit(first or others)


if __name__ == "__main__":
    main()
