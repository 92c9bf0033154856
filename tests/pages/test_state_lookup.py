"""Looking at one value of a visit's state doesn't gather all of them, and gives the same."""

from streamlit.runtime.state.session_state import SessionState


def test_a_run_gathers_the_whole_state_for_no_widget(open_warm_page, monkeypatch):
    app = open_warm_page("pages/3_masking.py")
    gathered, real = [], SessionState.filtered_state

    def counted(state):
        gathered.append(1)
        return real.fget(state)

    monkeypatch.setattr(SessionState, "filtered_state", property(counted))
    app.run()
    assert not app.exception and not gathered


def test_what_is_looked_up_is_what_streamlit_would_have_gathered(open_warm_page):
    app = open_warm_page("pages/3_masking.py", masking_seed="7")
    app.text_input(key="masking_text").set_value("A heron waits.").run()
    quick, all_ = app._session_state.filtered_state, app._session_state._state.filtered_state
    assert not isinstance(quick, dict) and {**quick} == all_
    assert quick["masking_text"] == "A heron waits." and quick["masking_seed"] == 7
    assert "no_such_key" not in quick
