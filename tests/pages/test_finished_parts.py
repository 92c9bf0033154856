"""A part that was drawn to its end is not reported as cut short when a timer's run begins."""

from types import SimpleNamespace

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue

from pages.server.process import streamlit_patches
from pages.server.process.streamlit_patches import finished_parts

DRAWN = ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY
CUT_SHORT = ForwardMsg.FINISHED_EARLY_FOR_RERUN


@pytest.mark.parametrize(
    ("begins", "status"),
    [(["timer"], DRAWN), (["part"], CUT_SHORT), (["timer", "part"], CUT_SHORT), (None, CUT_SHORT)],
)
def test_a_part_drawn_to_its_end_is_not_cut_short_by_another_that_begins(begins, status):
    clear = finished_parts.keep_finished(streamlit_patches.original(AppSession, "_clear_queue"))
    session = SimpleNamespace(_browser_queue=ForwardMsgQueue())
    element, end = ForwardMsg(), ForwardMsg()
    element.delta.new_element.text.body = "the next part"
    element.delta.fragment_id = "part"
    end.script_finished = DRAWN
    end.metadata.run.fragment_ids.append("part")
    for message in (element, end):
        session._browser_queue.enqueue(message)
    clear(session, begins)
    kept = session._browser_queue.flush()
    assert kept[-1].script_finished == status
    assert (element in kept) == (status == DRAWN), "what was drawn, and that it was, go together"
