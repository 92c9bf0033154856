"""A learner's own labelled examples: pasted or uploaded, with a sample of the format to begin."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.number_format import formatted
from pages.shared.caches import cache_finetuning
from pages.shared.course.core_messages import translated
from pages.shared.course.words import as_text, read_words
from pages.shared.frame.page_frame import Page
from pages.shared.link import inputs

if TYPE_CHECKING:
    from mlm_core.labelled.examples import Dataset

LARGEST_UPLOAD = 2  # MB; what one more byte would bring is refused in the browser
SAMPLE_EXAMPLES = 24
ENDINGS = {"own_classes": ["tsv", "csv", "txt"], "own_tags": ["conll", "txt", "tsv"]}
SAMPLE_FILES = {"own_classes": "sample.tsv", "own_tags": "sample.conll"}


def text_key(slug: str) -> str:
    """Return where the session has the text; the link doesn't."""
    return f"{slug}_own_text"


def refused_key(slug: str) -> str:
    """Return where the session notes why the last file was not taken."""
    return f"{slug}_file_refused"


def show(page: Page, data: str) -> str:
    """Show the field, the upload, which fills the field, and the sample; return what is in it."""
    from mlm_core.finetuning.settings import LONGEST_OWN_DATA

    words, slug, kind = read_words("finetune_runs"), page.lesson.slug, data.removeprefix("own_")
    st.file_uploader(
        words.label("own_file_tags" if kind == "tags" else "own_file"),
        type=ENDINGS[data],
        key=f"{slug}_own_file",
        max_upload_size=LARGEST_UPLOAD,
        on_change=inputs.fill_from_file,
        args=(f"{slug}_own_file", text_key(slug), refused_key(slug), LONGEST_OWN_DATA),
        help=words.label("own_file_help", longest=formatted(LONGEST_OWN_DATA, ",")),
    )
    if refused_key(slug) in st.session_state:
        st.error(as_text(translated(st.session_state[refused_key(slug)])), icon=":material/error:")
    text = st.text_area(
        words.label(f"own_text_{kind}"),
        height=160,
        max_chars=LONGEST_OWN_DATA,
        key=text_key(slug),
        persist_state="session",
    )
    st.caption(words.section(f"own_help_{kind}"))
    with st.container(horizontal=True):
        _sample_buttons(slug, data)
    return (text or "")[:LONGEST_OWN_DATA]


def say_parts(data: str, text: str) -> None:
    """Say what there is to learn from. Raises ValueError, with the line, if it can't be read."""
    examples: Dataset = cache_finetuning.dataset(data, text)
    values = {
        "learnt": formatted(len(examples.train), ","),
        "tested": formatted(len(examples.test), ","),
    }
    classes = ", ".join(examples.classes)
    st.caption(read_words("finetune_runs").section("own_parts", **values, classes=classes))


def sample(data: str) -> str:
    """Return a few of the stored examples in the format that a file of one's own has."""
    from mlm_core.labelled.conll import write_conll

    if data == "own_tags":
        return write_conll(cache_finetuning.dataset("entities").train[:SAMPLE_EXAMPLES])
    examples = cache_finetuning.dataset("sentiment")
    by_class = [[one for one in examples.train if one.label == name] for name in examples.classes]
    # One of each class in turn, so that the first lines show what the columns are.
    in_turn = [one for turn in zip(*by_class, strict=False) for one in turn][:SAMPLE_EXAMPLES]
    return "".join(f"{one.label}\t{one.text}\n" for one in in_turn)


def _sample_buttons(slug: str, data: str) -> None:
    words = read_words("finetune_runs")
    st.button(
        words.label("sample_use"),
        key=f"{slug}_sample_use",
        on_click=_use_sample,
        args=(slug, data),
        icon=":material/edit_note:",
        # What stands in the field is not thrown away.
        disabled=bool((st.session_state.get(text_key(slug)) or "").strip()),
    )
    st.download_button(
        words.label("sample_save"),
        lambda: sample(data).encode(),
        file_name=SAMPLE_FILES[data],
        mime="text/plain",
        on_click="ignore",
        icon=":material/download:",
        key=f"{slug}_sample_save",
    )


def _use_sample(slug: str, data: str) -> None:
    st.session_state[text_key(slug)] = sample(data)
