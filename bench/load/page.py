"""What stands on a page: its elements by place, its widgets by key, what went wrong on it.

As in Streamlit's frontend, a run draws over what stood at a place before, and what it has not
drawn again is forgotten when it ends. Read next: session.py, which listens to the server.
"""

from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from streamlit.proto.Alert_pb2 import Alert
from streamlit.proto.Delta_pb2 import Delta
from streamlit.proto.WidgetStates_pb2 import WidgetState

from bench.load.widgets import FIELD_OF_KIND, Widget

TEXT_KINDS = ("markdown", "text", "heading", "alert", "html", "metric")


@dataclass(frozen=True)
class Node:
    """What stands at one place of the page."""

    kind: str
    proto: Any
    fragment_id: str
    run_id: str  # the run that drew it last


class Page:
    """The content of one page, as far as the server has sent it."""

    def __init__(self) -> None:
        self.page = ""
        self.nodes: dict[tuple[int, ...], Node] = {}
        self.values: dict[str, Any] = {}  # by widget id
        self.errors: list[str] = []
        self.toasts: list[str] = []
        self.refusals: list[str] = []  # what a lesson can't do with what was chosen

    def widgets(self, *patterns: str) -> dict[str, Widget]:
        """Return the page's widgets by key; with patterns, those whose key fits one."""
        found = {}
        for node in self.nodes.values():
            if node.kind in FIELD_OF_KIND and getattr(node.proto, "id", ""):
                widget = Widget(kind=node.kind, proto=node.proto, fragment_id=node.fragment_id)
                if not patterns or any(fnmatchcase(widget.key, p) for p in patterns):
                    found[widget.key] = widget
        return found

    def value(self, key: str) -> Any:
        """Return the value that a widget has now."""
        return self.values.get(self.widget(key).proto.id)

    def text(self) -> str:
        """Return the words on the page, in the order of their places."""
        lines = []
        for _, node in sorted(self.nodes.items()):
            if node.kind in TEXT_KINDS:
                names = ("label", "title", "body")
                lines += [text for text in (getattr(node.proto, n, "") for n in names) if text]
            elif node.kind == "progress":
                lines.append(f"{node.proto.text} {node.proto.value} %")
        return "\n".join(lines)

    def widget(self, key: str) -> Widget:
        """Return one widget; a KeyError says which there are."""
        widgets = self.widgets()
        if key not in widgets:
            raise KeyError(f"no widget {key!r} on {self.page}; there are {', '.join(widgets)}")
        return widgets[key]

    def states(self) -> list[WidgetState]:
        """Return the values of all widgets as a browser sends them; buttons have none."""
        return [
            widget.state(self.values.get(widget.proto.id, widget.value))
            for widget in self.widgets().values()
            if widget.kind != "button"
        ]

    def draw(self, place: tuple[int, ...], delta: Delta, run_id: str) -> None:
        """Take over one element or block, and note it if it is an error."""
        what = delta.WhichOneof("type")
        if what == "new_transient":
            return
        holder = delta.new_element if what == "new_element" else delta.add_block
        kind = holder.WhichOneof("type") or "block"
        proto = getattr(holder, kind, holder)
        self.nodes[place] = Node(kind, proto, delta.fragment_id, run_id)
        if kind == "exception":
            self.errors.append(f"{proto.type}: {proto.message}")
        elif kind == "alert" and proto.format == Alert.Format.ERROR:
            # frame.py gives a refusal this sign, and what should never happen another.
            is_refusal = proto.icon == ":material/error:"
            (self.refusals if is_refusal else self.errors).append(f"{self.page}: {proto.body}")
        elif kind == "toast":
            self.toasts.append(proto.body)
        elif kind in FIELD_OF_KIND and proto.id:
            widget = Widget(kind=kind, proto=proto, fragment_id=delta.fragment_id)
            if proto.id not in self.values or getattr(proto, "set_value", False):
                self.values[proto.id] = widget.value

    def forget(self, run_id: str, fragments: tuple[str, ...]) -> None:
        """Forget what a run that has ended, of these fragments or (none) of all, did not draw."""
        drawn = {
            place: node.fragment_id for place, node in self.nodes.items() if node.run_id == run_id
        }
        # A fragment's own block comes first and holds all of it, other fragments inside too.
        blocks = [
            min(place for place in drawn if drawn[place] == fragment)
            for fragment in fragments
            if fragment in drawn.values()
        ]
        self.nodes = {
            place: node
            for place, node in self.nodes.items()
            if place in drawn or (fragments and not any(_is_in(place, block) for block in blocks))
        }


def _is_in(place: tuple[int, ...], block: tuple[int, ...]) -> bool:
    return place[: len(block)] == block
