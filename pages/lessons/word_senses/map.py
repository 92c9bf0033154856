"""Opening: one word in many sentences as a map, layer by layer."""

from contextlib import AbstractContextManager

import torch

from mlm_core.embeddings.contextual import WordVectors
from mlm_core.embeddings.sense_inventory import UNDECIDED, refusal_threshold
from mlm_core.embeddings.word_senses import leave_one_out, sentence_groups
from mlm_core.figures.embeddings.sense_map import MapGroup, MapSign, sense_groups, verdict_groups
from pages.kit.caches import cache_senses
from pages.kit.part import Part, part
from pages.lessons.word_senses.board import Board, show_board
from pages.lessons.word_senses.film import N_NEAREST, place_star, play_layers
from pages.lessons.word_senses.own_use import OwnUse, find_use, judge
from pages.lessons.word_senses.setting import Setting, current, layers
from pages.lessons.word_senses.uses import Layout, choose_kind, gather, lay_out, stored


@part(code=("embeddings.contextual:all_layers_word_vectors", "embeddings.trust:trust_map"))
def show(p: Part) -> None:
    """Show the word's map, and the film of all its layers."""
    with p.row():
        with p.place(width=150):
            _choose_word(p)
        with p.popover("details", "tune"):
            for name in ("mix", "join", "method"):
                p.choice(name, on_change=p.draw_whole_page)
            p.say("details")
        names = layers(p)
        p.played("layer", {name: name for name in names}, start=names[-1])
        film = p.place()
    now = current(p)
    left, right = p.columns(3, 2)
    with left:
        figure, controls = p.place(), p.row()
    with right:
        own = find_use(p, now, p.text(f"star_{now.name}"), "star")
        if own is not None:
            _say_star(p, now, own)
    with left:
        board = _place(p, now, own, controls)
    with film:
        _play(p, now, board)
    show_board(p, board, controls, left=figure, right=right)
    p.say("notice")


# The setting of all parts.


def _choose_word(p: Part) -> None:
    """Show the list of stored words, German ones named so; another begins at its first point."""
    words = {name: cache_senses.stored_word(name) for name in cache_senses.stored_names()}
    names = {
        name: word.word if word.language == "en" else p.plain("german_word", word=word.word)
        for name, word in words.items()
    }
    before = p.state.get("word")
    name = p.choice("word", names, on_change=p.draw_whole_page)
    if before is not None and before != name and not p.is_fixed("point"):
        p.reset("point")


def _play(p: Part, now: Setting, board: Board) -> None:
    """Show the bar that plays the map through all layers, and says what each is."""
    if isinstance(now.layer, int):
        play_layers(p, board, now, on_whole_page=True)
    else:
        p.say(f"layer.{now.layer}")


# The map, and the learner's sentence on it.


def _place(p: Part, now: Setting, own: OwnUse | None, controls: AbstractContextManager) -> Board:
    """Show what can be changed about the map; return it, with the learner's own use."""
    uses = gather(p, now.word.sentences, now.pooling)
    layouts = stored(p, now.name, now.pooling)
    with controls, p.popover("colours", "palette"):
        colour = p.choice("colour")
        kind = choose_kind(p, "kind", has_stored=layouts is not None)
        if own is not None:
            p.say("star")
    layout = lay_out(p, uses, now.layer, kind, layouts, has_settings=True)
    groups, group_of, notes = _coloured(p, now, uses, colour)
    return Board(
        uses=uses,
        layer=now.layer,
        layout=layout,
        groups=groups,
        group_of=group_of,
        note_of=notes,
        signs=() if own is None else (_star(p, now, uses, layout, own),),
        star=None if own is None else own.vectors,
    )


def _coloured(
    p: Part, now: Setting, uses: WordVectors, colour: str
) -> tuple[tuple[MapGroup, ...], list[int], list[str]]:
    """Return the groups, each point's group, and in words what the model takes it for."""
    senses, truth = now.word.senses, torch.tensor(now.word.sense_numbers)
    verdicts = leave_one_out(
        uses.at(now.layer), truth, len(senses), sentence_groups(uses.sentences), method=now.method
    ).senses
    notes = [
        p.plain(
            "taken_right" if chosen == true else "taken_wrong",
            true=senses[true].name,
            chosen=senses[chosen].name,
        )
        for true, chosen in zip(truth.tolist(), verdicts.tolist(), strict=True)
    ]
    if colour == "right":
        groups = verdict_groups(p.plain("right"), p.plain("wrong"))
        return groups, (verdicts != truth).long().tolist(), notes
    groups = sense_groups([sense.name for sense in senses])
    return groups, (truth if colour == "sense" else verdicts).tolist(), notes


def _star(p: Part, now: Setting, uses: WordVectors, layout: Layout, own: OwnUse) -> MapSign:
    """Return the star of the learner's sentence, amid its nearest uses."""
    x, y = place_star(own.vectors, uses, now.layer, layout.places)
    title = p.plain("star")
    return MapSign(x=x, y=y, shape="star", title=title, legend=title)


def _say_star(p: Part, now: Setting, own: OwnUse) -> None:
    """Say what the model takes the learner's use for, and how the star got its place."""
    judged = judge(p, now, own)
    cosines, senses = judged.choice.cosines[0].sort(descending=True, stable=True)
    first, second = (now.word.senses[i].name for i in senses[:2].tolist())
    threshold = refusal_threshold(judged.vectors, judged.senses, len(senses), judged.groups)
    is_alone = now.method == "centroids" and cosines[0] < threshold  # of centroids, too
    gap = (cosines[0] - cosines[1]).item()
    p.say(
        "star_alone" if is_alone else "star_undecided" if gap < UNDECIDED else "star_said",
        first=first,
        second=second,
        near=cosines[0].item(),
        next=cosines[1].item(),
        gap=gap,
        margin=UNDECIDED,
        threshold=threshold,
        n=N_NEAREST,
    )
