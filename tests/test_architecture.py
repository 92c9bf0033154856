"""The import rules of docs/architecture.md, and what mlm_core/README.md promises to a reader.

Each rule is a function from the sources to its sentences; none means that it holds. What ruff can
see (caches out of their folder, global seeds, `global`) is in pyproject.toml.
"""

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from pathlib import Path

import pytest

from tests.app_code import bench_trees, trees
from tests.app_code import sources as texts

ROOT = Path(__file__).parents[1]
HEAVY = {"transformers", "umap", "sklearn"}  # seconds and a hundred megabytes each
CONTAINERS = {"list", "dict", "set", "defaultdict", "deque", "Counter", "OrderedDict", "bytearray"}
# Each has a README.md with its folders in their order.
ORDERED = ("mlm_core", "pages/server", "pages/kit")
# Where it stands, what it may not import, and why.
FORBIDDEN = (
    (r"mlm_core/", r"streamlit|pages|app", "the core is usable without a web page"),
    (r"", r"tools", "tools make what the app and mlm_core only read"),
    (r"mlm_core/(?!figures/)", r"plotly|mlm_core\.figures", "a concept computes and never draws"),
    (r"", r"app|pages\.\d+_\w+", "what two pages need is in pages/server"),
    (r"pages/server/", r"pages\.(kit|lessons|beside)", "what serves lessons knows none of them"),
    (r"pages/kit/", r"pages\.(lessons|beside)", "what lessons are written with knows none of them"),
)
# What a page imports past the kit; each has its reason beside the import.
PAST_THE_KIT = {
    ("pages/beside/teaching/view.py", "pages.server.link.controls"),
    ("pages/beside/teaching/view.py", "pages.server.link.locks"),
    ("pages/beside/teaching/view.py", "pages.server.link.seeds"),
    ("pages/lessons/classification/our_labels.py", "pages.server.room.our_labels"),
    ("pages/lessons/inside_a_prediction/which_words.py", "pages.server.room.membership"),
    ("pages/lessons/word_senses/class_map.py", "pages.server.room.class_map"),
}
LONGEST_FILE = 250  # lines of a file of a lesson
# Where the error of one proportion is, and whose. A difference of two ways on the same items has
# that of evaluation/bootstrap.py: paired_lead, or seeds.py: compare.
ONE_PROPORTION = {
    "pages/kit/training/finetune_watch.py": "of one run",
    "pages/lessons/classification/compare.py": "the range of one way",
    "pages/lessons/classification/errors.py": "of one run",
    "pages/lessons/classification/three_ways.py": "how exact one run of the table is",
    "pages/lessons/inside_a_prediction/knows.py": "strokes; words that were not learned from",
    "pages/lessons/sentence_pairs/batch.py": "bars of each kind of pair",
    "pages/lessons/sentence_pairs/own.py": "pairs by the model's confidence",
    "pages/lessons/train_an_encoder/experiments.py": "a test with other tokens",
    "pages/lessons/word_senses/by_layer.py": "strokes of one layer",
    "pages/lessons/word_senses/languages.py": "of one model",
}
ERRORS = r"import (.*\b)?(standard_error|interval_of_proportion|sqrt)\b|math\.sqrt"


@dataclass(frozen=True, kw_only=True)
class Import:
    """What one import statement takes."""

    path: str  # "mlm_core/text/tokens.py"
    line: int
    module: str  # also where a name of it is taken
    at_top: bool  # runs when the module is imported


class Sources:
    """The product's modules, by path, what they import, and the folders in their order."""

    def __init__(self, order: list[str]) -> None:
        self.trees, self.imports, self.order = trees(), imports_of(trees()), order


def read_sources() -> Sources:
    """Return the repository's."""
    order = []
    for base in ORDERED:
        table = (ROOT / base / "README.md").read_text(encoding="utf-8").split("## The folders\n")[1]
        order += [f"{base}/{name}" for name in re.findall(r"^\| \[(\w+)(?:/|\.py)\]", table, re.M)]
    return Sources(order)


