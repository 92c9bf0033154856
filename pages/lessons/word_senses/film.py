"""The film of a map: its points layer by layer, with the learner's star among them."""

import json

from mlm_core.embeddings.contextual import Layer, WordVectors
from mlm_core.embeddings.maps import project_point
from mlm_core.figures.embeddings.sense_map import film_frame
from mlm_core.figures.film import Film, film_html
from mlm_core.shapes import Float, Tensor
from pages.kit.caches import cache_senses
from pages.kit.part import Part
from pages.lessons.word_senses.board import Board, trusted
from pages.lessons.word_senses.setting import Setting, layers

SECONDS = 0.8  # that the film shows a layer
N_NEAREST = 3  # uses that draw the star


def play_layers(p: Part, board: Board, now: Setting, *, on_whole_page: bool = False) -> None:
    """Show the bar that plays the map through all layers, and says what each is.

    The layer at which it stops is drawn `on_whole_page` where other parts begin with it.
    """
    name, names = f"{board.names}layer", layers(p)
    assert isinstance(board.layer, int), "mixed layers are no stop of the film"
    said = [_said(p, now, layer) for layer in range(len(names))]
    if p.is_fixed(name):
        p.write(said[board.layer])
        return
    # Where the points are in other layers is sent to those who play the film.
    frames = _film_frames(board) if p.state.get("film_opened") else []
    bar = film_html(
        Film(lasts=[SECONDS] * len(said), said=said, begins=board.layer, values=names),
        p.film_names,
        ['<i hidden data-stop="places"></i>'],
        "layers",
        data_chart="" if board.layout.layouts is None else p.key(f"{board.names}map"),
        data_places=json.dumps(frames, separators=(",", ":")) if frames else "",
        role="group",
        aria_label=p.plain("layer"),
    )

    def report(value: str) -> None:
        if value == "places":
            p.state["film_opened"] = True
        else:
            p.choose(name, value, on_whole_page=on_whole_page)

    p.drawing(f"{board.names}film", bar, report)


def _said(p: Part, now: Setting, layer: int) -> str:
    """Return in words what a layer's vectors are, and the accuracy with them."""
    model = p.model
    name = "middle" if layer else "first"
    if layer == model.n_layers:
        name = "last" if model.has_language_head else "last_without_head"
    scores = cache_senses.sense_layer_scores(p.model_name, now.name, now.pooling, now.method)
    accuracy = scores[layer].accuracy
    return p.plain(f"layer_{name}", layer=layer, last=model.n_layers, accuracy=accuracy)


def place_star(
    star: WordVectors, uses: WordVectors, layer: Layer, places: Float[Tensor, "point 2"]
) -> tuple[float, float]:
    """Return the star's place on the map of a layer, amid its nearest uses there."""
    at = project_point(star.at(layer), uses.at(layer), places, n_neighbours=N_NEAREST)
    x, y = at[0].tolist()
    return x, y


def _film_frames(board: Board) -> list[dict[str, list]]:
    """Return the maps of all layers, with the star; none where each would have to be fitted."""
    if board.layout.layouts is None:
        return []
    order = sorted(range(len(board.group_of)), key=board.group_of.__getitem__)  # as they are drawn
    frames = []
    for layer, places in enumerate(board.layout.layouts[:-1]):  # the last is of several layers
        _, lies = trusted(board, layer, places)
        star = [] if board.star is None else [place_star(board.star, board.uses, layer, places)]
        rings = [number for number, i in enumerate(order) if lies[i]]
        frames.append(film_frame(places[order].tolist() + star, rings, board.layout.frame))
    return frames
