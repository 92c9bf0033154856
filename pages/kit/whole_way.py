"""The picture of one token's whole way through a model; a heading in it opens its lesson.

draw_way(p.with_words("whole_way"), FollowedToken(seen=seen, way=way), on_follow=...)
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from mlm_core.figures.prediction.whole_way import (
    DrawnWay,
    WayNames,
    WayRow,
    WayWord,
    whole_way_html,
)
from mlm_core.text.tokens import TokenizedText
from pages.kit.part import Part

if TYPE_CHECKING:
    from mlm_core.prediction.whole_way import WholeWay

N_WORDS = 5
N_SHOWN = 32  # numbers of a vector
MOST_ROWS = 12  # of a longer text, the tokens with the largest weights
# The lesson and part that each heading opens; logits and probabilities of a typed [MASK] in BLANKS.
OPENS = {
    "subwords": ("subword_tokens", "pieces"),
    "embedding": ("subword_tokens", "input_stack"),
    "attention": ("attention_mask", "flow"),
    "feed_forward": ("train_an_encoder", "block"),
    "logits": ("prediction_and_loss", "numbers"),
    "probabilities": ("prediction_and_loss", "surprise"),
}
BLANKS = ("prediction_and_loss", "blanks")


@dataclass(frozen=True, kw_only=True)
class FollowedToken:
    """The token that the picture follows, in its text, and its way through the model."""

    text: TokenizedText  # as it was typed
    seen: TokenizedText  # with [MASK] at one position
    way: "WholeWay"
    may_be_followed: list[int]  # positions
    true_id: int | None = None  # of the word that was typed there, if it is a token

    @property
    def token(self) -> str:
        """Return the text's token where the model sees [MASK]."""
        return self.text.texts[self.way.position]

    @property
    def is_typed_blank(self) -> bool:
        """Return whether the text itself has a blank there."""
        return self.text.tokens[self.way.position].is_special

    def opens(self, station: str) -> tuple[str, str]:
        """Return the lesson and part that a heading opens."""
        is_answer = station in ("logits", "probabilities")
        return BLANKS if is_answer and self.is_typed_blank else OPENS[station]

    @cached_property
    def weights(self) -> list[list[float]]:
        """Return what the token's query gives each token in each layer, the mean over the heads."""
        return [layer.mean(dim=0).tolist() for layer in self.way.weights]


def draw_way(p: Part, followed: FollowedToken, on_follow: Callable[[str], object]) -> None:
    """Draw the picture; `on_follow` gets the position of a token that was clicked."""

    def clicked(value: str) -> None:
        if value.isdecimal():
            on_follow(value)
        else:
            _open(p, followed, value.removeprefix("to-"))

    p = p.with_words("whole_way")
    way, words = followed.way, _likeliest(p, followed)
    rows = _rows(p, followed)
    lengths = {name: [layer[name].norm().item() for layer in way.added] for name in way.added[0]}
    strips = {**way.summands, "normalized" if way.summands else "embedded": way.states[0]}
    picture = DrawnWay(
        rows=list(rows),
        chosen=[row.position for row in rows].index(way.position),
        strips=[
            (p.plain(f"strip_{name}"), vector[:N_SHOWN].tolist()) for name, vector in strips.items()
        ],
        weights=[[sum(layer[i] for i in of) for of in rows.values()] for layer in followed.weights],
        added=lengths,
        state=way.states[-1][:N_SHOWN].tolist(),
        words=words,
        rest=1 - sum(word.probability for word in words),
        said=_said(p, followed, lengths, words),
        names=_names(p, followed),
    )
    p.figure(
        "whole",
        partial(whole_way_html, picture),
        partial(_table, p, followed, lengths, words),
        on_click=clicked,
        token=followed.token,
        layers=len(way.added),
        heads=len(way.weights[0]),
        shown=min(N_SHOWN, len(way.states[0])),
        hidden=len(way.states[0]),
        word=words[0].text,
    )


def _likeliest(p: Part, followed: FollowedToken) -> list[WayWord]:
    best = followed.way.logits.topk(N_WORDS)
    tokenizer = p.tokenizer
    return [
        WayWord(
            text=tokenizer.id_to_token(id_) or f"row {id_}",
            logit=logit,
            probability=followed.way.probabilities[id_].item(),
            is_true=id_ == followed.true_id,
        )
        for logit, id_ in zip(best.values.tolist(), best.indices.tolist(), strict=True)
    ]


