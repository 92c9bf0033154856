"""Questions that learners ask about masking, each answered by something to try."""

import streamlit as st

from mlm_core.figures.bars import bars_svg
from mlm_core.figures.theme import significant
from mlm_core.masking.rule import CorruptionRule
from mlm_core.number_format import formatted
from pages.parts.masking import setting, two_masks
from pages.parts.masking.setting import Setting
from pages.shared.caches import cache
from pages.shared.figures.show import show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.link import inputs, whole_page

QUESTIONS = ("cls", "kept", "exact", "attention", "each_other", "always")
LEADS_TO = {"exact": "short", "always": "why"}  # questions that a part of the lesson answers
N_DRAWS = 1000


@part
def show(page: Page) -> None:
    """Let the learner choose a question, and try its answer on their own sentence."""
    words, now = page.words, setting.current(page)
    question = inputs.choice(
        words.label("question_choice"),
        {name: words.label(f"ask_{name}") for name in QUESTIONS},
        key="masking_question",
    )
    if question == "each_other":
        two_masks.show(page)
    elif question in ("cls", "kept") and now.is_empty:
        setting.say_it_is_empty(page)
    elif question == "cls":
        _count_specials(page, now)
    elif question == "kept":
        _loss_where_kept(page, now)
    st.markdown(words.section(f"questions.{question}"))
    if question == "attention":
        st.page_link(
            "pages/2_attention_mask.py",
            label=words.label("to_lesson_2"),
            icon=":material/grid_on:",
            query_params={"attention_mask_part": "three_masks"},
        )
    if question in LEADS_TO:
        leads_to = LEADS_TO[question]
        st.button(
            words.label("to_part", title=words.label(f"part_{leads_to}")),
            icon=":material/arrow_forward:",
            key=f"masking_to_{leads_to}",
            on_click=whole_page.choose,
            args=("masking_part", leads_to),
        )


def _count_specials(page: Page, now: Setting) -> None:
    """Choose a thousand times, and show how often each kind of token was taken."""
    words, rule = page.words, CorruptionRule()
    counts = setting.counts_of(now, rule, N_DRAWS)
    names = list(dict.fromkeys(t.text for t in now.text.tokens if t.is_special))
    taken = {
        name: sum(
            count
            for token, count in zip(now.text.tokens, counts.positions, strict=True)
            if token.text == name
        )
        for name in names
    }
    taken[words.plain("all_others")] = sum(counts.positions) - sum(taken.values())
    show_drawing(
        bars_svg(
            list(taken),
            [count / N_DRAWS for count in taken.values()],
            longest=max(1.0, *(count / N_DRAWS for count in taken.values())),
            alt=words.plain("cls_alt", n=N_DRAWS),
        ),
        key="masking_specials",
        table=Table({"token": list(taken), "times chosen": list(taken.values())}),
        source=words.label("cls_source", n=formatted(N_DRAWS, ","), seed=now.seed),
    )


def _loss_where_kept(page: Page, now: Setting) -> None:
    """Show what the model must say at a kept token, and its loss there."""
    import torch

    from mlm_core.masking.steps import choose

    at = choose(now.text.tokens, now.rolls(), CorruptionRule()).positions[0]
    token = now.text.tokens[at]
    logits = cache.model(page.model_name).vocabulary_logits(now.text)
    log_probability = torch.log_softmax(logits[at], dim=-1)[token.id].item()
    st.markdown(
        page.words.section(
            "questions.kept_try",
            token=token.text,
            at=at,
            p=significant(2.718281828459045**log_probability, 3),
            loss=significant(-log_probability, 3),
            model=page.model_name,
        )
    )