def imports_of(trees: dict[str, ast.Module]) -> list[Import]:
    modules = {path.removesuffix(".py").replace("/", ".") for path in trees}
    found = []
    for path, tree in trees.items():
        nodes = list(ast.walk(tree))
        later = {id(inner) for node in nodes if waits(node) for inner in ast.walk(node)}
        found += [
            Import(path=path, line=node.lineno, module=module, at_top=id(node) not in later)
            for node in nodes
            if isinstance(node, ast.Import | ast.ImportFrom)
            for module in targets(node, modules)
        ]
    return found


def waits(node: ast.AST) -> bool:
    """Return whether what stands in a statement doesn't run when the module is imported."""
    is_for_types = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
    return is_for_types or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)


def targets(node: ast.Import | ast.ImportFrom, modules: set[str]) -> set[str]:
    if isinstance(node, ast.Import):
        return {name.name for name in node.names}
    joined = [f"{node.module}.{name.name}" for name in node.names]
    # `from mlm_core.text import corpora` takes a module, `... import Token` a name of one.
    return {each if each in modules else str(node.module) for each in joined}


def nothing_imports_what_is_forbidden(sources: Sources) -> Iterator[str]:
    for one in sources.imports:
        for where, what, why in FORBIDDEN:
            if re.match(where, one.path) and re.match(rf"({what})(\.|$)", one.module):
                yield f"{one.path}:{one.line} imports {one.module}, but {why}"


def a_part_is_its_pages_own(sources: Sources) -> Iterator[str]:
    for one in sources.imports:
        if part := re.match(r"pages\.(lessons|beside)\.(\w+)", one.module):
            if not one.path.startswith(f"pages/{part[1]}/{part[2]}/"):
                yield f"{one.path}:{one.line} imports {one.module}, a part of another page"


def a_page_is_written_with_the_kit(sources: Sources) -> Iterator[str]:
    """The author of a lesson knows one package of the app; imports stand at the heads of its files.

    A page that is no lesson also takes what serves rooms, records and the course.
    """
    seen = set()
    for one in sources.imports:
        page = re.match(r"pages/(lessons|beside)/(\w+)/", one.path)
        if page is None:
            continue
        known = r"(?!streamlit|pages\.server\.(link|figures|frame))"
        if page[1] == "lessons":
            known = rf"pages\.kit|pages\.lessons\.{page[2]}|(?!pages\.|streamlit)"
        if not re.match(known, one.module):
            seen.add((one.path, one.module))
            if (one.path, one.module) not in PAST_THE_KIT:
                yield f"{one.path}:{one.line} imports {one.module}: use `p`, or extend the kit"
        elif page[1] == "lessons" and not one.at_top:
            yield f"{one.path}:{one.line} imports {one.module} in a function: do so at the head"
    for path, module in PAST_THE_KIT - seen:
        yield f"{path} imports {module} no more: take it off PAST_THE_KIT"


def a_file_of_a_lesson_is_read_in_one_go(sources: Sources) -> Iterator[str]:
    for path, text in texts().items():
        if path.startswith("pages/lessons/") and text.count("\n") > LONGEST_FILE:
            yield f"{path} has {text.count(chr(10))} lines: split it by idea, at {LONGEST_FILE}"


def a_difference_is_of_the_same_items(sources: Sources) -> Iterator[str]:
    pages = {path: text for path, text in texts().items() if path.startswith("pages/")}
    found = {path for path, text in pages.items() if re.search(ERRORS, text)}
    for path in found - ONE_PROPORTION.keys():
        yield f"{path} has the error of a proportion: compare two ways with paired_lead or compare"
    for path in ONE_PROPORTION.keys() - found:
        yield f"{path} has the error of a proportion no more: take it off ONE_PROPORTION"


