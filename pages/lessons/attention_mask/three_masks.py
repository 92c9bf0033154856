"""Three things called mask, kept apart: causal mask, padding mask, and the token [MASK]."""

from math import isinf

import torch

from mlm_core.encoder.attention import bidirectional_mask, causal_mask
from mlm_core.encoder.comparison import largest_difference
from mlm_core.encoder.drawn_masks import mask_to_text
from mlm_core.encoder.precision import NUMBERS, WAYS, masked_weights, outcome
from mlm_core.figures.chips import chip_row
from mlm_core.number_format import formatted
from mlm_core.text.tokens import rarest
from mlm_core.text.words import words_of
from pages.kit.caches import cache_predictions
from pages.kit.part import Part, Table, part

N_GUESSES = 5
LAYER, HEAD = 1, 4  # whose scores are blocked; of a model with fewer heads the last one


@part(code=("encoder.attention:padding_mask", "encoder.precision:masked_weights"))
def show(p: Part) -> None:
    """Show by experiment what padding mask and [MASK] do, and that they are not the same."""
    p.say("lead")
    if p.model.bert is None:
        p.note("no_switch", model=p.model_name)
        return
    p.say("padding")
    figures = p.place()
    with p.fold("details", "tune"):
        text, n_padding = p.text("text"), p.slider("padding")
        p.say("padding_states")
    with figures:
        _padding(p, text, n_padding)
    p.say("token")
    _mask_token(p, text)
    with p.fold("numbers", "block"):
        _block_with_numbers(p, text)


def _padding(p: Part, text: str, n_padding: int) -> None:
    """Compare the states of a text with padding after it, masked and seen, and without any."""
    padded, masked = p.encoding(text, n_padding=n_padding)
    n_tokens = len(padded.tokens)
    n_real = n_tokens - n_padding
    everything = mask_to_text(bidirectional_mask(n_tokens))
    _, seen = p.encoding(text, n_padding=n_padding, drawn_mask=everything)
    # The text alone, cut where the padded one was cut.
    alone, reference = p.encoding(text, max_tokens=n_real)
    p.say_what_was_left_out(alone)
    chips = chip_row(padded.tokens, blocked=range(n_real, n_tokens), label=p.label("padding"))
    p.drawing("padded", chips)
    moved = {
        "padding_masked": largest_difference(masked, reference, n_real),
        "padding_seen": largest_difference(seen, reference, n_real),
    }
    for (name, change), column in zip(
        moved.items(), p.columns(*[1] * len(moved), gap="small"), strict=True
    ):
        column.metric(p.label(name), formatted(change, ".3f"), help=p.label("moved_help"))
    table = {"case": list(moved), "largest_difference": list(moved.values())}
    p.numbers("moved", table, n=n_real)
    p.say("padding_notice")


def _mask_token(p: Part, text: str) -> None:
    """Hide one word with [MASK]; compare the guesses with [MASK] seen and blocked."""
    tokens, _ = p.encoding(text)
    words = [word for word in tokens.words if words_of(word.text)]
    if not words:
        p.note("no_word", icon="edit")
        return
    names = [word.text for word in words]
    default = words.index(rarest(p.tokenizer, words))
    chosen = words[p.position("hidden", names, default=default)]
    hidden = f"{tokens.text[: chosen.start]}[MASK]{tokens.text[chosen.stop :]}"
    masked, _ = p.encoding(hidden)
    blank, n_tokens = masked.texts.index("[MASK]"), len(masked.tokens)
    not_looked_at = bidirectional_mask(n_tokens)
    not_looked_at[:, blank] = False
    guesses = {
        p.plain(case): cache_predictions.fillers(
            p.model_name, hidden, blank, N_GUESSES, drawn_mask=mask
        )
        for case, mask in (("token_seen", None), ("token_blocked", mask_to_text(not_looked_at)))
    }
    p.drawing("hidden_chips", chip_row(masked.tokens, label=hidden))
    Table(
        {
            case: [f"{guess}  {formatted(probability, '.3f')}" for guess, probability in likeliest]
            for case, likeliest in guesses.items()
        }
    ).show()
    p.numbers(
        "token",
        [
            {"case": case, "guess": guess, "probability": probability}
            for case, likeliest in guesses.items()
            for guess, probability in likeliest
        ],
        word=chosen.text,
    )
    p.say("token_notice")


def _block_with_numbers(p: Part, text: str) -> None:
    """Block part of a row of scores, and all of it, with minus infinity and with other numbers."""
    _, encoding = p.encoding(text)
    scores = encoding.attention[LAYER - 1].scaled_scores[0, :HEAD][-1]
    middle = (len(scores) - 1) // 2
    row = scores[middle]
    masks = {"part": causal_mask(len(scores))[middle], "all": torch.zeros(len(scores)).bool()}
    p.say("numbers_lead")
    Table(
        [
            {p.plain("number"): "−∞" if isinf(number) else formatted(number, ",.0f")}
            | {
                p.plain(f"{way}_{which}"): p.plain(
                    outcome(masked_weights(row, mask, number, way), row, mask)
                )
                for which, mask in masks.items()
                for way in WAYS
            }
            for number in NUMBERS
        ]
    ).show()
    p.say("numbers_notice")
