"""What the code must not do, looked up in the code itself, so that a new file can't forget it."""

import ast
import tomllib
from functools import cache

import pytest

from tests.app_code import trees
from tests.browser.live import ROOT

# Each would run or unpack what came from outside, or draw it as markup. `pickle` also stands for
# what is built on it.
FORBIDDEN_CALLS = {"eval", "exec", "compile", "torch.load", "os.system", "os.popen", "st.write"}
FORBIDDEN_IMPORTS = {"pickle", "dill", "joblib", "shelve", "marshal", "subprocess", "yaml"}
# loky pickles between the server and its own helper, over a pipe that nobody else has.
ALLOWED_IMPORT = ("pages/server/process/helper_process.py", "joblib.externals.loky")


def place(file: str, node: ast.AST) -> str:
    return f"{file}:{node.lineno}"


@cache
def calls() -> list[tuple[str, ast.Call, str]]:
    """Return each call in the app's code, with its function as written."""
    return [
        (file, node, ast.unparse(node.func))
        for file, tree in trees().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
    ]


def keyword(call: ast.Call, name: str) -> ast.expr | None:
    return next((one.value for one in call.keywords if one.arg == name), None)


def test_nothing_from_outside_is_run_or_unpickled():
    found = [f"{place(f, node)} {name}" for f, node, name in calls() if name in FORBIDDEN_CALLS]
    for file, tree in trees().items():
        for node in ast.walk(tree):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            if len(names) == 1 and (file, names[0]) == ALLOWED_IMPORT:
                continue
            taken = {name.partition(".")[0] for name in names} & FORBIDDEN_IMPORTS
            found += [f"{place(file, node)} imports {name}" for name in taken]
    assert not found, "\n".join(found)


def test_every_array_file_is_read_without_pickles_and_no_model_brings_code():
    for file, node, name in calls():
        if name in ("np.load", "numpy.load"):
            given = keyword(node, "allow_pickle")
            assert given is not None and given.value is False, place(file, node)
        if name.endswith(".from_pretrained") and "Auto" in name:
            trust, safe = keyword(node, "trust_remote_code"), keyword(node, "use_safetensors")
            assert trust is not None and trust.value is False, place(file, node)
            assert "ForMaskedLM" not in name or safe.value is True, place(file, node)


PUT_STYLE = "f'<span></span><style>{style}</style>'"  # of put_style, whose calls are looked at, too


def _is_ours(node: ast.expr) -> bool:
    """Return whether a text is fixed, or the style of names and numbers of ours."""
    text = ast.unparse(node)
    return _is_constant(node) or text == PUT_STYLE or text.startswith("_marks_of_steps(")


def test_no_markdown_is_drawn_as_html():
    """Drawings go through components, whose builders escape; st.html draws fixed text only."""
    found = [
        f"{place(file, node)} {name}"
        for file, node, name in calls()
        if keyword(node, "unsafe_allow_html") is not None
        or keyword(node, "unsafe_allow_javascript") is not None
        or (name.split(".")[-1] in ("html", "put_style") and not _is_ours(node.args[0]))
    ]
    assert not found, "\n".join(found)


def _is_constant(value: ast.expr) -> bool:
    """Return whether a value is a text in the code, or has a constant's name."""
    name = value.attr if isinstance(value, ast.Attribute) else getattr(value, "id", "")
    return isinstance(value, ast.Constant) or name.isupper()


@pytest.mark.parametrize("widget", ["text_input", "text_area", "chat_input"])
def test_every_field_has_a_longest_text(widget: str):
    """Streamlit's own fields by `max_chars`, those of pages/server by `longest`."""
    found = [
        place(file, node)
        for file, node, name in calls()
        if name.endswith(f".{widget}")
        and keyword(node, "longest" if name.startswith("inputs.") else "max_chars") is None
    ]
    assert not found, f"give max_chars: {', '.join(found)}"


def test_every_cache_has_a_bound_or_nothing_to_grow_by():
    """A cache without a bound is kept for functions without arguments."""
    unbounded = []
    for file, tree in trees().items():
        for node in ast.walk(tree):
            if not isinstance(node, ast.FunctionDef):
                continue
            made = [ast.unparse(one) for one in node.decorator_list]
            grows = [one for one in made if "st.cache_" in one and "max_entries" not in one]
            keys = [one for one in node.args.args if not one.arg.startswith("_")]
            if grows and keys:
                unbounded.append(f"{place(file, node)} {node.name}")
    assert not unbounded, "\n".join(unbounded)


CLASS = 30
# Caches with fewer places than a class has learners: what a learner of thirty can ask of them is in
# this list with what it costs to make again, or one of a few things of ours.
MADE_AGAIN = {
    "encoding": "up to 22 MB each; a forward pass",
    "dataset": "megabytes for the longest own examples; parsing",
    "own": "as dataset",
    "_model": "13 to 42 MB each; 40 ms",
    "_model_at": "up to 6 MB each; weights are put in place",
    "_class_model": "one of each room",
    "_trained": "as _model",
    "_pair_baselines": "as many as sets of examples are kept; works of the helper",
    "predictions": "2 MB each with a large vocabulary; a forward pass",
    "packings": "1 MB each; 10 to 30 ms",
    "_state_bank": "1.3 MB each; only of a run that was trained, one of each learner's",
    "readable": "tokenizing",
    "sent_uses": "one of each room's map",
    "probes": "300 kB each with a large model; an exercise shares ours",
}
OURS = {  # as many different ones as we have: languages, models, stored files, offered settings
    *("_other_model", "head_of", "stored_names", "stored", "figures", "choices", "refusals"),
    *("stored_run", "masking_runs", "results", "_mini_world", "task", "corpus", "training_pairs"),
    *("stored_vectors", "recipe", "z_numbers", "late_states", "expanded", "public_encoder"),
    *("first_merges", "n_corpus_words", "_our_pool", "_own_pools", "mixed_vocabulary"),
    *("two_languages_runs", "mixed_vocabularies", "mask_rate_runs", "pair_scores"),
    *("random_word_sampler", "stored_probes", "story_uses", "twenty_runs", "few_labels"),
    *("answered_by_rule", "by_category", "compared"),
}


def test_every_cache_holds_what_a_class_asks_of_it_or_says_why_not():
    """Places that thirty learners take from each other would be worked out at every look."""
    small = set()
    for tree in trees().values():
        for node in ast.walk(tree):
            for made in node.decorator_list if isinstance(node, ast.FunctionDef) else ():
                if isinstance(made, ast.Call) and "remembered" in ast.unparse(made.func):
                    most = made.args[0]
                elif isinstance(made, ast.Call) and "st.cache_" in ast.unparse(made.func):
                    most = keyword(made, "max_entries")
                else:
                    continue
                if isinstance(most, ast.Constant) and most.value < CLASS:
                    small.add(node.name)
    assert small == MADE_AGAIN.keys() | OURS


def test_streamlit_guards_the_server_as_it_does_by_default_and_tells_nobody_how_it_failed():
    config = tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8"))
    server, client = config["server"], config["client"]
    guards = ("enableXsrfProtection", "enableCORS")
    assert all(server.get(guard, True) is True for guard in guards)
    loosened = ("corsAllowedOrigins", "trustedUserHeaders", "enableStaticServing", "enableAgentApi")
    assert not [name for name in loosened if server.get(name)]
    assert client["showErrorDetails"] == "none"
    assert config["browser"]["gatherUsageStats"] is False
