"""What every view of the lessons sends: each part, in each language, with each option listed.

    python -m tests.views write before.json                # all lessons; some minutes
    python -m tests.views write after.json isotropy        # of one; other pages, as home, too
    python -m tests.views compare before.json after.json   # says what differs, and how
    python -m tests.views replay LINK [SAVED.csv ...]      # computes a view's numbers again

For a change of the code that may change nothing a reader sees: write before it, write after it,
compare. A view is opened in this process as AppTest opens it, and what it sends is kept as text,
element by element, with each figure's table as the CSV file that a reader can save. What has the
same name in no two runs (the ids of visits and of fragments, the time) is taken out.

A replay opens the view of a link twice, each time with empty caches, and says whether it sends the
same, or by how much its numbers differ; and how far those are from the tables that were saved.
"""

import difflib
import json
import math
import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch
from urllib.parse import parse_qs, urlsplit

ROOT = Path(__file__).parents[1]
MOST_OPTIONS = 20  # of one control that are opened
OF_A_RUN = re.compile(
    r'^\s*(id|fragment_id|form_id|element_hash|url|group_id|deferred_file_id): ".*"$'
    r'|visit\\+": \\+"\w+|session_id: .*|\$\$ID-[0-9a-f]+|media/[0-9a-f]+'
    r"|[0-9a-f]{64}|\d\d:\d\d(?= UTC)",
    re.MULTILINE,
)
NUMBER = re.compile(r"[-−]?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
Sent = list[list[str]]  # kind and text of each element


def views_of(slug: str) -> Iterator[dict[str, str]]:
    """Give the links of a lesson's views: each part, then each option of each choice in it."""
    from pages.server.course.lessons import PAGES
    from pages.server.link.controls import OPENING, controls_of, part_key

    lesson = PAGES[slug]
    for part in lesson.parts:
        yield {part_key(slug): part}
        for control in controls_of(slug).values():
            where = {OPENING} if part == lesson.parts[0] else set()
            if not {*where, part} & set(control.at):
                continue
            seen = control.of(part)
            for option in list(seen.options)[:MOST_OPTIONS]:
                if option != seen.written:
                    yield {part_key(slug): part, **seen.when, control.key: option}


def sent_by(app) -> Sent:
    """Return what a view sends, element by element.

    Without empty places: one is left by what a page says while it computes for long.
    """
    rows: Sent = []

    def walk(block) -> None:
        for child in block.children.values():
            if hasattr(child, "children"):
                walk(child)
            elif child.type != "empty":
                rows.append([child.type, OF_A_RUN.sub("", str(child.proto))])

    for block in (app.sidebar, app.main):
        walk(block)
    return rows


@contextmanager
def recording() -> Iterator[list[str]]:
    """Let views send the tables of their figures, too, which are also given, and draw one seed."""
    import streamlit as st

    from pages.server.figures import clickable, sent_code, show  # noqa: F401
    from pages.server.link import seeds
    from pages.server.process import helper_process

    tables: list[str] = []
    show_menu = show.show_menu

    def with_table(name: str, *, table, **more):
        opened = show_menu(name, table=table, **more)
        tables.append((table() if callable(table) else table).csv().decode())
        st.text(tables[-1])
        return opened

    busy = helper_process.Obstacle("busy")
    with (
        patch.object(sent_code, "packed", lambda html: {"html": html}),
        patch.object(show, "show_menu", with_table),
        patch.object(seeds, "draw", lambda: 1238),
        patch.object(helper_process, "obstacle", lambda *modules: busy),
    ):
        yield tables


def record(slugs: list[str]) -> dict[str, Sent]:
    """Open every view of these lessons and return what each sends.

    Where a part asks for a guess, it is opened a second time with the first answer.
    """
    from pages.kit.trial import opened

    found: dict[str, Sent] = {}
    with recording():
        for slug in slugs:
            for language in ("en", "de"):
                for link in views_of(slug):
                    app = opened(slug, **link, lang=language)
                    name = json.dumps([slug, language, link])
                    found[name] = sent_by(app)
                    if len(link) == 1 and _guess(app, slug):
                        found[f"{name} guessed"] = sent_by(app)
    return found


def drawn(links: Sequence[str]) -> dict[str, tuple[str, list[str]]]:
    """Open views by their links; return what each sends, and its tables."""
    from pages.kit.trial import opened

    found = {}
    with recording() as tables:
        for link in links:
            parts = urlsplit(link)
            slug = parts.path.rstrip("/").rpartition("/")[2]
            tables.clear()
            app = opened(slug, **parse_qs(parts.query))
            if app.exception:
                raise ValueError(f"{link}: {app.exception[0].message}")
            found[link] = "\n".join(map("\n".join, sent_by(app))), [*tables]
    return found


def replay(link: str, saved: Sequence[str] = ()) -> float:
    """Compute the numbers of a link's view twice; print and return how far they are apart.

    `saved` are the texts of tables of its figures, with which the numbers are compared, too. Other
    words or another table are infinitely far.
    """
    from tests.caches import own_caches

    sent = []
    for _ in range(2):
        with own_caches():
            sent.append(drawn([link])[link])
    (before, _), (after, tables) = sent
    far = [distance(before, after)]
    print(f"{link}: its {len(tables)} tables, and all else that it sends, are {_said(far[0])}")
    for number, text in enumerate(saved, 1):
        far.append(min((distance(text, table) for table in tables), default=math.inf))
        print(f"    the saved table {number} is {_said(far[-1])}")
    return max(far)


def distance(before: str, after: str) -> float:
    """Return the largest difference of two numbers at the same place of two texts.

    >>> distance("loss 2.5, rank 3", "loss 2.25, rank 3"), distance("loss 2.5", "rank 2.5")
    (0.25, inf)
    """
    before, after = (
        re.sub(r"(?<=\d),(?=\d)", ".", text.lstrip("\ufeff")) for text in (before, after)
    )
    if NUMBER.sub("#", before).split() != NUMBER.sub("#", after).split():
        return math.inf
    numbers = (
        [float(one.replace("−", "-")) for one in NUMBER.findall(text)] for text in (before, after)
    )
    return max((abs(a - b) for a, b in zip(*numbers, strict=True)), default=0.0)


def _said(far: float) -> str:
    if far in (0, math.inf):
        return "other words, or more or fewer numbers" if far else "equal"
    return f"apart by at most {far:.3g}"


def _guess(app, slug: str) -> bool:
    """Answer the first guess that a view asks for; return whether it asks for one."""
    for one in app.get("button_group"):
        if one.key and one.key.startswith(slug) and not one.value and "guess" in one.key:
            one.set_value(one.proto.options[0].content).run()
            return True
    return False


def compare(before: dict[str, Sent], after: dict[str, Sent]) -> int:
    """Print where two records differ in the lessons that both have; return in how many elements.

    A backslash that only keeps a mark of a number from being Markdown is no difference.
    """
    n_same = n_other = 0
    lessons = [
        {json.loads(view.removesuffix(" guessed"))[0] for view in one} for one in (before, after)
    ]
    for view in sorted(before.keys() | after.keys()):
        if json.loads(view.removesuffix(" guessed"))[0] not in set.intersection(*lessons):
            continue
        old, new = before.get(view), after.get(view)
        if old is None or new is None:
            print(f"{view}: only {'after' if old is None else 'before'}")
            n_other += 1
            continue
        old, new = ([[kind, text.replace("\\\\", "")] for kind, text in one] for one in (old, new))
        matcher = difflib.SequenceMatcher(
            None, [f"{k}\n{t}" for k, t in old], [f"{k}\n{t}" for k, t in new], autojunk=False
        )
        n_same += sum(block.size for block in matcher.get_matching_blocks())
        for what, a, b, c, d in matcher.get_opcodes():
            if what == "equal":
                continue
            n_other += max(b - a, d - c)
            print(view)
            lines = ["\n".join(map("\n".join, rows)).splitlines() for rows in (old[a:b], new[c:d])]
            for line in list(difflib.unified_diff(*lines, lineterm="", n=0))[2:14]:
                print("   ", line[:300])
    print(f"{n_same} elements are equal, {n_other} are not")
    return n_other


if __name__ == "__main__":
    if sys.argv[1] == "compare":
        files = [Path(name).read_text(encoding="utf-8") for name in sys.argv[2:4]]
        raise SystemExit(bool(compare(*map(json.loads, files))))
    saved = [Path(name).read_bytes().decode() for name in sys.argv[3:] if sys.argv[1] == "replay"]
    os.chdir(ROOT)
    os.environ |= {"HF_HUB_OFFLINE": "1", "MLM_GET_READY": "no", "OMP_NUM_THREADS": "1"}
    if sys.argv[1] == "replay":
        raise SystemExit(bool(replay(sys.argv[2], saved)))
    from pages.server.course.lessons import BY_SLUG

    made = record(sys.argv[3:] or list(BY_SLUG))
    Path(sys.argv[2]).write_text(json.dumps(made, indent=0), encoding="utf-8")
    print(f"{len(made)} views")
