"""What a learner brings to a part and takes home: one of the classes of `Part`."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal

import streamlit as st

from pages.kit.fields import PartFields
from pages.server.link import decoding, inputs
from pages.server.process.zip_button import zip_button

if TYPE_CHECKING:
    from mlm_core.text.plain_text import Decoded


class PartFiles(PartFields):
    """Uploads and downloads."""

    def upload(self, name: str, types: Sequence[str], label: str = "", /, **more: Any) -> Any:
        """Show an upload of files of some types, or of any; return the file, None before."""
        return st.file_uploader(
            self.label(label or name), type=list(types) or None, key=self.key(name), **more
        )

    def upload_into(self, name: str, field: str, *, longest: int, **more: Any) -> None:
        """Show an upload that fills a field, with what was wrong and how it was decoded."""
        refused = self.key(f"{name}_refused")
        st.file_uploader(
            self.label(name),
            key=self.key(name),
            on_change=inputs.fill_from_file,
            args=(self.key(name), self.key(field), refused, longest),
            **more,
        )
        if refused in st.session_state:
            self.refused(st.session_state[refused])
        decoding.show(self.key(field))

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
        zip_button(self.label(label or name), pack, file_name=file_name, key=self.key(name))
