"""Activation patching: in which states an answer is, layer by layer and token by token.

    clean:      The capital of France is the city of [MASK].      answer a, such as Paris
    corrupted:  The capital of Germany is the city of [MASK].     answer b, such as Berlin

    d            = logit(a) - logit(b) at the blank
    closed(l, t) = (d_patched(l, t) - d_corrupted) / (d_clean - d_corrupted)

The model reads the corrupted sentence with one state of the clean run in it, that of layer l at
token t: 0 is no effect, 1 the whole effect of the word. All tokens of a layer are one batch, which
runs from that layer on.

At the embedding only the word that differs can close anything, and after the last layer only the
blank. So the layers in between are the result.

Source: Vig et al. 2020 for the method, Meng et al. 2022 for the grid over layers and tokens, Wang
et al. 2023 for the normalized logit difference. Departs: Meng et al. add noise to the word, here it
is replaced; their probabilities are of one answer, here the logits of two are compared.

What this can't show: that the model needs a state. A state that closes the whole gap is enough to
change the answer, and the effects of several states need not add up (Heimersheim & Nanda 2024).

Read before this: lens.py, switches.py.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from tokenizers import Tokenizer

from mlm_core.encoder.language_model import MaskedLanguageModel
from mlm_core.encoder.model_list import MissingHeadError, UnknownLayersError
from mlm_core.inside.switches import blocks_of, module_of, with_module
from mlm_core.prediction.fillers import only_blank
from mlm_core.prediction.one_step import copy_with
from mlm_core.shapes import Bool, Float, Tensor
from mlm_core.short_repr import short_repr
from mlm_core.text.tokens import TokenizedText, Word

MOST_TOKENS = 40  # of a sentence: each takes a row in every layer's batch
SMALLEST_GAP = 0.1  # logits between the two runs; below it the shares are rounding and noise
CLOSE = 1e-2  # logits by which a wholly patched run may differ from the clean one


class PairError(ValueError):
    """Two sentences that can't be compared state by state."""


class NoGapError(ValueError):
    """Two sentences between which the answer doesn't change."""


@short_repr("clean", "corrupted")
@dataclass(frozen=True, kw_only=True)
class Pair:
    """Two sentences of equal length that differ in one word and have one blank."""

    clean: TokenizedText
    corrupted: TokenizedText
    word: tuple[int, ...]  # positions of the word that differs
    blank: int  # position


@short_repr("answers", "clean", "corrupted")
@dataclass(frozen=True, eq=False, kw_only=True)
class Followed:
    """How much of the gap between two runs each state of the clean one closes."""

    answers: tuple[int, int]  # ids: of the clean sentence, of the corrupted one
    clean: float  # logit difference of the answers in each run
    corrupted: float
    closed: Float[Tensor, "layer token"]  # from the embedding output on


class Way(NamedTuple):
    """Where the largest proportion is, layer by layer."""

    peaks: tuple[int, ...]  # the token of the largest proportion, for each layer
    stays: int  # up to this layer, from the embedding on, at the word that differs
    arrives: int  # from this layer on, to the last, at the blank

    @property
    def moves(self) -> bool:
        """Return whether it stays and arrives in layers where both are possible."""
        return self.stays >= 1 and self.arrives < len(self.peaks) - 1

    @property
    def is_direct(self) -> bool:
        """Return whether no layer in between has its peak at another token, or back again."""
        return self.arrives == self.stays + 1


