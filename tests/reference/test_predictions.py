"""Our losses beside torch's cross_entropy and transformers' own, on the same weights."""

from functools import partial
from random import Random

import pytest
import torch
import transformers
from torch.nn import functional as F

from mlm_core.encoder.model_list import BUNDLED, BUNDLED_FOLDER
from mlm_core.encoder.pretrained import load
from mlm_core.prediction.fillers import positions_to_score, score_positions
from mlm_core.prediction.masked_words import (
    labels_of,
    losses_everywhere,
    mean_over,
    predict,
    put_tokens,
)
from mlm_core.prediction.unmasking import KEEP_ORDERS, unmask
from mlm_core.prediction.whole_way import whole_way
from mlm_core.text.tokens import role_id, role_token, tokenize
from tests.reference.small_checkpoints import save_small

SENTENCE = "The old man saw a dog at the river."
CHOSEN = {1, 3, 6}
ARCHITECTURES = ("bert-cased", "bert-uncased", "distilbert", "roberta")
# Other kernels and another order of sums: 1e-6 on logits of size 10, averaged here.
TOLERANCE = 1e-5


@pytest.fixture(scope="module", params=(BUNDLED, *ARCHITECTURES))
def pair(request, tmp_path_factory):
    """Give a model as we load it, and as transformers has it."""
    if request.param == BUNDLED:
        theirs = transformers.BertForMaskedLM.from_pretrained(BUNDLED_FOLDER)
        return load(BUNDLED), theirs.eval().requires_grad_(False)
    folder = tmp_path_factory.mktemp("checkpoint") / request.param
    theirs = save_small(request.param, folder)
    return load(request.param, folder), theirs


def corrupted(model):
    """Return the text, what is seen of it (two places hidden, one replaced), and the labels."""
    text = tokenize(model.tokenizer, SENTENCE, max_tokens=model.max_tokens)
    mask = model.tokenizer.token_to_id(role_token(model.tokenizer, "[MASK]"))
    seen = put_tokens(text, {1: mask, 3: mask, 6: text.ids[2]}, model.tokenizer)
    return text, seen, labels_of(text.ids, CHOSEN)


def test_the_loss_is_torchs_cross_entropy_over_the_labels(pair):
    ours, _ = pair
    text, seen, labels = corrupted(ours)
    logits = ours.vocabulary_logits(seen)
    expected = F.cross_entropy(logits, torch.tensor(labels), ignore_index=-100).item()
    predictions = predict(ours, seen, labels)
    assert predictions.loss == pytest.approx(expected, abs=TOLERANCE)
    everywhere = losses_everywhere(ours, seen, text.ids)
    reference = F.cross_entropy(logits, torch.tensor(text.ids), reduction="none")
    assert everywhere.tolist() == pytest.approx(reference.tolist(), abs=TOLERANCE)
    assert mean_over(everywhere.tolist(), CHOSEN) == pytest.approx(expected, abs=TOLERANCE)


def test_the_loss_is_that_of_transformers(pair):
    ours, theirs = pair
    _, seen, labels = corrupted(ours)
    inputs = {"input_ids": torch.tensor([seen.ids]), "labels": torch.tensor([labels])}
    if isinstance(theirs, transformers.BertForPreTraining):
        # Its loss is the sum of both objectives: take the next-sentence part off again.
        pair_label = torch.tensor([1])
        output = theirs(**inputs, next_sentence_label=pair_label)
        pair_loss = F.cross_entropy(output["seq_relationship_logits"], pair_label)
        expected = (output["loss"] - pair_loss).item()
    else:
        expected = theirs(**inputs)["loss"].item()
    assert predict(ours, seen, labels).loss == pytest.approx(expected, abs=TOLERANCE)


