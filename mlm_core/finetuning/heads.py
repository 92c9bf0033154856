"""The heads of fine-tuning: one small layer on top of the encoder for each task.

    one text or a pair -> [CLS]'s state h             y = softmax(W tanh(P h + p) + c)
                       -> the mean m of all states    y = softmax(W m + c)
    answers            -> each token's state h_i      start_i = h_i . S,  end_i = h_i . E
    tags               -> each token's state h_i      y_i = softmax(W h_i + c)

P is BERT's "pooler": a square layer that next-sentence prediction has trained, on the last layer's
states, and fine-tuning trains further. All other weights of a head are new and start at small
random numbers.

Source: SLP3 Eq 11.11 (classes), Eq 11.12 (tags); Devlin et al. 2019, sections 4.1 to 4.3 and
5.3; transformers' BertFor...Classification and BertForQuestionAnswering, whose numbers these
heads give (tested).
Departs: SLP3 writes y = softmax(h W) without the pooler, which BERT itself has. The mean is not
in either; over all real tokens, [CLS] and [SEP] included, it is the other common choice.

Read before this: ../tagging/scores.py; also ../labelled/examples.py. Read next: upper_layers.py.
"""

from typing import Literal, get_args

import torch
from torch import nn

from mlm_core.encoder.bert import Bert
from mlm_core.shapes import Bool, Float, Tensor

Pooling = Literal["cls", "mean"]
POOLINGS: tuple[Pooling, ...] = get_args(Pooling)
START_SCALE = 0.02  # standard deviation of a new head's numbers, as in BERT


class ClassHead(nn.Module):
    """Scores classes from one vector of a text, which `pool` makes."""

    def __init__(self, hidden_size: int, n_classes: int, pooling: Pooling) -> None:
        super().__init__()
        # The pooler is before the classifier: random starts and stored weights follow this order.
        self.pooler = _linear(hidden_size, hidden_size) if pooling == "cls" else None
        self.classifier = _linear(hidden_size, n_classes)

    def pool(
        self,
        states: Float[Tensor, "batch token hidden"],
        not_padding: Bool[Tensor, "batch token"],
    ) -> Float[Tensor, "batch hidden"]:
        """Return tanh(P h + p) of [CLS], or the mean over all real tokens."""
        if self.pooler is not None:
            return torch.tanh(self.pooler(states[:, 0]))
        return mean_of_tokens(states, not_padding)

    def forward(
        self,
        states: Float[Tensor, "batch token hidden"],
        not_padding: Bool[Tensor, "batch token"],
    ) -> Float[Tensor, "batch class"]:
        """Return each text's logits."""
        return self.classifier(self.pool(states, not_padding))


def mean_of_tokens(
    states: Float[Tensor, "batch token hidden"], not_padding: Bool[Tensor, "batch token"]
) -> Float[Tensor, "batch hidden"]:
    """Return the mean over all real tokens of each text, [CLS] and [SEP] included."""
    real = not_padding.unsqueeze(-1).to(states.dtype)
    return (states * real).sum(dim=1) / real.sum(dim=1)


class TokenHead(nn.Module):
    """Scores every token: its tags, or whether the answer starts or ends there."""

    def __init__(self, hidden_size: int, n_classes: int) -> None:
        super().__init__()
        self.classifier = _linear(hidden_size, n_classes)

    def forward(
        self,
        states: Float[Tensor, "batch token hidden"],
        not_padding: Bool[Tensor, "batch token"],
    ) -> Float[Tensor, "batch token class"]:
        """Return each token's logits; those at padding mean nothing."""
        return self.classifier(states)


Head = ClassHead | TokenHead


@torch.no_grad()
def start_head(head: Head, bert: Bert, generator: torch.Generator) -> None:
    """Initialize a head in place; the pooler takes the encoder's weights, if any."""
    for parameter in head.parameters():
        if parameter.ndim > 1:
            # Drawn where the generator is, so that every device starts from the same numbers.
            start = torch.empty(parameter.shape, device=generator.device)
            parameter.copy_(start.normal_(std=START_SCALE, generator=generator))
        else:
            parameter.zero_()
    has_pooler = isinstance(head, ClassHead) and head.pooler is not None
    if has_pooler and bert.next_sentence_head is not None:
        head.pooler.load_state_dict(bert.next_sentence_head.pooler.state_dict())


def _linear(n_inputs: int, n_outputs: int) -> nn.Linear:
    """Return a layer whose numbers start_head() sets; the global generator stays as it was.

    torch's own skip_init imports sympy and the compiler's shapes: 38 MB.
    """
    with torch.random.fork_rng(devices=[]):
        return nn.Linear(n_inputs, n_outputs)