def pair_of(tokenizer: Tokenizer, clean: TokenizedText, corrupted: TokenizedText) -> Pair:
    """Return two sentences as a pair.

    Raises PairError, which says which word to change, unless they differ in one word of equally
    many tokens and are short enough; ValueError unless each has one blank.
    """
    blank, _ = only_blank(clean, tokenizer), only_blank(corrupted, tokenizer)
    differing = [
        (one, other)
        for one, other in zip(clean.words, corrupted.words, strict=False)
        if one.text.strip() != other.text.strip()  # of some tokenizers a word has its space
    ]
    if len(clean.words) != len(corrupted.words) or len(differing) > 1:
        one, other = differing[0] if differing else (clean.words[-1], corrupted.words[-1])
        raise PairError(
            f"more than one word differs, the first at {one.text!r} and {other.text!r}: copy the"
            " first sentence and replace one word of it"
        )
    if clean.ids == corrupted.ids:
        raise PairError("both sentences are the same to this model: replace one word in the second")
    one, other = differing[0] if differing else (clean.words[0], corrupted.words[0])
    if len(one.positions) != len(other.positions):
        raise PairError(_which_to_change(clean, one, corrupted, other))
    ids = enumerate(zip(clean.ids, corrupted.ids, strict=False))
    changed = {i for i, (id_, other_id) in ids if id_ != other_id}
    if len(clean.ids) != len(corrupted.ids) or not differing or changed - {*one.positions}:
        raise PairError(
            "the sentences differ in a space: copy the first sentence and replace one word of it"
        )
    if len(clean.ids) > MOST_TOKENS:
        raise PairError(f"{len(clean.ids)} tokens in a sentence: shorten it to {MOST_TOKENS}")
    return Pair(clean=clean, corrupted=corrupted, word=one.positions, blank=blank)


def _which_to_change(clean: TokenizedText, one: Word, corrupted: TokenizedText, other: Word) -> str:
    """Return what to do about two words of different lengths: the longer one is to change."""
    sides = sorted(((one, clean), (other, corrupted)), key=lambda side: len(side[0].positions))
    (short, _), (long, text) = sides
    cut = " ".join(text.tokens[i].text for i in long.positions)
    return (
        f"{long.text!r} has {len(long.positions)} tokens ({cut}), {short.text!r} has"
        f" {len(short.positions)}: in place of {long.text!r} write a word of {len(short.positions)}"
    )


def likeliest_answers(model: MaskedLanguageModel, pair: Pair) -> tuple[int, int]:
    """Return the ids of the likeliest words of both sentences. Raises MissingHeadError."""
    clean, corrupted = (
        int(model.vocabulary_logits(text)[pair.blank].argmax())
        for text in (pair.clean, pair.corrupted)
    )
    return clean, corrupted


def follow(
    model: MaskedLanguageModel, pair: Pair, answers: tuple[int, int] | None = None
) -> Followed:
    """Return the proportion of the gap that each state closes.

    `answers` are ids, by default the likeliest words of both sentences. The first two rows of each
    batch are the runs without any clean state and with all of them: 0 and 1.
    Raises NoGapError if the answers are the same or their logits differ by as much in both runs;
    MissingHeadError without a head, UnknownLayersError for an unknown architecture.
    """
    first, second = answers or likeliest_answers(model, pair)
    if first == second:
        raise NoGapError("both sentences have the same answer: there is no gap to close")
    n_tokens = len(pair.clean.ids)
    is_clean = torch.cat(
        [torch.zeros(1, n_tokens), torch.ones(1, n_tokens), torch.eye(n_tokens)]
    ).bool()
    rows = []
    for layer in range(model.n_layers + 1):
        logits = patched_logits(model, pair, layer, is_clean)
        difference = logits[:, first] - logits[:, second]
        corrupted, clean = difference[:2].tolist()
        if abs(clean - corrupted) < SMALLEST_GAP:
            raise NoGapError(
                f"the answers' logits differ by {clean:.2f} and {corrupted:.2f} in the two runs:"
                " there is no gap to close"
            )
        rows.append((difference[2:] - corrupted) / (clean - corrupted))
    closed = torch.stack(rows).cpu()
    return Followed(answers=(first, second), clean=clean, corrupted=corrupted, closed=closed)


def batch_bytes(model: MaskedLanguageModel, pair: Pair) -> int:
    """Return about how much memory a layer's batch takes: transformers gives all its logits."""
    of_a_token = 10 * model.hidden_size
    if model.bert is None:
        of_a_token += model.tokenizer.get_vocab_size()
    return 4 * (len(pair.clean.ids) + 3) * len(pair.clean.ids) * of_a_token


