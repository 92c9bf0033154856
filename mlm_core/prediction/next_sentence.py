"""The next-sentence loss of one pair, each step with its name.

    h_CLS    the last layer's vector at [CLS]                       [hidden]
    pooled   tanh(W h_CLS + b), BERT's "pooler"                     [hidden]
    logits   W_NSP pooled + b, class 0 "B follows", 1 "B is random" [2]
    loss     -log P(true class), P = softmax(logits)

The textbook's formula is softmax(h_CLS W_NSP): the tanh layer between is BERT's, and so are
the biases. The pretraining loss is the sum of this one and the masked-language loss.

Source: SLP3 section 11.2.2 and Fig 11.4; Devlin et al. 2019, section 3.1 and appendix A.2.

Read before this: ../encoder/bert.py, pair_examples.py.
"""

from dataclasses import dataclass

import torch

from mlm_core.encoder.bert import Bert
from mlm_core.shapes import Float, Tensor


@dataclass(frozen=True, kw_only=True)
class NextSentenceSteps:
    """Every step from the state at [CLS] to the probability of one pair."""

    cls: Float[Tensor, " hidden"]
    pooled: Float[Tensor, " hidden"]  # tanh(W h_CLS + b)
    logits: Float[Tensor, "2"]
    probabilities: Float[Tensor, "2"]

    @property
    def p_follows(self) -> float:
        """Return P(IsNext)."""
        return self.probabilities[0].item()

    def loss(self, label: int) -> float:
        """Return -log P of the true class, FOLLOWS or IS_RANDOM; 0.69 at P = 0.5.

        From the logits, so that a probability that rounds to 0 has a finite loss.
        Raises ValueError for another label.
        """
        if label not in (0, 1):
            raise ValueError(f"label {label}: 0 if B follows A, 1 if B is random")
        return -torch.log_softmax(self.logits, dim=-1)[label].item()


@torch.inference_mode()
def next_sentence_steps(bert: Bert, states: Float[Tensor, "token hidden"]) -> NextSentenceSteps:
    """Return the steps of one pair from its last layer's states.

    Raises ValueError if the checkpoint came without a next-sentence head.
    """
    head = bert.next_sentence_head
    if head is None:
        raise ValueError(
            "this model has no next-sentence head: choose one that was pretrained with it,"
            " such as a bundled model"
        )
    cls = states[0]
    pooled = torch.tanh(head.pooler(cls))
    logits = head.classifier(pooled)
    probabilities = torch.softmax(logits, dim=-1)
    return NextSentenceSteps(cls=cls, pooled=pooled, logits=logits, probabilities=probabilities)


def total_loss(masked_language_loss: float, next_sentence_loss: float) -> float:
    """Return BERT's pretraining loss: the sum, without weights.

    >>> total_loss(2.5, 0.25)
    2.75
    """
    return masked_language_loss + next_sentence_loss
