"""Find the answer in a passage, and compare with what the lesson's page showed.

pip install torch transformers  (README.md says which versions)
python answer.py
python answer.py "A question of yours?" "The passage that has the answer."
"""

import json
import sys
from pathlib import Path

import torch
from transformers import AutoModelForQuestionAnswering, AutoTokenizer

folder = Path(__file__).parent
shown = json.loads((folder / "shown.json").read_text(encoding="utf-8"))
tokenizer = AutoTokenizer.from_pretrained(folder)
model = AutoModelForQuestionAnswering.from_pretrained(folder).eval()

question, passage = sys.argv[1:3] or shown["asked"]
inputs = tokenizer(
    question, passage, truncation=True, return_offsets_mapping=True, return_tensors="pt"
)
bounds = inputs.pop("offset_mapping")[0].tolist()
outside = torch.tensor([text != 1 for text in inputs.sequence_ids(0)])
with torch.inference_mode():
    scores = model(**inputs)
starts = scores.start_logits[0].masked_fill(outside, -torch.inf).softmax(dim=-1).tolist()
ends = scores.end_logits[0].masked_fill(outside, -torch.inf).softmax(dim=-1).tolist()

# Of all stretches of the passage that are no longer than allowed, the likeliest.
here, first, last = max(
    (starts[i] * ends[j], i, j)
    for i in range(len(starts))
    for j in range(i, min(i + shown["longest_answer"], len(ends)))
)
answer = passage[bounds[first][0] : bounds[last][1]]

print(question)
print(f"here: {answer!r}  {here:.6f}")
if not sys.argv[1:]:
    print(f"page: {shown['predicted'][0]!r}  {shown['probabilities'][0]:.6f}")
    print(f"largest difference: {abs(here - shown['probabilities'][0]):.1e}")
