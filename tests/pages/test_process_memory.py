"""What this process takes of the machine, read from Linux."""

import sys

import pytest

from tests.fresh import run_fresh

CODE_OF_MANY_SHAPES = """
from pages.server.process import process_memory
process_memory.take_little()
import torch

def gelu(n_tokens):
    torch.nn.functional.gelu(torch.zeros(1, n_tokens, 1024))

for n_tokens in range(1, 20):
    gelu(n_tokens)
before = process_memory.memory_bytes()
for n_tokens in range(20, 220):
    gelu(n_tokens)
print(process_memory.memory_bytes() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_texts_of_many_lengths_leave_no_code_for_each_length():
    done = run_fresh(CODE_OF_MANY_SHAPES)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < 60_000_000  # 197 MB without the limit
