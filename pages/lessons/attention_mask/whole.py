"""The whole way of one token: from subwords to probabilities, as one picture that plays."""

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from mlm_core.encoder.model_list import BUNDLED
from mlm_core.figures.prediction.whole_way import (
    DrawnWay,
    WayNames,
    WayRow,
    WayWord,
    whole_way_html,
)
from mlm_core.text.tokens import TokenizedText, tokenize
from pages.kit.part import Part, part
from pages.kit.remember import read_words
from pages.lessons.attention_mask import computed
from pages.server.caches import cache
from pages.server.course.lessons import BY_SLUG
from pages.server.frame.overview import numbered_title
from pages.server.link.controls import part_key
from pages.server.room import banner

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
GOES = "attention_mask_whole_goes"  # session state: the lesson that a heading leads to


@dataclass(frozen=True, kw_only=True)
class _Drawn:
    """What the picture shows, and of which text."""

    text: TokenizedText  # as it was typed
    seen: TokenizedText  # with [MASK] at one position
    way: "WholeWay"
    weights: list[list[float]]  # [layer][token], the mean over the heads

    @property
    def token(self) -> str:
        """Return the token that stands in the text where the model sees [MASK]."""
        return self.text.texts[self.way.position]

    @property
    def is_typed_blank(self) -> bool:
        """Return whether the text itself has a blank there."""
        return self.text.tokens[self.way.position].is_special


@part(code=("prediction.whole_way:whole_way", "encoder.block_steps:run_block"))
def show(p: Part) -> None:
    """Draw the way of a token that the learner chooses, computed on their sentence."""
    if "whole_goes" in p.state:
        banner.lead_to(*p.state.pop("whole_goes"), p.slug)
    p.say("lead")
    if p.model_name != BUNDLED and cache.head_of(p.model_name) == "untrained":
        st.warning(read_words("frame").section("untrained_head"), icon=":material/warning:")
    figure = p.place()
    with p.fold("details", "tune"):
        typed = p.text("text")
        model = p.model
        text = tokenize(model.tokenizer, typed, max_tokens=model.max_tokens)
        p.say_what_was_left_out(text)
        found = _may_be_followed(text)
        if found:
            among = sorted(found)
            position = p.position("followed", text.texts, default=found[0], among=among)
    if not found:
        p.note("nothing_to_follow", icon="edit")
        return
    position = position if position in found else found[0]
    seen, way = computed.whole_way(p.model_name, text.text, position)
    weights = [layer.mean(dim=0).tolist() for layer in way.weights]
    drawn = _Drawn(text=text, seen=seen, way=way, weights=weights)
    with figure:
        _draw(p, drawn)
        p.say("how", model=p.model_name)
    _say_what_came_of_it(p, drawn)
    p.say("notice" if way.summands else "notice_other", model=p.model_name)


def _may_be_followed(text: TokenizedText) -> list[int]:
    """Return the blanks, then the text's own tokens, the longest first."""
    own = [i for i, token in enumerate(text.tokens) if not token.is_special]
    blanks = [i for i, token in enumerate(text.tokens) if token.text in ("[MASK]", "<mask>")]
    return blanks + sorted(own, key=lambda i: -len(text.texts[i]))


def _draw(p: Part, drawn: _Drawn) -> None:
    """Draw the picture; a token is followed by a click, a heading opens its lesson."""
    way, words = drawn.way, _likeliest(p, drawn)
    rows = _rows(p, drawn)
    lengths = {name: [layer[name].norm().item() for layer in way.added] for name in way.added[0]}
    strips = {**way.summands, "normalized" if way.summands else "embedded": way.states[0]}
    picture = DrawnWay(
        rows=list(rows),
        chosen=[row.position for row in rows].index(way.position),
        strips=[
            (p.plain(f"strip_{name}"), vector[:N_SHOWN].tolist()) for name, vector in strips.items()
        ],
        weights=[[sum(layer[i] for i in of) for of in rows.values()] for layer in drawn.weights],
        added=lengths,
        state=way.states[-1][:N_SHOWN].tolist(),
        words=words,
        rest=1 - sum(word.probability for word in words),
        said=_said(p, drawn, lengths, words),
        names=_names(p, drawn),
    )

    def clicked(value: str) -> None:
        if value.isdecimal():
            p.choose("followed", value)
        else:
            _open(p, drawn, value.removeprefix("to-"))

    p.figure(
        "whole",
        partial(whole_way_html, picture),
        partial(_table, p, drawn, lengths, words),
        on_click=clicked,
        token=drawn.token,
        layers=len(way.added),
        heads=len(way.weights[0]),
        shown=min(N_SHOWN, len(way.states[0])),
        hidden=len(way.states[0]),
        word=words[0].text,
    )


def _likeliest(p: Part, drawn: _Drawn) -> list[WayWord]:
    best = drawn.way.logits.topk(N_WORDS)
    tokenizer = p.tokenizer
    true = None if drawn.is_typed_blank else drawn.text.ids[drawn.way.position]
    return [
        WayWord(
            text=tokenizer.id_to_token(id_) or f"row {id_}",
            logit=logit,
            probability=drawn.way.probabilities[id_].item(),
            is_true=id_ == true,
        )
        for logit, id_ in zip(best.values.tolist(), best.indices.tolist(), strict=True)
    ]


