"""Tag the words of a sentence, and compare with what the lesson's page showed.

pip install torch transformers  (README.md says which versions)
python tag.py
python tag.py A sentence of yours , with spaces between all words
"""

import json
import sys
from pathlib import Path

import torch
from transformers import AutoModelForTokenClassification, AutoTokenizer

folder = Path(__file__).parent
shown = json.loads((folder / "shown.json").read_text(encoding="utf-8"))
tokenizer = AutoTokenizer.from_pretrained(folder)
model = AutoModelForTokenClassification.from_pretrained(folder).eval()

words = sys.argv[1:] or shown["asked"]
# A word of which the tokenizer keeps nothing is read as the unknown word.
kept = [tokenizer(word, add_special_tokens=False)["input_ids"] for word in words]
read = [word if ids else tokenizer.unk_token for word, ids in zip(words, kept, strict=True)]
inputs = tokenizer(
    " ".join(read), truncation=True, return_offsets_mapping=True, return_tensors="pt"
)
bounds = inputs.pop("offset_mapping")[0].tolist()
with torch.inference_mode():
    probabilities = model(**inputs).logits[0].softmax(dim=-1)

print(" ".join(words))
largest, start = 0.0, 0
for number, word in enumerate(read):
    stop = start + len(word)
    # The word's first piece: the first that shares a character with it.
    piece = next((i for i, (a, b) in enumerate(bounds) if max(a, start) < min(b, stop)), None)
    start = stop + 1
    if piece is None:
        break  # beyond the model's window
    best = int(probabilities[piece].argmax())
    here = float(probabilities[piece, best])
    print(f"{words[number]:>16}  {model.config.id2label[best]:>8}  {here:.6f}", end="")
    if sys.argv[1:]:
        print()
        continue
    print(f"   page: {shown['predicted'][number]:>8}  {shown['probabilities'][number]:.6f}")
    largest = max(largest, abs(here - shown["probabilities"][number]))
if not sys.argv[1:]:
    print(f"largest difference: {largest:.1e}")
