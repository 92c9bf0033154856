"""From [CLS] to a verdict: segment numbers, pooler, W_NSP, softmax, loss, number by number."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.prediction.sentence_pairs import HEAD_STAGES
from mlm_core.number_format import formatted
from mlm_core.prediction.next_sentence import next_sentence_steps
from pages.parts.sentence_pairs.head_line import CLASS, CLASSES, NUMBER, STAGE, line_of, show_row
from pages.parts.sentence_pairs.setting import has_head, judge, own_pair, show_pair
from pages.parts.sentence_pairs.total import show_total
from pages.shared.caches import cache, cache_predictions
from pages.shared.figures.show import show_metrics
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs

if TYPE_CHECKING:
    from mlm_core.prediction.next_sentence import NextSentenceSteps

SHOWN_NUMBERS = 10  # of a vector; the table and the file have all of them


@part
def show(page: Page) -> None:
    """Show what the segments change, then every number of the head."""
    from torch.nn.functional import cosine_similarity

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
    without = cache_predictions.next_sentence(page.model_name, first, second, True)[1]
    cosine = cosine_similarity(steps.cls, without.cls, dim=0).item()
    values = {"cosine_cls": cosine, "p_two": steps.p_follows, "p_one": without.p_follows}
    show_metrics({words.label(name): formatted(value, ".3f") for name, value in values.items()})
    kinds = {name: words.label(f"segments_{name}") for name in ("pair", "one")}
    segments = inputs.choice(words.label("segments"), kinds, key="sentence_pairs_segments")
    steps = steps if segments == "pair" else without
    _chain(page, steps, kinds[segments])
    st.markdown(words.section("head.textbook"))
    show_total(page, text)
    show_source(next_sentence_steps, key="sentence_pairs_head_code")


def _chain(page: Page, steps: "NextSentenceSteps", segments: str) -> None:
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
    # Of the pooled vector a number is chosen, not a class.
    named = {} if stage == "pooled" else {"class": CLASSES[index]}
    st.markdown(words.section(f"head.{stage}", index=index, **named))
    rows = {
        "cls": steps.cls[:shown].tolist(),
        "pooled": steps.pooled[:shown].tolist(),
        "logits": steps.logits.tolist(),
        "probabilities": steps.probabilities.tolist(),
    }
    hidden, classes = st.container(), st.columns(2)
    boxes = (hidden, hidden, *classes)
    for (name, values), box in zip(rows.items(), boxes, strict=True):
        with box:
            show_row(page, steps, name, values, (0, index) if name == stage else None, segments)


def _classes(page: Page) -> dict[str, str]:
    return {"0": page.words.label("is_next"), "1": page.words.label("not_next")}