def _rows(p: Part, drawn: _Drawn) -> dict[WayRow, list[int]]:
    """Return the rows with the positions in each; tokens for which there is no room are one."""
    way, tokens = drawn.way, drawn.seen.texts
    received = [sum(layer[i] for layer in drawn.weights) for i in range(len(tokens))]
    received[way.position] = len(drawn.weights) + 1.0  # it is always drawn
    order = sorted(range(len(tokens)), key=lambda i: -received[i])
    most = MOST_ROWS if len(tokens) <= MOST_ROWS else MOST_ROWS - 1
    followed = _may_be_followed(drawn.text)
    rows = {
        WayRow(text=tokens[i], position=i, can_be_followed=i in followed): [i]
        for i in sorted(order[:most])
    }
    if rest := order[most:]:
        rows[WayRow(text=p.plain("rows_left", n=len(rest)))] = rest
    return rows


def _said(
    p: Part, drawn: _Drawn, lengths: dict[str, list[float]], words: list[WayWord]
) -> list[str]:
    """Return a sentence for each stop of the way."""
    way, tokens = drawn.way, drawn.seen.texts
    at, first = way.position, "typed" if drawn.is_typed_blank else "hidden"
    said = [
        p.plain(f"said_{first}", n=len(tokens), mask=tokens[at], token=drawn.token, position=at),
        p.plain("said_embedding" if way.summands else "said_embedded", n=len(way.states[0])),
    ]
    for layer, weights in enumerate(drawn.weights):
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


def _names(p: Part, drawn: _Drawn) -> WayNames:
    way = drawn.way
    return WayNames(
        stations={station: p.plain(f"station_{station}") for station in OPENS},
        opens={station: _title(p, *_place(drawn, station)) for station in OPENS},
        added={name: p.plain(f"adds_{name}") for name in way.added[0]},
        state=p.plain("state", layer=len(way.added)),
        rest=p.plain("rest", n=len(way.logits) - N_WORDS),
        film=p.film_names,
    )


def _table(
    p: Part, drawn: _Drawn, lengths: dict[str, list[float]], words: list[WayWord]
) -> list[dict[str, Any]]:
    """Return every number of the picture, one a row."""
    way, tokens, rows = drawn.way, drawn.seen.texts, []
    followed = tokens[way.position]

    def note(step: str, layer: int | None, token: str | None, value: float) -> None:
        about = {"layer": layer, "token": token, "value": value}
        rows.append({"step": p.plain(f"row_{step}"), **about})

    for name, vector in way.summands.items():
        note(name, 0, followed, vector.norm().item())
    for layer, state in enumerate(way.states):
        if layer:
            for token, weight in zip(tokens, drawn.weights[layer - 1], strict=True):
                note("weight", layer, token, weight)
            for name, each in lengths.items():
                note(name, layer, followed, each[layer - 1])
        note("state", layer, followed, state.norm().item())
    for word in words:
        note("logit", None, word.text, word.logit)
    for word in words:
        note("probability", None, word.text, word.probability)
    return rows


def _say_what_came_of_it(p: Part, drawn: _Drawn) -> None:
    """Say how likely the token that stands there is."""
    from mlm_core.prediction.fillers import rank_of

    if drawn.is_typed_blank:
        return
    id_ = drawn.text.ids[drawn.way.position]
    p.say(
        "came_of_it",
        token=drawn.token,
        probability=drawn.way.probabilities[id_].item(),
        rank=rank_of(drawn.way.logits, id_),
    )


# The lessons that open.


def _place(drawn: _Drawn, station: str) -> tuple[str, str]:
    is_answer = station in ("logits", "probabilities")
    return BLANKS if is_answer and drawn.is_typed_blank else OPENS[station]


def _title(p: Part, slug: str, name: str) -> str:
    """Return what a heading opens; the lesson is named if it is another one."""
    title = read_words(slug).plain(f"part_{name}")
    lesson = "" if slug == p.slug else f"{numbered_title(BY_SLUG[slug])}: "
    return p.plain("opens", title=f"{lesson}{title}")


def _open(p: Part, drawn: _Drawn, station: str) -> None:
    """Lead to the lesson of a station, with the learner's sentence and token."""
    slug, name = _place(drawn, station)
    position = str(drawn.way.position)
    if slug == p.slug:
        p.choose("query", position)
        p.choose("kind", "bidirectional")
        p.choose("part", name, on_whole_page=True)
        return
    given = {
        "pieces": {"text": drawn.text.text, "position": position},
        "input_stack": {"text": drawn.text.text, "stack_position": position},
        "numbers": {"text": drawn.text.text, "marks": f"{position}m"},
        "surprise": {"text": drawn.text.text, "marks": f"{position}m"},
        "blanks": {"blanks": drawn.text.text},
    }
    parameters = {f"{slug}_{key}": [value] for key, value in given.get(name, {}).items()}
    file = BY_SLUG[slug].file
    p.state["whole_goes"] = (slug, file, {part_key(slug): [name], **parameters})
