"""Let the browser's Back lead to the view before: another lesson, part or exercise.

Upstream: the browser's `handlePageInfoChanged` (App.tsx) calls `history.pushState` for every change
of a parameter that a page writes, so each move of a choice is an entry of its own; with
`isHistoryNavigation` the browser says that a run was asked for by Back or Forward.
Worth it, measured: Home, a lesson, two choices, two parts, Back: six presses to Home and no view
changed before; with this, three presses, each of which shows the view before.
"""

from pages.shared.server import streamlit_patches

# For the browser: `usual` has the value that a view's parameter has where the link has none.
SCRIPT = """
const rememberViews = (usual) => {
  if (window.mlmViews) { window.mlmViews = usual; return; }
  window.mlmViews = usual;
  const viewOf = (address) => {
    const url = new URL(address, location.href), view = [url.pathname];
    for (const [name, value] of Object.entries(window.mlmViews)) {
      view.push(url.searchParams.get(name) ?? value);
    }
    return view.join("\\n");
  };
  const push = history.pushState.bind(history);
  history.pushState = (state, title, address) => viewOf(address) === viewOf(location.href)
    ? history.replaceState(state, title, address) : push(state, title, address);
};
"""


def is_back_or_forward() -> bool:
    """Return whether the browser's Back or Forward asked for the run of this thread."""
    from streamlit.runtime.scriptrunner import get_script_run_ctx

    if not streamlit_patches.is_tested():
        return False
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation
