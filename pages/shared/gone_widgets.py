"""A visit's memory of widgets that are no longer there.

Streamlit forgets the value of a widget that is gone, but keeps what it knows of the widget: its
callbacks, and with them what they hold. A widget whose options or label change is another one,
so a visit would grow with every minute: 300 such were left after three of a class's.
"""

from streamlit.runtime.scriptrunner import get_script_run_ctx


def forget() -> None:
    """Let go of widgets without a value; for the start of a page's run, before its first widget.

    By then the values that the browser sent are taken over and the callbacks have run. Streamlit
    has no public way to do this.
    """
    context = get_script_run_ctx()
    if context is None:
        return
    state = context.session_state._state
    known = state._new_widget_state.widget_metadata
    for widget in known.keys() - state._new_widget_state.states.keys() - state._old_state.keys():
        del known[widget]
