"""What this process takes of the machine, read from Linux in a process of its own."""

import subprocess
import sys

import pytest

from tests.browser.live import ROOT

CODE_GIVEN_BACK = """
from pathlib import Path
import torch
from pages.shared import machine

def code_bytes():
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("RssFile"))

layer, numbers = torch.nn.Linear(64, 64), torch.ones(8, 64)
before, said = code_bytes(), layer(numbers)
machine.give_code_back()
given = before - code_bytes()
assert torch.equal(layer(numbers), said)
layer(numbers).sum().backward()
print(given, before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_code_that_only_loading_needed_is_given_back_and_torch_goes_on():
    command = [sys.executable, "-c", CODE_GIVEN_BACK]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    given, before = (int(number) for number in done.stdout.split())
    assert given > before / 3
