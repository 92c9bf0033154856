"""A lesson is added in a copy of the repository, as docs/architecture.md says, and works."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pages.shared.course import new_lesson
from tests.browser.live import ROOT

SLUG = "scaling_laws"
# What the app makes of the lesson, as one visit after the other.
VISITS = f'''
import json, os
os.environ["HF_HUB_OFFLINE"] = "1"
from streamlit.testing.v1 import AppTest

def opened(file, **link):
    app = AppTest.from_file("app.py", default_timeout=120)
    if file != "app.py":
        app.switch_page(file)
    app.query_params.update(link)
    app.run()
    assert not app.exception and not app.error, (file, app.exception, app.error)
    return app

FILE = "pages/11_{SLUG}.py"
home = opened("app.py")
lesson = opened(FILE)
linked = opened(FILE, {SLUG}_unit="characters", {SLUG}_text="One.", lock="{SLUG}_unit")
german = opened(FILE, lang="de")
teacher = opened("pages/12_teaching.py", teaching_part="link", teaching_lesson="{SLUG}",
                 teaching_lesson_part="first")
print(json.dumps(dict(
    links=[link.proto.page for link in home.get("page_link")],
    title=lesson.title[0].value,
    picker=lesson.segmented_control(key="{SLUG}_part").options,
    count=[one.value for one in linked.metric],
    locked=linked.segmented_control(key="{SLUG}_unit").disabled,
    german=german.title[0].value,
    controls=[one.key for one in teacher.get("button_group") if "state" in one.key],
)))
'''


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a copy of the repository with one more lesson."""
    folder = tmp_path_factory.mktemp("repository")
    for name in ("app.py", "pyproject.toml", "mlm_core", "pages", "tests", ".streamlit", "docs"):
        source = ROOT / name
        if name in ("mlm_core", "docs"):  # 50 MB; no step writes there
            (folder / name).symlink_to(source)
        elif source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, folder / name)
    run(folder, "-m", "pages.shared.course.new_lesson", SLUG)
    run(
        folder, "-m", "pytest", "-q", "tests/pages/test_controls.py", "-k", SLUG, WRITE_CONTROLS="1"
    )
    return folder


def run(folder: Path, *arguments: str, **more: str) -> str:
    """Run Python in the copy; return what it prints."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder)} | more,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def test_the_app_its_picker_and_its_links_take_the_lesson(copy: Path):
    seen = json.loads(run(copy, "-c", VISITS).splitlines()[-1])
    assert SLUG in seen["links"]
    assert seen["title"] == "11 Scaling laws"
    assert seen["picker"] == ["The first part", "In short"]
    assert seen["count"] == ["4"] and seen["locked"]
    assert seen["german"] == "11 Scaling laws"
    keys = {f"teaching_state_{SLUG}_{name}" for name in ("part", "text", "unit")}
    assert keys <= set(seen["controls"])


def test_the_tests_find_the_lesson_by_its_row(copy: Path):
    files = ("controls", "german", "hostile_input", "teaching", "translations")
    paths = [*(f"tests/pages/test_{name}.py" for name in files), "tests/browser/test_first_use.py"]
    said = run(copy, "-m", "pytest", "-q", *paths, "-k", SLUG)
    assert int(said.rpartition(" passed")[0].split()[-1]) >= 8, said


@pytest.mark.parametrize("name", ["Masking", "masking", "masking_more", "a b", "1st", "../x", ""])
def test_a_name_that_cannot_be_a_lessons_is_refused(name: str):
    with pytest.raises(ValueError, match=r"is no name of a lesson|is taken"):
        new_lesson.make(name)
