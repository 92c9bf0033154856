"""Scores of predictions, by hand."""

import pytest
import torch

from mlm_core.finetuning.encoded_examples import EncodedExample, Reading
from mlm_core.finetuning.scores import (
    predicted_class,
    predicted_output,
    right_examples,
    score_classes,
    score_examples,
)
from mlm_core.labelled.examples import LabelledText, Question, TaggedSentence
from mlm_core.tagging.bio_tags import Span, tags_of
from mlm_core.text.tokens import Token, TokenizedText
from tests.finetuning.small_models import small_encoder


def test_class_scores_by_hand():
    # Class a: 1 hit of 2 gold and 1 predicted, F1 2 / 3; b: 1 of 1 and 2.
    scores = score_classes("aab", "abb")
    assert scores.proportion_right == pytest.approx(2 / 3)
    assert scores.f1 == pytest.approx(2 / 3)


def test_the_likeliest_class_of_two_alike_is_the_first():
    assert predicted_class(torch.tensor([0.4, 0.4, 0.2]).log(), ["x", "y", "z"]) == "x"


def test_answers_score_by_exact_match_and_overlap_and_one_cut_off_is_missed():
    passage = "The old man came."
    asked = Question(question="Who?", passage=passage, start=0, stop=11)
    scores = score_examples([asked] * 4, ["old man", "man", "", "came"], "BIO")
    assert scores.proportion_right == pytest.approx(1 / 4)
    assert scores.f1 == pytest.approx((1 + 2 / 3) / 4)
    assert right_examples([asked] * 4, ["old man", "man", "", "came"]) == (True, *[False] * 3)


def test_classes_are_scored_by_their_labels():
    texts = [LabelledText(text="x", label=label) for label in "aab"]
    assert score_examples(texts, list("aab"), "BIO").f1 == 1
    assert right_examples(texts, list("abb")) == (True, False, True)


def test_a_tagged_sentence_is_not_right_or_wrong():
    tagged = TaggedSentence(words=("Jane",), spans=(Span(start=0, end=1, type="PER"),))
    with pytest.raises(TypeError, match="use paired_bootstrap"):
        right_examples([tagged], [("B-PER",)])


@pytest.mark.parametrize(("scheme", "f1"), [("BIO", 1.0), ("BIOES", 1.0), ("IO", 0.0)])
def test_tags_are_scored_by_entity_and_what_a_scheme_can_not_tell_is_lost(scheme, f1):
    spans = (Span(start=0, end=2, type="PER"), Span(start=2, end=3, type="PER"))
    sentence = TaggedSentence(words=("a", "b", "c"), spans=spans)
    from mlm_core.tagging.bio_tags import encode

    scores = score_examples([sentence], [encode(spans, 3, scheme)], scheme)
    assert (scores.proportion_right, scores.f1) == (1.0, f1)


def test_one_wrong_border_costs_a_miss_and_a_false_alarm_by_hand():
    sentence = TaggedSentence(words=("Jane", "V.", "in"), spans=(Span(start=0, end=2, type="PER"),))
    scores = score_examples([sentence], [("B-PER", "O", "O")], "BIO")
    assert scores.proportion_right == pytest.approx(2 / 3)
    assert scores.f1 == 0.0


def test_faulty_tags_are_read_as_conlleval_does():
    sentence = TaggedSentence(words=("to", "Jane"), spans=(Span(start=1, end=2, type="PER"),))
    assert score_examples([sentence], [("O", "I-PER")], "BIO").f1 == 1


def reading_for(classes):
    return Reading(tokenizer=small_encoder().tokenizer, max_tokens=9, classes=tuple(classes))


def test_a_words_tag_is_its_first_subwords_and_words_beyond_the_window_are_outside():
    tags = tags_of(["PER"], "BIO")
    text = TokenizedText(text="", pair=None, tokens=(), n_left_out=0)
    example = EncodedExample(
        text=text, labels=torch.empty(0, dtype=torch.long), word_of_subword=(None, 0, 0, 1, None)
    )
    likely = torch.tensor([0, 1, 2, 2, 0])  # [CLS], two subwords, one subword, [SEP]
    logs = torch.nn.functional.one_hot(likely, 3).float().add(0.1).log_softmax(dim=-1)
    sentence = TaggedSentence(words=("a", "b", "c", "d"), spans=())
    found = predicted_output(sentence, example, logs, reading_for(tags))
    assert found == ("B-PER", "I-PER", "O", "O")


def test_an_answer_is_the_letters_of_the_passage_between_its_tokens():
    places = [(0, 0, None, 0), (0, 3, 0, 1), (4, 7, 1, 1), (8, 11, 2, 1)]
    tokens = tuple(
        Token(text="x", id=5, start=a, stop=b, word=word, segment=segment, is_special=False)
        for a, b, word, segment in places
    )
    example = EncodedExample(
        text=TokenizedText(text="q", pair="The old man", tokens=tokens, n_left_out=0),
        labels=torch.empty(0, dtype=torch.long),
    )
    asked = Question(question="q", passage="The old man", start=0, stop=3)
    reading = reading_for(("start", "end"))
    logs = torch.full((4, 2), float("-inf"))
    assert predicted_output(asked, example, logs, reading) == ""
    logs[1:] = torch.tensor([[0.1, 0.1], [0.8, 0.2], [0.1, 0.7]]).log()
    assert predicted_output(asked, example, logs, reading) == "old man"
