"""Which sentence is likelier? The pseudo-log-likelihood of two, place by place."""

import streamlit as st

from mlm_core.figures.prediction.losses import loss_rows_svg
from mlm_core.number_format import formatted
from mlm_core.text.tokens import TokenizedText, tokenize
from pages.parts.prediction_and_loss.scoring import score_text
from pages.shared.caches import cache
from pages.shared.figures.show import show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs

WHICH = ("first", "second")


@part
def show(page: Page) -> None:
    """Score two sentences, draw the loss at each place, compare the sums and the means."""
    from mlm_core.prediction.fillers import score_positions

    words, model = page.words, cache.model(page.model_name)
    st.markdown(words.section("sentences.lead"))
    texts: list[TokenizedText] = []
    for name, column in zip(WHICH, st.columns(2, gap="medium"), strict=True):
        with column:
            typed = inputs.text(
                words.label(name), words.plain(f"default_{name}"), key=f"prediction_and_loss_{name}"
            )
            texts.append(tokenize(model.tokenizer, typed, max_tokens=model.max_tokens))
    inputs.say_what_was_left_out(*texts)
    rest = inputs.choice(
        words.label("pieces"),
        {"seen": words.label("pieces_seen"), "hidden": words.label("pieces_hidden")},
        key="prediction_and_loss_pieces",
    )
    scores = [score_text(page, text, hide_rest_of_word=rest == "hidden") for text in texts]
    if not all(scores):
        st.info(words.section("sentences.empty"), icon=":material/edit:")
        return
    losses = [[-score.log_probability for score in each] for each in scores]
    largest = max(max(each) for each in losses)
    for name, text, each, values, column in zip(
        WHICH, texts, scores, losses, st.columns(2, gap="medium"), strict=True
    ):
        with column:
            _one(page, name, [text.texts[score.position] for score in each], values, largest)
    sums = [-sum(each) for each in losses]
    means = [total / len(each) for total, each in zip(sums, losses, strict=True)]
    if sums[0] == sums[1]:
        st.markdown(words.section("sentences.same"))
    else:
        by_sum, by_mean = (WHICH[pair[1] > pair[0]] for pair in (sums, means))
        key = "sentences.agree" if by_sum == by_mean else "sentences.differ"
        st.markdown(
            words.section(
                key,
                sentence=words.label(f"the_{by_sum}"),
                other=words.label(f"the_{by_mean}"),
                difference=formatted(abs(sums[0] - sums[1]), ".1f"),
            )
        )
    st.markdown(words.section("sentences.notice"))
    show_source(score_positions, key="prediction_and_loss_sentences_code")


def _one(page: Page, name: str, tokens: list[str], values: list[float], largest: float) -> None:
    words = page.words
    with st.container(horizontal=True):
        st.metric(words.label("pll"), formatted(-sum(values), ".1f"))
        st.metric(words.label("per_token"), formatted(-sum(values) / len(values), ".2f"))
    show_drawing(
        loss_rows_svg(
            tokens, [("", values)], largest=largest, alt=words.plain("sentences_alt", n=len(tokens))
        ),
        key=f"prediction_and_loss_{name}_places",
        table=Table({"token": tokens, "log_probability": [-v for v in values]}),
        source=words.label("sentences_source", model=page.model_name),
    )
