"""A learner's own labelled examples: pasted or uploaded, with a sample of the format to begin."""

from mlm_core.finetuning.settings import LONGEST_OWN_DATA, TAGGED, Data
from mlm_core.labelled.conll import write_conll
from mlm_core.labelled.json_records import one_a_line
from mlm_core.labelled.own_parts import join_files, thin_text, without_cut_line
from mlm_core.text.plain_text import read_text
from pages.kit.part import Part
from pages.kit.remember import read_on
from pages.kit.training import finetune_understood
from pages.server.caches import cache_finetuning
from pages.server.link import decoding

LARGEST_UPLOAD = 4  # MB a file, as SST-2's; what one more byte would bring, the browser refuses
MOST_FILES = 3  # train, dev and test
SAMPLE_EXAMPLES = 24
ENDINGS = {
    "own_classes": ["tsv", "csv", "txt", "jsonl", "json"],
    "own_tags": ["conll", "iob2", "iob", "bio", "txt", "tsv", "csv", "jsonl", "json"],
}
SAMPLE_FILES = {"own_classes": "sample.tsv", "own_tags": "sample.conll"}


# State: the text, which no link has; why the last file was not taken, and how it was cut down.
TEXT, FILE_REFUSED, FILE_CUT = "own_text", "file_refused", "file_cut"
READ = "own_read"  # the field and what was chosen of its columns


def show(p: Part, data: Data) -> str:
    """Show the field, the upload, which fills the field, and the sample; return what is in it."""
    kind = data.removeprefix("own_")
    typed, understood = p.columns(1, 1, gap="large", of_run="examples")
    with typed:
        p.upload(
            "own_file",
            ENDINGS[data],
            "own_file_tags" if kind == "tags" else "own_file",
            max_upload_size=LARGEST_UPLOAD,
            accept_multiple_files=True,
            on_change=_take_files,
            args=(p, data),
            help=p.label("own_file_help", longest=LONGEST_OWN_DATA),
        )
        if FILE_REFUSED in p.state:
            p.refused(p.state[FILE_REFUSED])
        decoding.show(p.key(TEXT))
        if left_out := p.state.get(FILE_CUT):
            p.caption("own_file_cut", **left_out)
        text = p.pasted(TEXT, f"own_text_{kind}", longest=LONGEST_OWN_DATA, height=160)
        p.caption(f"own_help_{kind}")
        with p.row("top"):
            _sample_buttons(p, data)
    with understood:
        read = finetune_understood.with_columns(p, data, text) if text.strip() else text
    p.state[READ] = text, read
    return read


def as_read(p: Part) -> str:
    """Return the field with the columns that were chosen, for another part of the lesson."""
    field, (text, read) = p.state.get(TEXT) or "", p.state.get(READ, ("", ""))
    return read if text == field else field


def waits(p: Part, data: Data, text: str) -> bool:
    """Say what is in doubt, the encoding or a column; return whether anything is."""
    layout = cache_finetuning.layout(data, text)
    is_open = decoding.is_in_doubt(p.key(TEXT)) or (layout is not None and bool(layout.doubts))
    if is_open:
        decoding.say_it_waits()
    return is_open


def _take_files(p: Part, data: Data) -> None:
    """Put one uploaded file or several, each a part, into the field; cut long ones down."""
    for name in (FILE_REFUSED, FILE_CUT):
        p.state.pop(name, None)
    sent = p.state.get("own_file") or []
    if not sent:
        return
    try:
        if len(sent) > MOST_FILES:
            raise ValueError(f"{len(sent)} files: give at most {MOST_FILES}, train, dev and test")
        read = [read_text(file.getvalue(), LARGEST_UPLOAD * 1_000_000) for file in sent]
        files, cut_lines = zip(*map(without_cut_line, read), strict=True)
        texts = [file.text for file in files]
        room = LONGEST_OWN_DATA - 100 * len(sent)  # without the lines that tell the parts
        if sum(map(len, texts)) > room:
            texts = [one_a_line(text) for text in texts]
        whole = max(1, sum(map(len, texts)))
        kept = [thin_text(text, min(len(text), len(text) * room // whole)) for text in texts]
        names = [file.name for file in sent]
        p.state[TEXT] = join_files(list(zip(names, kept, strict=True)))
    except ValueError as error:
        p.state[FILE_REFUSED] = str(error)
        return
    decoding.keep(p.key(TEXT), files, cut_lines, kept)
    if whole > room:
        p.state[FILE_CUT] = {"n": whole, "kept": room}


def sample(slug: str, data: Data) -> str:
    """Return a few of the examples that a lesson reads, in the format of a file of one's own."""
    if data == "own_tags":
        return write_conll(cache_finetuning.dataset(TAGGED[read_on(slug)]).train[:SAMPLE_EXAMPLES])
    examples = cache_finetuning.dataset(cache_finetuning.sentiment(slug))
    by_class = [[one for one in examples.train if one.label == name] for name in examples.classes]
    # One of each class in turn, so that the first lines show what the columns are.
    in_turn = [one for turn in zip(*by_class, strict=False) for one in turn][:SAMPLE_EXAMPLES]
    return "".join(f"{one.label}\t{one.text}\n" for one in in_turn)


def _sample_buttons(p: Part, data: Data) -> None:
    # A text in the field is not replaced.
    is_full = bool((p.state.get(TEXT) or "").strip())
    p.button("sample_use", _use_sample, p, data, icon="edit_note", disabled=is_full)
    p.download("sample_save", sample(p.slug, data).encode, SAMPLE_FILES[data], "text/plain")


def _use_sample(p: Part, data: Data) -> None:
    p.state[TEXT] = sample(p.slug, data)
