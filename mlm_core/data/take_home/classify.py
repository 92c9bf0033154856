"""Ask this classifier about a text, and compare with what the lesson's page showed.

pip install torch transformers
python classify.py
python classify.py "A text of yours."
python classify.py "A text of yours." "And the second one, if it was taught on pairs."
"""

import json
import sys
from pathlib import Path

import torch
from safetensors.torch import load_file
from transformers import AutoModel, AutoModelForSequenceClassification, AutoTokenizer, logging

logging.set_verbosity_error()  # BertModel leaves the head's weights out, which are read here

folder = Path(__file__).parent
shown = json.loads((folder / "shown.json").read_text(encoding="utf-8"))
tokenizer = AutoTokenizer.from_pretrained(folder)
texts = sys.argv[1:] or shown["asked"]
inputs = tokenizer(*texts, truncation=True, return_tensors="pt")
with torch.inference_mode():
    if shown.get("pooling") == "mean":  # of the states of all tokens, [CLS] and [SEP] included
        model = AutoModel.from_pretrained(folder, add_pooling_layer=False).eval()
        mean = model(**inputs).last_hidden_state[0].mean(dim=0)
        head = load_file(folder / "model.safetensors")
        weight, bias = (head[f"mean_classifier.{name}"].float() for name in ("weight", "bias"))
        logits = weight @ mean + bias
    else:
        model = AutoModelForSequenceClassification.from_pretrained(folder).eval()
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
