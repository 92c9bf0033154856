"""Is a masked-language head trained? Its loss on plain sentences says so.

A head of random numbers gives every word about the same probability, 1 of V: its loss is about
ln V, 10.3 nats for V = 30,522, or more. A trained one has 2 to 4.

Read before this: fillers.py, masked_words.py.
"""

import math
from dataclasses import dataclass

from mlm_core.encoder.language_model import MaskedLanguageModel
from mlm_core.prediction.masked_words import hide, labels_of, predict
from mlm_core.text.tokens import tokenize

# Ours; plain enough for any English encoder. Every fifth token is hidden.
SENTENCES = (
    "The old man sat on the bench and read the newspaper until it was dark.",
    "She opened the door, put the bag on the table and went into the kitchen.",
    "In the summer the children swam in the river and played on the grass.",
)
EVERY = 5  # tokens
NEAR_UNIFORM = 0.9  # of the uniform loss


@dataclass(frozen=True, kw_only=True)
class HeadLoss:
    """The loss of a masked-language head, beside that of equal probabilities, in nats."""

    loss: float
    uniform: float

    @property
    def is_untrained(self) -> bool:
        """Return whether the head is hardly better than equal probabilities."""
        return self.loss > NEAR_UNIFORM * self.uniform


def head_loss(model: MaskedLanguageModel) -> HeadLoss:
    """Return the mean loss of the hidden tokens of our sentences.

    Raises MissingHeadError if the model has no such head, ValueError if its tokenizer has no mask.
    """
    losses: list[float] = []
    for sentence in SENTENCES:
        text = tokenize(model.tokenizer, sentence, max_tokens=model.max_tokens)
        inside = [i for i, token in enumerate(text.tokens) if not token.is_special]
        hidden = inside[EVERY - 1 :: EVERY] or inside[:1]
        seen = hide(text, hidden, model.tokenizer)
        predictions = predict(model, seen, labels_of(text.ids, hidden))
        losses += predictions.losses.tolist()
        n_rows = predictions.logits.shape[-1]
    return HeadLoss(loss=sum(losses) / len(losses), uniform=math.log(n_rows))
