"""What this lesson works out and keeps, and the numbers of its summary."""

from collections.abc import Mapping
from typing import Any

from mlm_core.encoder.comparison import compare_word, shared_words
from mlm_core.prediction.fillers import positions_to_score
from mlm_core.prediction.masked_words import hide
from mlm_core.prediction.whole_way import WholeWay, whole_way
from mlm_core.small_runs.left_to_right import fill_after, log_probability, write_next_words
from mlm_core.text.tokens import TokenizedText, rarest, tokenize
from pages.kit.caches import cache_training
from pages.kit.remember import (
    encoding,
    model_tokenizer,
    read,
    read_examples,
    reader,
    remembered,
)

# Stored runs that differ in the objective alone.
RUNS = {"causal": "next_word", "masked": "no_nsp"}
# In the words of the small world that these runs were trained on.
BLANK = "He looks for a [MASK] in the river."
SENTENCE = "He looks for a trout in the river."
BEGINNING, N_WRITTEN = "The old man takes his", 6


# One position's vectors in every layer, and its logits: 200 kB with the bundled model.
@remembered(64)
def way_of_token(model_name: str, text: str, position: int) -> tuple[TokenizedText, WholeWay]:
    """Return a text with [MASK] at a position, and what becomes of the token there."""
    asked, tokenized = read(model_name, text)
    seen = hide(tokenized, [position], asked.tokenizer)
    return seen, whole_way(asked, seen, position)


@remembered(1)  # some numbers, the same for all
def stored_runs_compared() -> Mapping[str, Any]:
    """Return what two small stored runs answer, write and give as probabilities."""
    found: dict[str, Any] = {"blank": BLANK, "sentence": SENTENCE, "beginning": BEGINNING}
    for name, stored in RUNS.items():
        run = cache_training.stored_run(stored)
        model, objective = cache_training.model_at(run), run.settings.objective
        guess = cache_training.blank_guesses(run, BLANK, 1).guesses[0]
        write = write_next_words if objective == "next_word" else fill_after
        assert model.bert is not None
        found |= {
            f"{name}_parameters": sum(one.numel() for one in model.bert.parameters()),
            f"{name}_word": guess.token,
            f"{name}_p": guess.probability,
            f"{name}_accuracy": run.held_out[-1].accuracy,
            f"{name}_written": " ".join(write(model, BEGINNING, N_WRITTEN)),
            f"{name}_log_p": log_probability(model, SENTENCE, objective),
        }
        found["n_passes"] = len(positions_to_score(tokenize(model.tokenizer, SENTENCE)))
    return found | {"n_written": N_WRITTEN}


def in_short() -> Mapping[str, object]:
    """Return the last layer's cosine of the opening's two vectors of a word under each mask."""
    words, model = read_examples("attention_mask"), reader("attention_mask")
    first, second = words.plain("default_first"), words.plain("default_second")
    numbers: dict[str, object] = {"model": model}
    for name, causal in (("causal", True), ("both", False)):
        tokens_1, encoding_1 = encoding(model, first, causal)
        tokens_2, encoding_2 = encoding(model, second, causal)
        shared = {one.first: one for one in shared_words(tokens_1, tokens_2)}
        word = shared[rarest(model_tokenizer(model), shared)]
        numbers["word"] = word.text
        numbers[name] = compare_word(encoding_1, encoding_2, word).cosines[-1]
    return numbers
