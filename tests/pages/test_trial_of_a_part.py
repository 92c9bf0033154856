"""A part with a control, a figure and a table is added to a copy of the app: what it takes.

Only files of the lesson's own folder are changed (and, for a reader, the changelog). The copy then
shows the part in both languages.
"""

import shutil
import subprocess
import sys
from pathlib import Path

from tests.browser.live import ROOT

FOLDER = Path("pages/lessons/masking")
PART = '''"""A trial: how many of a sentence's tokens are chosen on average."""

from mlm_core.figures.charts import bars_chart
from pages.kit.part import Part, part


@part(code=("masking.rule:CorruptionRule",))
def show(p: Part) -> None:
    """Draw the mean count of chosen tokens for sentences of some lengths."""
    share = int(p.choice("trial_share")) / 100
    counts = {n: share * n for n in (8, 64, 512)}
    p.say("lead", share=share)
    chart = bars_chart([str(n) for n in counts], {"k": [*counts.values()]}, written=str)
    p.figure("trial", chart, {"trial_tokens": [*counts], "trial_chosen": [*counts.values()]})
'''
LABELS = "part_trial: {title}\ntrial_share: {title}\ntrial_share_15: 15\ntrial_share_40: 40\n"
WORDS = "trial_alt: {title}\ntrial_source: {title}\n"
LOOK = """
from streamlit.testing.v1 import AppTest
for language, title in (("en", "A trial"), ("de", "Ein Versuch")):
    app = AppTest.from_file("app.py", default_timeout=120).switch_page("pages/3_masking.py")
    link = {"masking_part": "trial", "masking_trial_share": "40", "lang": language}
    app.query_params.update(link)
    app.run()
    assert not app.exception and not app.error, (app.exception, app.error)
    assert any(title in one.value for one in app.subheader), [one.value for one in app.subheader]
    assert any("0.4" in one.value.replace(",", ".") for one in app.markdown)
    assert app.get("plotly_chart"), "no figure"
"""


def test_a_part_with_a_control_a_figure_and_a_table_takes_its_lessons_folder_alone(tmp_path: Path):
    for name in ("app.py", "pages", ".streamlit", "pyproject.toml"):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, tmp_path / name)
    for name in ("mlm_core", "docs"):
        (tmp_path / name).symlink_to(ROOT / name)
    add_part(tmp_path / FOLDER)
    run = subprocess.run(
        [sys.executable, "-c", LOOK], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr[-3000:]
    touched = set()
    for file in (tmp_path / "pages").rglob("*.[pm][yd]"):
        before = ROOT / file.relative_to(tmp_path)
        if not before.is_file() or before.read_bytes() != file.read_bytes():
            touched.add(file.relative_to(tmp_path / FOLDER).as_posix())
    assert touched == {"trial.py", "lesson.py", "en/words.md", "de/words.md"}


def add_part(folder: Path) -> None:
    """Add the part: a file, two rows, and words in each language."""
    (folder / "trial.py").write_text(PART, encoding="utf-8")
    rows = (folder / "lesson.py").read_text(encoding="utf-8")
    rows = put_before(rows, '        "in_short",\n        "exercises",\n', '        "trial",\n')
    row = '    choice("trial_share", ("15", "40"), at="trial"),\n'
    rows = rows.replace("CONTROLS = (\n", f"CONTROLS = (\n{row}")
    (folder / "lesson.py").write_text(rows, encoding="utf-8")
    for language, title in (("en", "A trial"), ("de", "Ein Versuch")):
        file = folder / language / "words.md"
        words = file.read_text(encoding="utf-8")
        words = words.replace("## labels\n", f"## labels\n{(LABELS + WORDS).format(title=title)}")
        words = words.replace("## columns\n", "## columns\ntrial_tokens: N\ntrial_chosen: k\n")
        words += "\n## trial.lead\n{{share}}\n"
        file.write_text(words, encoding="utf-8")


def put_before(text: str, what: str, new: str) -> str:
    assert text.count(what) == 1
    return text.replace(what, new + what)
