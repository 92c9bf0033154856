"""What this process takes of the machine that it runs on: memory and processors."""

import contextlib
import ctypes
import gc
import os
import resource
from pathlib import Path


def take_little() -> None:
    """Let this process take no more memory and processors than it needs; before torch is there.

    oneDNN, which computes GELU, keeps the code that it makes for each shape of tensors, 1,024
    times: 185 MB after texts of 200 lengths. Sixteen are as fast, for the layers of a pass share
    them. Each thread that computes has a team as large as OMP_NUM_THREADS: those of several pages
    wait for each other. The garbage collector, whose round through all stops every page, makes a
    sixth of its rounds.
    """
    gc.set_threshold(2_000, 10, 20)
    os.environ.setdefault("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "16")
    os.environ.setdefault("OMP_NUM_THREADS", str(max(1, (os.cpu_count() or 2) // 2)))


def settle() -> None:
    """Take what is loaded by now out of the garbage collector's rounds, and give memory back."""
    gc.collect()
    gc.freeze()
    give_memory_back()


def give_memory_back() -> None:
    """Hand freed memory to the system, which glibc would keep: 62 MB of a class's highest."""
    with contextlib.suppress(AttributeError, OSError, TypeError):  # another C library
        ctypes.CDLL(None).malloc_trim(0)


def memory_bytes() -> int:
    """Return what this process holds of the memory now; 0 where the system doesn't say."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except (OSError, IndexError):
        return 0
    return pages * resource.getpagesize()