@torch.inference_mode()
def patched_logits(
    model: MaskedLanguageModel, pair: Pair, layer: int, is_clean: Bool[Tensor, "patch token"]
) -> Float[Tensor, "patch vocabulary"]:
    """Return the logits at the blank of corrupted runs with clean states of one layer in them.

    Each row of `is_clean` is a run. Layer 0 is the embedding output.
    Raises ValueError for a layer that isn't there, and as `follow`.
    """
    if not model.has_language_head:
        raise MissingHeadError(model.name)
    if not 0 <= layer <= model.n_layers:
        raise ValueError(f"layer {layer}: this model has layers 0 to {model.n_layers}")
    if model.bert is None:
        return _patched_by_transformers(model, pair, layer, is_clean)
    bert, texts = model.bert, (pair.clean, pair.corrupted)
    ids = torch.tensor([text.ids for text in texts], device=bert.device)
    segment_ids = torch.tensor([text.segment_ids for text in texts], device=bert.device)
    clean, corrupted = bert.last_states(ids, segment_ids, n_layers=layer)
    states = torch.where(is_clean[..., None].to(bert.device), clean, corrupted)
    for block in bert.blocks[layer:]:
        states, _ = block(states, None)
    return bert.masked_language_logits(states[:, pair.blank])


def _patched_by_transformers(
    model: MaskedLanguageModel, pair: Pair, layer: int, is_clean: Bool[Tensor, "patch token"]
) -> Float[Tensor, "patch vocabulary"]:
    """Return the same of another architecture: the clean run is the first row of each batch.

    The layer is a copy that mixes the rows before it runs, or the last one after: visitors share
    the model. Its own rows of the clean run check that a layer passes on nothing but the states.
    """
    name = blocks_of(model)
    module = copy_with(module_of(model), {})
    block = module.get_submodule(f"{name}.{min(layer, model.n_layers - 1)}")

    def mix(states: Tensor) -> Tensor:
        # Else padded, or with the tokens in the last axis, or one of several things in a dict.
        n_rows, n_tokens = is_clean.shape
        if not isinstance(states, Tensor) or states.shape[:2] != (n_rows + 1, n_tokens):
            raise UnknownLayersError(model.name)
        mixed = torch.where(is_clean[..., None].to(states.device), states[0], states[1:])
        return torch.cat([states[:1], mixed])

    block.forward = _mixing(block.forward, mix, is_last=layer == model.n_layers)
    table = model.token_embedding
    clean, corrupted = (
        table[torch.tensor(text.ids, device=table.device)] for text in (pair.clean, pair.corrupted)
    )
    vectors = torch.stack([clean, *[corrupted] * len(is_clean)])
    logits = with_module(model, module).logits_of_vectors(vectors, pair.clean, pair.blank)
    whole = logits[1:][is_clean.all(dim=1).to(logits.device)]
    if not torch.allclose(whole, logits[:1].expand_as(whole), atol=CLOSE):
        raise UnknownLayersError(model.name)
    return logits[1:]


def _mixing(run: Callable, mix: Callable, *, is_last: bool) -> Callable:
    """Return a layer's `forward` whose input is mixed, or its output after the last layer."""

    def forward(hidden_states: Tensor, *more, **settings):
        if not is_last:
            return run(mix(hidden_states), *more, **settings)
        output = run(hidden_states, *more, **settings)
        return (mix(output[0]), *output[1:]) if isinstance(output, tuple) else mix(output)

    return forward


def way_of(closed: Float[Tensor, "layer token"], word: Sequence[int], blank: int) -> Way:
    """Return how the largest proportion goes from the word that differs to the blank.

    >>> way_of(torch.tensor([[1.0, 0, 0], [0.8, 0.3, 0.1], [0, 0.2, 0.7], [0, 0, 1]]), [0], 2)
    Way(peaks=(0, 0, 2, 2), stays=1, arrives=2)
    """
    peaks = tuple(closed.argmax(dim=1).tolist())
    stays = next((i for i, peak in enumerate(peaks) if peak not in word), len(peaks)) - 1
    away = [i for i, peak in enumerate(peaks) if peak != blank]
    return Way(peaks=peaks, stays=stays, arrives=max(away, default=-1) + 1)
