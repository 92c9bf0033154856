"""A release is built of a clean tree whose files name one version, and tagged last."""

import hashlib
import subprocess
import tarfile
from pathlib import Path

import pytest

from tools.release import ROOT, archive_source, release, tag_of, versions_in

FILES = ("pyproject.toml", "CHANGELOG.md", "CITATION.cff", ".zenodo.json")
(VERSION,) = {*versions_in(ROOT).values()}  # all files of the repository name one


def git(root: Path, *arguments: str) -> str:
    command = ["git", "-C", str(root), "-c", "user.name=a", "-c", "user.email=a@b.example"]
    command += ["-c", "tag.gpgSign=false", "-c", "commit.gpgSign=false", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a repository of a few files of ours."""
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{who}_NAME", "a")
        monkeypatch.setenv(f"GIT_{who}_EMAIL", "a@b.example")
    for name in FILES:
        text = (ROOT / name).read_text(encoding="utf-8")
        (tmp_path / name).write_text(text.replace("## Unreleased", "Of this version"))
    (tmp_path / ".gitignore").write_text("dist/\n")
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message", "all")
    return tmp_path


def small_file(root: Path, version: str, to: Path) -> None:
    (to / f"small-{version}.txt").write_text("small")


def test_a_release_has_its_files_their_sums_and_a_tag(clone: Path):
    (clone / "dist" / VERSION).mkdir(parents=True)
    (clone / "dist" / VERSION / "old").touch()
    to = release(clone, VERSION, (small_file, archive_source))
    archive = to / f"unmask-{VERSION}.tar.gz"
    assert {one.name for one in to.iterdir()} == {
        "SHA256SUMS",
        f"small-{VERSION}.txt",
        archive.name,
    }
    lines = (to / "SHA256SUMS").read_text().splitlines()
    sums = dict(reversed(line.split("  ")) for line in lines)
    assert sums[f"small-{VERSION}.txt"] == hashlib.sha256(b"small").hexdigest()
    assert {*sums} == {f"small-{VERSION}.txt", archive.name}
    with tarfile.open(archive) as packed:
        files = {name.removeprefix(f"unmask-{VERSION}/") for name in packed.getnames()}
    assert files >= {*FILES}
    assert git(clone, "rev-list", "-1", tag_of(VERSION)) == git(clone, "rev-parse", "HEAD")
    with pytest.raises(ValueError, match="is there already"):
        release(clone, VERSION, ())


def test_nothing_is_built_of_a_tree_with_changes_or_of_files_of_another_version(clone: Path):
    (clone / "new.txt").touch()
    with pytest.raises(ValueError, match=r"isn't clean.*\n.*new\.txt"):
        release(clone, VERSION, (small_file,))
    with pytest.raises(ValueError, match=rf"CITATION\.cff has version {VERSION}, not 99\.0\.0"):
        release(clone, "99.0.0", (small_file,))
    assert not (clone / "dist").exists() and not git(clone, "tag")


def test_a_build_that_fails_leaves_no_tag(clone: Path):
    def fails(root: Path, version: str, to: Path) -> None:
        raise OSError("no space left")

    with pytest.raises(OSError, match="no space"):
        release(clone, VERSION, (small_file, fails))
    assert not git(clone, "tag")


def test_what_is_unreleased_is_not_tagged_as_an_older_version(clone: Path):
    (clone / "CHANGELOG.md").write_text(f"## Unreleased\n\n## {VERSION} (2026-11-29)\n")
    git(clone, "commit", "--quiet", "--all", "--message", "more")
    with pytest.raises(ValueError, match="has a part “Unreleased”"):
        release(clone, VERSION, ())
