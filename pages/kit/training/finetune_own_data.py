"""A learner's own labelled examples: pasted or uploaded, with a sample of the format to begin."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.number_format import formatted
from pages.kit.training import finetune_understood, run_status
from pages.server.caches import cache_finetuning
from pages.server.course.core_messages import translated
from pages.server.course.language import read_on
from pages.server.course.words import as_text, read_words
from pages.server.frame.page_frame import Page
from pages.server.link import decoding

if TYPE_CHECKING:
    from mlm_core.finetuning.settings import Data

LARGEST_UPLOAD = 4  # MB a file, as SST-2's; what one more byte would bring, the browser refuses
MOST_FILES = 3  # train, dev and test
SAMPLE_EXAMPLES = 24
ENDINGS = {
    "own_classes": ["tsv", "csv", "txt", "jsonl", "json"],
    "own_tags": ["conll", "iob2", "iob", "bio", "txt", "tsv", "csv"],
}
SAMPLE_FILES = {"own_classes": "sample.tsv", "own_tags": "sample.conll"}


def text_key(slug: str) -> str:
    """Return where the session has the text; the link doesn't."""
    return f"{slug}_own_text"


def refused_key(slug: str) -> str:
    """Return where the session notes why the last file was not taken."""
    return f"{slug}_file_refused"


def show(page: Page, data: "Data") -> str:
    """Show the field, the upload, which fills the field, and the sample; return what is in it."""
    from mlm_core.finetuning.settings import LONGEST_OWN_DATA

    words, slug, kind = read_words("finetune_runs"), page.lesson.slug, data.removeprefix("own_")
    typed, understood = run_status.columns([1, 1], "examples")
    with typed:
        st.file_uploader(
            words.label("own_file_tags" if kind == "tags" else "own_file"),
            type=ENDINGS[data],
            key=f"{slug}_own_file",
            max_upload_size=LARGEST_UPLOAD,
            accept_multiple_files=True,
            on_change=_take_files,
            args=(slug, data),
            help=words.label("own_file_help", longest=formatted(LONGEST_OWN_DATA, ",")),
        )
        if refused_key(slug) in st.session_state:
            say_refused(st.session_state[refused_key(slug)])
        decoding.show(text_key(slug))
        if left_out := st.session_state.get(f"{slug}_file_cut"):
            st.caption(words.section("own_file_cut", **left_out))
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
    text = (text or "")[:LONGEST_OWN_DATA]
    with understood:
        return finetune_understood.with_columns(slug, data, text) if text.strip() else text


def waits(slug: str, data: "Data", text: str) -> bool:
    """Say what is in doubt, the encoding or a column; return whether anything is."""
    layout = cache_finetuning.layout(data, text)
    is_open = decoding.is_in_doubt(text_key(slug)) or (layout is not None and bool(layout.doubts))
    if is_open:
        decoding.say_it_waits()
    return is_open


def say_refused(message: str) -> None:
    """Show an error of the core, which may have several lines."""
    lines = translated(message).split("\n")
    st.error("  \n".join(map(as_text, lines)), icon=":material/error:")


def _take_files(slug: str, data: "Data") -> None:
    """Put one uploaded file or several, each a part, into the field; cut long ones down."""
    from mlm_core.finetuning.settings import LONGEST_OWN_DATA
    from mlm_core.labelled.json_records import one_a_line
    from mlm_core.labelled.own_parts import join_files, thin_text, without_cut_line
    from mlm_core.text.plain_text import read_text

    state = st.session_state
    state.pop(refused_key(slug), None)
    state.pop(f"{slug}_file_cut", None)
    sent = state.get(f"{slug}_own_file") or []
    if not sent:
        return
    try:
        if len(sent) > MOST_FILES:
            raise ValueError(f"{len(sent)} files: give at most {MOST_FILES}, train, dev and test")
        read = [read_text(file.getvalue(), LARGEST_UPLOAD * 1_000_000) for file in sent]
        files, cut_lines = zip(*map(without_cut_line, read), strict=True)
        texts = [file.text for file in files]
        room = LONGEST_OWN_DATA - 100 * len(sent)  # without the lines that tell the parts
        if data == "own_classes" and sum(map(len, texts)) > room:
            texts = [one_a_line(text) for text in texts]
        whole = max(1, sum(map(len, texts)))
        kept = [thin_text(text, min(len(text), len(text) * room // whole)) for text in texts]
        names = [file.name for file in sent]
        state[text_key(slug)] = join_files(list(zip(names, kept, strict=True)))
    except ValueError as error:
        state[refused_key(slug)] = str(error)
        return
    decoding.keep(text_key(slug), files, cut_lines, kept)
    if whole > room:
        state[f"{slug}_file_cut"] = {"n": formatted(whole, ","), "kept": formatted(room, ",")}


def sample(slug: str, data: "Data") -> str:
    """Return a few of the examples that a lesson reads, in the format of a file of one's own."""
    from mlm_core.finetuning.settings import TAGGED
    from mlm_core.labelled.conll import write_conll

    if data == "own_tags":
        return write_conll(cache_finetuning.dataset(TAGGED[read_on(slug)]).train[:SAMPLE_EXAMPLES])
    examples = cache_finetuning.dataset(cache_finetuning.sentiment(slug))
    by_class = [[one for one in examples.train if one.label == name] for name in examples.classes]
    # One of each class in turn, so that the first lines show what the columns are.
    in_turn = [one for turn in zip(*by_class, strict=False) for one in turn][:SAMPLE_EXAMPLES]
    return "".join(f"{one.label}\t{one.text}\n" for one in in_turn)


def _sample_buttons(slug: str, data: "Data") -> None:
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
        sample(slug, data).encode,
        file_name=SAMPLE_FILES[data],
        mime="text/plain",
        on_click="ignore",
        icon=":material/download:",
        key=f"{slug}_sample_save",
    )


def _use_sample(slug: str, data: "Data") -> None:
    st.session_state[text_key(slug)] = sample(slug, data)
