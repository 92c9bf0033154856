"""A sentence, its paraphrase and another: what two lessons ask of a sentence vector."""

from collections.abc import Callable

import streamlit as st

from pages.shared.link import inputs

FIELDS = ("sentence", "paraphrase", "unrelated")


def ask(label: Callable[[str], str], default: Callable[[str], str], *, key: str) -> list[str]:
    """Show the three fields side by side; `label` and `default` give a field's words."""
    trio = []
    for name, column in zip(FIELDS, st.columns(3), strict=True):
        with column:
            trio.append(inputs.text(label(name), default(name), key=f"{key}_{name}"))
    return trio


def read(section: str) -> list[list[str]]:
    """Return the trios of a section of a lesson's words: one a line, cut at the bars."""
    return [[text.strip() for text in line.split("|")] for line in section.splitlines()]
