"""What the whole lesson shares: the learner's sentence, the seed, the random words."""

import contextlib
from dataclasses import dataclass
from random import Random

from tokenizers import Tokenizer

from mlm_core.masking.random_words import RandomWords
from mlm_core.masking.steps import TokenRolls, roll, why_excluded
from mlm_core.text.tokens import TokenizedText, role_id, role_token, tokenize
from pages.kit.part import LONGEST_TEXT, Part, part
from pages.lessons.masking import computed

# In the default sentence it gives [MASK] and a kept token; the next seed, [MASK] and a random word.
DEFAULT_SEED, LAST_SEED = 5419, 9999
# Tokens that are drawn: more would fill screens.
MOST_TOKENS = 64


@dataclass(frozen=True, kw_only=True)
class Setting:
    """The learner's sentence as tokens, and the seed that all dice come from."""

    model_name: str
    language: str  # of the random words
    tokenizer: Tokenizer
    text: TokenizedText
    seed: int

    @property
    def is_empty(self) -> bool:
        """Return whether there is no token that may be chosen."""
        return not self.n_free

    @property
    def n_free(self) -> int:
        """Return how many tokens may be chosen."""
        return sum(why_excluded(token) is None for token in self.text.tokens)

    @property
    def mask(self) -> tuple[int, str]:
        """Return the id and text of this tokenizer's [MASK]."""
        return role_id(self.tokenizer, "[MASK]"), role_token(self.tokenizer, "[MASK]")

    @property
    def names(self) -> list[str]:
        """Return the tokens as the vocabulary writes them."""
        return self.text.texts

    def rolls(self, further: int = 0) -> tuple[TokenRolls, ...]:
        """Return all the chance of this sentence, from the seed or from one `further` on."""
        seed = (self.seed + further) % (LAST_SEED + 1)
        return roll(len(self.text.tokens), Random(seed))

    def random_words(self, *, uniform: bool = False) -> RandomWords:
        """Return where random words come from."""
        return computed.random_word_sampler(self.model_name, uniform, self.language)


@part(redraws_page=True)
def show(p: Part) -> None:
    """Show the sentence and, folded, the seed."""
    with p.row():
        p.text("text")
        fold = contextlib.nullcontext() if p.is_hidden("seed") else p.popover("seed")
        with fold:
            start = p.seed_start(DEFAULT_SEED, 0, LAST_SEED)
            p.number("seed", start=start, help=p.label("seed_help"))


def current(p: Part) -> Setting:
    """Return what the opening has now."""
    return of_text(p, p.chosen("text"))


def of_part(p: Part) -> Setting:
    """Show the sentence in a part, the opening's until it has its own; return the setting."""
    now = of_text(p, p.text("part_text"))
    p.say_what_was_left_out(now.text)
    return now


def of_text(p: Part, text: str) -> Setting:
    """Return the setting for a text."""
    seed = p.state.get("seed")
    tokenizer, most = p.tokenizer, min(MOST_TOKENS, p.window or MOST_TOKENS)
    tokenized = tokenize(tokenizer, text[:LONGEST_TEXT], max_tokens=most)
    return Setting(
        model_name=p.model_name,
        language=p.language,
        tokenizer=tokenizer,
        text=tokenized,
        seed=DEFAULT_SEED if seed is None else seed,
    )
