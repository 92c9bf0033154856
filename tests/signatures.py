"""Shapes and types in mlm_core's signatures, checked in tests.

Checking the shapes of one call costs 50 microseconds, which makes the training of a tiny model
ten times slower, and its thousandth step has the shapes of its first. So each test checks
some hundred calls, and goes on without. Only modules that name a shape pay for shapes; in the
others types alone are checked, always, for one microsecond a call.
"""

import functools
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from warnings import catch_warnings, simplefilter

import jaxtyping
from beartype import BeartypeConf, beartype
from beartype.claw import beartype_packages
from beartype.claw._importlib._clawimpfileloader import BeartypeSourceFileLoader
from jaxtyping._import_hook import _JaxtypingLoader

ROOT = Path(__file__).parents[1]
MOST_CHECKS = 500  # in one test; a call is two, for what it gets and for what it returns

_left = [MOST_CHECKS]
_of_inner: dict[tuple, Callable] = {}  # checks of functions that stand in others


class WrongTypeWarning(UserWarning):
    """A value is not of the type that a signature states. In pytest, warnings are errors."""


# "tower": where a float is expected an int will do, as type checkers have it.
_SHAPES = BeartypeConf(is_pep484_tower=True)
_TYPES = BeartypeConf(is_pep484_tower=True, claw_is_pep526=False, violation_type=WrongTypeWarning)


def install() -> None:
    """Check all of mlm_core that is imported from now on."""
    # Names that only type checkers import are no trouble to jaxtyping; beartype asks for them.
    named = r"^ *from mlm_core\.shapes import .*\b(Bool|Float|Int)\b|^if TYPE_CHECKING:"
    with_shapes = [
        ".".join(file.relative_to(ROOT).with_suffix("").parts)
        for file in sorted(ROOT.glob("mlm_core/**/*.py"))
        if re.search(named, file.read_text(encoding="utf-8"), flags=re.MULTILINE)
    ]
    jaxtyping.install_import_hook(with_shapes, "tests.signatures.checked")
    beartype_packages(("mlm_core",), conf=_TYPES)
    one_at_a_time = threading.RLock()
    for loader in (_JaxtypingLoader, BeartypeSourceFileLoader):
        loader.source_to_code = _with(one_at_a_time, loader.source_to_code)


def _with(lock: threading.RLock, function: Callable) -> Callable:
    """Return the function behind a lock.

    Python 3.11 counts the depth of syntax trees for all threads together: two threads that make
    one each, such as a page and its warm-up, raise a SystemError now and then.
    """

    @functools.wraps(function)
    def locked(*args, **kwargs):
        with lock:
            return function(*args, **kwargs)

    return locked


def checked(function: Callable) -> Callable:
    """Return the function with its types checked, until the test's checks are used up.

    jaxtyping gives one that only takes the arguments, whatever the real one does with them.
    """

    @functools.cache  # most functions are never called in a process
    def strict() -> Callable:
        return _strict(function)

    @functools.wraps(function)
    def counting(*args, **kwargs):
        _left[0] -= 1
        if _left[0] < 0:
            _check_shapes(False)
        return strict()(*args, **kwargs)

    return counting


def _strict(function: Callable) -> Callable:
    """Return what checks a signature, prepared once for a function that others make anew."""
    if "<locals>" not in function.__qualname__:
        return beartype(conf=_SHAPES)(function)
    hints = tuple(function.__annotations__.items())
    name = (function.__module__, function.__qualname__, function.__code__, hints)
    if name not in _of_inner:
        _of_inner[name] = beartype(conf=_SHAPES)(function)
    return _of_inner[name]


def begin_a_test() -> None:
    """Check shapes again, as many times as a test may."""
    _left[0] = MOST_CHECKS
    _check_shapes(True)


@contextmanager
def unchecked() -> Iterator[None]:
    """Check nothing, as for a visitor."""
    _check_shapes(False)
    with catch_warnings():
        simplefilter("ignore", WrongTypeWarning)
        yield
    _check_shapes(True)


def _check_shapes(on: bool) -> None:
    jaxtyping.config.update("jaxtyping_disable", not on)
