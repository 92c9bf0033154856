"""Write a lesson to begin with, outside of this repository: `make lesson NAME=my_topic`.

    python -m tools.new_lesson my_topic ../my_lessons

The folder is a copy of docs/examples/new_lesson with another name. Nothing is overwritten. The
guide is docs/a_lesson_of_your_own.md.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
TEMPLATE = ROOT / "docs/examples/new_lesson"


def write(name: str, above: Path) -> Path:
    """Write the lesson's folder into the folder `above` and return it.

    Raises ValueError for a name that no lesson can have, FileExistsError for one that is there.
    """
    from pages.server.course import elsewhere
    from pages.server.course.lessons import BESIDE, HOME, OURS

    if why := elsewhere.refusal(name, (*OURS, HOME, *(page.slug for page in BESIDE))):
        raise ValueError(f"NAME={name}: {why}")
    folder = above / name
    if folder.exists():
        raise FileExistsError(f"{folder} is there already: choose another NAME")
    folder.mkdir(parents=True)
    title = name.replace("_", " ").capitalize()
    for file in sorted(TEMPLATE.rglob("*.*")):
        if file.suffix in (".py", ".md"):
            text = file.read_text(encoding="utf-8")
            text = text.replace(TEMPLATE.name, name).replace("New lesson", title)
            written = folder / str(file.relative_to(TEMPLATE)).replace(TEMPLATE.name, name)
            written.parent.mkdir(exist_ok=True)
            written.write_text(text, encoding="utf-8")
    return folder


if __name__ == "__main__":
    try:
        made = write(sys.argv[1], Path(sys.argv[2]).resolve())
    except (ValueError, FileExistsError) as error:
        raise SystemExit(f"nothing was written: {error}") from None
    print(f"{made}")
    print(f"  see it:   make run MLM_LESSONS={made}")
    print(f"  test it:  .venv/bin/python -m pytest {made}")
