"""Our step on the bias and the tied embedding beside torch.optim.SGD on transformers' BERT."""

import pytest
import torch
import transformers

from mlm_core.encoder.model_list import BUNDLED, BUNDLED_FOLDER
from mlm_core.encoder.pretrained import load
from mlm_core.prediction.one_step import MOVED, take_step
from mlm_core.text.tokens import tokenize

RATE = 0.01
# Logits of size 10 in float32, through two libraries' kernels and a gradient of 4 million numbers.
TOLERANCE = 2e-4


@pytest.mark.parametrize("moved", MOVED)
def test_the_step_is_that_of_sgd_on_transformers_model(moved):
    ours = load(BUNDLED)
    seen = tokenize(ours.tokenizer, "She opened the [MASK] and went into the house.")
    blank, target = seen.texts.index("[MASK]"), ours.tokenizer.token_to_id("door")
    step = take_step(ours, seen, blank, target, rate=RATE, moved=moved)

    theirs = transformers.BertForMaskedLM.from_pretrained(BUNDLED_FOLDER).eval()
    theirs = theirs.float().requires_grad_(False)
    parameters = [theirs.cls.predictions.bias]
    if moved == "bias_and_embedding":
        parameters.append(theirs.bert.embeddings.word_embeddings.weight)
    optimizer = torch.optim.SGD([p.requires_grad_(True) for p in parameters], lr=RATE)
    before = theirs(torch.tensor([seen.ids])).logits
    before.retain_grad()
    labels = torch.full((1, len(seen.ids)), -100)
    labels[0, blank] = target
    torch.nn.functional.cross_entropy(before[0], labels[0]).backward()
    optimizer.step()
    with torch.no_grad():
        after = theirs(torch.tensor([seen.ids])).logits[0, blank]

    assert torch.allclose(step.gradient, before.grad[0, blank], atol=1e-6)
    assert torch.allclose(step.before, before.detach()[0, blank], atol=TOLERANCE)
    assert torch.allclose(step.after, after, atol=TOLERANCE)
    squared = sum(parameter.grad.square().sum().item() for parameter in parameters)
    assert step.squared_length == pytest.approx(squared, rel=1e-4)
    assert step.losses[1] == pytest.approx(-after.log_softmax(-1)[target].item(), abs=TOLERANCE)
    assert step.losses[1] < step.losses[0]
