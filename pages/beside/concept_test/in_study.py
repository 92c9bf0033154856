"""What a study asks of a visit around the test: consent, what comes between, the next sitting."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

from mlm_core.evaluation.learning_gain import SITTINGS, WHEN
from pages.kit.part import Part, as_text
from pages.server.course.concept_items import HALVES
from pages.server.course.host import said_by_host
from pages.server.course.lessons import BY_SLUG, HOME
from pages.server.record import session_record
from pages.server.record.learners_record import as_json
from pages.server.record.study_link import GROUPS, Study, for_group
from pages.server.room import banner, study

WAITING = GROUPS[-1]
ANSWERED = "study_answered"  # state: just now, so the questions are led to


def stops(p: Part) -> bool:
    """Show what is due before any question; return whether the questions wait for it."""
    kept, asked = study.mine(), study.link()
    if kept is None or asked is None:
        return False
    if kept.agreed is None:
        if kept.group:
            p.note("study_known", icon="upload_file")
        _ask_consent(p, asked)
        return True
    study.note_stopped()
    kept = study.mine() or kept
    if not kept.agreed:
        p.note("study_declined", icon="lock_open")
        return False
    if study.is_outside():
        p.note("study_outside", icon="logout")
        p.button(f"{p.name}_study_enter", _answer, p, study.agree, label="study_enter")
        _offer_leave(p)
        return True
    study.tell_seat()
    if not kept.group:
        p.note("study_needs_record", icon="upload_file")
        label = p.with_words("record").label("load_title")
        p.link_to(HOME, "", label, icon="upload_file", view=session_record.OPEN_ON_HOME)
        _offer_leave(p)
    return not kept.group


def show_between(p: Part, when: str | None) -> None:
    """Say what a learner of a study does until the sitting `when`, or after the last one."""
    kept, asked = study.mine(), study.link()
    if kept is None or asked is None or not study.is_in():
        return
    if when is not None and kept.group == WAITING:
        p.note("study_waiting", icon="event", back=_back(p, asked))
    elif when is not None:
        p.note("study_lesson", icon="menu_book")
        _lead_to(p, asked, kept.group)
    elif not asked.tells_answers:
        p.note("study_delayed", icon="event", back=_back(p, asked))
    else:
        p.confirm("study_over", icon="check_circle")
        _lead_to(p, asked, "")
    now = datetime.now(UTC)
    saved = replace(session_record.of_session(), saved=now.strftime("%Y-%m-%d %H:%M UTC"))
    file = f"course-record-{now:%Y-%m-%d}.json"
    p.download(f"{p.name}_study_save", as_json(saved), file, "application/json", "study_save")
    _offer_leave(p)


def show_consent(p: Part, asked: Study) -> None:
    """Show what learners read before they agree: the teacher's text, or the usual one."""
    with p.place(border=True):
        if asked.consent:
            p.write_small(p.label("study_by"))
            p.write(as_lines(asked.consent))
            return
        sittings = SITTINGS if asked.has_delayed or asked.sitting == SITTINGS[-1] else WHEN
        p.say("study_consent", n=len(HALVES[asked.half]), times=len(sittings))
        if len(asked.groups) > 1:
            p.say("study_chance")
        kept = study.mine()
        if asked.groups and not (kept and kept.group):
            p.say("study_new")
        p.say("study_promise")
        p.write("  \n".join(said_by_host().values()))


def as_lines(text: str) -> str:
    """Return a teacher's text as Markdown in which no mark and no link is read."""
    return "\n\n".join(as_text(line.strip()) for line in text.splitlines() if line.strip())


def _ask_consent(p: Part, asked: Study) -> None:
    show_consent(p, asked)
    with p.row():
        for name, press in (("agree", study.agree), ("decline", study.decline)):
            looks = {"type": "primary" if press is study.agree else "secondary"}
            about = (f"{p.name}_study_{name}", _answer, p, press)
            p.button(*about, label=f"study_{name}", **looks)


def _answer(p: Part, press: Callable[[], object]) -> None:
    if press() is True:
        p.toast("study_set_aside", icon="edit_off")
    p.state[ANSWERED] = True


def _offer_leave(p: Part) -> None:
    with p.popover("study_leave", type="tertiary"):
        p.say("study_leave")
        p.button(f"{p.name}_study_leave", study.decline, label="study_leave_sure", type="primary")


def _back(p: Part, asked: Study) -> str:
    return asked.back.strip() or p.section("study_no_time")


def _lead_to(p: Part, asked: Study, group: str) -> None:
    """Show the way to the study's lesson as a group sees it."""
    place = banner.place_of(asked.view)
    if place is None or place[0] not in BY_SLUG:
        return
    slug, view = place
    shown = {**view, **for_group(group)}
    p.link_to(slug, "", p.label("study_go", title=banner.title_of(slug, view)), view=shown)
