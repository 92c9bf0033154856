"""Ask this classifier about a text, and compare with what the lesson's page showed.

pip install torch transformers  (README.md says which versions)
python classify.py
python classify.py "A text of yours."
python classify.py "A text of yours." "And the second one, if it was taught on pairs."
"""

import json
import sys
from pathlib import Path

import torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer

folder = Path(__file__).parent
shown = json.loads((folder / "shown.json").read_text(encoding="utf-8"))
tokenizer = AutoTokenizer.from_pretrained(folder)
texts = sys.argv[1:] or shown["asked"]
inputs = tokenizer(*texts, truncation=True, return_tensors="pt")
# Trusted is mean_model.py of this folder, which a model of mean states needs; nothing is fetched.
model = AutoModelForSequenceClassification.from_pretrained(folder, trust_remote_code=True).eval()
with torch.inference_mode():
    logits = model(**inputs).logits[0]
probabilities = logits.softmax(dim=-1).tolist()
classes = [model.config.id2label[i] for i in range(len(probabilities))]

print(" / ".join(texts))
if sys.argv[1:]:
    for name, here in zip(classes, probabilities, strict=True):
        print(f"{name:>16}  {here:.6f}")
    sys.exit()
largest = 0.0
rows = zip(classes, probabilities, shown["predicted"], shown["probabilities"], strict=True)
for name, here, page_name, page in rows:
    print(f"{name:>16}  {here:.6f}   page: {page_name:>16}  {page:.6f}")
    largest = max(largest, abs(here - page))
print(f"largest difference: {largest:.1e}")
