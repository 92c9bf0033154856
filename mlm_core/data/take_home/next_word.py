"""Say the next word with this encoder, and compare with what the lesson's page showed.

It was trained left to right, so what stands after the blank is not read.

    pip install torch transformers  (README.md says which versions)
    python next_word.py
"""

import json
from pathlib import Path

import torch
from transformers import AutoTokenizer, BertLMHeadModel

folder = Path(__file__).parent
shown = json.loads((folder / "shown.json").read_text(encoding="utf-8"))
tokenizer = AutoTokenizer.from_pretrained(folder)
model = BertLMHeadModel.from_pretrained(folder, is_decoder=True)  # is_decoder: causal mask

ids = tokenizer(shown["sentence"], return_tensors="pt")["input_ids"]
blank = ids[0].tolist().index(tokenizer.mask_token_id)
with torch.inference_mode():
    logits = model(input_ids=ids[:, :blank]).logits[0, -1]
best = logits.softmax(dim=-1).topk(len(shown["guesses"]))

print(shown["sentence"])
largest = 0.0
for id_, score, page in zip(best.indices, best.values, shown["guesses"], strict=True):
    print(f"{tokenizer.convert_ids_to_tokens(int(id_)):>16}  {score:.6f}", end="")
    print(f"   page: {page['token']:>16}  {page['probability']:.6f}")
    largest = max(largest, abs(float(score) - page["probability"]))
print(f"largest difference: {largest:.1e}")
