"""Measure what 8 bits change, for measured.json: `python -m bench.pocket_bits`.

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
    sentences = corpora.sentences(language)[:N]
    texts = [tokenize(whole.tokenizer, one, max_tokens=whole.max_tokens) for one in sentences]
    at = [1 + k % (len(text.tokens) - 2) for k, text in enumerate(texts)]  # each position in turn
    truths = torch.tensor([text.ids[i] for text, i in zip(texts, at, strict=True)])
    seen = [hide(text, [i], whole.tokenizer) for text, i in zip(texts, at, strict=True)]
    models = {32: whole, 8: quantize(whole, EIGHT_BITS)}
    rows = {bits: probabilities(model, seen, at) for bits, model in models.items()}
    words = {bits: row.argmax(dim=-1) for bits, row in rows.items()}
    differences = (rows[32] - rows[8]).abs().gather(1, rows[32].topk(5).indices)
    found = {"n": N, "same": (words[32] == words[8]).double().mean().item()}
    for bits in (8, 32):
        found[f"loss_{bits}"] = -rows[bits].gather(1, truths[:, None]).log().mean().item()
        found[f"accuracy_{bits}"] = (words[bits] == truths).double().mean().item()
    # Of the five likeliest words.
    return found | {"mean": differences.mean().item(), "largest": differences.max().item()}


def probabilities(
    model: MaskedLanguageModel, texts: list[TokenizedText], at: list[int]
) -> Float[Tensor, "text vocabulary"]:
    """Return the probabilities at one position of each text."""
    states = model.states_at(texts, model.n_layers, torch.tensor(at)[:, None])
    return model.logits_of_states(states[:, 0]).softmax(dim=-1)


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
