"""What the whole lesson shares: the learner's sentence, the seed, the random words."""

from dataclasses import dataclass
from random import Random

import streamlit as st
from tokenizers import Tokenizer

from mlm_core.encoder.model_list import read_sizes
from mlm_core.masking.random_words import RandomWords
from mlm_core.masking.steps import TokenRolls, roll, why_excluded
from mlm_core.text.tokens import TokenizedText, role_id, role_token, tokenize
from pages.shared.caches import cache, cache_predictions, own_models
from pages.shared.frame.page_frame import Page
from pages.shared.kit.part import Part
from pages.shared.link import inputs, seeds
from pages.shared.server.model_choice import allowed_models

TEXT, SEED = "masking_text", "masking_seed"
# The three tokens that it chooses in the default sentence become [MASK], a random word and kept.
DEFAULT_SEED, LAST_SEED = 4208, 9999
# Tokens that are drawn: more would fill screens.
MOST_TOKENS = 64


@dataclass(frozen=True, kw_only=True)
class Setting:
    """The learner's sentence as tokens, and the seed that all dice come from."""

    model_name: str
    tokenizer: Tokenizer
    text: TokenizedText
    seed: int

    @property
    def is_empty(self) -> bool:
        """Return whether there is no token that may be chosen."""
        return all(why_excluded(token) for token in self.text.tokens)

    @property
    def mask(self) -> tuple[int, str]:
        """Return the id and text of this tokenizer's [MASK]."""
        return role_id(self.tokenizer, "[MASK]"), role_token(self.tokenizer, "[MASK]")

    @property
    def names(self) -> list[str]:
        """Return the tokens as the vocabulary writes them."""
        return self.text.texts

    def rolls(self) -> tuple[TokenRolls, ...]:
        """Return all the chance of this sentence, from the seed."""
        return roll(len(self.text.tokens), Random(self.seed))

    def random_words(self, *, uniform: bool = False) -> RandomWords:
        """Return where random words come from."""
        return cache_predictions.random_word_sampler(self.model_name, uniform)


def show(page: Page) -> None:
    """Show the two widgets of the whole lesson; no part, so a change draws the whole page."""
    p = Part(page, "setting")
    text, seed = st.columns([4, 1], gap="medium")
    with text:
        p.text("text")
    with seed:
        start = seeds.start(DEFAULT_SEED, 0, LAST_SEED)
        p.number("seed", start=start, help=p.label("seed_help"))


def current(p: Part) -> Setting:
    """Return what is chosen now; a part that reruns by itself asks here."""
    seed = st.session_state.get(SEED)
    return of_text(p, st.session_state.get(TEXT) or "", DEFAULT_SEED if seed is None else seed)


def of_text(p: Part, text: str, seed: int) -> Setting:
    """Return the setting for another text than the lesson's."""
    tokenizer = cache.model_tokenizer(p.model_name)
    tokenized = tokenize(tokenizer, text[: inputs.LONGEST_TEXT], max_tokens=_window(p.model_name))
    return Setting(model_name=p.model_name, tokenizer=tokenizer, text=tokenized, seed=seed)


def _window(model_name: str) -> int:
    """Return how many tokens are read, without loading the bundled model."""
    own = own_models.get(model_name)
    if own is not None:
        return min(MOST_TOKENS, own.max_tokens)
    folder = allowed_models()[model_name].folder
    sizes = read_sizes(folder) if folder else {}
    return min(MOST_TOKENS, sizes.get("window", MOST_TOKENS))
