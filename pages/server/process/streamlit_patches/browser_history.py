"""Let the browser's Back lead to the view before: another lesson, part or exercise, as it was.

Upstream: the browser's `handlePageInfoChanged` (App.tsx) calls `history.pushState` for every change
of a parameter that a page writes, so each move of a choice is an entry of its own; with
`isHistoryNavigation` the browser says that a run was asked for by Back or Forward. A change comes
as a query string without a page (`QueryParams._send_query_param_msg`), and the browser puts it
behind the path that it has at that moment. On the way to another page that is still the path of
the page before: what the new page writes may come before the browser has drawn its path. So the
entry that Back leads to lost all that its view had. Here a change on the way says which page it is
for, and the browser leaves the entry of another page alone.
Worth it, measured: a usability test went from Home to a lesson, a choice and five parts; 7
presses of Back changed nothing. With this, Home, a lesson, its choices and two parts take three
presses back, each of which shows the view before (tests/browser/test_views.py). A text of a link or
of one's own was lost in all 10 lessons on the way to another one and Back; now in none
(tests/browser/test_history.py).
"""

import re
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from pages.server.process import streamlit_patches
from pages.server.process.browser_code import code_of

if TYPE_CHECKING:
    from streamlit.runtime.scriptrunner import ScriptRunContext
    from streamlit.runtime.state.query_params import QueryParams

PAGE = "mlm_page"  # in the query string of a change: the page that it is for
# With a visit's parameters while another page is gone to: ON_THE_WAY until it begins to be drawn,
# then its name until its run ends.
GOES_TO, ON_THE_WAY = "mlm_goes_to", object()

# For the browser: `usual` has the value that a view's parameter has where the link has none.
SCRIPT = code_of(__file__, "browser_history.js")


def is_back_or_forward() -> bool:
    """Return whether the browser's Back or Forward asked for the run of this thread."""
    context = _context()
    return context is not None and context.is_history_navigation


def go_to(page: str) -> None:
    """Let the changes from now on be for another page, which this run leads to."""
    context = _context()
    if context is not None:
        with context.session_state.query_params() as parameters:
            vars(parameters)[GOES_TO] = page


def arrive(page: str, *, is_first: bool) -> None:
    """Let the changes of a run say which page they are for, if it leads to another one.

    A browser that has seen no page yet is not on the way from one, and one that goes back has the
    path of the entry already.
    """
    context = _context()
    if context is None:
        return
    with context.session_state.query_params() as parameters:
        is_on_the_way = vars(parameters).pop(GOES_TO, None) is ON_THE_WAY
        if is_on_the_way and not is_first and not is_back_or_forward():
            vars(parameters)[GOES_TO] = page
            parameters._send_query_param_msg()


def note_way(original: Callable) -> Callable:
    """Return what stands for `QueryParams.populate_from_query_string`, the start of each run."""

    @wraps(original)
    def populate(
        parameters: "QueryParams", query_string: str, valid_script_hashes: Any = None
    ) -> None:
        is_of_another_page = valid_script_hashes is not None
        vars(parameters)[GOES_TO] = ON_THE_WAY if is_of_another_page else None
        original(parameters, without_page(query_string), valid_script_hashes)

    return populate


def without_page(query: str) -> str:
    """Return a query string without the name of the page, which the browser sends back.

    >>> without_page("masking_seed=7&mlm_page=masking"), without_page("mlm_page=masking")
    ('masking_seed=7', '')
    """
    return re.sub(rf"(^|&){PAGE}=[^&]*", "", query)


def name_page(original: Callable) -> Callable:
    """Return what stands for `QueryParams._send_query_param_msg`."""

    @wraps(original)
    def send(parameters: "QueryParams") -> None:
        from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
        from streamlit.runtime.scriptrunner import get_script_run_ctx

        page, context = vars(parameters).get(GOES_TO), get_script_run_ctx()
        if page is None or context is None:
            original(parameters)
        elif page is not ON_THE_WAY:
            context.query_string = urlencode(parameters._query_params, doseq=True)
            message = ForwardMsg()
            named = [context.query_string] * bool(context.query_string) + [f"{PAGE}={page}"]
            message.page_info_changed.query_string = "&".join(named)
            context.enqueue(message)

    return send


def install() -> None:
    """Replace two methods of `QueryParams`."""
    from streamlit.runtime.state.query_params import QueryParams

    streamlit_patches.replace(QueryParams, "populate_from_query_string", note_way)
    streamlit_patches.replace(QueryParams, "_send_query_param_msg", name_page)


def _context() -> "ScriptRunContext | None":
    """Return the context of this thread's run; None if there is none, or on another version."""
    from streamlit.runtime.scriptrunner import get_script_run_ctx

    return get_script_run_ctx() if streamlit_patches.is_tested() else None
