"""Who sees whom: one query's view as lines, all queries' weights as the matrix."""

from functools import partial
from typing import Any

from mlm_core.encoder.attention import bidirectional_mask, causal_mask
from mlm_core.encoder.bert import Encoding
from mlm_core.encoder.drawn_masks import mask_from_text, mask_to_text, painted
from mlm_core.figures.encoder.attention import flow_svg
from mlm_core.figures.matrix import matrix_svg
from mlm_core.shapes import Bool, Float, Tensor
from mlm_core.text.tokens import TokenizedText
from pages.kit.part import Part, part
from pages.lessons.attention_mask.setting import cells, choose_head, choose_layer


@part(
    code=(
        "encoder.attention:causal_mask",
        "encoder.attention:padding_mask",
        "encoder.attention:attend",
    )
)
def show(p: Part) -> None:
    """Let the learner choose a mask and a query, and draw who sees whom."""
    p.say("lead")
    has_switch = p.model.bert is not None
    if not has_switch:
        p.note("no_switch", model=p.model_name)
    mask = p.choice("kind", None if has_switch else ["bidirectional"])
    board, figures = p.place(), p.place()
    fold = p.fold("details", "tune")
    with fold:
        text = p.text("text")
    with board:
        tokens, encoding = _encode(p, text, mask)
    with fold:
        query = p.position("query", tokens.texts, default=min(2, len(tokens.texts) - 1))
        with p.row("top"):
            layer, head = choose_layer(p), choose_head(p)
    weights = encoding.weights[layer - 1][0, head - 1]
    # A model that keeps no steps has no mask, either: it looks everywhere.
    steps = encoding.attention[layer - 1].of_head(head - 1) if encoding.attention else None
    attention_mask = steps.attention_mask if steps else weights >= 0
    with figures:
        place = {"layer": layer, "head": head, "mask": p.label(f"mask_{mask}")}
        _draw(p, tokens.texts, query, weights, attention_mask, mask == "drawn", place)
    p.say("notice")


def _encode(p: Part, text: str, mask: str) -> tuple[TokenizedText, Encoding]:
    """Show the settings of a mask; return the tokens and what the model computed under it."""
    drawn, n_padding = None, 0
    if mask == "padding":
        n_padding = p.slider("padding")
    if mask == "drawn":
        drawn = _drawn_mask(p, len(p.encoding(text)[0].tokens))
    tokens, encoding = p.encoding(text, mask == "causal", drawn_mask=drawn, n_padding=n_padding)
    p.say_what_was_left_out(tokens)
    return tokens, encoding


def _draw(
    p: Part,
    tokens: list[str],
    query: int,
    weights: Float[Tensor, "query key"],
    attention_mask: Bool[Tensor, "query key"],
    is_drawn: bool,
    place: dict[str, Any],
) -> None:
    """Draw one query's view and the matrix of all; a click chooses a query, or paints."""
    rows, sees = weights.tolist(), attention_mask[query].tolist()
    about: dict[str, Any] = {
        "token": tokens[query],
        "position": query,
        "n": sum(sees),
        "of": len(tokens),
    }
    if any(sees):
        most = int(weights[query].argmax())
        p.say("in_words", most=tokens[most], weight=rows[query][most], **about)
    else:
        p.say("sees_nothing", **about)

    def make_query(value: str) -> None:
        p.choose("query", value)

    def paint(value: str) -> None:
        _paint(p, value, len(tokens))
        row = value.split(" ")[-1].partition(",")[0]
        if row in map(str, range(len(tokens))) and not p.is_fixed("query"):
            make_query(row)

    left, right = p.columns(gap="small")
    with left:
        p.figure(
            "flow",
            partial(
                flow_svg,
                tokens,
                query,
                sees,
                rows[query],
                headings=(p.label("looks"), p.label("seen")),
            ),
            {"key": tokens, "attention_mask": sees, "weight": rows[query]},
            source="source",
            on_click=make_query,
            **place | about,
        )
    with right:
        p.figure(
            "matrix",
            partial(
                matrix_svg,
                rows,
                tokens,
                tokens,
                blocked=(~attention_mask).tolist(),
                selected_row=None if is_drawn else query,
                clickable="paint" if is_drawn else "rows",
            ),
            cells(tokens, rows),
            source="source",
            on_click=paint if is_drawn else make_query,
            **place | about,
        )


def _drawn_mask(p: Part, n_tokens: int) -> str:
    """Show the board's buttons; return the mask as drawn_masks.py writes it."""
    causal = mask_to_text(causal_mask(n_tokens))
    drawn = p.drawn("drawn", causal) or causal
    try:
        drawn = mask_to_text(mask_from_text(drawn, n_tokens))
    except ValueError:
        p.warn("drawn.bad_link", icon="link_off")
        drawn = causal
    p.write_to_link("drawn", drawn, causal)
    _show_buttons(p, n_tokens, causal)
    return drawn


def _show_buttons(p: Part, n_tokens: int, causal: str) -> None:
    p.caption("drawn.how")
    everything = bidirectional_mask(n_tokens)
    starts = {
        "drawn_start_causal": causal,
        "drawn_start_all": mask_to_text(everything),
        "drawn_start_nothing": mask_to_text(~everything),
    }
    with p.row("top"):
        for name, start in starts.items():
            p.button(name, p.change, "drawn", start, changes=("drawn",))
        undo = {"icon": "undo", "disabled": not p.can_undo("drawn")}
        p.button("drawn_undo", p.undo, "drawn", changes=("drawn",), **undo)


def _paint(p: Part, cells: str, n_tokens: int) -> None:
    """Open or block the cells that were clicked or drawn over."""
    mask = painted(mask_from_text(p.state["drawn"], n_tokens), cells)
    p.change("drawn", mask_to_text(mask))
