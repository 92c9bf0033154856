"""Say whether a process draws a page in time: `python deploy/page_check.py PORT [SECONDS]`.

/_stcore/health says that the process takes requests, also while no page is drawn any more. This
has the home page drawn for nobody, as a new learner's would be, and ends with 1 and a sentence if
it isn't there within SECONDS, 2 unless told. The process needs --server.scriptHealthCheckEnabled
true.
"""

import sys
import time
import urllib.request


def trouble(port: str, seconds: float) -> str:
    """Return what is wrong with the process on a port, "" if nothing is."""
    address, began = f"http://127.0.0.1:{port}/_stcore/script-health-check", time.monotonic()
    try:
        with urllib.request.urlopen(address, timeout=seconds):
            pass
    except OSError as error:
        return f"the process on port {port} drew no page within {seconds:g} s: {error}"
    took = time.monotonic() - began
    return f"the process on port {port} took {took:.1f} s for a page" if took > seconds else ""


if __name__ == "__main__":
    said = trouble(sys.argv[1], float((sys.argv[2:] or ["2"])[0]))
    print(said, end="\n" if said else "", file=sys.stderr)
    sys.exit(bool(said))
