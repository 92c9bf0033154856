"""A visit doesn't grow with every widget that it has ever seen."""

from pages.server.course.lessons import LESSONS


def test_what_a_visit_knows_of_widgets_that_are_gone_is_forgotten(open_warm_page):
    app = open_warm_page("pages/3_masking.py")
    known = app._session_state._state._new_widget_state.widget_metadata
    first = set(known)
    for lesson in LESSONS[:2]:
        app.switch_page(lesson.file).run()
    app.run()  # what the last run's end left goes with the next one
    # Those of every page stay, and the choices that a lesson keeps.
    assert len(first & known.keys()) < len(first) / 2


def test_what_was_chosen_stays(open_warm_page):
    app = open_warm_page("pages/3_masking.py")
    app.text_input(key="masking_text").set_value("A heron waits.").run()
    app.run()
    assert app.text_input(key="masking_text").value == "A heron waits."
