"""List the licences of the packages that the app installs: `make licences`.

Read from what is installed, for the packages of requirements-lock.txt and torch. A package's own
files have the whole text; what this repository itself holds is in LICENSES.md.
"""

import re
from collections.abc import Iterator
from importlib.metadata import PackageMetadata, PackageNotFoundError, metadata
from pathlib import Path

LOCKED = Path(__file__).parents[1] / "requirements-lock.txt"


def licence_of(about: PackageMetadata) -> str:
    """Return what a package says of its licence, in one line; "not said" if it says nothing."""
    classifiers = about.get_all("Classifier") or []
    named = [one.split(" :: ")[-1] for one in classifiers if one.startswith("License :: OSI ")]
    named = [one for one in named if one != "OSI Approved"]
    said = about.get("License-Expression") or ", ".join(named) or about.get("License") or ""
    return said.strip().splitlines()[0] if said.strip() else "not said"


def rows() -> Iterator[tuple[str, str, str]]:
    """Yield name, version and licence of each package."""
    text = LOCKED.read_text(encoding="utf-8")
    for name in sorted(["torch", *re.findall(r"^([\w.-]+)==", text, re.MULTILINE)], key=str.lower):
        try:
            about = metadata(name)
        except PackageNotFoundError:
            yield name, "-", "not installed"
        else:
            yield name, about["Version"], licence_of(about)


if __name__ == "__main__":
    for row in rows():
        print("{:32}{:16}{}".format(*row))
