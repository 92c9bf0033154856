"""What is trained stands apart: it begins as the encoder does, and leaves the encoder alone."""

import pytest
import torch
from torch import nn

from mlm_core.encoder.bert import Bert
from mlm_core.finetuning.fine_tuned import make_upper, reading_of
from mlm_core.finetuning.heads import TokenHead, start_head
from mlm_core.finetuning.task import FineTuneTask
from mlm_core.finetuning.upper_layers import UpperLayers, UsedEmbeddings
from mlm_core.text.tokens import tokenize
from mlm_core.training.loop import TrainingSettings, train
from tests.finetuning.small_models import settings_for, small_data, small_encoder

TEXTS = ("The old man crossed the river.", "A dog.")


@pytest.fixture(scope="module")
def ids(encoder):
    rows = [tokenize(encoder.tokenizer, text).ids for text in TEXTS]
    longest = max(map(len, rows))
    return torch.tensor([row + [0] * (longest - len(row)) for row in rows])


def head_for(bert: Bert) -> TokenHead:
    head = TokenHead(24, 5)
    start_head(head, bert, torch.Generator().manual_seed(1))
    return head


@pytest.mark.parametrize(("n_layers", "n_read"), [(0, 3), (1, 3), (2, 3), (3, 3), (0, 2), (1, 2)])
def test_before_training_the_upper_layers_give_the_encoders_own_states(
    encoder, ids, n_layers, n_read
):
    bert, not_padding = encoder.bert, ids != 0
    upper = UpperLayers(bert, n_layers, head_for(bert), n_read=n_read).eval()
    below = bert.last_states(ids, not_padding=not_padding, n_layers=n_read - n_layers)
    expected = bert.last_states(ids, not_padding=not_padding, n_layers=n_read)
    found = upper.last_states(below, not_padding)
    torch.testing.assert_close(found[not_padding], expected[not_padding])


def test_used_embeddings_are_the_embeddings_whether_a_row_is_trained_or_not(encoder, ids):
    embeddings = encoder.bert.embeddings
    segments = (ids % 2 == 1).long()
    some = ids.unique()[::2]
    torch.testing.assert_close(
        UsedEmbeddings(embeddings, some)(ids, segments), embeddings(ids, segments)
    )


def test_a_row_that_is_not_trained_has_no_gradient_and_stays(encoder, ids):
    used = UsedEmbeddings(encoder.bert.embeddings, ids[1].unique())
    used(ids, torch.zeros_like(ids)).sum().backward()
    assert used.rows.grad.shape == (len(ids[1].unique()), 24)
    assert used.table.grad is None and not used.table.requires_grad


@pytest.mark.parametrize("used", [False, True])
def test_training_leaves_the_encoder_alone(encoder, ids, used):
    bert = encoder.bert
    before = {name: value.clone() for name, value in bert.state_dict().items()}
    upper = UpperLayers(bert, 3, head_for(bert), ids.unique() if used else None).train()
    with torch.no_grad():
        for parameter in upper.parameters():
            parameter.add_(1.0)
    assert all(torch.equal(before[name], value) for name, value in bert.state_dict().items())
    assert not any(parameter.requires_grad for parameter in bert.parameters())


def test_there_is_no_dropout_even_in_training(encoder, ids):
    upper = UpperLayers(encoder.bert, 3, head_for(encoder.bert), ids.unique()).train()
    not_padding = ids != 0

    def logits():
        return upper(upper.embeddings(ids, torch.zeros_like(ids)), not_padding)

    assert torch.equal(logits(), logits())


class WholeBert(UpperLayers):
    """The same training written plainly: every weight of the encoder is a parameter."""

    def __init__(self, bert: Bert, head: TokenHead) -> None:
        nn.Module.__init__(self)  # nothing of the class it stands in for
        self.embeddings, self.blocks, self.head = bert.embeddings, bert.blocks, head

    def forward(self, states, not_padding):
        attention_mask = not_padding[:, None, None, :].expand(-1, 1, states.shape[1], -1)
        for block in self.blocks:
            states, _ = block(states, attention_mask)
        return self.head(states, not_padding)


@pytest.mark.parametrize("kind", ["answers", "tags"])
def test_training_all_is_training_the_whole_model_when_nothing_decays(kind):
    encoder, whole_encoder = small_encoder(), small_encoder()
    data = small_data(kind)
    settings = settings_for(data, trained="all")
    reading = reading_of(encoder, data, settings)
    examples = [reading.read(example) for example in data.train]
    used = torch.tensor(sorted({i for example in examples for i in example.text.ids}))
    task = FineTuneTask(kind, examples, None, padding_id=0, batch_size=3, seed=1)
    # float64, so that only a real difference can show: AdamW makes small gradients large.
    upper = make_upper(encoder.bert.double(), data, settings, used).double()
    start_head(upper.head, encoder.bert, torch.Generator().manual_seed(4))
    bert = whole_encoder.bert.double()
    for module in bert.modules():
        if isinstance(module, nn.Dropout):
            module.p = 0.0
        if hasattr(module, "dropout_rate"):
            module.dropout_rate = 0.0
    head = TokenHead(24, len(reading.classes)).double()
    start_head(head, bert, torch.Generator().manual_seed(4))
    whole = WholeBert(bert, head).requires_grad_(True)
    three_steps = TrainingSettings(n_steps=3, peak_learning_rate=0.01, weight_decay=0.0)
    losses = [
        [step.loss.item() for step in train(model, task, three_steps, seed=1)]
        for model in (upper, whole)
    ]
    assert losses[0] == pytest.approx(losses[1], abs=1e-9)
    table = whole.embeddings.token.weight.detach()
    close = {"atol": 1e-8, "rtol": 0}
    torch.testing.assert_close(upper.embeddings.rows.detach(), table[used], **close)
    others = torch.ones(len(table), dtype=torch.bool).index_fill(0, used, False)
    assert torch.equal(table[others], upper.embeddings.table[others])
    ours, theirs = dict(upper.blocks.named_parameters()), dict(whole.blocks.named_parameters())
    for name, parameter in ours.items():
        torch.testing.assert_close(parameter, theirs[name], **close)
    untrained = small_encoder().bert.blocks[2].inner.weight.double()
    assert not torch.allclose(ours["2.inner.weight"], untrained)


def test_layers_that_are_not_there_are_refused(encoder):
    for n_layers, used in ((4, None), (-1, None), (2, torch.tensor([1]))):
        with pytest.raises(
            ValueError, match=f"{n_layers} of 3 layers to train.*: take at most all"
        ):
            UpperLayers(encoder.bert, n_layers, head_for(encoder.bert), used)
    for n_layers, n_read in ((2, 1), (1, 4)):
        with pytest.raises(ValueError, match=f"{n_layers} of {n_read} layers .*in a model of 3"):
            UpperLayers(encoder.bert, n_layers, head_for(encoder.bert), n_read=n_read)
