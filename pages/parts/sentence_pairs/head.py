"""From [CLS] to a verdict: segment numbers, pooler, W_NSP, softmax, loss, number by number."""

import pandas as pd
import streamlit as st

from mlm_core.figures.matrix import matrix_svg
from mlm_core.figures.sentence_pairs import HEAD_STAGES
from mlm_core.pretraining.next_sentence import next_sentence_steps
from pages.parts.sentence_pairs.head_line import CLASSES, line_of
from pages.parts.sentence_pairs.setting import has_head, judge, own_pair, show_pair
from pages.parts.sentence_pairs.total import show_total
from pages.shared import cache, inputs
from pages.shared.frame import Page, part
from pages.shared.show import show_drawing
from pages.shared.source import show_source

SHOWN_NUMBERS = 10  # of a vector; the table and the file have all of them
STAGE, NUMBER, CLASS = (f"sentence_pairs_{name}" for name in ("stage", "number", "class"))


@part
def show(page: Page) -> None:
    """Show what the segments change, then every number of the head."""
    words = page.words
    st.markdown(words.section("head.lead"))
    if not has_head(page, key="head"):
        return
    first, second = own_pair(page)
    judged = judge(page, first, second)
    if judged is None:
        return
    text, steps = judged
    show_pair(page, text, key="sentence_pairs_head_chips")
    st.markdown(words.section("head.segments"))
    without = cache.next_sentence(page.model_name, first, second, True)[1]
    cosine = _cosine(steps.cls, without.cls)
    for name, value, column in zip(
        ("cosine_cls", "p_two", "p_one"),
        (cosine, steps.p_follows, without.p_follows),
        st.columns(3),
        strict=True,
    ):
        column.metric(words.label(name), f"{value:.3f}")
    kinds = {name: words.label(f"segments_{name}") for name in ("pair", "one")}
    segments = inputs.choice(words.label("segments"), kinds, key="sentence_pairs_segments")
    steps = steps if segments == "pair" else without
    _chain(page, steps, kinds[segments])
    st.markdown(words.section("head.textbook"))
    show_total(page, text)
    show_source(next_sentence_steps, key="sentence_pairs_head_code")


def _cosine(one, other) -> float:
    from torch.nn.functional import cosine_similarity

    return cosine_similarity(one, other, dim=0).item()


def _chain(page: Page, steps, segments: str) -> None:
    """Draw the four rows of numbers; write out the chosen one."""
    words = page.words
    bert = cache.model(page.model_name).bert
    shown = min(SHOWN_NUMBERS, bert.config.hidden_size)
    st.markdown(words.section("head.click"))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        stage = inputs.choice(
            words.label("stage"),
            {name: words.label(f"stage_{name}") for name in HEAD_STAGES},
            key=STAGE,
        )
        if stage == "pooled":
            numbers = {str(i): str(i) for i in range(shown)}
            index = int(inputs.choice(words.label("number"), numbers, key=NUMBER))
        else:
            question = "truth" if stage == "loss" else "class"
            index = int(inputs.choice(words.label(question), _classes(page), key=CLASS))
    st.latex(line_of(bert.next_sentence_head, steps, stage, index))
    st.markdown(words.section(f"head.{stage}", index=index, **{"class": CLASSES[index]}))
    rows = {
        "cls": steps.cls[:shown].tolist(),
        "pooled": steps.pooled[:shown].tolist(),
        "logits": steps.logits.tolist(),
        "probabilities": steps.probabilities.tolist(),
    }
    for name, values in rows.items():
        is_class = len(values) == len(CLASSES) and name in ("logits", "probabilities")
        chosen = (0, index) if name == stage else None

        def open_cell(value: str, name: str = name, is_class: bool = is_class) -> None:
            inputs.choose(STAGE, "pooled" if name == "cls" else name)
            inputs.choose(CLASS if is_class else NUMBER, value.partition(",")[2])

        drawn = matrix_svg(
            [values],
            [words.plain(f"row_{name}")],
            list(CLASSES) if is_class else [str(i) for i in range(shown)],
            scale="weights" if name == "probabilities" else "signed",
            selected_cell=chosen,
            clickable="cells",
            alt=words.plain("head_alt", stage=words.plain(f"row_{name}")),
        )
        show_drawing(
            drawn,
            key=f"sentence_pairs_{name}_row",
            table=pd.DataFrame({words.plain(f"row_{name}"): _all(steps, name)}),
            source=words.label(
                "head_source",
                model=page.model_name,
                shown=len(values),
                hidden=len(_all(steps, name)),
                segments=segments,
            ),
            on_click=open_cell,
        )


def _all(steps, name: str) -> list[float]:
    return getattr(steps, name).tolist()


def _classes(page: Page) -> dict[str, str]:
    return {"0": page.words.label("is_next"), "1": page.words.label("not_next")}
