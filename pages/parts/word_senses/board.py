"""A map with one point chosen: its sentence, its true neighbours, and the map's neighbours."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.embeddings.sense_map import MapGroup, MapPoint, MapSign, sense_map_chart
from mlm_core.figures.embeddings.sense_map_uses import ListedUse, use_html, uses_html
from mlm_core.figures.theme import printable
from mlm_core.number_format import formatted
from pages.parts.word_senses.setting import layer_name
from pages.parts.word_senses.uses import Layout
from pages.shared.caches import cache_senses
from pages.shared.figures.clickable import drawing
from pages.shared.figures.show import show_chart, show_metrics
from pages.shared.figures.table import Table
from pages.shared.frame import helper_work
from pages.shared.frame.page_frame import Page
from pages.shared.link import inputs

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from mlm_core.embeddings.contextual import Layer, WordVectors
    from mlm_core.embeddings.trust import Trust

N_NEIGHBOURS = 5
LISTED = 24  # letters of a sentence in the list of points
MOST_LISTED = 20  # sentences in a lasso
MOST_TRUE = 1  # of its five neighbours on the map, for a point to get the dashed ring


@dataclass(frozen=True, kw_only=True)
class Board:
    """All that a map shows."""

    key: str  # of the drawing and, with "_point", of the chosen point
    uses: "WordVectors"
    layer: "Layer"
    layout: Layout
    groups: tuple[MapGroup, ...]
    group_of: Sequence[int]  # each point's
    source: str
    note_of: Sequence[str] = ()  # each point's, beside its group: what the model takes it for
    signs: Sequence[MapSign] = field(default=())


def show_board(
    page: Page,
    board: Board,
    *,
    left: "DeltaGenerator | None" = None,
    right: "DeltaGenerator | None" = None,
) -> None:
    """Show the map at the left, and at the right what can be read about the chosen point."""
    if left is None or right is None:
        left, right = st.columns([3, 2], gap="medium")
    trust = trust_of(board)
    with right:
        chosen = _choose_point(page, board)
    with left:
        inside = _draw(page, board, trust, chosen)
        if trust is not None:
            _measure(page, board, trust.n_neighbours)
    with right:
        _read_lasso(page, board, inside)
        _read(page, board, trust, chosen)


def trust_of(board: Board) -> "Trust | None":
    """Return how far the map keeps the true neighbourhoods; None for a few points."""
    from mlm_core.embeddings.trust import largest_neighbourhood, trust_map

    k = min(N_NEIGHBOURS, largest_neighbourhood(len(board.uses.sentences)))
    return trust_map(board.uses.at(board.layer), board.layout.places, k) if k else None


def _measure(page: Page, board: Board, k: int) -> None:
    """Show when asked what scikit-learn measures of the map, with the senses of its groups."""
    words, key = page.words, f"{board.key}_measures"
    opened = st.expander(
        words.label("measures"), icon=":material/straighten:", on_change="rerun", key=key
    )
    if not opened.open:
        return
    with opened:
        vectors, places = board.uses.at(board.layer), board.layout.places
        digest = sha256(vectors.numpy().tobytes() + places.numpy().tobytes()).hexdigest()
        found = helper_work.asked(
            lambda: cache_senses.map_work(vectors, places, tuple(board.group_of), k, digest),
            "sklearn",
        )
        if found is None:
            return
        values = {
            words.label("measure_trust", k=k): found.trustworthiness,
            words.label("measure_map"): found.map_silhouette,
            words.label("measure_vectors"): found.vector_silhouette,
        }
        known = {name: formatted(one, ".2f") for name, one in values.items() if one is not None}
        show_metrics(known)
        st.markdown(words.section("measures"))


def _choose_point(page: Page, board: Board) -> int:
    # The whole sentence stands below; each letter more of all of them is sent with each change.
    titles = [
        f"{board.groups[group].name}: {printable(sentence.text, LISTED)}"
        for group, sentence in zip(board.group_of, board.uses.sentences, strict=True)
    ]
    return inputs.position(page.words.label("point"), titles, key=f"{board.key}_point", default=0)


def _draw(page: Page, board: Board, trust: "Trust | None", chosen: int) -> list[int]:
    """Draw the map; return the points in a lasso."""
    words = page.words
    places = board.layout.places.tolist()
    lies = [False] * len(places)
    if trust is not None and trust.n_neighbours == N_NEIGHBOURS:
        lies = (trust.is_true.sum(dim=1) <= MOST_TRUE).tolist()
    points = [
        MapPoint(x=x, y=y, group=group, sentence=sentence, lies=lie)
        for (x, y), group, sentence, lie in zip(
            places, board.group_of, board.uses.sentences, lies, strict=True
        )
    ]
    kind = words.plain(f"kind_named_{board.layout.kind}")
    source = f"{board.source} · {kind}"
    if trust is not None:
        source += " · " + words.label("trust", t=formatted(trust.trustworthiness, ".2f"))
    chart = sense_map_chart(
        points,
        board.groups,
        board.layout.frame,
        lies=words.plain("lies"),
        chosen=chosen,
        neighbours=[] if trust is None else trust.neighbours[chosen].tolist(),
        signs=board.signs,
    )
    return show_chart(
        chart,
        key=board.key,
        alt=words.plain(
            "map_alt", n=len(points), layer=layer_name(page, board.layer), lies=sum(lies)
        ),
        table=lambda: _table(board, points),
        source=source,
        on_click=lambda point: inputs.choose(f"{board.key}_point", str(point)),
        can_zoom=True,
    )


def _table(board: Board, points: Sequence[MapPoint]) -> Table:
    return Table(
        {
            "group": [board.groups[point.group].name for point in points],
            "x": [point.x for point in points],
            "y": [point.y for point in points],
            "map_neighbours_lie": [str(point.lies) for point in points],
            "sentence": [point.sentence.text for point in points],
        }
    )


def _read(page: Page, board: Board, trust: "Trust | None", chosen: int) -> None:
    words, sentences = page.words, board.uses.sentences
    note = board.note_of[chosen] if board.note_of else ""
    drawing(
        use_html(sentences[chosen], board.groups[board.group_of[chosen]], note),
        key=f"{board.key}_sentence",
    )
    if trust is None:
        st.caption(words.section("map.too_few"))
        return
    n_false = int((~trust.is_true[chosen]).sum())
    if n_false:
        st.warning(
            words.section("map.lying", n=n_false, of=trust.n_neighbours),
            icon=":material/warning:",
        )
    drawing(
        uses_html(_lists(page, board, trust, chosen)),
        key=f"{board.key}_neighbours",
        on_click=lambda value: inputs.choose(f"{board.key}_point", value),
    )


def _read_lasso(page: Page, board: Board, inside: Sequence[int]) -> None:
    """List the sentences in the lasso, the first of many, under how many each group has."""
    if len(inside) < 2:
        return
    counts = Counter(board.groups[board.group_of[i]].name for i in inside)
    said = ", ".join(f"{name} {n}" for name, n in counts.most_common())
    uses = [
        ListedUse(
            sentence=board.uses.sentences[i],
            group=board.groups[board.group_of[i]],
            number="",
            value=str(i),
        )
        for i in inside[:MOST_LISTED]
    ]
    drawing(
        uses_html([(page.words.plain("in_lasso", n=len(inside), groups=said), uses)]),
        key=f"{board.key}_lasso",
        on_click=lambda value: inputs.choose(f"{board.key}_point", value),
    )


def _lists(
    page: Page, board: Board, trust: "Trust", chosen: int
) -> list[tuple[str, list[ListedUse]]]:
    """Return the chosen point's neighbours in truth, and those on the map with tick or cross."""
    from mlm_core.embeddings.word_senses import cosines

    vectors = board.uses.at(board.layer)
    near = cosines(vectors[chosen : chosen + 1], vectors)[0].tolist()

    def listed(numbers: Sequence[int], is_true: Sequence[bool | None]) -> list[ListedUse]:
        return [
            ListedUse(
                sentence=board.uses.sentences[i],
                group=board.groups[board.group_of[i]],
                number=formatted(near[i], ".3f"),
                is_true=truth,
                value=str(i),
            )
            for i, truth in zip(numbers, is_true, strict=True)
        ]

    true, on_map = trust.neighbours[chosen].tolist(), trust.map_neighbours[chosen].tolist()
    return [
        (page.words.plain("near_truly", n=vectors.shape[1]), listed(true, [None] * len(true))),
        (page.words.plain("near_on_map"), listed(on_map, trust.is_true[chosen].tolist())),
    ]
