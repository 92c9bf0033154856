"""The import rules of docs/architecture.md, each failing with a plain sentence.

Every rule is a function from the repository's sources to the sentences it has to say; what ruff
can see (caches out of their folder, global seeds, `global`) is in pyproject.toml. The
second half of this file breaks each rule on purpose, in a tree of small files; it is long
because a rule and the proof that it bites belong together.
"""

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

HEAVY = {"transformers", "umap", "sklearn"}  # seconds and a hundred megabytes each
VAGUE_NAMES = {"utils", "util", "helpers", "helper", "common", "misc"}
CONTAINERS = {"list", "dict", "set", "defaultdict", "deque", "Counter", "OrderedDict", "bytearray"}
CHANGING_METHODS = {
    *("append", "extend", "insert", "add", "update", "setdefault", "pop", "popitem"),
    *("clear", "remove", "discard", "sort", "reverse", "appendleft", "popleft"),
}
# Each has a README.md with its folders in their order.
ORDERED = ("mlm_core", "pages/shared")


@dataclass(frozen=True, kw_only=True)
class Import:
    """One import statement's target."""

    module: str  # "mlm_core.text.tokens", also for names taken from it
    line: int
    at_top: bool  # runs when the module is imported
    for_types_only: bool  # under `if TYPE_CHECKING:`, so it never runs


@dataclass(frozen=True, kw_only=True)
class Source:
    """One Python file of the product."""

    path: str  # "mlm_core/text/tokens.py"
    tree: ast.Module
    imports: tuple[Import, ...]

    @property
    def module(self) -> str:
        return self.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

    @property
    def is_in_core(self) -> bool:
        return self.path.startswith("mlm_core/")

    @property
    def is_figure(self) -> bool:
        return self.path.startswith("mlm_core/figures/")


def read_sources(root: Path) -> list[Source]:
    files = [root / "app.py", *root.glob("mlm_core/**/*.py"), *root.glob("pages/**/*.py")]
    # What stands in data/ is handed on to learners, and never imported.
    files = [file for file in files if root / "mlm_core/data" not in file.parents]
    modules = {
        file.relative_to(root).as_posix().removesuffix(".py").replace("/", ".") for file in files
    }
    sources = []
    for file in sorted(files):
        path = file.relative_to(root).as_posix()
        tree = ast.parse(file.read_text(encoding="utf-8"), path)
        imports = tuple(_imports(tree.body, path, modules, at_top=True, for_types=False))
        sources.append(Source(path=path, tree=tree, imports=imports))
    return sources


def _imports(
    body: list[ast.stmt], path: str, modules: set[str], *, at_top: bool, for_types: bool
) -> Iterator[Import]:
    for node in body:
        for module in _targets(node, path, modules):
            yield Import(module=module, line=node.lineno, at_top=at_top, for_types_only=for_types)
        inner = at_top and not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        guard = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for field in ("body", "orelse", "finalbody"):
            yield from _imports(
                getattr(node, field, []),
                path,
                modules,
                at_top=inner,
                for_types=for_types or (guard and field == "body"),
            )
        for handler in [*getattr(node, "handlers", []), *getattr(node, "cases", [])]:
            yield from _imports(handler.body, path, modules, at_top=inner, for_types=for_types)


def _targets(node: ast.stmt, path: str, modules: set[str]) -> list[str]:
    if isinstance(node, ast.Import):
        return [name.name for name in node.names]
    if not isinstance(node, ast.ImportFrom):
        return []
    base = node.module or ""
    if node.level:  # from .tokens import x
        folder = path.rsplit("/", node.level)[0].replace("/", ".")
        base = f"{folder}.{base}" if base else folder
    joined = [f"{base}.{name.name}" for name in node.names]
    # `from mlm_core.text import corpora` takes a module, `... import Token` a name of one.
    return [module if module in modules else base for module in joined] or [base]


def starts_with(module: str, *packages: str) -> bool:
    return any(module == package or module.startswith(package + ".") for package in packages)


def read_folders(readme: str) -> list[str]:
    """Return a README's folders in their order: the table under "The folders"."""
    section = re.split(r"^## The folders *$", readme, flags=re.MULTILINE)[1]
    return re.findall(r"^\| \[(\w+)(?:/|\.py)\]", section, flags=re.MULTILINE)


# The rules. Each returns its sentences; none means that the rule holds.


def core_knows_no_pages(sources: list[Source], order: list[str]) -> list[str]:
    return [
        f"{s.path}:{i.line} imports {i.module}, but mlm_core is usable without a web page:"
        " let the core return or raise, and show it under pages/"
        for s in sources
        for i in s.imports
        if s.is_in_core and starts_with(i.module, "streamlit", "pages", "app")
    ]


