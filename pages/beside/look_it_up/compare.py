"""Causal and masked language models side by side, property by property, each with a number."""

from collections.abc import Mapping
from typing import Any

from mlm_core.encoder.attention import causal_mask
from mlm_core.encoder.comparison import compare_word, count_changed, shared_words
from mlm_core.encoder.cost import (
    count_parameters,
    gpt_2_parameters,
    published_models,
    scores_to_write,
)
from mlm_core.encoder.model_list import READERS
from mlm_core.masking.rule import CorruptionRule, count_to_choose
from mlm_core.prediction.fillers import positions_to_score
from mlm_core.small_runs.left_to_right import fill_after, log_probability, write_next_words
from mlm_core.text.tokens import rarest, tokenize
from pages.beside.look_it_up.entries import Place
from pages.kit.caches import cache_training
from pages.kit.part import Part, part
from pages.kit.remember import encoding, model_tokenizer, read_on, read_words, remembered
from pages.server.course.lessons import PAGES

LESSON = "attention_mask"  # its opening has the two sentences
# The views that show the rows of the table.
VIEWS = (
    (LESSON, "flow"),
    ("train_an_encoder", "block"),
    ("prediction_and_loss", "positions"),
    ("prediction_and_loss", "causal"),
    ("prediction_and_loss", "blanks"),
    ("word_senses", "static"),
    (LESSON, "cost"),
    ("prediction_and_loss", "sentences"),
    ("train_an_encoder", "parameters"),
)
MASKS = {"causal": True, "masked": False}
N_TO_WRITE = 100  # tokens
# Stored runs that differ in the objective alone.
RUNS = {"causal": "next_word", "masked": "no_nsp"}
# In the words of the small world that these runs were trained on.
BLANK = "He looks for a [MASK] in the river."
SENTENCE = "He looks for a trout in the river."
BEGINNING, N_WRITTEN = "The old man takes his", 6


@part(
    code=(
        "encoder.cost:scores_to_write",
        "small_runs.left_to_right:log_probability",
        "small_runs.left_to_right:write_next_words",
    )
)
def show(p: Part) -> None:
    """Show the table with its numbers, and the way to each row's view."""
    values = compared(read_on(LESSON))
    p.say("lead", **values)
    p.say("table", **values)
    p.say("where")
    with p.row("center"):
        for number, (slug, name) in enumerate(VIEWS, start=1):
            title = Place(lesson=PAGES[slug], part=name).title("")
            p.link_to(slug, name, f"{number} {title}")
    p.say("notice")


@remembered(4)  # some numbers for each language
def compared(language: str) -> Mapping[str, Any]:
    """Return the values of the table, of two sentences and a model of that language."""
    published = count_parameters(published_models()[0].config)
    return {
        **_of_sentences(language),
        **_of_stored_runs(),
        "n_to_write": N_TO_WRITE,
        "causal_scores": scores_to_write(N_TO_WRITE, keeps_earlier=True),
        "masked_scores": scores_to_write(N_TO_WRITE, keeps_earlier=False),
        "gpt": gpt_2_parameters(),
        "bert": sum(term.count for term in published),
    }


def _of_sentences(language: str) -> dict[str, Any]:
    """Return counts in the first sentence, and the cosine of a word of both under each mask."""
    words, model = read_words(LESSON, language), READERS[language]
    text, second = words.plain("default_first"), words.plain("default_second")
    found: dict[str, Any] = {"text": text, "second": second, "model": model}
    for name, is_causal in MASKS.items():
        (tokens, one), (others, other) = (
            encoding(model, sentence, is_causal) for sentence in (text, second)
        )
        own = [token for token in tokens.tokens if not token.is_special]
        n, n_words = len(tokens.tokens), len(own)
        # The special token at the start is no word, and the one at the end has moved.
        _, shorter = encoding(model, text[: own[-1].start], is_causal)
        changed = count_changed(shorter.last[0, 1:], one.last[0, 1:], n_words - 1)
        shared = {word.first: word for word in shared_words(tokens, others)}
        word = shared[rarest(model_tokenizer(model), shared)]
        found |= {
            "n_seen": int(causal_mask(n).sum()),
            "n_pairs": n * n,
            "n_words": n_words,
            "n_chosen": min(n_words, count_to_choose(n, CorruptionRule().mlm_probability)),
            "n_earlier": n_words - 1,
            f"{name}_changed": changed,
            "word": word.text,
            f"{name}_cosine": compare_word(one, other, word).cosines[-1],
        }
    return found


def _of_stored_runs() -> dict[str, Any]:
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
            "n_passes": len(positions_to_score(tokenize(model.tokenizer, SENTENCE))),
        }
    return found | {"n_written": N_WRITTEN}
