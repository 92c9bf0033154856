"""How results print: short, with shapes in place of tensors.

    Encoding(states=13 × float32[1, 8, 256], weights=12 × float32[1, 4, 8, 8], ...)

Python's repr of a dataclass prints all values, which for the states and attention weights of one
short text is 300 kB. Here fields with their default are left out, a field is cut to 80 characters,
and the whole to 480.
"""

import reprlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, TypeVar

Result = TypeVar("Result", bound=type)
LONGEST_FIELD, LONGEST = 80, 480  # characters


def short_repr(*names: str) -> Callable[[Result], Result]:
    """Give a class a short repr of these attributes, or of a dataclass's fields.

    >>> from dataclasses import dataclass
    >>> @short_repr()
    ... @dataclass
    ... class Text:
    ...     tokens: tuple[str, ...]
    >>> Text(("[CLS]", "a", "##b"))
    Text(tokens=[CLS] a ##b)
    """

    def give(result: Result) -> Result:
        def shown(self: object) -> str:
            return _cut(_shown(self, names, level=2), LONGEST)

        # To the checker a method is its class's own, and no other may take its place.
        result.__repr__ = shown  # ty: ignore[invalid-assignment]
        return result

    return give


def _shown(result: object, names: Iterable[str], level: int) -> str:
    return f"{type(result).__name__}({', '.join(_fields(result, names, level))})"


def _fields(result: object, names: Iterable[str], level: int) -> Iterable[str]:
    own_fields = fields(result) if is_dataclass(result) else ()
    defaults = {field.name: field.default for field in own_fields if field.repr}
    for name in names or defaults:
        value = getattr(result, name)
        if value is not defaults.get(name, MISSING):
            yield f"{name}={_cut(_Values(level).repr(value), LONGEST_FIELD)}"


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "…"


class _Values(reprlib.Repr):
    """The reprs of a result's values; reprlib finds a method by its type's name."""

    def __init__(self, level: int) -> None:
        super().__init__()
        self.maxlevel, self.maxstring, self.maxdict = level, LONGEST_FIELD, 6

    def repr_float(self, number: float, level: int) -> str:
        return f"{number:.4g}"

    def repr_Tensor(self, tensor: Any, level: int) -> str:  # noqa: N802
        if not tensor.ndim:
            return self.repr1(tensor.item(), level)
        return f"{str(tensor.dtype).removeprefix('torch.')}{list(tensor.shape)}"

    repr_ndarray = repr_Tensor

    def repr_bytes(self, content: bytes, level: int) -> str:
        return f"{len(content):,} bytes"

    def repr_tuple(self, values: Sequence, level: int) -> str:
        if values and all(isinstance(value, str) for value in values):
            return " ".join(values)
        shown = [self.repr1(value, level - 1) for value in values[:4]]
        if len(values) > 3 and not isinstance(values[0], int | float):
            alike = len({type(value) for value in values}) == 1
            same = alike and len(set(shown)) == 1 and hasattr(values[0], "shape")
            return f"{len(values)} × {shown[0] if same else type(values[0]).__name__}"
        closing = ", …" if len(values) > 4 else "," if len(values) == 1 else ""
        return f"({', '.join(shown)}{closing})"

    repr_list = repr_tuple

    def repr_instance(self, value: object, level: int) -> str:
        """Show a dataclass in full where it is short, and of others the name alone."""
        name = type(value).__name__
        if is_dataclass(value) and level > 0:
            shown = _shown(value, (), level - 1)
            return shown if len(shown) <= LONGEST_FIELD else f"{name}(…)"
        plain = isinstance(value, bool | type(None))
        return repr(value) if plain else f"{name}(…)"
