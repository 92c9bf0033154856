"""Causal and masked language models side by side, property by property, each with a number."""

from functools import partial
from typing import Any

from mlm_core.encoder.attention import causal_mask
from mlm_core.encoder.comparison import SharedWord, compare_word, count_changed, shared_words
from mlm_core.encoder.cost import (
    count_parameters,
    gpt_2_parameters,
    published_models,
    scores_to_write,
)
from mlm_core.masking.rule import CorruptionRule, count_to_choose
from mlm_core.number_format import formatted
from mlm_core.text.tokens import rarest
from pages.kit.part import Part, Text, part
from pages.kit.remember import read_words
from pages.lessons.attention_mask import computed

# Each row of the table, and the view that shows it: a part of this lesson or of another one.
ROWS = {
    "context": ("attention_mask", "flow"),
    "architecture": ("train_an_encoder", "block"),
    "objective": ("prediction_and_loss", "positions"),
    "blank": ("prediction_and_loss", "causal"),
    "generation": ("prediction_and_loss", "blanks"),
    "representation": ("word_senses", "static"),
    "cost": ("attention_mask", "cost"),
    "probability": ("prediction_and_loss", "sentences"),
    "examples": ("train_an_encoder", "parameters"),
}
MASKS = {"causal": True, "masked": False}
N_TO_WRITE = 100  # tokens
NOTHING = "–"  # in place of a number that a model without a mask switch can't give


@part(
    code=(
        "encoder.cost:scores_to_write",
        "small_runs.left_to_right:log_probability",
        "small_runs.left_to_right:write_next_words",
    )
)
def show(p: Part) -> None:
    """Show the table with the numbers of the learner's text, and the way to each row's view."""
    p.say("lead", model=p.model_name)
    text = p.text("text")
    values = _of_own_text(p, text) | _of_opening(p)
    values |= {**computed.stored_runs_compared(), **_of_published()}
    p.say("table", **values)
    _keep_numbers(p, values)
    p.write(p.label("where"))
    with p.row("center"):
        for number, (slug, name) in enumerate(ROWS.values(), start=1):
            _link(p, number, slug, name)
    p.say("notice")


def _keep_numbers(p: Part, values: dict[str, Any]) -> None:
    """Offer the table's numbers, one row for each that both models have."""
    names = [name.removeprefix("causal_") for name in values if name.startswith("causal_")]
    rows = [
        {
            "value": Text(name),
            "causal": values[f"causal_{name}"],
            "masked": values[f"masked_{name}"],
        }
        for name in names
    ]
    p.numbers("table", rows)


def _of_own_text(p: Part, text: str) -> dict[str, Any]:
    """Return what the learner's text gives: pairs that are seen, tokens with a loss, changes."""
    model = p.model
    tokens = p.encoding(text)[0]
    p.say_what_was_left_out(tokens)
    n, n_words = len(tokens.tokens), sum(not token.is_special for token in tokens.tokens)
    changed: dict[str, Any] = dict.fromkeys(("causal_changed", "masked_changed"), NOTHING)
    if model.bert is not None and n_words > 1:
        changed = {f"{name}_changed": _changed(p, text, is_on) for name, is_on in MASKS.items()}
    n_chosen = count_to_choose(n, CorruptionRule().mlm_probability)
    return {
        "n_seen": int(causal_mask(n).sum()),
        "n_pairs": n * n,
        "n_words": n_words,
        "n_chosen": min(n_words, n_chosen),
        "n_earlier": max(0, n_words - 1),
        "n_to_write": N_TO_WRITE,
        "causal_scores": scores_to_write(N_TO_WRITE, keeps_earlier=True),
        "masked_scores": scores_to_write(N_TO_WRITE, keeps_earlier=False),
        **changed,
    }


def _changed(p: Part, text: str, is_causal: bool) -> int:
    """Return how many tokens before the last one get another vector when this one is written."""
    tokens, whole = p.encoding(text, is_causal)
    last = [token for token in tokens.tokens if not token.is_special][-1]
    before = sum(not token.is_special for token in tokens.tokens) - 1
    _, shorter = p.encoding(text[: last.start], is_causal)
    # The special token at the start is no word, and the one at the end has moved.
    return count_changed(shorter.last[0, 1:], whole.last[0, 1:], before)


def _of_opening(p: Part) -> dict[str, Any]:
    """Return the cosine of the opening's word in its two sentences, under both masks."""
    texts = [p.chosen("first"), p.chosen("second")]
    if p.model.bert is None:
        return {"word": NOTHING, "causal_cosine": NOTHING, "masked_cosine": NOTHING}
    found: dict[str, Any] = {"word": NOTHING}
    for name, is_causal in MASKS.items():
        (tokens_1, one), (tokens_2, other) = (p.encoding(text, is_causal) for text in texts)
        shared = {word.text: word for word in shared_words(tokens_1, tokens_2)}
        word = _word(p, shared)
        cosine = NOTHING
        if word is not None:
            cosine = formatted(compare_word(one, other, word).cosines[-1], ".3f")
            found["word"] = word.text
        found[f"{name}_cosine"] = cosine
    return found


def _word(p: Part, shared: dict[str, SharedWord]) -> SharedWord | None:
    """Return the word that the opening shows."""
    if not shared:
        return None
    chosen = p.chosen("word")
    if chosen not in shared:
        tokenizer = p.tokenizer
        chosen = rarest(tokenizer, (word.first for word in shared.values())).text
    return shared[chosen]


def _of_published() -> dict[str, int]:
    bert = count_parameters(published_models()[0].config)
    return {"gpt": gpt_2_parameters(), "bert": sum(term.count for term in bert)}


def _link(p: Part, number: int, slug: str, name: str) -> None:
    """Show the way to the view of a row."""
    if slug == p.slug:
        p.button(
            f"try_{name}",
            partial(p.choose, "part", name, on_whole_page=True),
            label="row_link",
            about={"number": number, "title": p.label(f"part_{name}")},
            type="tertiary",
            icon="grid_on",
        )
        return
    label = p.label("row_link", number=number, title=read_words(slug).label(f"part_{name}"))
    p.link_to(slug, name, label, keeps_model=True)
