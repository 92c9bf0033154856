"""A question with its passage, and what of the two the model's window leaves out."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from pages.shared.frame import Page

if TYPE_CHECKING:
    from mlm_core.finetuning.fine_tuned import FineTuned
    from mlm_core.text.tokens import TokenizedText


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A question, its passage, and the right answer if it is known."""

    question: str
    passage: str
    right: tuple[int, int] | None = None  # first character in the passage, and one past the last

    @property
    def right_text(self) -> str:
        """Return the right answer's text; empty if it isn't known."""
        return self.passage[slice(*self.right)] if self.right else ""


def say_what_was_cut(page: Page, model: "FineTuned", text: "TokenizedText", asked: Asked) -> None:
    """Tell what the window left out, of the passage or of the question."""
    words = page.words
    if not text.n_left_out:
        return
    read = max((token.stop for token in text.tokens if token.segment == 1), default=0)
    n_question = sum(token.segment == 0 and token.word is not None for token in text.tokens)
    whole = sum(token.word is not None for token in model.read(asked.question).tokens)
    which = "question_cut" if n_question < whole else "passage_cut"
    st.warning(
        words.section(f"answers.{which}", n=text.n_left_out, window=model.encoder.max_tokens),
        icon=":material/content_cut:",
    )
    if asked.right is not None and asked.right[1] > read:
        st.warning(words.section("answers.right_cut"), icon=":material/visibility_off:")
