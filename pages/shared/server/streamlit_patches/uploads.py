"""Bound the files that one visit has sent.

Upstream: `MemoryUploadedFileManager.add_file` (runtime/memory_uploaded_file_manager.py) keeps every
file that a visit sends until the visit ends, also files that no widget asked for. Here the oldest
files of a visit go when there are too many, or too large ones. No upload is refused: a page reads
a file when it arrives, and Streamlit's browser side deletes a file that is replaced.
Worth it, measured: twelve files of 4.9 MB that no widget had asked for took 62 MB of the server.
"""

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING

from pages.shared.server import streamlit_patches

if TYPE_CHECKING:
    from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
    from streamlit.runtime.uploaded_file_manager import UploadedFileRec

# Of one visit. One file has 5 MB at most (server.maxUploadSize), so the two newest always fit.
MOST_BYTES = 12_000_000
MOST_FILES = 12


def keep_newest(original: Callable) -> Callable:
    """Return what stands for `MemoryUploadedFileManager.add_file`."""

    @wraps(original)
    def add_file(
        manager: "MemoryUploadedFileManager", session_id: str, file: "UploadedFileRec"
    ) -> None:
        manager.remove_file(session_id, file.file_id)
        held = dict(manager.file_storage.get(session_id, {}))
        n_bytes = len(file.data) + sum(len(one.data) for one in held.values())
        for n_dropped, (file_id, oldest) in enumerate(held.items()):
            if n_bytes <= MOST_BYTES and len(held) - n_dropped < MOST_FILES:
                break
            manager.remove_file(session_id, file_id)
            n_bytes -= len(oldest.data)
        original(manager, session_id, file)

    return add_file


def install() -> None:
    """Replace `MemoryUploadedFileManager.add_file`."""
    from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

    streamlit_patches.replace(MemoryUploadedFileManager, "add_file", keep_newest)
