"""Measure what 8 bits change, for measured.json: `python -m bench.pocket_bits` (minutes).

One token of each of N sentences of ours is hidden. Both models are asked: with the weights of
build.py, and with the original ones. "How right is this?" of the page says what comes out.

Source of the quantization: mlm_core/inside/quantized.py.
"""

import json

import torch

from mlm_core.encoder.language_model import MaskedLanguageModel
from mlm_core.encoder.model_list import READERS
from mlm_core.encoder.pretrained import load
from mlm_core.inside.quantized import quantize
from mlm_core.prediction.masked_words import hide
from mlm_core.shapes import Float, Tensor
from mlm_core.text import corpora
from mlm_core.text.tokens import TokenizedText, tokenize
from pocket.build import EIGHT_BITS, FOLDER

N = 250


def measure(language: str) -> dict[str, float]:
    """Return loss, accuracy and differences on N blanks of a language."""
    whole = load(READERS[language])
    rounded = quantize(whole, EIGHT_BITS)
    losses, hits, same, differences = [], [], [], []
    for k, sentence in enumerate(corpora.sentences(language)[:N]):
        text = tokenize(whole.tokenizer, sentence, max_tokens=whole.max_tokens)
        at = 1 + k % (len(text.tokens) - 2)  # each position is asked about
        seen = hide(text, [at], whole.tokenizer)
        both = [probabilities(model, seen, at) for model in (whole, rounded)]
        losses.append([-row[text.ids[at]].log().item() for row in both])
        hits.append([int(row.argmax()) == text.ids[at] for row in both])
        same.append(both[0].argmax() == both[1].argmax())
        five = both[0].topk(5).indices
        differences.append((both[0] - both[1]).abs()[five])
    loss_32, loss_8 = torch.tensor(losses).mean(dim=0).tolist()
    accuracy_32, accuracy_8 = torch.tensor(hits).double().mean(dim=0).tolist()
    return {
        "n": N,
        "same": torch.stack(same).double().mean().item(),
        "loss_8": loss_8,
        "loss_32": loss_32,
        "accuracy_8": accuracy_8,
        "accuracy_32": accuracy_32,
        "mean": torch.stack(differences).mean().item(),  # of the five likeliest words
        "largest": torch.stack(differences).max().item(),
    }


def probabilities(
    model: MaskedLanguageModel, seen: TokenizedText, at: int
) -> Float[Tensor, " vocabulary"]:
    """Return the probabilities at a position."""
    return model.vocabulary_logits(seen)[at].softmax(dim=-1)


def main() -> None:
    """Write measured.json."""
    found = {
        READERS[language]: {name: round(value, 5) for name, value in measure(language).items()}
        for language in READERS
    }
    (FOLDER / "measured.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
