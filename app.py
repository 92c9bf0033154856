"""Home: a sentence to play with, three doors, and the course map. `make run`.

`streamlit run app.py` imports this file once, for `app`, before it serves anybody. Then Streamlit
runs it as its main script whenever the home page is drawn; a host that knows no `st.App` does so
alone.
"""

import signal
import webbrowser
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from threading import Thread

import streamlit as st

if __name__ == "__main__":
    from pages.server.frame.parts import show_home

    show_home()
else:
    from starlette.middleware import Middleware
    from streamlit import config
    from streamlit.web.server.server_util import get_url

    from pages.server.process import connection, helper_process, page_turns
    from pages.server.process.door import Door
    from pages.server.process.pocket_file import PocketFiles
    from pages.server.process.streamlit_patches import more_pages

    more_pages.install()
    connection.install()

    @asynccontextmanager
    async def served(_: st.App) -> AsyncIterator[None]:
        """Begin and end as `streamlit run` does for a script without an `st.App`."""
        if not st.get_option("server.headless"):
            address = st.get_option("server.address") or "localhost"
            if address in ("0.0.0.0", "::"):  # it listens at all of the host's
                address = "localhost"
            if config.is_manually_set("browser.serverAddress"):
                address = st.get_option("browser.serverAddress")
            if not address.startswith("unix://"):
                # In a thread: a browser in the terminal ends only when its reader does.
                Thread(target=webbrowser.open, args=[get_url(address)], daemon=True).start()
        yield
        # When all is closed uvicorn raises the signal again that ended it, which would leave
        # behind what Python removes at its exit.
        if hasattr(signal, "pthread_sigmask"):
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
        try:
            page_turns.let_end()
        finally:
            helper_process.end()

    routes = PocketFiles().routes
    app = st.App(__file__, middleware=[Middleware(Door)], routes=routes, lifespan=served)
