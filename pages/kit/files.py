"""What a learner brings to a part and takes home: one of the classes of `Part`."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import streamlit as st
from streamlit.runtime.uploaded_file_manager import DeletedFile

from pages.kit.fields import PartFields
from pages.server.link import decoding, inputs
from pages.server.process.zip_button import zip_button

if TYPE_CHECKING:
    from mlm_core.text.plain_text import Decoded

GONE = "this server keeps the newest files, and this one had to make way: choose it again"


class PartFiles(PartFields):
    """Uploads and downloads."""

    def upload(self, name: str, types: Sequence[str], label: str = "", /, **more: Any) -> Any:
        """Show an upload of files of some types, or of any; return the file, None before."""
        return self._uploaded(name, self.label(label or name), type=list(types) or None, **more)

    def upload_into(self, name: str, field: str, *, longest: int, **more: Any) -> None:
        """Show an upload that fills a field, with what was wrong and how it was decoded."""
        refused = self.key(f"{name}_refused")
        self._uploaded(
            name,
            self.label(name),
            on_change=inputs.fill_from_file,
            args=(self.key(name), self.key(field), refused, longest),
            **more,
        )
        if refused in st.session_state:
            self.refused(st.session_state[refused])
        decoding.show(self.key(field))

    def _uploaded(self, name: str, title: str, **more: Any) -> Any:
        """Show an upload; say so if its file made way for newer ones (door.py) before it was read.

        One without `on_change` is read with each run.
        """
        if not self._has_controls:
            return None
        key, read = self.key(name), self.key(f"{name}_read")
        if "on_change" in more:
            more["on_change"] = partial(_take_if_there, key, read, more["on_change"])
        file = st.file_uploader(title, key=key, **more)
        if not _gone(key) <= st.session_state.get(read, set()):
            self.refused(GONE)
        return file

    def waits_for_encoding(self, field: str) -> bool:
        """Return whether a field's text waits for the choice of an encoding, and say so."""
        if decoding.is_in_doubt(self.key(field)):
            decoding.say_it_waits()
            return True
        return False

    def decoded(self, name: str, text: "Decoded") -> str:
        """Say how an upload was decoded and offer other encodings; return the text as chosen."""
        return decoding.text_as_chosen(self.key(name), text)

    def download(
        self,
        name: str,
        data: str | bytes | Callable[[], bytes],
        file_name: str,
        mime: str,
        label: str = "",
        /,
        *,
        icon: str = "download",
        type: Literal["primary", "secondary", "tertiary"] = "secondary",
        disabled: bool = False,
        **values: object,
    ) -> None:
        """Show a button that saves a file; data given as a function is made at the press."""
        if not self._has_controls:
            return
        st.download_button(
            self.label(label or name, **values),
            data,
            file_name=file_name,
            mime=mime,
            on_click="ignore",
            icon=f":material/{icon}:",
            disabled=disabled,
            key=self.key(name),
            type=type,
        )

    def zip(self, name: str, pack: Callable[[], bytes], file_name: str, label: str = "") -> None:
        """Show a button that saves a zip; `pack` makes it at the press, without a session."""
        if self._has_controls:
            zip_button(self.label(label or name), pack, file_name=file_name, key=self.key(name))


def _gone(key: str) -> set[str]:
    """Return the ids of an upload's files that the server no longer has."""
    return {one.file_id for one in _files(key) if isinstance(one, DeletedFile)}


def _files(key: str) -> list[Any]:
    sent = st.session_state.get(key) or []
    return sent if isinstance(sent, list) else [sent]


def _take_if_there(key: str, read: str, take: Callable[..., None], *about: object) -> None:
    if not _gone(key):
        st.session_state[read] = {one.file_id for one in _files(key)}
        take(*about)