def modules_import_from_earlier_folders(sources: Sources) -> Iterator[str]:
    place = {folder: number for number, folder in enumerate(sources.order)}
    for path in sources.trees:
        if folder_of(path) and "/__init__" not in path and folder_of(path) not in place:
            yield f"{path} stands in no folder of its README.md: move it into one, or add a row"
    for one in sources.imports:
        ours, theirs = folder_of(one.path), folder_of(one.module.replace(".", "/"))
        is_same_tree = base_of(one.path) == base_of(one.module.replace(".", "/"))
        if is_same_tree and place.get(theirs, 0) > place.get(ours, len(place)):
            yield f"{one.path}:{one.line} imports {one.module}, but {theirs} stands after {ours}"


def base_of(path: str) -> str:
    """Return which of the two trees with an order of folders a file stands in, if any."""
    return next((base for base in ORDERED if path.startswith(f"{base}/")), "")


def folder_of(path: str) -> str:
    """Return the folder of its tree that a file stands in; a lone module is its own."""
    base = base_of(path)
    rest = path.removeprefix(f"{base}/").removesuffix(".py")
    return f"{base}/{rest.split('/')[0]}" if base else ""


def no_imports_go_in_a_circle(sources: Sources) -> Iterator[str]:
    imported: dict[str, set[str]] = {}
    for one in [*sources.imports, *imports_of(bench_trees())]:
        if not one.path.endswith("__init__.py"):
            name = one.path.removesuffix(".py").replace("/", ".")
            imported.setdefault(name, set()).add(one.module)
    try:
        TopologicalSorter(imported).prepare()
    except CycleError as error:
        yield f"a circle: {' imports '.join(reversed(error.args[1]))}"


def heavy_libraries_wait(sources: Sources) -> Iterator[str]:
    for one in sources.imports:
        # A lesson's rows are read before torch is there, what it shows is imported after its frame.
        may_load_torch = re.match(
            r"mlm_core/(?!figures/)|pages/lessons/\w+/(?!lesson\.py)", one.path
        )
        heavy = HEAVY if may_load_torch else HEAVY | {"torch"}
        if one.at_top and one.module.split(".")[0] in heavy:
            yield (
                f"{one.path}:{one.line} imports {one.module} when it is itself imported: import it"
                " inside the function that needs it, so that no other page pays for it"
            )


def the_core_has_no_state(sources: Sources) -> Iterator[str]:
    """All visitors share its modules: a container there is a table in capitals, and none caches."""
    for path, tree in sources.trees.items():
        if not path.startswith("mlm_core/"):
            continue
        for node in tree.body:
            if isinstance(node, ast.Assign | ast.AnnAssign) and is_container(node.value):
                first = node.targets[0] if isinstance(node, ast.Assign) else node.target
                name = ast.unparse(first)
                if not (name.isupper() or name.startswith("__")):
                    yield f"{path}:{node.lineno} keeps {name}: pass it, or make it a tuple"
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                decorators = [ast.unparse(one) for one in node.decorator_list]
                if any(re.match(r"(functools\.)?(lru_)?cache\b", one) for one in decorators):
                    yield f"{path}:{node.lineno} caches: caches stand in pages/server/caches/"


def the_session_has_widgets_and_typed_objects(sources: Sources) -> Iterator[str]:
    """What a visit keeps beside the values of widgets is a field of a dataclass."""
    nodes = [(path, node) for path, tree in sources.trees.items() for node in ast.walk(tree)]
    drawn = [node for _, node in nodes if isinstance(node, ast.keyword) and node.arg == "key"]
    widgets = {ast.unparse(node.value).split(".")[-1] for node in drawn}
    for path, node in nodes:
        key = key_in_session(node)
        name = key.split(".")[-1]
        if path.startswith("pages/") and name.isupper() and name not in widgets:
            yield (
                f"{path} keeps {key} in the session, which is no widget's `key=`:"
                " make it a field of a dataclass, and read it with session.of(...)"
            )


