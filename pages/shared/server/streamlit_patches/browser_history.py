"""Let the browser's Back lead to the view before: another lesson, part or exercise.

Upstream: the browser's `handlePageInfoChanged` (App.tsx) calls `history.pushState` for every change
of a parameter that a page writes, so each move of a choice is an entry of its own; with
`isHistoryNavigation` the browser says that a run was asked for by Back or Forward.
Worth it, measured: a usability test went from Home to a lesson, a choice and five parts; 7
presses of Back changed nothing. With this, Home, a lesson, its choices and two parts take three
presses back, each of which shows the view before (tests/browser/test_views.py).
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