def _rows(p: Part, followed: FollowedToken) -> dict[WayRow, list[int]]:
    """Return the rows with the positions in each; tokens for which there is no room are one."""
    way, tokens = followed.way, followed.seen.texts
    received = [sum(layer[i] for layer in followed.weights) for i in range(len(tokens))]
    received[way.position] = len(followed.weights) + 1.0  # it has a row in any case
    order = sorted(range(len(tokens)), key=lambda i: -received[i])
    most = MOST_ROWS if len(tokens) <= MOST_ROWS else MOST_ROWS - 1
    rows = {
        WayRow(text=tokens[i], position=i, can_be_followed=i in followed.may_be_followed): [i]
        for i in sorted(order[:most])
    }
    if rest := order[most:]:
        rows[WayRow(text=p.plain("rows_left", n=len(rest)))] = rest
    return rows


def _said(
    p: Part, followed: FollowedToken, lengths: dict[str, list[float]], words: list[WayWord]
) -> list[str]:
    """Return a sentence for each stop of the way."""
    way, tokens = followed.way, followed.seen.texts
    at, first = way.position, "typed" if followed.is_typed_blank else "hidden"
    said = [
        p.plain(f"said_{first}", n=len(tokens), mask=tokens[at], token=followed.token, position=at),
        p.plain("said_embedding" if way.summands else "said_embedded", n=len(way.states[0])),
    ]
    for layer, weights in enumerate(followed.weights):
        most = max(range(len(weights)), key=weights.__getitem__)
        added = {name: each[layer] for name, each in lengths.items()}
        name = "said_layer" if way.summands else "said_other_layer"
        about = {"n": layer + 1, "token": tokens[most], "weight": weights[most]}
        said.append(p.plain(name, **about, **added))
    return [
        *said,
        p.plain("said_logits", n=len(way.logits), word=words[0].text, logit=words[0].logit),
        p.plain("said_probabilities", word=words[0].text, probability=words[0].probability),
    ]


def _names(p: Part, followed: FollowedToken) -> WayNames:
    way, places = followed.way, {station: followed.opens(station) for station in OPENS}
    return WayNames(
        stations={station: p.plain(f"station_{station}") for station in OPENS},
        opens={name: p.plain("opens", title=p.title_of(*at)) for name, at in places.items()},
        added={name: p.plain(f"adds_{name}") for name in way.added[0]},
        state=p.plain("state", layer=len(way.added)),
        rest=p.plain("rest", n=len(way.logits) - N_WORDS),
        film=p.film_names,
    )


def _table(
    p: Part, followed: FollowedToken, lengths: dict[str, list[float]], words: list[WayWord]
) -> list[dict[str, Any]]:
    """Return every number of the picture, one a row."""
    way, tokens, rows = followed.way, followed.seen.texts, []
    token_followed = tokens[way.position]

    def note(step: str, layer: int | None, token: str | None, value: float) -> None:
        about = {"layer": layer, "token": token, "value": value}
        rows.append({"step": p.plain(f"row_{step}"), **about})

    for name, vector in way.summands.items():
        note(name, 0, token_followed, vector.norm().item())
    for layer, state in enumerate(way.states):
        if layer:
            for token, weight in zip(tokens, followed.weights[layer - 1], strict=True):
                note("weight", layer, token, weight)
            for name, each in lengths.items():
                note(name, layer, token_followed, each[layer - 1])
        note("state", layer, token_followed, state.norm().item())
    for word in words:
        note("logit", None, word.text, word.logit)
    for word in words:
        note("probability", None, word.text, word.probability)
    return rows


def _open(p: Part, followed: FollowedToken, station: str) -> None:
    """Lead to the lesson of a station, with the learner's sentence and token."""
    slug, name = followed.opens(station)
    text, position = followed.text.text, str(followed.way.position)
    given = {
        "pieces": {"text": text, "position": position},
        "input_stack": {"text": text, "stack_position": position},
        "flow": {"text": text, "query": position, "kind": "bidirectional"},
        "numbers": {"text": text, "marks": f"{position}m"},
        "surprise": {"text": text, "marks": f"{position}m"},
        "blanks": {"blanks": text},
    }.get(name, {})
    if slug != p.slug:
        p.open(slug, name, **given)
        return
    for control, value in given.items():
        p.choose(control, value)
    p.choose("part", name, on_whole_page=True)
