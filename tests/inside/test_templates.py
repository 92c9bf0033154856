"""Two-slot templates: both orders, the control, and what is refused."""

import math

import pytest
import torch

from mlm_core.encoder.language_model import OwnModel
from mlm_core.encoder.model_list import MissingHeadError
from mlm_core.encoder.pretrained import load
from mlm_core.inside.templates import Expected, TemplateError, association, expected_at_blank
from mlm_core.prediction.fillers import find_blanks, word_tokens
from mlm_core.text.tokens import tokenize
from tests.prediction.small_models import small_model
from tests.reference.small_checkpoints import save_small

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


@pytest.mark.parametrize(
    "line",
    ["_", "__", "_______", "…", "....", "[blank]", "[Blank]", "[ ]", "[…]", "<___>", "( )", "＿＿"],
)
def test_the_slot_is_any_blank_that_people_draw(model, line):
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
    ("template", "tokens"),
    [
        ("[MASK] saw the ___", ("he", "it")),
        ("the ___ said [MASK] was old", ("Ġhe", "Ġit")),
        ('a ___: "[MASK] ran"', ("he", "it")),
    ],
)
def test_an_answer_is_the_token_of_its_own_place(tmp_path, template, tokens):
    """RoBERTa has one token for a word that begins a text, and another for one after a space."""
    theirs = save_small("roberta", tmp_path / "m")
    model = load("m", tmp_path / "m")
    row = next(expected_at_blank(model, template, ("dog",), ("he", "it")))
    ids = model.tokenizer.encode(template.replace("___", "<mask>").replace("[MASK]", "<mask>")).ids
    blank = [i for i, id_ in enumerate(ids) if id_ == model.tokenizer.token_to_id("<mask>")]
    logits = theirs(torch.tensor([ids])).logits[0, blank[template.index("[") > 0]]
    answers = [model.tokenizer.token_to_id(token) for token in tokens]
    expected = logits.double().softmax(-1)[answers].tolist()
    assert row.probabilities == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize(
    "template",
    [
        "the ___ sat",
        "the cat sat on [MASK]",
        "___ and ____ sat on [MASK]",
        "the snake_case sat on [MASK]",
        "[MASK] ___ [MASK]",
    ],
)
def test_a_template_has_one_slot_and_one_blank(model, template):
    with pytest.raises(TemplateError, match="one ___ and one"):
        next(expected_at_blank(model, template, ("mat",), ANSWERS))


def test_two_slots_are_said(model):
    with pytest.raises(TemplateError, match=r"^2 slots \(____, …\) and 1 \[MASK\]: write one ___"):
        next(expected_at_blank(model, "the ____ sat on [MASK] …", ("mat",), ANSWERS))


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