def key_in_session(node: ast.AST) -> str:
    """Return the key by which an expression uses Streamlit's session state; "" if by none."""
    state, key = None, None
    if isinstance(node, ast.Subscript):
        state, key = node.value, node.slice
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
        state, key = node.func.value, node.args[0]
    elif isinstance(node, ast.Compare):
        state, key = node.comparators[0], node.left
    is_used = state is not None and ast.unparse(state) == "st.session_state"
    return ast.unparse(key) if is_used else ""


def is_container(value: ast.expr | None) -> bool:
    if isinstance(value, ast.Call):
        return ast.unparse(value.func).split(".")[-1] in CONTAINERS
    literal = ast.List | ast.Dict | ast.Set | ast.ListComp | ast.DictComp | ast.SetComp
    return isinstance(value, literal)


RULES = (
    nothing_imports_what_is_forbidden,
    a_part_is_its_pages_own,
    a_page_is_written_with_the_kit,
    a_file_of_a_lesson_is_read_in_one_go,
    a_difference_is_of_the_same_items,
    modules_import_from_earlier_folders,
    no_imports_go_in_a_circle,
    heavy_libraries_wait,
    the_core_has_no_state,
    the_session_has_widgets_and_typed_objects,
)


@pytest.fixture(scope="module")
def sources() -> Sources:
    return read_sources()


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_the_rule_holds_in_this_repository(rule: Callable, sources: Sources):
    assert len(sources.order) > 30
    sentences = list(rule(sources))
    assert not sentences, "\n" + "\n".join(sentences)


# What mlm_core/README.md promises.

FILE = re.compile(r"(?<![\w/.])((?:\.\./)*(?:\w+/)*\w+\.py)\b")


def named_after(words: str, file: Path) -> list[Path]:
    """Return the files that a docstring names from these words to the end of the sentence.

    The pages name a file of the core by its path from the root.
    """
    text = ast.get_docstring(trees()[file.relative_to(ROOT).as_posix()]) or ""
    found = re.search(rf"{words}:?\s(.*?)(?:\.\s|\.?\Z)", text, re.DOTALL)
    names = FILE.findall(found[1]) if found else []
    return [
        (ROOT / name if name.startswith("mlm_core/") else file.parent / name).resolve()
        for name in names
    ]


def test_each_file_of_the_core_names_the_one_before_and_the_one_after():
    readme = (ROOT / "mlm_core/README.md").read_text(encoding="utf-8")
    names = re.findall(r"^\d+\. \[(.+?)\]", readme.split("\n## ")[1], re.M)
    assert len(names) >= 20
    for before, after in pairwise(ROOT / "mlm_core" / name for name in names):
        both = f"{before.relative_to(ROOT)} and {after.relative_to(ROOT)}"
        assert after in named_after("Read next", before)[:1], f"not each other's next: {both}"
        assert before in named_after("Read before this", after)[:1], f"not the one before: {both}"


def test_each_file_that_a_module_says_to_read_exists(sources: Sources):
    found = [
        f"{path} says {words!r}: {file.name}"
        for path in sources.trees
        for words in ("Read before this", "Read next")
        for file in named_after(words, ROOT / path)
        if not file.is_file()
    ]
    assert not found, "\n".join(found)


def test_each_folder_has_a_readme_with_a_line_for_each_module():
    files = [file for base in ORDERED for file in (ROOT / base).rglob("*.py")]
    for folder in {file.parent for file in files} - {ROOT / base for base in ORDERED}:
        if "data" not in folder.parts:
            modules = {file.name for file in folder.glob("*.py")} - {"__init__.py", "__main__.py"}
            readme = (folder / "README.md").read_text(encoding="utf-8")
            untold = sorted(each for each in modules if f"({each})" not in readme)
            assert not untold, f"{folder.relative_to(ROOT)}/README.md has no line for {untold}"
