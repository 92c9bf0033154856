"""What was understood of a learner's own examples, shown before anything is trained.

The first rows, which column is what (which the learner may change), the parts with their labels,
duplicates, and texts that are longer than the model's window.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.number_format import formatted
from pages.server.caches import cache_finetuning
from pages.server.course.words import Text, as_text, read_words
from pages.server.figures.table import Table

if TYPE_CHECKING:
    from mlm_core.finetuning.settings import Data
    from mlm_core.labelled.examples import TaggedSentence
    from mlm_core.labelled.own_parts import Layout, OwnData

ROLES = {"own_classes": ("label", "text", "pair", "part"), "own_tags": ("word", "tag")}
OPTIONAL = ("pair", "part")
LONGEST_SHOWN = 80  # characters of a field in the table of first rows
MOST_NUMBERS = 8  # of lines that were left out or changed
LONGEST_VALUES = 40  # characters of a column's values


def with_columns(slug: str, data: "Data", text: str) -> str:
    """Show the first rows and what each column is; return the text with the learner's choices."""
    from mlm_core.labelled.own_parts import with_roles

    words = read_words("finetune_runs")
    with st.expander(words.label("own_columns"), icon=":material/table:", expanded=True):
        try:
            layout = cache_finetuning.layout(data, text)
        except ValueError:
            return text  # the error is shown where the examples are read
        if layout is None:
            return text
        chosen = {}
        if data == "own_classes" and layout.format not in ("json", "spaces"):
            # Without names the columns are counted, so this comes before what depends on it.
            key = f"{slug}_own_header_{hash((text[:300], layout.names))}"
            has_names = st.toggle(
                words.label("own_header"), value=bool(layout.roles["header"]), key=key
            )
            if has_names != bool(layout.roles["header"]):
                chosen["header"] = int(has_names)
                layout = cache_finetuning.layout(data, with_roles(text, chosen)) or layout
        chosen |= _choose_roles(slug, data, layout)
        _show_rows(layout, chosen)
    return with_roles(text, chosen)


def say_parts(data: "Data", text: str, model_name: str) -> None:
    """Say what there is to learn from. Raises ValueError, with the lines, if it can't be read."""
    words, own = read_words("finetune_runs"), cache_finetuning.own(data, text)
    parts = {part: getattr(own.dataset, part) for part in ("train", "dev", "test")}
    values = {part: formatted(len(examples), ",") for part, examples in parts.items()}
    st.caption(words.section("own_parts", **values, classes=", ".join(own.dataset.classes)))
    _say_lines(own)
    lines = [_where_parts_come_from(own)]
    if own.n_duplicates:
        lines.append(words.section("own_duplicates", n=formatted(own.n_duplicates, ",")))
    if own.n_left_out:
        lines.append(words.section("own_left_out", n=formatted(own.n_left_out, ",")))
    if n_cut := cache_finetuning.n_cut(data, text, model_name):
        lines.append(words.section("own_cut", n=formatted(n_cut, ",")))
    st.caption(" ".join(lines))
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


def _say_lines(own: "OwnData") -> None:
    """Say how many lines were read, and list those left out or changed, with the reason."""
    words = read_words("finetune_runs")
    numbers = {"lines": formatted(own.n_lines, ","), "examples": formatted(own.n_read, ",")}
    st.caption(words.section("own_lines", **numbers))
    if not own.odd_lines:
        return
    n = sum(len(one.numbers) for one in own.odd_lines)
    with st.expander(words.label("own_odd_lines", n=formatted(n, ",")), icon=":material/rule:"):
        rows = [
            {
                "reason": Text(words.plain(f"own_odd_{one.reason}")),
                "lines": Text(_first_numbers(one.numbers)),
                "first_line": Text(" ".join(one.first.split())[:LONGEST_SHOWN]),
            }
            for one in own.odd_lines
        ]
        Table(rows).show()


def _first_numbers(numbers: "Sequence[int]") -> str:
    shown = ", ".join(map(str, numbers[:MOST_NUMBERS]))
    more = len(numbers) - MOST_NUMBERS
    return f"{shown} + {formatted(more, ',')}" if more > 0 else shown


def _entities(sentences: "Iterable[TaggedSentence]") -> Counter:
    return Counter(span.type for one in sentences for span in one.spans)


def _where_parts_come_from(own: "OwnData") -> str:
    words = read_words("finetune_runs")
    if not own.given:
        return words.section("own_all_drawn")
    if "test" not in own.given and "dev" in own.given:
        return words.section("own_dev_is_test")
    drawn = [part for part in ("dev", "test") if part not in own.given]
    if not drawn:
        return words.section("own_all_given")
    names = ", ".join(read_words("columns").plain(part) for part in drawn)
    return words.section("own_some_drawn", parts=names)


def _choose_roles(slug: str, data: "Data", layout: "Layout") -> dict[str, int]:
    """Show a list of columns for each role; return those that differ from what was understood."""
    words = read_words("finetune_runs")
    chosen = _choose_in_doubt(slug, layout)
    with st.container(horizontal=True):
        for role in ROLES[data]:
            # 0: there is no such column.
            options = [*([0] if role in OPTIONAL else []), *range(1, len(layout.names) + 1)]
            start = chosen.get(role, layout.roles[role])
            # Another file has other columns, so it has other widgets.
            of_file = hash((layout.format, layout.names, start))
            column = st.selectbox(
                words.label(f"own_role_{role}"),
                options,
                index=options.index(start) if start in options else 0,
                format_func=lambda i: _column_name(layout, i),
                key=f"{slug}_own_column_{role}_{of_file}",
                width=150,
            )
            if column != start:
                chosen[role] = column
    return chosen


def _choose_in_doubt(slug: str, layout: "Layout") -> dict[str, int]:
    """Offer the columns that may have a role, with some values; return what was pressed."""
    words, chosen = read_words("finetune_runs"), {}
    for role, columns in layout.doubts.items():
        column = st.pills(
            words.label(f"own_doubt_{role}"),
            columns,
            # Markdown, where a learner's names and values stay plain text.
            format_func=lambda i: as_text(f"{_column_name(layout, i)}{_values(layout, i)}"),
            key=f"{slug}_own_doubt_{role}_{hash((layout.format, layout.names, columns))}",
        )
        if column is not None:
            chosen[role] = column
    return chosen


def _values(layout: "Layout", column: int) -> str:
    """Return the first different values of a column, behind its name; nothing for column 0."""
    found = dict.fromkeys(row[column - 1] for row in layout.first)
    return f": {', '.join(found)[:LONGEST_VALUES]}" if column else ""


def _column_name(layout: "Layout", column: int) -> str:
    words = read_words("finetune_runs")
    if column == 0:
        return words.plain("own_no_column")
    name = layout.names[column - 1]
    return words.plain("own_column", n=column) if name == str(column) else name


def _show_rows(layout: "Layout", chosen: dict[str, int]) -> None:
    words = read_words("finetune_runs")
    st.caption(words.section("own_format", format=words.label(f"own_format_{layout.format}")))
    roles = {
        column: words.plain(f"own_role_{role}")
        for role, column in (layout.roles | chosen).items()
        if column and role != "header"
    }
    titles = [
        Text(f"{_column_name(layout, i)}: {roles[i]}" if i in roles else _column_name(layout, i))
        for i in range(1, len(layout.names) + 1)
    ]
    rows = [[field[:LONGEST_SHOWN] for field in row] for row in layout.first]
    Table(rows, columns=titles).show()
