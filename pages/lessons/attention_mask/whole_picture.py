"""The picture of a token's whole way, with a sentence for each stop, and its numbers as rows."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from mlm_core.figures.prediction.whole_way import (
    DrawnWay,
    WayNames,
    WayRow,
    WayWord,
    whole_way_html,
)
from mlm_core.prediction.whole_way import WholeWay
from mlm_core.text.tokens import TokenizedText
from pages.kit.part import Part

N_WORDS = 5
N_SHOWN = 32  # numbers of a vector
MOST_ROWS = 12  # of a longer text, the tokens with the largest weights


@dataclass(frozen=True, kw_only=True)
class FollowedToken:
    """The token that the picture follows, in its text, and its way through the model."""

    text: TokenizedText  # as it was typed
    seen: TokenizedText  # with [MASK] at one position
    way: WholeWay
    may_be_followed: list[int]  # positions

    @property
    def token(self) -> str:
        """Return the text's token where the model sees [MASK]."""
        return self.text.texts[self.way.position]

    @property
    def is_typed_blank(self) -> bool:
        """Return whether the text itself has a blank there."""
        return self.text.tokens[self.way.position].is_special

    @cached_property
    def weights(self) -> list[list[float]]:
        """Return what the token's query gives each token in each layer, the mean over the heads."""
        return [layer.mean(dim=0).tolist() for layer in self.way.weights]


def draw_way(
    p: Part, followed: FollowedToken, opens: Mapping[str, str], on_click: Callable[[str], None]
) -> None:
    """Draw the picture; a click reports a token's position, or "to-" and a station.

    `opens` says by station what its heading opens.
    """
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
        names=_names(p, followed.way, opens),
    )
    p.figure(
        "whole",
        partial(whole_way_html, picture),
        partial(_table, p, followed, lengths, words),
        on_click=on_click,
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
    true = None if followed.is_typed_blank else followed.text.ids[followed.way.position]
    return [
        WayWord(
            text=tokenizer.id_to_token(id_) or f"row {id_}",
            logit=logit,
            probability=followed.way.probabilities[id_].item(),
            is_true=id_ == true,
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


def _names(p: Part, way: WholeWay, opens: Mapping[str, str]) -> WayNames:
    return WayNames(
        stations={station: p.plain(f"station_{station}") for station in opens},
        opens=opens,
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
