"""Run a script in a process of its own, where an abort is seen and nothing is imported yet."""

import subprocess
import sys

from tests.browser.live import ROOT


def run_apart(*arguments: str) -> subprocess.CompletedProcess:
    """Run Python with these arguments in the repository's root."""
    return subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=600
    )