def tools_are_not_needed(sources: list[Source], order: list[str]) -> list[str]:
    return [
        f"{s.path}:{i.line} imports {i.module}, but tools make what the app and mlm_core only read:"
        " move what both need into mlm_core"
        for s in sources
        for i in s.imports
        if starts_with(i.module, "tools")
    ]


def concepts_draw_nothing(sources: list[Source], order: list[str]) -> list[str]:
    return [
        f"{s.path}:{i.line} imports {i.module}, but a concept computes and never draws:"
        " return a dataclass with every step, and draw it in mlm_core/figures/"
        for s in sources
        for i in s.imports
        if s.is_in_core
        and not s.is_figure
        and starts_with(i.module, "plotly", "matplotlib", "mlm_core.figures")
    ]


def modules_import_from_earlier_folders(sources: list[Source], order: list[str]) -> list[str]:
    place = {folder: number for number, folder in enumerate(order)}
    modules = {s.module: s for s in sources if _base(s.path) and "/__init__" not in s.path}
    sentences = [
        f"{s.path} stands in no folder of {_base(s.path)}/README.md: move it into one, or add a row"
        for s in modules.values()
        if _folder(s.path) not in place
    ]
    for s in modules.values():
        for i in s.imports:
            ours, theirs = _folder(s.path), _folder(i.module.replace(".", "/"))
            is_ours = theirs.startswith(_base(s.path) + "/")
            if is_ours and place.get(theirs, 0) > place.get(ours, len(place)):
                sentences.append(
                    f"{s.path}:{i.line} imports {i.module}, but {theirs}/ stands after {ours}/ in"
                    f" {_base(s.path)}/README.md: move what both need into the earlier folder"
                )
    return sentences


def no_imports_go_in_a_circle(sources: list[Source], order: list[str]) -> list[str]:
    inside = [s for s in sources if _base(s.path) and not s.path.endswith("__init__.py")]
    imported = {s.module: {i.module for i in s.imports} for s in inside}
    try:
        TopologicalSorter(imported).prepare()
    except CycleError as error:
        first, *others = error.args[1]
        path = first.replace(".", "/") + ".py"
        return [
            f"{path} imports itself by way of {', '.join(others[:-1])}: move what they share into"
            " a module of its own"
        ]
    return []


def _base(path: str) -> str:
    """Return which of the two trees with an order of folders a file stands in, if any."""
    return next((base for base in ORDERED if path.startswith(f"{base}/")), "")


def _folder(path: str) -> str:
    """Return the folder of its tree that a file stands in; a lone module is its own."""
    base = _base(path)
    rest = path.removeprefix(f"{base}/").removesuffix(".py")
    return f"{base}/{rest.split('/')[0]}" if base else ""


def nothing_imports_a_page(sources: list[Source], order: list[str]) -> list[str]:
    sentences = []
    for s in sources:
        for i in s.imports:
            if i.module == "app" or re.match(r"pages\.\d", i.module):
                sentences.append(
                    f"{s.path}:{i.line} imports the page {i.module}: move what both need to"
                    " pages/shared/"
                )
            part = re.match(r"pages\.parts\.(\w+)", i.module)
            may = part and (
                re.fullmatch(rf"pages/\d+_{part[1]}\.py", s.path)
                or (part[1] == "home" and s.path == "app.py")
                or s.path.startswith(f"pages/parts/{part[1]}/")
            )
            if part and not may:
                sentences.append(
                    f"{s.path}:{i.line} imports {i.module}, a part of another lesson: move what"
                    " both need to pages/shared/"
                )
    return sentences


def pages_stand_on_shared_ground(sources: list[Source], order: list[str]) -> list[str]:
    return [
        f"{s.path}:{i.line} imports {i.module}: pages/shared/ stands below the lessons and knows"
        " none of them"
        for s in sources
        for i in s.imports
        if s.path.startswith("pages/shared/") and starts_with(i.module, "pages.parts")
    ]


def no_module_has_a_vague_name(sources: list[Source], order: list[str]) -> list[str]:
    return [
        f"{s.path} says by its name nothing of what is in it: let a helper live with its one"
        " user, or name the module after what it knows"
        for s in sources
        if VAGUE_NAMES & set(s.module.split("."))
    ]


def heavy_libraries_wait(sources: list[Source], order: list[str]) -> list[str]:
    sentences = []
    for s in sources:
        heavy = HEAVY if s.is_in_core and not s.is_figure else HEAVY | {"torch"}
        for i in s.imports:
            package = i.module.split(".")[0]
            if i.at_top and not i.for_types_only and package in heavy:
                sentences.append(
                    f"{s.path}:{i.line} imports {package} when it is itself imported: import it"
                    " inside the function that needs it, so that no other page pays for it"
                )
    return sentences


def core_has_no_state(sources: list[Source], order: list[str]) -> list[str]:
    return [sentence for s in sources if s.is_in_core for sentence in _state_in(s)]


