"""Press the button ten times: beside a timer some presses are counted and not drawn.

The event loop takes 0.3 seconds to hand a message on, as on a machine that has much to do.
"""

import time
from typing import Any

import streamlit as st


class BusyLoop:
    """Middleware that keeps the event loop busy with each message."""

    def __init__(self, app: Any) -> None:
        self.app = app

    async def __call__(self, scope: dict, receive: Any, send: Any) -> None:
        """Hand on what a browser sends."""

        async def late() -> dict:
            message = await receive()
            if message["type"] == "websocket.receive":
                time.sleep(0.3)
            return message

        await self.app(scope, late, send)


@st.fragment(run_every=0.6)
def timer() -> None:
    """Ask for a run while the page is drawn."""
    st.write("pressed:", st.session_state.get("n", 0))


if __name__ == "__main__":
    if st.button("Press me ten times"):
        st.session_state.n = st.session_state.get("n", 0) + 1
    st.write("drawn:", st.session_state.get("n", 0))
    timer()
else:
    from starlette.middleware import Middleware

    app = st.App(__file__, middleware=[Middleware(BusyLoop)])
