"""Looking at one value of a visit's state gives the same as gathering all of them."""


def test_what_is_looked_up_is_what_streamlit_would_have_gathered(open_warm_page):
    app = open_warm_page("pages/3_masking.py", masking_seed="7")
    app.text_input(key="masking_text").set_value("A heron waits.").run()
    quick, all_ = app._session_state.filtered_state, app._session_state._state.filtered_state
    assert not isinstance(quick, dict) and {**quick} == all_
    assert quick["masking_text"] == "A heron waits." and quick["masking_seed"] == 7
    assert "no_such_key" not in quick
