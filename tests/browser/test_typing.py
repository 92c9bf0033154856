"""Who types, corrects and types again while the server is still busy keeps their page."""

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.browser.live import wait_until_finished


def test_the_browser_is_never_asked_for_a_message_that_it_may_have_dropped(tab):
    # The end of a run that is still on its way drops what the next one counts on, and Streamlit
    # then closes the connection for good: "Cached ForwardMsg MISS".
    messages = []
    tab.on("websocket", lambda socket: socket.on("framereceived", lambda one: messages.append(one)))
    tab.goto("/subword_tokens")
    wait_until_finished(tab)
    field = tab.get_by_test_id("stMain").locator("[data-testid=stTextInput] input").first
    for text in ("Two herons", "Two heron", "Two herons"):
        field.fill(text)
        field.press("Enter")
        wait_until_finished(tab)
    kinds = [ForwardMsg.FromString(message).WhichOneof("type") for message in messages]
    assert kinds.count("script_finished") >= 4
    assert "ref_hash" not in kinds
    a_text_that_is_too_long_is_cut_and_the_page_says_so(tab, field)


def a_text_that_is_too_long_is_cut_and_the_page_says_so(tab, field) -> None:
    field.fill("heron " * 400)
    note = tab.get_by_text("This field takes 600 characters")
    note.wait_for()
    wait_until_finished(tab)
    assert field.input_value() == ("heron " * 400)[:600]
    assert not tab.get_by_text("600/20000").is_visible(), "a count that isn't the field's"
    field.fill("Two herons")
    note.wait_for(state="detached")
