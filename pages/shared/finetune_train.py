"""The part in which a lesson's learners train their own, beside a stored run."""

import streamlit as st

from pages.shared import finetune_watch
from pages.shared.finetune_panel import panel
from pages.shared.frame import Page
from pages.shared.parts import part
from pages.shared.source import show_source


def show(page: Page, data: tuple[str, ...]) -> None:
    """Show the stored run, or the learner's own with it, and the settings of a new one.

    It is no fragment itself: what is polled and the settings are two, side by side.
    """
    st.markdown(page.words.section("train.lead"))
    watched, own = st.columns([5, 3], gap="large")
    with watched:
        finetune_watch.watch(page, data)
    with own, st.container(border=True):
        panel(page, data)
    _closing(page)


@part
def _closing(page: Page) -> None:
    from mlm_core.finetuning.task import loss_of
    from mlm_core.finetuning.upper_layers import UpperLayers

    st.markdown(page.words.section("train.notice"))
    show_source(UpperLayers, loss_of, key=f"{page.lesson.slug}_train_code")
