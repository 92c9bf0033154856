"""Measure how predictable sentences of ours are to the bundled models.

    make stored STORED=sentence_scores    mlm_core/data/sentence_scores.json, in two minutes

Read before this: ../mlm_core/stored/sentence_scores.py.
"""

import json
from collections.abc import Iterator, Sequence

from mlm_core.encoder.language_model import MaskedLanguageModel
from mlm_core.encoder.model_list import READERS
from mlm_core.encoder.pretrained import load
from mlm_core.prediction.fillers import score_positions
from mlm_core.prediction.masked_words import perplexity
from mlm_core.stored.sentence_scores import SCORES_FILE
from mlm_core.text import corpora
from mlm_core.text.tokens import tokenize

N_SENTENCES = 200  # of each language, evenly from all


def make_scores() -> Iterator[str]:
    """Score and write the sentences of each model's language; yield lines for a log."""
    found = {}
    for language, name in READERS.items():
        found[name] = scores(load(name), chosen_sentences(language))
        yield f"{name}: {len(found[name])} sentences"
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(rows)}" for name, rows in found.items())
    SCORES_FILE.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


def chosen_sentences(language: str) -> Sequence[str]:
    """Return the sentences of a language that are scored."""
    ours = corpora.sentences(language)
    return ours[:: len(ours) // N_SENTENCES][:N_SENTENCES]


def scores(model: MaskedLanguageModel, sentences: Sequence[str]) -> list[tuple[int, float]]:
    """Return the tokens of each sentence, special ones too, and its pseudo-perplexity."""
    texts = [tokenize(model.tokenizer, one, max_tokens=model.max_tokens) for one in sentences]
    found = []
    for text in texts:
        losses = [-one.log_probability for one in score_positions(model, text)]
        found.append((len(text.tokens), round(perplexity(sum(losses) / len(losses)), 3)))
    return found
