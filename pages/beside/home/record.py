"""Your course record: what was done in this visit, saved to a file and loaded again."""

from dataclasses import replace
from datetime import UTC, datetime

from pages.beside.home import receipt
from pages.beside.home.record_text import as_list, as_markdown
from pages.kit.part import Part, part
from pages.server.record import session_record, tab_memory
from pages.server.record.learners_record import LearnersRecord, as_json, of_file
from pages.server.record.learners_record_file import LeftOut, NotARecordError, read_record

FILE = "record_file"
# State: what the file in the uploader holds, why it is refused, whether it was just loaded.
FOUND, REFUSED, LOADED = "record_found", "record_refused", "record_loaded"
LARGEST_UPLOAD = 1  # MB; what one more byte would bring is refused in the browser
NAME = "course-record"


@part(redraws_page=True)
def show(p: Part) -> None:
    """Show the record behind its title, which a link can open."""
    p = p.with_words("record")
    box = p.box("record", "bookmark", "title", in_link=True)
    if not box.open:
        return
    with box, p.safely():
        p.say("lead")
        record = session_record.of_session()
        if p.state.pop(LOADED, False):
            p.confirm("loaded", icon="check_circle")
        _save(p, record)
        if record.lessons:
            receipt.show(p.with_words("receipt"))
        _load(p, record)
        forget = tab_memory.forget
        p.button("record_forget", forget, label="forget", icon="delete", type="tertiary")


def _save(p: Part, record: LearnersRecord) -> None:
    if record.is_empty:
        p.note("nothing_yet", icon="explore")
        return
    p.write(as_list(record, p.words))
    now = datetime.now(UTC)
    record = replace(record, saved=now.strftime("%Y-%m-%d %H:%M UTC"))
    with p.row("top"):
        for kind, data, mime in (
            ("json", as_json(record), "application/json"),
            ("md", as_markdown(record, p.words), "text/markdown"),
        ):
            file = f"{NAME}-{now:%Y-%m-%d}.{kind}"
            p.download(f"record_save_{kind}", data, file, mime, f"save_{kind}")
    p.caption("saved_where")


def _load(p: Part, here: LearnersRecord) -> None:
    p.heading("load_title")
    settings = {"max_upload_size": LARGEST_UPLOAD, "on_change": _take_file, "args": (p,)}
    p.upload(FILE, (), "file", help=p.label("file_help"), **settings)
    if p.state.get(FILE) is None:  # taken away, or the page was left
        _forget_file(p)
    if REFUSED in p.state:
        section, values = p.state[REFUSED]
        p.write(p.section(section, **values), box="error", icon="error")
    if FOUND not in p.state:
        return
    record, left_out = p.state[FOUND]
    _say_what_is_in_it(p, record, left_out)
    if record.is_empty:
        return
    if not here.is_empty:
        p.caption("together")
    p.button("record_load", _load_found, p, label="load", icon="upload", type="primary")


def _say_what_is_in_it(p: Part, record: LearnersRecord, left_out: LeftOut) -> None:
    if not record.is_empty:
        p.note(
            "found",
            icon="description",
            saved=record.saved or p.plain("no_date"),
            lessons=len(record.lessons),
            solved=record.count("solved"),
            shown=record.count("shown"),
            tried=record.count("tried"),
        )
    else:
        p.warn("found_nothing", icon="description")
    if left_out.any:
        p.warn(
            "left_out",
            icon="content_cut",
            lessons=left_out.lessons,
            parts=left_out.parts,
            exercises=left_out.exercises,
            texts=left_out.texts,
        )


def _take_file(p: Part) -> None:
    """Read the file that was uploaded; nothing is changed before the learner says so."""
    _forget_file(p)
    file = p.state.get(FILE)
    if file is None:
        return
    try:
        p.state[FOUND] = read_record(file.getvalue(), session_record.course())
    except NotARecordError as error:
        p.state[REFUSED] = error.section, error.values


def _forget_file(p: Part) -> None:
    for name in (FOUND, REFUSED):
        p.state.pop(name, None)


def _load_found(p: Part) -> None:
    record, _ = p.state.pop(FOUND)
    session_record.take_up(of_file(record))
    p.state[LOADED] = True
