"""Home: a sentence to play with, three doors, and the course map. `make run`.

`streamlit run app.py` imports this file once, for `app`, before it serves anybody. Then Streamlit
runs it as its main script whenever the home page is drawn; a host that knows no `st.App` does so
alone.
"""

import importlib
import webbrowser
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import streamlit as st

if __name__ == "__main__":
    from pages.parts.home import course_map, doors, record, room
    from pages.shared.frame.page_frame import home_page

    with home_page() as words:
        st.title(words.label("question"), anchor=False)
        st.markdown(words.section("lead"))
        guess = st.container(border=True, key="home_try")
        doors.show(words)
        room.show()
        course_map.show(words)
        record.show()
        st.markdown(words.section("after"))
        with guess:  # last, so that the map is there before the tokenizer is
            importlib.import_module("pages.parts.home.guess").show(words)
else:
    from starlette.middleware import Middleware

    from pages.shared.server.door import Door

    @asynccontextmanager
    async def opened(_: st.App) -> AsyncIterator[None]:
        """Open a browser, as `streamlit run` does for a script without an `st.App`."""
        if not st.get_option("server.headless"):
            webbrowser.open(f"http://localhost:{st.get_option('server.port')}")
        yield

    app = st.App(__file__, middleware=[Middleware(Door)], lifespan=opened)
