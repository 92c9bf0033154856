"""Fill the blank with this encoder, and compare with what the lesson's page showed.

pip install torch transformers  (README.md says which versions)
python fill.py
"""

import json
from pathlib import Path

from transformers import pipeline

folder = Path(__file__).parent
shown = json.loads((folder / "shown.json").read_text(encoding="utf-8"))
fill = pipeline("fill-mask", model=str(folder))
guesses = fill(shown["sentence"], top_k=len(shown["guesses"]))
if isinstance(guesses[0], list):  # more than one blank: the page looked at the first
    guesses = guesses[0]

print(shown["sentence"])
largest = 0.0
for here, page in zip(guesses, shown["guesses"], strict=True):
    print(f"{here['token_str']:>16}  {here['score']:.6f}   page: {page['token']:>16}", end="")
    print(f"  {page['probability']:.6f}")
    largest = max(largest, abs(here["score"] - page["probability"]))
print(f"largest difference: {largest:.1e}")
