"""What a browser may send that no page offers: a message to the server can hold anything.

Every widget of a page is found in what the page sent, our own components among them, so a new
one is met without a line here.
"""

import json
import re
from collections.abc import Container, Iterator

from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.proto.WidgetStates_pb2 import WidgetState

from tests.app_code import sources
from tests.hostile import TEXTS

# All that could run or be drawn in one text, with words of which lessons can make something.
EVERYTHING = (  # short: a model reads it, token by token
    "The bank [MASK] <img src=x onerror='h()'> ![i](x) :red[b] [l](javascript:h()) **b** `c` "
    r"""\"' onload='h()' $\frac{1}{0}$ </text></svg></style><h1>bank"""
)
TYPED = [*TEXTS.values()]
# No NaN: Streamlit's own number field fails on it, in the session of whoever sent it.
FAR = 1e18
# For what was clicked or edited in a drawing or a grid of ours; JSON on its way.
VALUES = (
    EVERYTHING,
    "-1",
    "999999999999,0",
    "x,y",
    ",",
    "",
    7,
    None,
    {"clicked": "0"},
    ["0", 1],
    "[[1]]",
    '[0, 0, "<b>"]',
    '["a", [], {}]',
    "[[NaN, 1e999], null]",
)
# What the components' scripts report, by its names.
REPORTED = sorted(
    {
        name
        for text in sources().values()
        for name in re.findall(r'set(?:Trigger|State)Value\("(\w+)"', text)
    }
)


def forged_run(app, turn: int, but: Container[str] = ()) -> None:
    """Run a page with a forged value in every widget; each turn brings other ones.

    Left out are widgets with the keys in `but`.
    """
    sent = app._tree.get_widget_states()
    by_id = {one.id: one for one in sent.widgets}
    for state in _forged(app, turn, but):
        if state.id in by_id:
            by_id[state.id].CopyFrom(state)
        else:
            sent.widgets.append(state)
    app._run(sent, timeout=120)  # tables behind a dozen figures, on a busy machine


def _forged(app, turn: int, but: Container[str]) -> Iterator[WidgetState]:
    for number, node in enumerate(app._tree):
        proto, kind, at = getattr(node, "proto", None), node.type, turn + number
        if not getattr(proto, "id", "") or getattr(node, "key", None) in but:
            continue
        if kind == "bidi_component":
            value = VALUES[at % len(VALUES)]
            told = [{"event": name, "value": value} for name in REPORTED]
            yield WidgetState(
                id=_make_trigger_id(proto.id, "events"), json_trigger_value=json.dumps(told)
            )
            yield WidgetState(id=proto.id, json_value=json.dumps(dict.fromkeys(REPORTED, value)))
        elif kind in ("popover", "expander"):  # what is behind it is to be seen, too
            yield WidgetState(id=proto.id, bool_value=True)
        elif kind in ("text_input", "text_area"):
            text = TYPED[at // 2 % len(TYPED)] if at % 2 else EVERYTHING
            yield WidgetState(id=proto.id, string_value=text)
        elif kind in ("selectbox", "radio"):
            yield WidgetState(id=proto.id, string_value=EVERYTHING)
        elif kind == "number_input":
            yield WidgetState(id=proto.id, double_value=FAR * (-1) ** at)
        elif kind in ("button_group", "multiselect", "select_slider"):
            state = WidgetState(id=proto.id)
            state.string_array_value.data.append(EVERYTHING)
            yield state
        elif kind == "slider":
            state = WidgetState(id=proto.id)
            state.double_array_value.data.extend([FAR * (-1) ** at] * len(proto.default))
            yield state
