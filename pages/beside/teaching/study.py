"""A study's link: the groups that chance chooses from, the lesson, and what learners agree to.

It needs a room, which gets the answers. A later sitting has a room and a link of its own.
"""

from secrets import token_hex
from urllib.parse import urlencode

from mlm_core.evaluation.learning_gain import SITTINGS
from mlm_core.figures.classroom.qr_code import qr_svg
from mlm_core.number_format import formatted
from pages.beside.teaching.address import ask_address
from pages.beside.teaching.view import LONGEST_LINK, UnreadableLinkError, read_link
from pages.kit.part import Part, part
from pages.server.course.concept_items import HALVES
from pages.server.course.lessons import CONCEPT_TEST, LESSONS
from pages.server.record.study_link import GROUPS, LONGEST_ID, LONGEST_TEXTS, Study, is_id
from pages.server.room import desk

LONGEST_QR = 1_000  # characters; a larger code is hard to scan from a projector


@part(redraws_page=True)
def show(p: Part) -> None:
    """Ask what the study does, and show its link."""
    p.say("lead")
    mine = desk.current()
    if mine is None:
        p.note("needs_room", icon="groups")
        label = p.with_words("room").label("open")
        p.button("study_open", desk.open_room, label=label, type="primary", icon="groups")
        return
    study = _ask(p, mine.code)
    if study is not None:
        _show(p, study)


def _ask(p: Part, code: str) -> Study | None:
    """Return the study as it is set so far; None, and why, where it has no link yet."""
    looks = {"wrap": True, "persist_state": "session"}
    whens = {one: p.label(f"at_{one}") for one in SITTINGS}
    when = p.segments("study_sitting", whens, "sitting", default=SITTINGS[0], **looks)
    test = p.with_words(CONCEPT_TEST.slug)
    halves = {half: test.label(f"part_{half}") for half in HALVES}
    half = p.segments("study_half", halves, "half", default=next(iter(HALVES)), **looks)
    groups: tuple[str, ...] = ()
    if when == SITTINGS[0]:
        usual = (GROUPS[0], GROUPS[-1])
        switches = {one: p.switched(f"study_{one}", one in usual, one) for one in GROUPS}
        groups = tuple(one for one, is_on in switches.items() if is_on)
        p.caption("one_group" if len(groups) == 1 else "balance")
    else:
        p.caption("later")
    texts = {"id": _ask_id(p, when)}
    texts["back"] = p.typed("study_back", "back", longest=LONGEST_TEXTS["back"])
    view = p.typed("study_view", "view", longest=LONGEST_LINK, value=LESSONS[0].slug)
    has_delayed = p.switched("study_delayed", False, "delayed")
    most = LONGEST_TEXTS["consent"]
    texts["consent"] = p.pasted("study_consent", "consent", longest=most, height=140)
    try:
        texts["view"] = read_link(view).link()
    except UnreadableLinkError as error:
        p.warn(f"link.{error.reason}", icon="link_off", **error.values)
        return None
    about = {"room": code, "half": half, "sitting": when}
    study = Study(groups=groups, has_delayed=has_delayed, **about, **texts)
    return study if _is_whole(p, study) else None


def _ask_id(p: Part, when: str) -> str:
    """Return the study's id: a random one for its first link, which later links repeat."""
    is_first = when == SITTINGS[0]
    usual = p.state.setdefault("study_new_id", token_hex(3)) if is_first else ""
    return p.typed(f"study_id_{when}", "id", longest=LONGEST_ID, value=usual).strip()


def _is_whole(p: Part, study: Study) -> bool:
    """Return whether a link can say this study; if not, the page says why."""
    if len(study.view) > LONGEST_TEXTS["view"]:
        _warn_of_length(p, study.view, LONGEST_TEXTS["view"])
        return False
    no_group = study.sitting == SITTINGS[0] and not study.groups
    if no_group or not is_id(study.id):
        p.note("no_group" if no_group else "bad_id")
        return False
    return True


def _show(p: Part, study: Study) -> None:
    """Show the link, as a code too where that can be scanned."""
    p.write(f"#### {p.label('finished')}")
    asked = study.parameters()
    link = f"{ask_address(p)}{CONCEPT_TEST.slug}?{urlencode(asked)}"
    if len(link) > LONGEST_LINK:
        _warn_of_length(p, link, LONGEST_LINK)
        return
    p.program(link, None, wrap_lines=True)
    p.caption("try")
    p.link_to(CONCEPT_TEST.slug, "", p.label("try"), icon="open_in_new", view=asked)
    if len(link) <= LONGEST_QR:
        p.drawing("study_qr", qr_svg(link, alt=p.plain("qr_alt")))


def _warn_of_length(p: Part, link: str, most: int) -> None:
    values = {"n": formatted(len(link), ","), "most": formatted(most, ",")}
    p.warn("link.too_long", icon="content_cut", **values)