def test_the_way_of_a_token_is_what_transformers_modules_give(pair):
    ours, theirs = pair
    _, seen, _ = corrupted(ours)
    caught: dict[str, torch.Tensor] = {}
    for name, module in theirs.named_modules():
        if name.endswith(("_embeddings", "attention.output.dense", "output.dense")):
            module.register_forward_hook(
                lambda _, given, output, name=name: caught.__setitem__(name, output)
            )
    theirs.set_attn_implementation("eager")
    ids = torch.tensor([seen.ids])
    output = theirs(ids, output_hidden_states=True, output_attentions=True)
    logits = getattr(output, "prediction_logits", None)
    logits = output["logits"] if logits is None else logits
    way = whole_way(ours, seen, 3)
    close = partial(torch.testing.assert_close, atol=1e-4, rtol=0)
    close(way.logits, logits[0, 3])
    for mine, other in zip(way.states, output["hidden_states"], strict=True):
        close(mine, other[0, 3])
    for mine, other in zip(way.weights, output["attentions"], strict=True):
        close(mine, other[0, :, 3])
    for layer, added in enumerate(way.added):
        if ours.bert is None:
            before, after = output["hidden_states"][layer : layer + 2]
            close(added["layer"], (after - before)[0, 3])
            continue
        block = f"bert.encoder.layer.{layer}"
        close(added["attention"], caught[f"{block}.attention.output.dense"][0, 3])
        close(added["feed_forward"], caught[f"{block}.output.dense"][0, 3])
    for name, summand in way.summands.items():
        module = {"token": "word", "position": "position", "segment": "token_type"}[name]
        found = caught[f"bert.embeddings.{module}_embeddings"]
        close(summand, found[0, 3])


def write(theirs, ids, mask, n_steps, order, rng, temperature):
    """Return the ids after each step, by a plain loop over transformers' logits."""
    ids, texts = list(ids), []
    blanks = [i for i, id_ in enumerate(ids) if id_ == mask]
    n_blanks = len(blanks)
    for step in range(1, n_steps + 1):
        output = theirs(torch.tensor([ids]))
        logits = getattr(output, "prediction_logits", None)
        logits = (output["logits"] if logits is None else logits)[0].double()
        words, certainty = {}, {}
        for i in blanks:
            others = logits[i].index_fill(0, torch.tensor(mask), -torch.inf)
            words[i] = others.argmax().item()
            if temperature:
                drawn, below = rng.random(), torch.softmax(others / temperature, 0).cumsum(0)
                words[i] = next(id_ for id_, p in enumerate(below.tolist()) if p > drawn)
            certainty[i] = torch.softmax(logits[i], 0)[words[i]].item()
        if order == "most_certain_first":
            blanks.sort(key=lambda i: certainty[i], reverse=True)
        elif order == "random":
            rng.shuffle(blanks)
        while len(blanks) > n_blanks - n_blanks * step / n_steps:
            first = blanks.pop(0)
            ids[first] = words[first]
        blanks.sort()
        texts.append(list(ids))
    return texts


@pytest.mark.parametrize("temperature", [0.0, 0.8])
@pytest.mark.parametrize("order", KEEP_ORDERS)
def test_writing_by_unmasking_is_a_plain_loop_over_transformers_logits(pair, order, temperature):
    ours, theirs = pair
    mask = role_token(ours.tokenizer, "[MASK]")
    text = tokenize(ours.tokenizer, f"the {' '.join([mask] * 4)} old {mask}.")
    steps = unmask(ours, text, 3, order, Random(4), temperature=temperature)
    about = (role_id(ours.tokenizer, "[MASK]"), 3, order, Random(4), temperature)
    assert [step.after.ids for step in steps] == write(theirs, text.ids, *about)


def test_the_pseudo_log_likelihood_is_that_of_a_plain_loop(pair):
    ours, theirs = pair
    text = tokenize(ours.tokenizer, SENTENCE, max_tokens=ours.max_tokens)
    mask = ours.tokenizer.token_to_id(role_token(ours.tokenizer, "[MASK]"))
    expected = []
    for i in range(1, len(text.ids) - 1):  # all but the first and last, which are special
        ids = torch.tensor([text.ids])
        ids[0, i] = mask
        output = theirs(input_ids=ids)
        logits = output["logits" if "logits" in output else "prediction_logits"]
        expected.append(F.log_softmax(logits[0, i], dim=-1)[text.ids[i]].item())
    places = positions_to_score(text)
    assert places == tuple(range(1, len(text.ids) - 1))
    scores = [score.log_probability for score in score_positions(ours, text)]
    assert scores == pytest.approx(expected, abs=1e-4)
