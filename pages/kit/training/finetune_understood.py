"""What was understood of a learner's own examples, shown before anything is trained.

The first rows, which column is what (which the learner may change), the parts with their labels,
duplicates, and texts that are longer than the model's window.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

import streamlit as st  # choices that end up in the text itself: no link has them

from mlm_core.finetuning.settings import Data
from mlm_core.labelled.examples import TaggedSentence
from mlm_core.labelled.own_parts import Layout, OwnData, with_roles
from mlm_core.number_format import formatted
from pages.kit.part import Part, Table, Text, as_text
from pages.kit.remember import read_words
from pages.server.caches import cache_finetuning

ROLES = {"own_classes": ("label", "text", "pair", "part"), "own_tags": ("word", "tag")}
OPTIONAL = ("pair", "part")
LONGEST_SHOWN = 80  # characters of a field in the table of first rows
MOST_NUMBERS = 8  # of lines that were left out or changed
LONGEST_VALUES = 40  # characters of a column's values


def with_columns(p: Part, data: Data, text: str) -> str:
    """Show the first rows and what each column is; return the text with the learner's choices."""
    with p.fold("own_columns", "table", is_open=True):
        try:
            layout = cache_finetuning.layout(data, text)
        except ValueError:
            return text  # the error is shown where the examples are read
        if layout is None:
            return text
        chosen = {}
        if data == "own_classes" and layout.format not in ("json", "spaces"):
            # Without names the columns are counted, so this comes before what depends on it.
            key = p.key(f"own_header_{hash((text[:300], layout.names))}")
            has_names = st.toggle(p.label("own_header"), bool(layout.roles["header"]), key=key)
            if has_names != bool(layout.roles["header"]):
                chosen["header"] = int(has_names)
                layout = cache_finetuning.layout(data, with_roles(text, chosen)) or layout
        chosen |= _choose_roles(p, data, layout)
        _show_rows(p, layout, chosen)
    return with_roles(text, chosen)


def say_parts(p: Part, data: Data, text: str) -> None:
    """Say what there is to learn from. Raises ValueError, with the lines, if it can't be read."""
    own = cache_finetuning.own(data, text)
    parts = {part: getattr(own.dataset, part) for part in ("train", "dev", "test")}
    sizes = {part: len(examples) for part, examples in parts.items()}
    p.caption("own_parts", **sizes, classes=", ".join(own.dataset.classes))
    _say_lines(p, own)
    lines = [_where_parts_come_from(p, own)]
    found = {"own_duplicates": own.n_duplicates, "own_left_out": own.n_left_out}
    found["own_cut"] = cache_finetuning.n_cut(data, text, p.model_name)
    lines += [p.section(name, n=n) for name, n in found.items() if n]
    p.write_small(" ".join(lines))
    if data == "own_classes":
        counts = {part: Counter(one.label for one in of) for part, of in parts.items()}
    else:
        counts = {part: _entities(of) for part, of in parts.items()}
    Table(
        [
            {"label": name, **{part: counts[part][name] for part in parts}}
            for name in own.dataset.classes
        ]
    ).show()


def _say_lines(p: Part, own: OwnData) -> None:
    """Say how many lines were read, and list those left out or changed, with the reason."""
    p.caption("own_lines", lines=own.n_lines, examples=own.n_read)
    if not own.odd_lines:
        return
    with p.fold("own_odd_lines", "rule", n=sum(len(one.numbers) for one in own.odd_lines)):
        rows = [
            {
                "reason": Text(p.plain(f"own_odd_{one.reason}")),
                "lines": Text(_first_numbers(one.numbers)),
                "first_line": Text(" ".join(one.first.split())[:LONGEST_SHOWN]),
            }
            for one in own.odd_lines
        ]
        Table(rows).show()


def _first_numbers(numbers: Sequence[int]) -> str:
    shown = ", ".join(map(str, numbers[:MOST_NUMBERS]))
    more = len(numbers) - MOST_NUMBERS
    return f"{shown} + {formatted(more, ',')}" if more > 0 else shown


def _entities(sentences: Iterable[TaggedSentence]) -> Counter:
    return Counter(span.type for one in sentences for span in one.spans)


def _where_parts_come_from(p: Part, own: OwnData) -> str:
    if not own.given:
        return p.section("own_all_drawn")
    if "test" not in own.given and "dev" in own.given:
        return p.section("own_dev_is_test")
    drawn = [part for part in ("dev", "test") if part not in own.given]
    if not drawn:
        return p.section("own_all_given")
    names = ", ".join(read_words("columns").plain(part) for part in drawn)
    return p.section("own_some_drawn", parts=names)


def _choose_roles(p: Part, data: Data, layout: Layout) -> dict[str, int]:
    """Show a list of columns for each role; return those that differ from what was understood."""
    chosen = _choose_in_doubt(p, layout)
    with p.row("top"):
        for role in ROLES[data]:
            # 0: there is no such column.
            options = [*([0] if role in OPTIONAL else []), *range(1, len(layout.names) + 1)]
            start = chosen.get(role, layout.roles[role])
            # Another file has other columns, so it has other widgets.
            of_file = hash((layout.format, layout.names, start))
            column = st.selectbox(
                p.label(f"own_role_{role}"),
                options,
                index=options.index(start) if start in options else 0,
                format_func=lambda i: _column_name(p, layout, i),
                key=p.key(f"own_column_{role}_{of_file}"),
                width=150,
            )
            if column != start:
                chosen[role] = column
    return chosen


def _choose_in_doubt(p: Part, layout: Layout) -> dict[str, int]:
    """Offer the columns that may have a role, with some values; return what was pressed."""
    chosen = {}
    for role, columns in layout.doubts.items():
        column = st.pills(
            p.label(f"own_doubt_{role}"),
            columns,
            # Markdown, where a learner's names and values stay plain text.
            format_func=lambda i: as_text(f"{_column_name(p, layout, i)}{_values(layout, i)}"),
            key=p.key(f"own_doubt_{role}_{hash((layout.format, layout.names, columns))}"),
        )
        if column is not None:
            chosen[role] = column
    return chosen


def _values(layout: Layout, column: int) -> str:
    """Return the first different values of a column, behind its name; nothing for column 0."""
    found = dict.fromkeys(row[column - 1] for row in layout.first)
    return f": {', '.join(found)[:LONGEST_VALUES]}" if column else ""


def _column_name(p: Part, layout: Layout, column: int) -> str:
    if column == 0:
        return p.plain("own_no_column")
    name = layout.names[column - 1]
    return p.plain("own_column", n=column) if name == str(column) else name


def _show_rows(p: Part, layout: Layout, chosen: dict[str, int]) -> None:
    p.caption("own_format", format=p.label(f"own_format_{layout.format}"))
    roles = {
        column: p.plain(f"own_role_{role}")
        for role, column in (layout.roles | chosen).items()
        if column and role != "header"
    }
    names = {i: _column_name(p, layout, i) for i in range(1, len(layout.names) + 1)}
    titles = [Text(f"{name}: {roles[i]}" if i in roles else name) for i, name in names.items()]
    rows = [[field[:LONGEST_SHOWN] for field in row] for row in layout.first]
    Table(rows, columns=titles).show()
