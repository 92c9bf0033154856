"""A word of several subwords: one [MASK] can't hold it, and n of them are filled in two ways."""

import streamlit as st

from mlm_core.figures.bars import bars_svg
from mlm_core.figures.chips import chip_row
from mlm_core.figures.prediction.losses import loss_rows_svg
from mlm_core.figures.theme import significant
from mlm_core.number_format import formatted
from mlm_core.text.tokens import Token, TokenizedText, role_token
from pages.parts.prediction_and_loss import setting, typed
from pages.shared.caches import cache, cache_predictions
from pages.shared.figures.clickable import drawing
from pages.shared.figures.show import keep, show_drawing, show_metrics
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.source import show_source
from pages.shared.link import inputs

N_GUESSES = 5
WAYS = ("at_once", "left_to_right", "others_in_sight")


def show_word(page: Page) -> None:
    """Give the learner's word as many masks as it has subwords, and score it in three ways."""
    from mlm_core.prediction.fillers import MOST_BLANKS, find_blanks, word_tokens
    from mlm_core.prediction.split_words import score_pieces, widen_blank

    words, model = page.words, cache.model(page.model_name)
    st.markdown(words.section("pieces.lead"))
    left, right = st.columns([3, 1], gap="medium")
    with left:
        text = typed.blank_sentence(
            page, "task_sentence", "pieces_default", key="prediction_and_loss_pieces_sentence"
        )
    with right:
        word = inputs.text(
            words.label("pieces_word"),
            words.plain("pieces_word_default"),
            key="prediction_and_loss_pieces_word",
        ).strip()
    blanks, pieces = find_blanks(text, model.tokenizer), word_tokens(model.tokenizer, word)
    n = len(pieces)
    if len(blanks) != 1:
        st.info(words.section("task.one_blank", n=len(blanks)), icon=":material/edit:")
    elif not word or not pieces or any(piece.is_special for piece in pieces):
        st.info(words.section("pieces.none"), icon=":material/edit:")
    elif n == 1:
        st.info(words.section("pieces.one", word=word), icon=":material/edit:")
    elif n > MOST_BLANKS or len(text.tokens) + n - 1 > model.max_tokens:
        st.info(words.section("pieces.too_many", n=n, most=MOST_BLANKS), icon=":material/edit:")
    else:
        _one_mask(page, text, blanks[0], word, pieces)
        _several_masks(page, text, word, n)
        _scores(page, text, word, pieces)
        show_source(widen_blank, score_pieces, key="prediction_and_loss_pieces_code")


def _one_mask(
    page: Page, text: TokenizedText, blank: int, word: str, pieces: tuple[Token, ...]
) -> None:
    """Show what one mask can hold, with the word's first subword among it."""
    words = page.words
    drawing(
        chip_row(pieces, label=words.plain("pieces_chips", word=word)),
        key="prediction_and_loss_pieces_chips",
    )
    guesses = cache_predictions.fillers(page.model_name, text.text, blank, N_GUESSES)
    first, _ = cache_predictions.word_at_blank(page.model_name, text.text, blank, pieces[0].id)
    rows = [*guesses, (pieces[0].text, first)]
    st.markdown(
        words.section(
            "pieces.one_mask",
            word=word,
            n=len(pieces),
            first=pieces[0].text,
            probability=significant(first),
            entries=formatted(cache.model_tokenizer(page.model_name).get_vocab_size(), ","),
        )
    )
    show_drawing(
        bars_svg(
            [name for name, _ in rows],
            [p for _, p in rows],
            longest=max(p for _, p in rows),
            alt=words.plain("pieces_one_alt"),
        ),
        key="prediction_and_loss_pieces_one",
        table=Table(rows, columns=["token", "probability"]),
        source=words.label("guess_source", model=page.model_name, blank=blank),
    )


def _several_masks(page: Page, text: TokenizedText, word: str, n: int) -> None:
    """Show what the model itself writes into n masks, at once and from left to right."""
    from mlm_core.prediction.masked_words import put_tokens

    words, tokenizer = page.words, cache.model_tokenizer(page.model_name)
    mask, rows, ids = role_token(tokenizer, "[MASK]"), [], {}
    widened = text.text.replace(mask, " ".join([mask] * n))
    st.markdown(words.section("pieces.several", n=n, word=word))
    for way in WAYS[:2]:
        order = None if way == "at_once" else way
        steps = cache_predictions.filled(page.model_name, widened, order)
        chosen = {step.position: step.chosen.id for step in steps}
        ids[way] = list(chosen.values())
        done = put_tokens(steps[0].before, chosen, tokenizer)
        st.markdown(words.section(f"blanks.{way}"))
        drawing(
            chip_row(done.tokens, selected=chosen, label=words.plain(f"way_{way}")),
            key=f"prediction_and_loss_pieces_{way}",
        )
        rows += [
            {
                "way": words.plain(f"way_{way}"),
                "position": step.position,
                "token": setting.token_name(page, step.chosen.id),
                "probability": step.chosen.probability,
            }
            for step in steps
        ]
    keep(
        "prediction_and_loss_pieces_filled",
        table=Table(rows),
        source=words.label("blanks_source", model=page.model_name),
    )
    same = ids["at_once"] == ids["left_to_right"]
    st.markdown(words.section("pieces.agree" if same else "pieces.disagree"))


def _scores(page: Page, text: TokenizedText, word: str, pieces: tuple[Token, ...]) -> None:
    """Draw -log P of each subword in three ways, with the sums."""
    words = page.words
    scores = cache_predictions.piece_scores(page.model_name, text.text, word, len(text.tokens))
    losses = {way: [-getattr(score, way) for score in scores] for way in WAYS}
    st.markdown(words.section("pieces.scores", word=word))
    show_metrics(
        {
            words.label(f"pieces_{way}"): formatted(-sum(values), ".2f")
            for way, values in losses.items()
        }
    )
    show_drawing(
        loss_rows_svg(
            [score.token for score in scores],
            [(words.plain(f"pieces_short_{way}"), values) for way, values in losses.items()],
            alt=words.plain("pieces_scores_alt", word=word),
        ),
        key="prediction_and_loss_pieces_scores",
        table=Table(
            {"token": [score.token for score in scores]}
            | {way: [-value for value in values] for way, values in losses.items()}
        ),
        source=words.label("pieces_source", model=page.model_name),
    )
    st.markdown(words.section("pieces.notice"))
