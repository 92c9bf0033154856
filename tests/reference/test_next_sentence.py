"""The next-sentence loss beside transformers' BertForPreTraining; alpha beside hand figures."""

import pytest
import torch
import transformers

from mlm_core.encoder.checkpoints import load_bert
from mlm_core.encoder.model_list import BUNDLED_FOLDER
from mlm_core.prediction.next_sentence import next_sentence_steps, total_loss
from mlm_core.prediction.pair_examples import FOLLOWS, IS_RANDOM
from mlm_core.text.language_sampling import sampling_probabilities
from mlm_core.text.tokens import load_tokenizer, tokenize

PAIRS = (("It rained all day.", "The river rose."), ("Salt.", "[MASK] unfathomable 😀 words"))


@pytest.fixture(scope="module")
def theirs():
    model = transformers.BertForPreTraining.from_pretrained(
        BUNDLED_FOLDER, attn_implementation="eager"
    )
    return model.double().eval()


@pytest.fixture(scope="module")
def ours():
    return load_bert(BUNDLED_FOLDER).double().eval()


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("label", [FOLLOWS, IS_RANDOM])
def test_logits_and_loss_are_those_of_transformers(ours, theirs, pair, label):
    text = tokenize(load_tokenizer(BUNDLED_FOLDER), *pair)
    ids, segments = torch.tensor([text.ids]), torch.tensor([text.segment_ids])
    labels = torch.full_like(ids, -100)
    labels[0, 2] = ids[0, 2]
    with torch.inference_mode():
        expected = theirs(
            input_ids=ids,
            token_type_ids=segments,
            labels=labels,
            next_sentence_label=torch.tensor([label]),
        )
        states = ours.encode(ids, segments).last[0]
        words = ours.masked_language_logits(states[2])
    steps = next_sentence_steps(ours, states)
    torch.testing.assert_close(
        steps.logits, expected.seq_relationship_logits[0], atol=1e-10, rtol=1e-10
    )
    mlm = torch.nn.functional.cross_entropy(words[None], ids[0, 2:3]).item()
    both = total_loss(mlm, steps.loss(label))
    assert both == pytest.approx(expected.loss.item(), abs=1e-9)


def test_alpha_one_and_zero_are_by_size_and_all_alike():
    assert sampling_probabilities([6, 3, 1], 1.0) == pytest.approx((0.6, 0.3, 0.1))
    assert sampling_probabilities([6, 3, 1], 0.0) == pytest.approx((1 / 3, 1 / 3, 1 / 3))


def test_alpha_by_hand():
    # 0.99^0.75 = 0.992491 and 0.01^0.75 = 0.031623, which are 0.96912 and 0.03088 of their sum:
    # the textbook's own figures (.97 and .03) for the same formula in its chapter on embeddings.
    assert sampling_probabilities([99, 1], 0.75) == pytest.approx((0.96912, 0.03088), abs=1e-5)
    # XLM-R's alpha: 0.99^0.3 = 0.996989, 0.01^0.3 = 0.251189.
    assert sampling_probabilities([99, 1], 0.3) == pytest.approx((0.79876, 0.20124), abs=1e-5)
