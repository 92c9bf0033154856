"""The words of a part, the language that it reads, and its model: one of the classes of `Part`."""

import copy
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, Literal, Self

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.delta_generator_singletons import context_dg_stack
from streamlit.elements.lib.mutable_popover_container import PopoverContainer
from tokenizers import Tokenizer

from mlm_core.encoder.model_list import read_sizes
from mlm_core.text.tokens import TokenizedText, tokenize
from pages.kit.state import LessonState
from pages.server.caches import cache, own_models
from pages.server.course import language
from pages.server.course.core_messages import translated
from pages.server.course.equations import numbered
from pages.server.course.words import Text, Words, as_text, read_examples, read_words
from pages.server.frame.page_frame import Page, safely
from pages.server.link import inputs, locks
from pages.server.process.model_choice import allowed_models
from pages.server.record import evidence_card

if TYPE_CHECKING:
    from mlm_core.encoder.bert import Encoding
    from mlm_core.encoder.language_model import MaskedLanguageModel

Width = int | Literal["content", "stretch"]
Box = Literal["", "note", "warning", "error", "done"]


class PartWords:
    """What a part says, and what it reads with which model."""

    def __init__(self, page: Page, name: str, *files: str) -> None:
        """Take the lesson's page, the name of the part's file, and files with further words."""
        self.page, self.name, self.slug = page, name, page.lesson.slug
        self._chain: list[Words] = [*map(read_words, files), page.words]
        self.examples: Words = read_examples(page.lesson.slug)  # sentences for the model
        self.model_name: str = page.model_name
        self.state = LessonState(self.slug)
        self._is_opening = name in page.lesson.opening
        self._menus: dict[str, PopoverContainer] = {}  # of figures whose code isn't known yet
        self._code: dict[str, tuple[Callable, ...]] = {}  # of figures, by key
        # The figure before: its box, where it was drawn, and the key of what is said next to it.
        self._figure: tuple[DeltaGenerator, DeltaGenerator, str] | None = None
        self._begin_card()

    def key(self, name: str) -> str:
        """Return the key of a widget or figure, which is its parameter in the link."""
        return f"{self.slug}_{name}"

    def with_words(self, *files: str) -> Self:
        """Return this part with other words of pages/text, looked up before its own."""
        other = copy.copy(self)
        other._chain = [*map(read_words, files), *self._chain]
        other._figure = None
        return other

    @property
    def words(self) -> Words:
        """Return the words that are looked up first."""
        return self._chain[0]

    # Words: each file is searched for the part's own, then for the name; those of every page are
    # last. A `Text` is no name, but shown as it is.

    def label(self, name: str, /, **values: object) -> str:
        """Return a short text for a widget."""
        return self._found("label", "_", name, values)

    def plain(self, name: str, /, **values: object) -> str:
        """Return a short text where no Markdown is read."""
        return self._found("plain", "_", name, values)

    def section(self, name: str, /, **values: object) -> str:
        """Return a section of Markdown."""
        return self._found("section", ".", name, values)

    def say(self, section: str, /, **values: object) -> None:
        """Write a section."""
        with self._place_of_next():
            st.markdown(self.section(section, **values))

    def caption(self, section: str, /, **values: object) -> None:
        """Write a section in small letters."""
        st.caption(self.section(section, **values))

    def note(self, section: str, /, icon: str = "info", **values: object) -> None:
        """Say why something isn't shown, or how it is to be read."""
        self.write(self.section(section, **values), box="note", icon=icon)

    def warn(self, section: str, /, icon: str = "warning", **values: object) -> None:
        """Say what is wrong, and what to do."""
        self.write(self.section(section, **values), box="warning", icon=icon)

    def confirm(self, section: str, /, icon: str = "check", **values: object) -> None:
        """Say that something is done."""
        self.write(self.section(section, **values), box="done", icon=icon)

    def toast(self, section: str, /, icon: str = "", **values: object) -> None:
        """Say something for a few seconds in the corner of the page."""
        st.toast(self.section(section, **values), icon=f":material/{icon}:" if icon else None)

    def heading(self, name: str, /, *, is_large: bool = False, **values: object) -> None:
        """Write a label as a heading inside the part."""
        self._figure = None
        write = st.title if is_large else st.subheader
        write(self.label(name, **values), anchor=False)

    def equation(self, number: str) -> None:
        """Write an equation of the textbook under its number."""
        st.latex(numbered(number))

    def write(
        self, markdown: str, *, width: Width = "stretch", box: Box = "", icon: str = ""
    ) -> None:
        """Write Markdown that was put together of sections and labels, plain or in a `box`."""
        boxes = {"note": st.info, "warning": st.warning, "error": st.error, "done": st.success}
        if box or width != "stretch":
            self._figure = None  # it is below the figure before, and so is what follows
        with self._place_of_next():
            if box:
                boxes[box](markdown, icon=f":material/{icon}:" if icon else None)
            else:
                st.markdown(markdown, width=width)

    def write_small(self, markdown: str, *, width: Width = "stretch") -> None:
        """Write Markdown in small letters that was put together of sections and labels."""
        st.caption(markdown, width=width)

    def formula(self, tex: str, *, width: Width = "stretch") -> None:
        """Write a formula."""
        st.latex(tex, width=width)

    def program(self, text: str, language: str | None = "python", **more: Any) -> None:
        """Show a program or a file's text, with a button that copies it."""
        st.code(text, language=language, **more)

    def refused(
        self,
        error: Exception | str,
        icon: str = "error",
        *,
        mildly: Literal["warning", "note", ""] = "",
    ) -> None:
        """Say what the core refused, in the reader's language: in red, or more mildly."""
        lines = self.translated(error).split("\n")
        self.write("  \n".join(map(as_text, lines)), box=mildly or "error", icon=icon)

    def safely(self) -> AbstractContextManager[None]:
        """Let what goes wrong inside be a sentence, and the rest of the part go on."""
        return safely()

    def translated(self, error: Exception | str) -> str:
        """Return a sentence of the core in the reader's language, as plain text."""
        return translated(str(error))

    # What is read, by which model.

    @property
    def language(self) -> str:
        """Return the language that the lesson reads, which may differ from that of the words."""
        return language.read_on(self.slug)

    @property
    def words_language(self) -> str:
        """Return the language of the words."""
        return language.current()

    @property
    def reads_first(self) -> bool:
        """Return whether the lesson reads the first language, English."""
        return self.language == language.FIRST

    @property
    def model(self) -> "MaskedLanguageModel":
        """Return the chosen model. Raises ModelUnavailableError."""
        return cache.model(self.model_name)

    @property
    def tokenizer(self) -> Tokenizer:
        """Return the chosen model's tokenizer, without loading a bundled model."""
        return cache.model_tokenizer(self.model_name)

    @property
    def window(self) -> int | None:
        """Return how many tokens the chosen model reads, without loading it; None if unknown."""
        own = own_models.get(self.model_name)
        if own is not None:
            return own.max_tokens
        folder = allowed_models()[self.model_name].folder
        return read_sizes(folder).get("window") if folder else None

    def tokens(
        self, text: str, pair: str | None = None, *, model: "MaskedLanguageModel | None" = None
    ) -> TokenizedText:
        """Return the tokens of a text or a pair, and say what the window leaves out.

        They are those of the chosen model if no other is given.
        """
        model = self.model if model is None else model
        found = tokenize(model.tokenizer, text, pair, max_tokens=model.max_tokens)
        self.say_what_was_left_out(found)
        return found

    def encoding(
        self, text: str, causal: bool = False, **more: Any
    ) -> "tuple[TokenizedText, Encoding]":
        """Return a text's tokens and what the model computes, kept (caches/cache.py: encoding)."""
        return cache.encoding(self.model_name, text, causal, **more)

    def say_what_was_left_out(self, *texts: TokenizedText) -> None:
        """Say which texts were longer than the model's window."""
        inputs.say_what_was_left_out(*texts)

    @property
    def _has_figures(self) -> bool:
        """Return whether figures are drawn, as questions have theirs also among words alone."""
        return not locks.has_words_alone() or self.name in locks.QUESTIONS

    @property
    def _has_controls(self) -> bool:
        """Return whether the controls of figures are drawn; pages that are no lessons have all."""
        return self._has_figures or self.page.lesson.number is None

    def _begin_card(self) -> None:
        """Let the lesson's evidence card have only the figures that are drawn from now on."""
        if self._is_opening:
            evidence_card.begin(self.slug, self.name)

    def _place_of_next(self) -> AbstractContextManager:
        """Return where a section goes: next to the figure that was just drawn in the same place."""
        figure, self._figure = self._figure, None
        if figure is None or figure[1] is not context_dg_stack.get()[-1]:
            return nullcontext()
        return figure[0].container(key=figure[2])

    def _has(self, name: str) -> bool:
        return any(words.has(one) for words in self._chain for one in (f"{self.name}_{name}", name))

    def _found(self, kind: str, dot: str, name: str, values: Mapping[str, object]) -> str:
        """Return the first text of that name in the files of words; a `Text` is one already."""
        if isinstance(name, Text):
            return name
        for words in (*self._chain, read_words("frame")):
            for found in (f"{self.name}{dot}{name}", name):
                if words.has(found, is_section=kind == "section"):
                    return getattr(words, kind)(found, **values)
        missing = f"{self.name}{dot}{name}"
        return getattr(self._chain[-1], kind)(missing, **values)  # which says what is missing
