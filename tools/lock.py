"""Write requirements-lock.txt: what the app installs, each wheel by its hash. `make lock`.

    name==version --hash=sha256:...    all of requirements.txt and what that needs, but torch

For the platform that this runs on, which the file's first line names; `--fits` says by its status
whether that is this one. pip resolves requirements.txt and reports what it would install. torch
is left out, with the libraries that it alone needs: the index decides which of its builds comes
(for a GPU, with gigabytes of libraries, or for the CPU), so no hash holds everywhere; its pin is
exact. `make install` takes the rest by the hashes, and then what is missing by requirements.txt.
"""

import json
import platform
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
FILE = ROOT / "requirements-lock.txt"
LEFT_OUT = re.compile(r"torch|triton|(nvidia|cuda)[-_].*")
HEAD = """{here}
# Made by `make lock` from requirements.txt: edit that one. `make install` uses it on this platform;
# Streamlit Community Cloud and all others read requirements.txt. torch has no hash: tools/lock.py.
"""


def here() -> str:
    """Return the platform, as the file's first line names it."""
    python = ".".join(platform.python_version_tuple()[:2])
    return f"# {platform.system()} {platform.machine()}, Python {python}"


def fits() -> bool:
    """Return whether the file was made for this platform."""
    return FILE.is_file() and FILE.read_text(encoding="utf-8").splitlines()[0] == here()


def resolved() -> list[dict]:
    """Return what pip would install into an empty environment, from its report."""
    asked = ["install", "--dry-run", "--ignore-installed", "--quiet", "--report", "-"]
    pip = [sys.executable, "-m", "pip", *asked, "-r", str(ROOT / "requirements.txt")]
    return json.loads(subprocess.run(pip, check=True, capture_output=True).stdout)["install"]


def line_of(package: dict) -> str:
    """Return a package's line, without where it came from."""
    named, found = package["metadata"], package["download_info"]["archive_info"]
    return f"{named['name'].lower()}=={named['version']} --hash=sha256:{found['hashes']['sha256']}"


def main(arguments: list[str]) -> int:
    """Write the file, or say whether it fits; return the exit status."""
    if arguments == ["--fits"]:
        return 0 if fits() else 1
    packages = [one for one in resolved() if not LEFT_OUT.fullmatch(one["metadata"]["name"])]
    lines = sorted(line_of(one) for one in packages)
    FILE.write_text(HEAD.format(here=here()) + "\n".join(lines) + "\n", encoding="utf-8")
    print(f"{FILE.name}: {len(lines)} packages")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
