"""A page's widgets as a browser has them: their value, and how a change of it is sent.

Source: streamlit/proto/*.proto and the serializers in streamlit/elements/widgets, version
1.67. A widget's id ends in the key that the app gave it.
"""

import math
from dataclasses import dataclass
from random import Random
from typing import Any

from streamlit.proto.Slider_pb2 import Slider
from streamlit.proto.WidgetStates_pb2 import WidgetState

# Which field of a WidgetState each widget's value goes into.
FIELD_OF_KIND = {
    "button": "trigger_value",
    "button_group": "string_array_value",
    "checkbox": "bool_value",
    "expandable": "bool_value",
    "multiselect": "string_array_value",
    "number_input": "double_value",
    "popover": "bool_value",
    "radio": "string_value",
    "selectbox": "string_value",
    "slider": "double_array_value",
    "text_area": "string_value",
    "text_input": "string_value",
}


@dataclass(frozen=True, kw_only=True)
class Widget:
    """One widget on the page."""

    kind: str  # the field of streamlit's Element or Block, a key of FIELD_OF_KIND
    proto: Any
    fragment_id: str  # what a change reruns; "" for the whole page

    @property
    def key(self) -> str:
        """Return the key that the app gave it, "None" if it gave none."""
        return self.proto.id.split("-", maxsplit=2)[-1]

    @property
    def options(self) -> list[str]:
        """Return what can be chosen, as it is sent."""
        if self.kind == "button_group":
            return [f"{o.content_icon} {o.content}".strip() for o in self.proto.options]
        return list(getattr(self.proto, "options", ()))

    @property
    def is_disabled(self) -> bool:
        return getattr(self.proto, "disabled", False)

    @property
    def value(self) -> Any:
        """Return the value that the server gave it; None for none."""
        proto, kind = self.proto, self.kind
        is_set = getattr(proto, "set_value", False)
        if kind == "button":
            return None
        if kind in ("expandable", "popover"):
            return proto.expanded if kind == "expandable" else proto.open
        if kind in ("selectbox", "radio"):
            if is_set:
                return proto.raw_value if proto.HasField("raw_value") else None
            return self.options[proto.default] if proto.HasField("default") else None
        if kind in ("button_group", "multiselect"):
            return list(proto.raw_values) if is_set else [self.options[i] for i in proto.default]
        if self._is_select_slider:
            indices = map(int, proto.default)
            return list(proto.raw_value) if is_set else [self.options[i] for i in indices]
        if kind == "slider":
            return list(proto.value if is_set else proto.default)
        return proto.value if is_set else proto.default

    @property
    def _is_select_slider(self) -> bool:
        return self.kind == "slider" and self.proto.type == Slider.Type.SELECT_SLIDER

    def state(self, value: Any) -> WidgetState:
        """Return what the browser sends for a value; a button's is True."""
        state = WidgetState(id=self.proto.id)
        field = "string_array_value" if self._is_select_slider else FIELD_OF_KIND[self.kind]
        if field.endswith("array_value"):
            values = value if isinstance(value, list) else [value]
            getattr(state, field).SetInParent()
            getattr(state, field).data.extend(values)
        elif value is not None:
            setattr(state, field, value)
        return state

    def another_value(self, now: Any, rng: Random) -> Any:
        """Return a value other than the present one, as a learner might choose."""
        if self.kind == "button":
            return True
        if self.kind in ("checkbox", "expandable", "popover"):
            return not now
        if self.options:
            # A control in which an option is required can't be emptied, so one is chosen.
            left = [o for o in self.options if o not in (now if isinstance(now, list) else [now])]
            return rng.choice(left or self.options)
        if self.kind in ("number_input", "slider"):
            low, high, step = self.proto.min, self.proto.max, self.proto.step or 1.0
            low = low if math.isfinite(low) else 0.0
            n_steps = max(1, min(10_000, int((high - low) / step)))
            return low + step * rng.randint(0, n_steps)
        return f"The {rng.choice(('cat', 'judge', 'river', 'old man'))} saw {rng.randint(2, 99)}."
