"""Questions that learners ask about the loss, each answered by something computed."""

import streamlit as st

from mlm_core.figures.bars import bars_svg
from mlm_core.text.tokens import role_token
from pages.parts.prediction_and_loss import marks, setting
from pages.shared.caches import cache, cache_predictions
from pages.shared.figures.show import show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs

QUESTIONS = ("kept", "see", "decoder")


@part
def show(page: Page) -> None:
    """Let the learner choose a question."""
    words = page.words
    question = inputs.choice(
        words.label("question_choice"),
        {name: words.label(f"ask_{name}") for name in QUESTIONS},
        key="prediction_and_loss_question",
    )
    if question == "decoder":
        st.markdown(words.section("questions.decoder"))
        st.page_link(
            "pages/2_attention_mask.py",
            label=words.label("to_compare"),
            icon=":material/compare_arrows:",
            query_params={"attention_mask_part": "compare"},
        )
        return
    text = setting.sentence(page)
    places = marks.may_be_chosen(text)
    if len(places) < 2:
        st.info(words.section("questions.two_words"), icon=":material/edit:")
        return
    _kept(page) if question == "kept" else _see(page)


def _kept(page: Page) -> None:
    """Compare one place hidden, replaced and kept: the same label, three losses."""
    words, text = page.words, setting.sentence(page)
    place = _place(page, "question_place", "prediction_and_loss_question_place")
    if place is None:
        return
    tokenizer = cache.model_tokenizer(page.model_name)
    inserted = {
        "mask": {place: tokenizer.token_to_id(role_token(tokenizer, "[MASK]"))},
        "random": {place: marks.random_word(tokenizer, place, 1, [])},
        "keep": {},
    }
    rows = []
    for kind, replaced in inserted.items():
        seen, predictions, _ = cache_predictions.predictions(
            page.model_name, text.text, tuple(replaced.items()), (place,)
        )
        label = words.plain(f"case_{kind}", token=seen.texts[place])
        rows.append((label, predictions.true_probabilities[0]))
    _bars(page, rows, text.texts[place], "kept")


def _see(page: Page) -> None:
    """Compare one hidden place with another word hidden too, and with it in sight."""
    words, text = page.words, setting.sentence(page)
    left, right = st.columns(2, gap="medium")
    with left:
        place = _place(page, "question_place", "prediction_and_loss_question_place")
    with right:
        other = _place(page, "question_other", "prediction_and_loss_question_other", 1)
    if place is None or other is None:
        return
    if place == other:
        st.info(words.section("questions.same_place"), icon=":material/edit:")
        return
    tokenizer = cache.model_tokenizer(page.model_name)
    mask = tokenizer.token_to_id(role_token(tokenizer, "[MASK]"))
    random = marks.random_word(tokenizer, other, 1, [])
    rows = []
    for name, there in (("in_sight", None), ("also_hidden", mask), ("replaced", random)):
        replaced = {place: mask} | ({} if there is None else {other: there})
        seen, predictions, _ = cache_predictions.predictions(
            page.model_name, text.text, tuple(replaced.items()), (place,)
        )
        label = words.plain(f"case_{name}", token=seen.texts[other])
        rows.append((label, predictions.true_probabilities[0]))
    _bars(page, rows, text.texts[place], "see")


def _place(page: Page, label: str, key: str, default: int = 0) -> int | None:
    """Let the learner choose a token; None, and the reason, if it is a special one."""
    text = setting.sentence(page)
    places = marks.may_be_chosen(text)
    chosen = inputs.position(page.words.label(label), text.texts, key=key, default=places[default])
    if chosen not in places:
        st.info(page.words.section("questions.special", token=text.texts[chosen]))
        return None
    return chosen


def _bars(page: Page, rows: list[tuple[str, float]], truth: str, question: str) -> None:
    words = page.words
    names, probabilities = [name for name, _ in rows], [p for _, p in rows]
    show_drawing(
        bars_svg(names, probabilities, longest=1.0, alt=words.plain("question_alt", word=truth)),
        key=f"prediction_and_loss_question_{question}",
        table=Table({"what": names, "probability": probabilities}),
        source=words.label("question_source", model=page.model_name, word=truth),
    )
    st.markdown(words.section(f"questions.{question}"))
    from mlm_core.prediction.masked_words import predict

    show_source(predict, key="prediction_and_loss_questions_code")
