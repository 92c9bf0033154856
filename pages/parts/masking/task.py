"""The task at the end: read a corruption back from what the encoder sees and the labels."""

from random import Random

import streamlit as st

from mlm_core.figures.masking.corruption import puzzle_html
from mlm_core.masking.rule import CorruptionRule
from mlm_core.masking.steps import Corruption, corrupt, roll, why_excluded
from pages.parts.masking import setting
from pages.parts.masking.setting import Setting
from pages.shared.figures.show import show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.link import inputs, link_number

N_CHOSEN = 4
ROUND = "masking_round"
WANTED = ["keep", "mask", "mask", "random"]
MOST_TRIES = 500  # one try in six is as wanted


@part
def show(page: Page) -> None:
    """Ask three things about a corrupted sentence, and check them against its record."""
    words, now = page.words, setting.current(page)
    st.markdown(words.section("task.lead"))
    round_ = link_number.read(words.label("task_round"), 0, key=ROUND)
    puzzle = _puzzle(now, round_)
    if puzzle is None:
        st.info(words.section("task.too_short"), icon=":material/edit:")
        return
    seen = [
        new.text if new else token.text
        for token, new in zip(puzzle.tokens, puzzle.replacements, strict=True)
    ]
    show_drawing(
        puzzle_html(
            puzzle,
            seen=words.plain("row_seen"),
            label=words.plain("row_label"),
            alt=words.plain("task_alt", n=len(seen)),
        ),
        key="masking_puzzle",
        table=Table({"encoder sees": seen, "label": puzzle.labels}),
        source=words.label("task_source", model=page.model_name),
    )
    right = _right_answers(puzzle)
    given = _answers(page, seen)
    with st.container(horizontal=True):
        checked = st.button(
            words.label("check"), type="primary", icon=":material/check:", key="masking_check"
        )
        link_number.show_next(
            words.label("another"),
            round_,
            key=ROUND,
            button="masking_another",
            icon=":material/replay:",
        )
    if checked:
        _check(page, given, right)


def _puzzle(now: Setting, round_: int) -> Corruption | None:
    """Return a corruption with two [MASK], one random word and one kept; None if it can't be."""
    tokens = now.text.tokens
    if sum(why_excluded(token) is None for token in tokens) < N_CHOSEN:
        return None
    rule = CorruptionRule(
        mlm_probability=N_CHOSEN / len(tokens), mask_rate=0.5, random_rate=0.25, keep_rate=0.25
    )
    rng = Random(f"{now.seed}/task/{round_}")
    for _ in range(MOST_TRIES):
        made = corrupt(tokens, roll(len(tokens), rng), rule, now.random_words(), now.mask)
        chosen = [
            (new.branch, new.id == token.id)
            for token, new in zip(tokens, made.replacements, strict=True)
            if new
        ]
        # A random word can be the original by accident; then nobody could tell it from kept.
        is_fair = all(same == (branch == "keep") for branch, same in chosen)
        if is_fair and sorted(branch for branch, _ in chosen) == WANTED:
            return made
    return None


def _right_answers(puzzle: Corruption) -> dict[str, int]:
    places = {new.branch: i for i, new in enumerate(puzzle.replacements) if new}
    return {"random": places["random"], "keep": places["keep"], "count": N_CHOSEN}


def _answers(page: Page, seen: list[str]) -> dict[str, int]:
    words = page.words
    columns = st.columns(3, gap="medium")
    answers = {}
    for name, column in zip(("random", "keep"), columns, strict=False):
        with column:
            answers[name] = inputs.position(
                words.label(f"task_{name}"), seen, key=f"masking_task_{name}", default=0
            )
    with columns[2]:
        answers["count"] = inputs.number(
            words.label("task_count"), 0, 99, 0, key="masking_task_count"
        )
    return answers


def _check(page: Page, given: dict[str, int], right: dict[str, int]) -> None:
    words = page.words
    for name, answer in right.items():
        if given[name] == answer:
            st.markdown(f":green[:material/check:] {words.section(f'task.{name}_right')}")
        else:
            st.markdown(f":orange[:material/close:] {words.section(f'task.{name}_wrong')}")
    if given == right:
        st.success(words.section("task.done"), icon=":material/check_circle:")
