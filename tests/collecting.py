"""How pytest finds the tests of this project, and what it leaves out that would find nothing.

`--doctest-modules` would import every module of the pages a second time, under a name of its own,
and go through all that stands in every module of the project, for examples that a look at the
text can tell aren't there. And what is made while five thousand tests are found stays until the
end: the garbage collector needn't go through it, neither then nor with each test.

A plug-in shuffles the modules and the tests of each. What waits for servers stays in front, and
what opens pages in-process begins the share of the second process: so one begins with servers,
another opens all pages, which share what a page keeps for all visitors, and each takes what is
left of the rest. The third begins with what needs transformers or fresh interpreters: importing
the one and starting the others takes some ten seconds of a processor, once in each process. Tests
for which a module makes the same model stay together, as pytest had them, or it would be made for
each anew.
"""

import functools
import gc
import os
import re
from collections.abc import Generator
from pathlib import Path

import pytest
from _pytest.fixtures import reorder_items

EXAMPLE = ">>>"
WAITING = [Path(__file__).parent / folder for folder in ("browser", "deploy", "load")]
PAGES = [Path(__file__).parent / folder for folder in ("lessons", "pages", "security")]
COSTLY = re.compile(
    r"^ *(import|from) (transformers|tests\.(fresh|reference\.small))", re.MULTILINE
)
# Objects that come and don't go until Python looks for garbage among the youngest; it has 700 by
# itself. A page of ours makes some hundred thousand, nearly all of which go without it.
YOUNGEST = 10_000


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, list, list]:
    found = yield
    if file_path.suffix != ".py" or EXAMPLE in file_path.read_text(encoding="utf-8"):
        return found
    return [one for one in found if type(one) is pytest.Module]


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()
        gc.set_threshold(YOUNGEST, *gc.get_threshold()[1:])


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items[:] = reorder_items(items)
    waiting, pages, costly, rest = [], [], [], []
    for item in items:
        folders = {*item.path.parents}
        kind = waiting if folders & {*WAITING} else pages if folders & {*PAGES} else rest
        (costly if kind is rest and begins_costly(item.path) else kind).append(item)
    share = len(items) // int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", 1))
    first = whole_modules(rest, share - len(waiting))
    second = whole_modules(rest[first:], share - len(pages)) + first
    items[:] = waiting + rest[:first] + pages + rest[first:second] + costly + rest[second:]


@functools.cache
def begins_costly(path: Path) -> bool:
    """Return whether a module's tests need what a process has to import or start first."""
    return bool(COSTLY.search(path.read_text(encoding="utf-8")))


def whole_modules(items: list[pytest.Item], n: int) -> int:
    """Return how many tests are at least `n`, so that a module stays in one piece."""
    n = min(max(0, n), len(items))
    while 0 < n < len(items) and items[n].path == items[n - 1].path:
        n += 1
    return n
