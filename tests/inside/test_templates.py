"""Two-slot templates: both orders, the control, and what is refused."""

import math

import pytest

from mlm_core.encoder.language_model import OwnModel
from mlm_core.encoder.model_list import MissingHeadError
from mlm_core.inside.templates import Expected, TemplateError, association, expected_at_blank
from mlm_core.prediction.fillers import find_blanks, word_tokens
from mlm_core.text.tokens import tokenize
from tests.prediction.small_models import small_model

ANSWERS = ("cat", "dog")


def by_hand(model: OwnModel, text: str, which: int) -> list[float]:
    """Return the answers' probabilities at one of the text's blanks."""
    read = tokenize(model.tokenizer, text)
    row = model.vocabulary_logits(read)[find_blanks(read, model.tokenizer)[which]]
    ids = [word_tokens(model.tokenizer, answer)[0].id for answer in ANSWERS]
    return (row.exp() / row.exp().sum())[ids].tolist()


@pytest.mark.parametrize(
    "template, blank_of_control", [("the ___ sat on [MASK]", 1), ("[MASK] sat on the ___", 0)]
)
def test_each_word_stands_in_the_slot_and_the_control_hides_it(model, template, blank_of_control):
    control, *named = expected_at_blank(model, template, ("mat", "dog"), ANSWERS)
    hidden = template.replace("___", "[MASK]")
    assert control.word is None and [one.word for one in named] == ["mat", "dog"]
    assert control.probabilities == pytest.approx(by_hand(model, hidden, blank_of_control))
    for one in named:
        text = template.replace("___", one.word)
        assert one.probabilities == pytest.approx(by_hand(model, text, 0))


def test_an_association_is_the_ratio_of_the_ratios():
    one, control = (
        Expected(word=word, probabilities=pair)
        for word, pair in (("nurse", (0.1, 0.6)), (None, (0.3, 0.2)))
    )
    by_kurita = math.log(0.6 / 0.2) - math.log(0.1 / 0.3)
    assert association(one, control) == pytest.approx(by_kurita / math.log(2))
    assert association(control, control) == 0


@pytest.mark.parametrize("line", ["__", "____", "_______"])
def test_the_slot_is_a_line_of_any_length(model, line):
    expected = list(expected_at_blank(model, "the ___ sat on [MASK]", ("mat", "dog"), ANSWERS))
    drawn = f"the {line} sat on [MASK]"
    assert list(expected_at_blank(model, drawn, ("mat", "dog"), ANSWERS)) == expected


@pytest.mark.parametrize(
    ("words", "answers"), [(("mat",), ("cat", "犬")), (("mat", "犬"), ANSWERS)]
)
def test_an_answer_or_word_that_is_unknown_is_refused(model, words, answers):
    """Its probability would be that of [UNK], whatever the word is."""
    with pytest.raises(ValueError, match=r"^'犬' is not in .* has \[UNK\] for it") as error:
        next(expected_at_blank(model, "the ___ sat on [MASK]", words, answers))
    assert not isinstance(error.value, TemplateError)


@pytest.mark.parametrize(
    "template",
    [
        "the ___ sat",
        "the cat sat on [MASK]",
        "___ and ____ sat on [MASK]",
        "the _ sat on [MASK]",
        "[MASK] ___ [MASK]",
    ],
)
def test_a_template_has_one_slot_and_one_blank(model, template):
    with pytest.raises(TemplateError, match="one ___ and one"):
        next(expected_at_blank(model, template, ("mat",), ANSWERS))


def test_a_word_that_is_a_blank_or_a_template_beyond_the_window_is_refused(model):
    with pytest.raises(TemplateError, match="2 blanks"):
        list(expected_at_blank(model, "the ___ sat on [MASK]", ("[MASK]",), ANSWERS))
    for template in ("the ___ " + 40 * "cat " + "[MASK]", "the ___ [MASK] " + 40 * "cat "):
        with pytest.raises(TemplateError, match="45 tokens: shorten"):
            next(expected_at_blank(model, template, ("mat",), ANSWERS))


def test_an_answer_is_one_token_and_the_model_needs_a_head(model):
    with pytest.raises(ValueError, match="'cat dog' has 2 subwords"):
        next(expected_at_blank(model, "the ___ [MASK]", ("mat",), ("cat", "cat dog")))
    headless = small_model()
    headless.has_language_head = False
    with pytest.raises(MissingHeadError):
        next(expected_at_blank(headless, "the ___ [MASK]", ("mat",), ANSWERS))
