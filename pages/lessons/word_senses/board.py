"""A map with one point chosen, its neighbours in vector space and on the map."""

from collections.abc import Collection, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial

from mlm_core.embeddings.contextual import Layer, WordVectors
from mlm_core.embeddings.trust import Trust, largest_neighbourhood, trust_map
from mlm_core.embeddings.word_senses import cosines
from mlm_core.figures.embeddings.sense_map import (
    MapGroup,
    MapPoint,
    MapSign,
    sense_map_chart,
)
from mlm_core.figures.embeddings.sense_map_uses import ListedUse, use_html, uses_html
from mlm_core.figures.theme import printable
from mlm_core.number_format import formatted
from mlm_core.shapes import Float, Tensor
from pages.kit.part import Part
from pages.lessons.word_senses.setting import layer_name
from pages.lessons.word_senses.uses import Layout

N_NEIGHBOURS = 5
LISTED = 12  # letters of a sentence in the list of points
MOST_TRUE = 1  # of its five neighbours on the map, for a point to get the dashed ring


@dataclass(frozen=True, kw_only=True)
class Board:
    """All that a map shows."""

    names: str = ""  # how those of its control and its drawings begin
    uses: WordVectors
    layer: Layer
    layout: Layout
    groups: tuple[MapGroup, ...]
    group_of: Sequence[int]  # each point's
    note_of: Sequence[str] = ()  # each point's, beside its group: what the model takes it for
    signs: Sequence[MapSign] = ()
    star: WordVectors | None = None  # of the star among the signs, which is no point of the map
    own: Collection[int] = ()  # the learner's points among them

    def listed(self, i: int, *, number: str = "", is_true: bool | None = None) -> ListedUse:
        """Return a point as a line of a list, which can be clicked."""
        return ListedUse(
            sentence=self.uses.sentences[i],
            group=self.groups[self.group_of[i]],
            number=number,
            is_true=is_true,
            value=str(i),
        )


def show_board(
    p: Part,
    board: Board,
    controls: AbstractContextManager,
    *,
    left: AbstractContextManager | None = None,
    right: AbstractContextManager | None = None,
) -> None:
    """Show the map at the left, and at the right what can be read about the chosen point.

    The list of points is one of the map's `controls`.
    """
    if left is None or right is None:
        left, right = p.columns(3, 2)
    trust, lies = trusted(board, board.layer, board.layout.places)
    # The whole sentence stands beside; each letter more of all of them is sent with each change.
    titles = [
        f"{board.groups[group].name}: {printable(sentence.text, LISTED)}"
        for group, sentence in zip(board.group_of, board.uses.sentences, strict=True)
    ]
    with controls, p.popover("point", "list"):
        chosen = p.position(f"{board.names}point", titles, default=0)
    with left:
        _draw(p, board, trust, lies, chosen)
    with right:
        # The point to begin with was chosen by nobody.
        _read(p, board, trust, chosen, is_warned=lies[chosen] and chosen != 0)


def choose_point(p: Part, board: Board, value: object) -> None:
    """Show another point of the map."""
    p.choose(f"{board.names}point", str(value))


def trusted(
    board: Board, layer: Layer, places: Float[Tensor, "point 2"]
) -> tuple[Trust | None, list[bool]]:
    """Return how far a map keeps the true neighbourhoods, and which points get the dashed ring.

    A few points have no neighbourhoods.
    """
    n = len(board.uses.sentences)
    k = min(N_NEIGHBOURS, largest_neighbourhood(n))
    trust = trust_map(board.uses.at(layer), places, k) if k else None
    if trust is None or k < N_NEIGHBOURS:
        return trust, [False] * n
    return trust, (trust.is_true.sum(dim=1) <= MOST_TRUE).tolist()


def _draw(p: Part, board: Board, trust: Trust | None, lies: Sequence[bool], chosen: int) -> None:
    """Draw the map."""
    places, sentences = board.layout.places.tolist(), board.uses.sentences
    points = [
        MapPoint(x=x, y=y, group=group, sentence=sentence, lies=lie, is_own=i in board.own)
        for i, ((x, y), group, sentence, lie) in enumerate(
            zip(places, board.group_of, sentences, lies, strict=True)
        )
    ]
    p.figure(
        f"{board.names}map",
        sense_map_chart(
            points,
            board.groups,
            board.layout.frame,
            lies=p.plain("lies"),
            own=p.plain("point_is_own") if board.own else "",
            chosen=chosen,
            neighbours=[] if trust is None else trust.neighbours[chosen].tolist(),
            signs=board.signs,
        ),
        lambda: {
            "group": [board.groups[group].name for group in board.group_of],
            "x": [x for x, _ in places],
            "y": [y for _, y in places],
            "map_neighbours_lie": [*lies],
            "sentence": [sentence.text for sentence in sentences],
        },
        alt="map_alt",
        source="map_source" if trust is None else "map_source_trust",
        on_click=lambda point: choose_point(p, board, point),
        layer=layer_name(p, board.layer),
        n=len(points),
        lies=sum(lies),
        kind=p.plain(f"kind_named_{board.layout.kind}"),
        trust=None if trust is None else trust.trustworthiness,
    )


def _read(p: Part, board: Board, trust: Trust | None, chosen: int, *, is_warned: bool) -> None:
    """Show the chosen point's sentence, its neighbours in truth, and those on the map."""
    p.drawing(
        f"{board.names}sentence",
        use_html(
            board.uses.sentences[chosen],
            board.groups[board.group_of[chosen]],
            board.note_of[chosen] if board.note_of else "",
        ),
    )
    if trust is None:
        p.caption("map.too_few")
        return
    if is_warned:
        p.warn("map.lying", n=int((~trust.is_true[chosen]).sum()), of=trust.n_neighbours)
    vectors = board.uses.at(board.layer)
    near = [formatted(c, ".3f") for c in cosines(vectors[chosen : chosen + 1], vectors)[0].tolist()]
    truly = [board.listed(i, number=near[i]) for i in trust.neighbours[chosen].tolist()]
    on_map = [
        board.listed(i, number=near[i], is_true=is_true)
        for i, is_true in zip(
            trust.map_neighbours[chosen].tolist(), trust.is_true[chosen].tolist(), strict=True
        )
    ]
    lists = [(p.plain("near_truly", n=vectors.shape[1]), truly), (p.plain("near_on_map"), on_map)]
    click = partial(choose_point, p, board)
    if not board.names:  # the opening has room for both
        p.drawing("neighbours", uses_html(lists), click)
        return
    p.drawing(f"{board.names}neighbours", uses_html(lists[:1]), click)
    with p.fold("near_on_map"):
        p.drawing(f"{board.names}on_map", uses_html([("", on_map)]), click)
