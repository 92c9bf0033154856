"""Inside the encoder as it is now: where its heads look, and what it places near what."""

from functools import partial
from typing import Any

from mlm_core.encoder.language_model import OwnModel
from mlm_core.figures.bars import bars_svg
from mlm_core.figures.encoder.heads import heads_svg
from mlm_core.number_format import formatted
from mlm_core.pretraining.starting_weights import OFFSETS_BY_LAYER
from mlm_core.probing.neighbours import (
    NearOccurrence,
    StateBank,
    nearest_occurrences,
    nearest_tokens,
)
from mlm_core.small_runs.settings import SmallRunSettings
from mlm_core.text.tokens import TokenizedText
from pages.kit.caches import cache_training
from pages.kit.part import Part, part, table_of_heads
from pages.lessons.train_an_encoder import computed, runs

N_NEAR = 6
WIDEST = 90  # pixels of a head


@part(code=("probing.neighbours:nearest_tokens", "probing.neighbours:nearest_occurrences"))
def show(p: Part) -> None:
    """Show attention, neighbours in the embedding table, and neighbours in context."""
    p.say("lead")
    which, moved = p.columns(gap="large")
    with which:
        controls = p.row()
    with controls:
        found = runs.choose_snapshot(p, runs.STORED, folded=True)
    if found is None:
        return
    title, snapshot = found
    steps = [checkpoint.step for checkpoint in snapshot.checkpoints]
    at = len(steps) - 1
    if len(steps) > 1:
        names = {str(i): formatted(step, ",") for i, step in enumerate(steps)}
        with moved:
            at = int(p.choice("inside_step", names, start=str(at)))
    with controls, p.popover("inside_text", "edit"):
        sentence = p.text("inside_text")
    model = cache_training.model_at(snapshot, at)
    text = p.tokens(sentence, model=model)
    origin: dict[str, Any] = {"source": "source", "run": title, "step": steps[at]}
    _heads(p, model, text, snapshot.settings, origin)
    _neighbours(p, model, text, computed.state_bank(snapshot, at), origin)
    p.say("notice")


def _heads(
    p: Part,
    model: OwnModel,
    text: TokenizedText,
    settings: SmallRunSettings,
    origin: dict[str, Any],
) -> None:
    """Show where each head looks, and say which heads were set before training."""
    causal, n_heads = settings.objective == "next_word", model.n_layers * model.n_heads
    weights = [layer[0].numpy() for layer in model.encode(text, causal=causal, record=True).weights]
    n_preset = min(len(OFFSETS_BY_LAYER), model.n_layers) * model.n_heads
    names = {"layer_word": p.label("layer"), "head_word": p.label("head")}
    p.figure(
        "heads",
        partial(heads_svg, weights, widest=WIDEST, **names),
        lambda: table_of_heads(weights, text.texts),
        n=n_heads,
        **origin,
    )
    p.say("preset" if settings.preset_heads else "not_preset", n=n_heads, preset=n_preset)
    p.caption("rows", tokens=" ".join(text.texts))


def _neighbours(
    p: Part, model: OwnModel, text: TokenizedText, bank: StateBank, origin: dict[str, Any]
) -> None:
    """Show what is near a token: rows of the embedding table, and positions in other sentences."""
    p.heading("near")
    default = next((i for i, token in enumerate(text.tokens) if token.text == "bank"), 1)
    position = p.position("inside_token", text.texts, default=default)
    token = text.tokens[position]
    table, context = p.columns(gap="large")
    with table:
        p.say("near_tokens", token=token.text)
        near = nearest_tokens(model, token.id, N_NEAR)
        texts, cosines = [one.text for one in near], [one.cosine for one in near]
        bars = partial(bars_svg, texts, [max(0.0, cosine) for cosine in cosines], longest=1.0)
        p.figure("near", bars, {"token": texts, "cosine": cosines}, token=token.text, **origin)
    with context:
        p.say("near_places", token=token.text)
        places = nearest_occurrences(model, bank, text, [position], N_NEAR)
        p.write("\n".join(f"- {_in_sentence(p, one)}" for one in places))
        rows = [
            {"word": one.occurrence.target, "cosine": one.cosine, "sentence": one.occurrence.text}
            for one in places
        ]
        p.numbers("near_places", rows, **origin)


def _in_sentence(p: Part, one: NearOccurrence) -> str:
    of = one.occurrence
    around = {"before": of.text[: of.start], "after": of.text[of.end :]}
    return p.section("place", word=of.target, cosine=one.cosine, **around)
