"""The package: what pyproject.toml says and requirements.txt says, and an installed copy."""

import ast
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import jsonschema
import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.app_code import trees
from tests.fresh import run_fresh
from tools import licences, lock

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
# What a package is called where it is imported, if not as where it is installed.
IMPORTED_AS = {"umap-learn": "umap", "scikit-learn": "sklearn"}


def pins(file: str) -> dict[str, set[str]]:
    """Return the versions that a requirements file pins, by package, as `requests` would have it.

    Of an address the version in the file's name counts, without "+cpu".
    """
    found: dict[str, set[str]] = {}
    for line in (ROOT / file).read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith(("#", "-r")):
            requirement = Requirement(line)
            version = re.search(r"-(\d[\d.]*)%2B", requirement.url or "")
            (specifier,) = requirement.specifier or (None,)
            assert version or specifier.operator == "==", f"{file}: {line} is no exact pin"
            name = canonicalize_name(requirement.name)
            found.setdefault(name, set()).add(version[1] if version else specifier.version)
    return found


def said(*lists: list[str]) -> dict[str, Requirement]:
    requirements = [Requirement(line) for lines in lists for line in lines]
    return {canonicalize_name(requirement.name): requirement for requirement in requirements}


def test_the_newest_version_of_the_changelog_is_that_of_the_package():
    heads = re.findall(r"^## (.+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)
    assert heads.pop(0) == "Unreleased"
    versions = [re.fullmatch(r"(\d+)\.(\d+)\.(\d+) \(\d{4}-\d\d-\d\d\)", one) for one in heads]
    assert None not in versions
    numbers = [tuple(map(int, one.groups())) for one in versions if one]
    assert numbers == sorted({*numbers}, reverse=True)
    assert ".".join(map(str, numbers[0])) == PROJECT["version"]


# The essential rules of the schema of the Citation File Format 1.2.0, for what our file has.
CFF = {
    "type": "object",
    "additionalProperties": False,
    "required": ["authors", "cff-version", "message", "title"],
    "properties": {
        "cff-version": {"const": "1.2.0"},
        "type": {"enum": ["software", "dataset"]},
        "license": {"const": PROJECT["license"]},
        "version": {"type": "string", "minLength": 1},
        "date-released": {"type": "string", "pattern": r"^\d{4}-\d{2}-\d{2}$"},
        "keywords": {"type": "array", "minItems": 1, "uniqueItems": True},
        "authors": {
            "type": "array",
            "minItems": 1,
            # Only entities: no persons are named.
            "items": {"type": "object", "required": ["name"], "additionalProperties": False}
            | {"properties": {"name": {"type": "string", "minLength": 1}}},
        },
    }
    | {name: {"type": "string", "minLength": 1} for name in ("abstract", "message", "title")},
}


def test_what_is_cited_is_valid_and_names_the_same_in_each_file():
    # Both packages come with streamlit and transformers. The schema takes a date as a text.
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    cff = yaml.load(text, yaml.BaseLoader)
    jsonschema.Draft7Validator(CFF).validate(cff)
    zenodo = json.loads((ROOT / ".zenodo.json").read_text(encoding="utf-8"))
    assert zenodo["creators"] == cff["authors"]
    same = {"title": "title", "version": "version", "license": "license", "keywords": "keywords"}
    same |= {"publication_date": "date-released", "upload_type": "type"}
    assert {name: zenodo[name] for name in same} == {name: cff[of] for name, of in same.items()}
    assert zenodo["description"] == f"<p>{cff['abstract']}</p>"
    released = f"## {cff['version']} ({cff['date-released']})"
    assert released in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").splitlines()


def test_the_package_and_the_app_need_the_same_packages():
    needed = said(PROJECT["dependencies"], EXTRAS["app"])
    assert sorted(needed) == sorted(pins("requirements.txt")), (
        "name a package of requirements.txt in pyproject.toml too: among the dependencies if"
        " mlm_core imports it, else in the extra app"
    )


@pytest.mark.parametrize(
    ("file", "lists"),
    [
        ("requirements.txt", (PROJECT["dependencies"], EXTRAS["app"])),
        ("requirements-dev.txt", (EXTRAS["dev"],)),
    ],
)
def test_each_pin_is_a_version_that_the_package_takes(file: str, lists: tuple[list[str], ...]):
    needed = said(*lists)
    assert sorted(needed) >= sorted(pins(file))
    for name, versions in pins(file).items():
        for version in versions:
            assert needed[name].specifier.contains(version), (
                f"{file} pins {name} {version}, pyproject.toml wants {needed[name].specifier}"
            )


def test_the_lock_file_has_each_pin_by_its_hash_and_no_place_where_it_came_from():
    head, *lines = (ROOT / "requirements-lock.txt").read_text(encoding="utf-8").splitlines()
    assert re.fullmatch(r"# \w+ \w+, Python 3\.\d+", head)
    rows = [line.split() for line in lines if not line.startswith("#")]
    assert all(re.fullmatch(r"--hash=sha256:[0-9a-f]{64}", shown) for _, shown in rows)
    locked = {canonicalize_name(name): {v} for name, v in (one.split("==") for one, _ in rows)}
    wanted = pins("requirements.txt")
    del wanted["torch"]  # tools/lock.py says why
    assert not [name for name in locked if lock.LEFT_OUT.fullmatch(name)]
    assert {name: locked.get(name) for name in wanted} == wanted, "run `make lock`"
    assert "/" not in "".join(line for line in lines if not line.startswith("#"))


@pytest.mark.parametrize(
    ("error", "more", "goes_on"),
    [
        ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES", (), False),
        ("ERROR: No matching distribution found for x==1", (), True),
        ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES", ("HASHES=no",), True),
    ],
)
def test_a_wheel_that_is_not_the_locked_one_stops_the_installation(
    tmp_path: Path, error: str, more: tuple[str, ...], goes_on: bool
):
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/pip").touch()
    python = tmp_path / "bin/python"
    python.write_text(
        f'#!/bin/sh\ncase "$*" in *--require-hashes*) echo "{error}" >&2; exit 1;; esac\n'
    )
    python.chmod(0o755)
    make = ["make", "-C", str(ROOT), "install", f"VENV={tmp_path}", *more]
    done = subprocess.run(make, capture_output=True, text=True, timeout=30)
    assert (done.returncode == 0) == goes_on == (tmp_path / "installed.txt").exists()
    assert ("make install HASHES=no" in done.stderr) != goes_on


def test_each_package_that_the_core_imports_is_a_dependency():
    named = {
        IMPORTED_AS.get(name, name.replace("-", "_")) for name in said(PROJECT["dependencies"])
    }
    for path, tree in trees().items():
        if not path.startswith("mlm_core/"):
            continue
        may = named | ({"plotly", "segno"} if "/figures/" in path else set())
        for node in ast.walk(tree):
            modules = [name.name for name in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and not node.level:
                modules = [node.module]
            packages = {module.split(".")[0] for module in modules}
            missing = packages - may - set(sys.stdlib_module_names) - {"mlm_core"}
            assert not missing, f"{path} imports {missing}: no dependency"


@pytest.mark.parametrize(
    "model", sorted(file.parent.name for file in ROOT.glob("mlm_core/data/*/model.safetensors"))
)
def test_the_licence_names_all_that_a_bundled_model_was_trained_on(model: str):
    (card,) = (
        text
        for text in (file.read_text(encoding="utf-8") for file in ROOT.glob("docs/model_card*.md"))
        if text.startswith(f"# Model card: {model}\n")
    )
    _, _, table = card.partition("## Data and licences\n")
    _, _, *rows = [line for line in table.split("\n#")[0].splitlines() if line.startswith("|")]
    told = (ROOT / "LICENSE").read_text(encoding="utf-8").partition(f"\n{model}: ")[2]
    told = " ".join(told.partition(".\n")[0].split())
    assert rows
    for row in rows:
        text, *_, licence = row.strip("| ").split(" | ")
        named = re.split(", | by ", text)[0], licence.split(";")[0]
        assert all(one in told for one in named), f"LICENSE, {model}: name {named}"


def test_the_licences_name_each_file_of_data_and_the_licence_of_each_package():
    text = (ROOT / "LICENSES.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(?:mlm_core/data/)?([\w.-]+)`", text))
    data = {file.name for file in ROOT.glob("mlm_core/data/*")} - {"__pycache__"}
    assert data <= named, f"name the source of {data - named} in LICENSES.md"
    (all_files,) = tomllib.loads((ROOT / "REUSE.toml").read_text(encoding="utf-8"))["annotations"]
    licence = all_files["SPDX-License-Identifier"]
    assert (all_files["path"], licence) == ("**", PROJECT["license"])
    ours = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert ours.startswith((ROOT / "LICENSES" / f"{licence}.txt").read_text(encoding="utf-8"))
    of_packages = {name: said_ for name, _, said_ in licences.rows()}
    assert of_packages["torch"] != "not installed" and of_packages["streamlit"].startswith("Apache")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder that the package was installed into, as `pip install .` does."""
    folder = tmp_path_factory.mktemp("installed")
    options = ["--no-deps", "--no-index", "--no-build-isolation", "--disable-pip-version-check"]
    options += ["--no-compile", "--target", folder]  # compiling all modules takes a second
    command = [sys.executable, "-m", "pip", "install", "--quiet", *options, "."]
    subprocess.run(command, cwd=ROOT, check=True, timeout=300)
    return folder


def test_the_package_holds_mlm_core_and_its_data_and_nothing_else(installed: Path):
    (metadata,) = installed.glob("mlm_core-*.dist-info")
    assert sorted(each.name for each in installed.iterdir()) == ["mlm_core", metadata.name]

    def files_in(root: Path) -> set[str]:
        files = {file.relative_to(root).as_posix() for file in root.glob("mlm_core/**/*")}
        return {file for file in files if "__pycache__" not in file}

    assert files_in(installed) == files_in(ROOT)
    assert (installed / "mlm_core/data/take_home/fill.py").is_file()


def test_an_installed_copy_fills_a_blank_outside_the_repository(installed: Path, tmp_path: Path):
    code = """if True:
        import mlm_core
        print(mlm_core.__file__)
        filled = mlm_core.fill_mask(mlm_core.load(), "They crossed the [MASK] by boat.", n=3)
        print(" ".join(guess.token for guess in filled.guesses))
        print(mlm_core.nearest_sense(mlm_core.load(), "bank", "We fished from the bank."))
    """
    ran = run_fresh(code, folder=tmp_path, path=(str(installed),))
    assert ran.returncode == 0, ran.stderr
    file, tokens, senses = ran.stdout.splitlines()
    assert Path(file).is_relative_to(installed)
    assert "river" in tokens.split()
    assert senses.startswith("{'river'")
