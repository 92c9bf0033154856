"""Search with this sentence encoder, and compare with what the lesson's page showed.

pip install torch transformers  (README.md says which versions)
python search.py
python search.py "A query of yours."

sentence-transformers reads the folder as it is and gives the same vectors:

from sentence_transformers import SentenceTransformer
vectors = SentenceTransformer("my-sentence-encoder").encode(["A sentence of yours."])
"""

import json
import sys
from pathlib import Path

import torch
from transformers import AutoModel, AutoTokenizer

folder = Path(__file__).parent
shown = json.loads((folder / "shown.json").read_text(encoding="utf-8"))
tokenizer = AutoTokenizer.from_pretrained(folder)
# BERT's pooler is for next-sentence prediction: no weights of it are in this folder.
encoder = AutoModel.from_pretrained(folder, add_pooling_layer=False, dtype=torch.float32).eval()
query = sys.argv[1] if sys.argv[1:] else shown["query"]
inputs = tokenizer([query, *shown["texts"]], padding=True, truncation=True, return_tensors="pt")
with torch.inference_mode():
    states = encoder(**inputs).last_hidden_state
if shown["pooling"] == "cls":
    vectors = states[:, 0]
else:
    is_token = inputs["attention_mask"].unsqueeze(-1).to(states.dtype)
    vectors = (states * is_token).sum(dim=1) / is_token.sum(dim=1)
vectors = torch.nn.functional.normalize(vectors, dim=-1)
cosines = (vectors[1:] @ vectors[0]).tolist()

print(query)
rows = list(zip(cosines, shown["cosines"], shown["texts"], strict=True))
if sys.argv[1:]:
    for here, _, text in sorted(rows, reverse=True):
        print(f"{here:9.6f}  {text}")
    sys.exit()
for here, page, text in rows:
    print(f"{here:9.6f}   page: {page:9.6f}  {text}")
largest = max((abs(here - page) for here, page, _ in rows), default=0.0)
print(f"largest difference: {largest:.1e}")