def _state_in(source: Source) -> Iterator[str]:
    shared = "all visitors share its modules, so nothing in one may change after import"
    containers = set()
    for node in source.tree.body:
        for name in _assigned_containers(node):
            containers.add(name)
            if not (name.isupper() or name.startswith("__")):
                yield (
                    f"{source.path}:{node.lineno} keeps the container {name!r} at module level;"
                    f" {shared}: make it a tuple or frozenset, pass it as an argument, or name it"
                    " in capitals if it is a constant table"
                )
    for node in ast.walk(source.tree):
        if changed := _changes(node) & containers:
            yield f"{source.path}:{node.lineno} changes {changed.pop()!r}; {shared}"
        elif isinstance(node, ast.FunctionDef):
            for decorator in node.decorator_list:
                if re.match(r"(functools\.)?(lru_)?cache\b", ast.unparse(decorator)):
                    yield (
                        f"{source.path}:{node.lineno} caches {node.name}() in the module;"
                        f" {shared}: caches stand in pages/shared/caches/"
                    )


def _assigned_containers(node: ast.stmt) -> list[str]:
    if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
        return []
    value = node.value
    made = isinstance(value, ast.Call) and ast.unparse(value.func).split(".")[-1] in CONTAINERS
    literal = ast.List | ast.Dict | ast.Set | ast.ListComp | ast.DictComp | ast.SetComp
    if not (made or isinstance(value, literal)):
        return []
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return [target.id for target in targets if isinstance(target, ast.Name)]


