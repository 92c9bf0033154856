"""Serve the app as `streamlit run` does, and tell on SIGUSR1 which modules are loaded.

Usage: serve.py MODULES_FILE APP [options of streamlit run]. The app itself needs no hook.
With EQUAL_PRIORITY its trainer has the priority of all others, or beside other tests it would wait.
"""

import os
import signal
import sys
from pathlib import Path


def main(modules_file: str, *arguments: str) -> None:
    def tell(*_: object) -> None:
        part = Path(modules_file + ".part")
        part.write_text("\n".join(sorted(sys.modules)))
        part.rename(modules_file)

    signal.signal(signal.SIGUSR1, tell)
    sys.argv = ["streamlit", "run", *arguments]
    # `streamlit run` puts the app's folder first; this script's own folder has no place there.
    sys.path.pop(0)
    if os.environ.get("EQUAL_PRIORITY"):
        os.setpriority = lambda *_: None
    from streamlit.web.cli import main as streamlit

    streamlit()


if __name__ == "__main__":
    main(*sys.argv[1:])
