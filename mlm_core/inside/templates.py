"""Whom a model expects: a blank in a template, with one word after the other in its second slot.

    The ___ went home because [MASK] was tired.      P(he), P(she) for nurse, engineer, ...
    Because [MASK] was tired, the ___ went home.     the same words in the other order
    The [MASK] went home because [MASK] was tired.   control: nobody is named

    association = log2 P(she | word) / P(he | word)  -  log2 P(she | control) / P(he | control)

The control has one [MASK] in the slot, however many subwords a word has.

Source: Kurita et al. 2019 for the template, and for the second [MASK] as the prior of the answer.
Their score of one answer is log P(answer | word) / P(answer | control); an association is the
difference of two. Blodgett et al. 2020 for what such a number doesn't say: who is harmed, and how.

Read before this: ../prediction/fillers.py.
"""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mlm_core.encoder.language_model import MaskedLanguageModel
from mlm_core.prediction.fillers import answer_id, find_blanks, known_tokens, text_before
from mlm_core.text.tokens import role_token, tokenize

SLOT = "___"
# Whatever people draw for it: a line of any length, dots, empty brackets, [blank].
SLOTS = re.compile(
    r"[\[<(]\s*(?:blank|_+|…|\.{3,})?\s*[\])>]|__+|(?<!\w)_(?!\w)|＿+|…|\.{3,}", re.IGNORECASE
)
BLANK = "[MASK]"  # as a template writes it, whatever the tokenizer calls it


class TemplateError(ValueError):
    """A template without its blank, its slot or room for both."""


@dataclass(frozen=True, kw_only=True)
class Expected:
    """The probabilities of the answers at the blank, with one word in the slot."""

    word: str | None  # None: [MASK], the control
    probabilities: tuple[float, ...]  # one for each answer, 0 to 1

    @property
    def log_ratio(self) -> float:
        """Return log2 of the second answer's probability over the first's; 1 is twice as likely."""
        first, second = self.probabilities
        return math.log2(second / first)


def expected_at_blank(
    model: MaskedLanguageModel, template: str, words: Sequence[str], answers: Sequence[str]
) -> Iterator[Expected]:
    """Yield the probabilities of the answers, first of the control, then with each word.

    Raises TemplateError if the template has not one slot and one blank, or is longer than the
    window, or a word is a blank; ValueError if an answer is not one token, or a word or an answer
    is [UNK]; MissingHeadError if the model has no masked-language head.
    """
    slots = SLOTS.findall(template)
    if len(slots) != 1 or template.count(BLANK) != 1:
        raise TemplateError(
            f"{len(slots)} slots ({', '.join(slots)}) and {template.count(BLANK)} {BLANK}: write"
            f" one {SLOT} and one {BLANK} into the template"
        )
    for word in words:
        known_tokens(model.tokenizer, word)
    mask = role_token(model.tokenizer, "[MASK]")
    slot_is_first = template.index(slots[0]) < template.index(BLANK)
    for word in (None, *words):
        text = template.replace(BLANK, mask).replace(slots[0], mask if word is None else word)
        read = tokenize(model.tokenizer, text, max_tokens=model.max_tokens)
        if read.n_left_out:
            n = len(read.tokens) + read.n_left_out
            raise TemplateError(f"{n} tokens: shorten the text to {model.max_tokens}")
        blanks = find_blanks(read, model.tokenizer)
        if len(blanks) != (2 if word is None else 1):
            raise TemplateError(
                f"{len(blanks)} blanks are read of {text!r}: write none among the words"
            )
        blank = blanks[-1 if slot_is_first else 0]
        before = text_before(read, blank)
        ids = [answer_id(model.tokenizer, answer, before) for answer in answers]
        probabilities = model.vocabulary_logits(read)[blank].double().softmax(dim=-1)
        yield Expected(word=word, probabilities=tuple(probabilities[ids].tolist()))


def association(expected: Expected, control: Expected) -> float:
    """Return how much a word moves the two answers apart, in bits, beyond the control.

    Above 0 it moves to the second answer.

    >>> round(
    ...     association(
    ...         Expected(word="nurse", probabilities=(0.1, 0.4)),
    ...         Expected(word=None, probabilities=(0.2, 0.1)),
    ...     ),
    ...     6,
    ... )
    3.0
    """
    return expected.log_ratio - control.log_ratio