def _changes(node: ast.AST) -> set[str]:
    """Return the names whose content a statement or call changes."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        owner = node.func.value
        changes = node.func.attr in CHANGING_METHODS and isinstance(owner, ast.Name)
        return {owner.id} if changes else set()
    targets = []
    if isinstance(node, ast.Assign | ast.Delete):
        targets = node.targets
    elif isinstance(node, ast.AugAssign):
        targets = [node.target]
    return {
        target.value.id
        for target in targets
        if isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name)
    }


RULES = (
    core_knows_no_pages,
    tools_are_not_needed,
    concepts_draw_nothing,
    modules_import_from_earlier_folders,
    no_imports_go_in_a_circle,
    nothing_imports_a_page,
    pages_stand_on_shared_ground,
    no_module_has_a_vague_name,
    heavy_libraries_wait,
    core_has_no_state,
)


@pytest.fixture(scope="module")
def sources() -> list[Source]:
    return read_sources(ROOT)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_the_rule_holds_in_this_repository(rule: Callable, sources: list[Source]):
    order = [
        f"{base}/{folder}"
        for base in ORDERED
        for folder in read_folders((ROOT / base / "README.md").read_text(encoding="utf-8"))
    ]
    sentences = rule(sources, order)
    assert not sentences, "\n" + "\n".join(sentences)


# The rules themselves, tried on small trees.

SOUND_TREE = {
    "app.py": "import streamlit as st\n",
    "mlm_core/__init__.py": "",
    "mlm_core/shapes.py": "import torch\n",
    "mlm_core/text/tokens.py": "from mlm_core.shapes import Tensor\nNAMES = ['a']\n",
    "mlm_core/figures/chips.py": "from mlm_core.text import tokens\n",
    "pages/1_words.py": "import streamlit\nfrom pages.parts.words import cut\n",
    "pages/parts/words/cut.py": "from pages.shared.frame import page_frame\n",
    "pages/shared/frame/page_frame.py": (
        "import streamlit\nfrom mlm_core.text.tokens import cut\n"
        "from pages.shared.caches import models\n"
    ),
    "pages/shared/caches/models.py": "import streamlit as st\nf = st.cache_data(len)\n",
}
ORDER = [
    *("mlm_core/shapes", "mlm_core/text", "mlm_core/figures"),
    *("pages/shared/caches", "pages/shared/frame"),
]


def sentences_about(tree: dict[str, str], folder: Path, order: list[str] = ORDER) -> list[str]:
    for path, text in tree.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    sources = read_sources(folder)
    return [sentence for rule in RULES for sentence in rule(sources, order)]


def test_a_sound_tree_breaks_no_rule(tmp_path: Path):
    assert sentences_about(SOUND_TREE, tmp_path) == []


TOKENS, FRAME = "mlm_core/text/tokens.py", "pages/shared/frame/page_frame.py"


@pytest.mark.parametrize(
    ("path", "text", "sentence"),
    [
        (TOKENS, "def f():\n from pages.shared import a", ":2 imports pages.shared, but mlm_core"),
        (FRAME, "def f():\n from tools import stored_maps", "but tools make what the app"),
        (TOKENS, "from ..figures import chips", "a concept computes and never draws"),
        ("mlm_core/shapes.py", "from mlm_core.text.tokens import x", "text/ stands after mlm_core"),
        ("pages/shared/new.py", "", "stands in no folder of pages/shared/README.md"),
        ("mlm_core/text/a.py", "from mlm_core.text import a", "imports itself by way of"),
        (FRAME, "import app", "imports the page app"),
        ("pages/2_masks.py", "from pages.parts.words import cut", "a part of another lesson"),
        (FRAME, "from pages.parts.words import cut", "knows none of them"),
        ("mlm_core/text/utils.py", "", "says by its name nothing of what is in it"),
        (TOKENS, "try:\n import sklearn\nfinally: pass", "imports sklearn when it is itself"),
        ("pages/parts/words/cut.py", "from torch import nn", "imports torch when it is itself"),
        (TOKENS, "seen = defaultdict(list)", "keeps the container 'seen' at module level"),
        (TOKENS, "A = []\ndef f(x): A.append(x)", "tokens.py:2 changes 'A'"),
        (TOKENS, "A = {}\ndef f(x): A[x] = 1", "tokens.py:2 changes 'A'"),
        (TOKENS, "@functools.lru_cache(9)\ndef f(): pass", "caches f() in the module"),
    ],
)
def test_breaking_a_rule_says_so_in_one_sentence(
    tmp_path: Path, path: str, text: str, sentence: str
):
    found = sentences_about(SOUND_TREE | {path: text}, tmp_path)
    assert any(sentence in each for each in found), found
    # An import that climbs may close a circle, too; that one begins with any of its modules.
    assert all(each.startswith(path) or "imports itself" in each for each in found)


@pytest.mark.parametrize(
    "text",
    [
        "def f():\n import transformers",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import transformers",
        "def f():\n    seen = {}\n    seen['a'] = 1",
    ],
)
def test_what_is_allowed_breaks_no_rule(tmp_path: Path, text: str):
    assert sentences_about(SOUND_TREE | {"mlm_core/text/tokens.py": text}, tmp_path) == []


# What mlm_core/README.md promises.

MOST_FILES, MOST_LINES = 25, 5000  # of the core: an afternoon
MOST_MODULES = 15  # in one folder
FILE = re.compile(r"(?<![\w/.])((?:\.\./)*(?:\w+/)*\w+\.py)\b")


def core_files() -> list[Path]:
    readme = (ROOT / "mlm_core/README.md").read_text(encoding="utf-8")
    section = re.split(r"^## .*$", readme, flags=re.MULTILINE)[1]
    return [ROOT / "mlm_core" / name for name in re.findall(r"^\d+\. \[(.+?)\]", section, re.M)]


def named_after(words: str, file: Path) -> list[Path]:
    """Return the files that a docstring names from these words to the end of the sentence."""
    text = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    found = re.search(rf"{words}:?\s(.*?)(?:\.\s|\.?\Z)", text, re.DOTALL)
    return [(file.parent / name).resolve() for name in FILE.findall(found[1])] if found else []


def test_the_core_can_be_read_in_an_afternoon():
    files = core_files()
    assert 20 <= len(files) <= MOST_FILES
    n_lines = sum(len(file.read_text(encoding="utf-8").splitlines()) for file in files)
    assert n_lines <= MOST_LINES, f"the core has {n_lines} lines"


def test_each_file_of_the_core_names_the_one_before_and_the_one_after():
    files = core_files()
    for before, after in pairwise(files):
        names = f"{before.relative_to(ROOT)} and {after.relative_to(ROOT)}"
        assert after in named_after("Read next", before)[:1], f"not each other's next: {names}"
        assert before in named_after("Read before this", after)[:1], f"not the one before: {names}"


def test_each_file_that_a_module_says_to_read_exists():
    for file in (ROOT / "mlm_core").rglob("*.py"):
        if ROOT / "mlm_core/data" not in file.parents:
            for words in ("Read before this", "Read next"):
                missing = [each for each in named_after(words, file) if not each.is_file()]
                assert not missing, f"{file.relative_to(ROOT)} says {words!r}: {missing[0].name}"


def test_each_folder_has_few_modules_and_a_readme_with_a_line_for_each():
    files = [file for base in ORDERED for file in (ROOT / base).rglob("*.py")]
    for folder in {file.parent for file in files} - {ROOT / base for base in ORDERED}:
        if "data" not in folder.parts:
            name = folder.relative_to(ROOT)
            modules = {file.name for file in folder.glob("*.py")} - {"__init__.py", "__main__.py"}
            assert len(modules) <= MOST_MODULES, f"{name}: {len(modules)} modules"
            assert (folder / "README.md").is_file(), f"{name} has no README.md"
            readme = (folder / "README.md").read_text(encoding="utf-8")
            untold = sorted(each for each in modules if f"({each})" not in readme)
            assert not untold, f"{name}/README.md has no line for {untold}"
