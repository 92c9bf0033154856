"""Tag a version and build what is handed out with it: `make release VERSION=1.9.0`.

Before: a heading of the version and its date in CHANGELOG.md, and the version in pyproject.toml,
CITATION.cff and .zenodo.json. The tree must be clean. In dist/<version> are then the package
mlm_core as a wheel, the pocket edition in each language, the repository as it is tagged, and
SHA256SUMS (`sha256sum --check SHA256SUMS`). The tag comes last, and nothing is pushed.
"""

import hashlib
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path

ROOT = Path(__file__).parents[1]
Step = Callable[[Path, str, Path], None]  # builds from the root, for a version, into a folder


def what_is_amiss(root: Path, version: str) -> list[str]:
    """Return why a version can't be released from a repository; none if it can.

    >>> what_is_amiss(Path(), "1.9")
    ['VERSION=1.9: give three numbers, as in VERSION=1.9.0']
    """
    if not re.fullmatch(r"\d+\.\d+\.\d+", version, re.ASCII):
        return [f"VERSION={version}: give three numbers, as in VERSION=1.9.0"]
    amiss = [
        f"{file} has version {found}, not {version}: change it and commit"
        for file, found in versions_in(root).items()
        if found != version
    ]
    changelog = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    if re.search(r"^## Unreleased", changelog, re.MULTILINE):
        amiss.append("CHANGELOG.md has a part “Unreleased”: give it its version and date")
    if changed := _git(root, "status", "--porcelain"):
        amiss.append(f"the tree isn't clean: commit or remove these files first\n{changed}")
    if _git(root, "tag", "--list", tag_of(version)):
        amiss.append(f"the tag {tag_of(version)} is there already: choose the next version")
    return amiss


def versions_in(root: Path) -> dict[str, str]:
    """Return the version that each file names which has one."""
    texts = {
        name: (root / name).read_text(encoding="utf-8")
        for name in ("pyproject.toml", "CHANGELOG.md", "CITATION.cff", ".zenodo.json")
    }
    newest = re.search(r"^## (\d[\d.]*) \(", texts["CHANGELOG.md"], re.MULTILINE)
    cited = re.search(r'^version: "?([\d.]+)', texts["CITATION.cff"], re.MULTILINE)
    return {
        "pyproject.toml": tomllib.loads(texts["pyproject.toml"])["project"]["version"],
        "CHANGELOG.md": newest[1] if newest else "none",
        "CITATION.cff": cited[1] if cited else "none",
        ".zenodo.json": json.loads(texts[".zenodo.json"])["version"],
    }


def tag_of(version: str) -> str:
    """Return the tag of a version."""
    return f"v{version}"


def build_wheel(root: Path, version: str, to: Path) -> None:
    """Build the package mlm_core."""
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel"]
    subprocess.run([*command, "--directory", to], cwd=root, check=True)


def build_pocket(root: Path, version: str, to: Path) -> None:
    """Build the first hour of the course, one file a language."""
    from pocket.build import NAMES, build

    for language in NAMES:
        build(to / f"unmask-pocket-{version}-{language}.html", language=language)


def archive_source(root: Path, version: str, to: Path) -> None:
    """Pack all files of the commit that is tagged."""
    name = f"unmask-{version}"
    _git(root, "archive", f"--prefix={name}/", f"--output={to / name}.tar.gz", "HEAD")


STEPS: tuple[Step, ...] = (build_wheel, build_pocket, archive_source)


def release(root: Path, version: str, steps: Iterable[Step] = STEPS) -> Path:
    """Build all into dist/<version>, tag the commit, and return the folder.

    Raises ValueError for what stands in the way; then nothing is built or tagged.
    """
    if amiss := what_is_amiss(root, version):
        raise ValueError("\n".join(amiss))
    to = root / "dist" / version
    to.mkdir(parents=True, exist_ok=True)
    for old in to.iterdir():  # of a release that was broken off
        old.unlink()
    for step in steps:
        step(root, version, to)
    sums = [f"{_sha256(file)}  {file.name}\n" for file in sorted(to.iterdir())]
    (to / "SHA256SUMS").write_text("".join(sums), encoding="utf-8")
    _git(root, "tag", "--annotate", tag_of(version), "--message", f"Unmask {version}")
    return to


def _sha256(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def _git(root: Path, *arguments: str) -> str:
    command = ["git", "-C", str(root), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def main() -> None:
    """Release the version that the command line names."""
    try:
        to = release(ROOT, sys.argv[1] if len(sys.argv) > 1 else "")
    except ValueError as error:
        sys.exit(str(error))
    print((to / "SHA256SUMS").read_text(encoding="utf-8"), end="")
    version = to.name
    print(f"{to}; tagged {tag_of(version)}. To publish it: git push origin {tag_of(version)}")


if __name__ == "__main__":
    main()
