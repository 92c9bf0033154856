"""Make a link: take a view, say of each control whether it is free, locked or hidden."""

from mlm_core.number_format import formatted
from pages.beside.teaching import plan_state
from pages.beside.teaching.address import ask_address
from pages.beside.teaching.lesson_plan import MOST_STEPS, Step
from pages.beside.teaching.link_controls import ask_states
from pages.beside.teaching.places import parameters_of, part_title, title_of
from pages.beside.teaching.plan_step import PASTED, put_view
from pages.beside.teaching.view import LONGEST_LINK, UnreadableLinkError, View, read_link, view_of
from pages.kit.caches import own_models
from pages.kit.part import Part, Text, part
from pages.kit.rows import OPENING
from pages.server.course.language import languages
from pages.server.course.lessons import BY_SLUG, LESSONS
from pages.server.course.words import read_words

KINDS = ("none", "same", "own")
USUAL, LARGEST = 4711, 999_999_999

MOST_TYPED = 50_000  # characters; of what is too long for a link the length is told
LONG_LINK = 2_000  # characters; some mail and chat programs cut what is longer
AS_IT_STARTS = ""  # no model or language in the link


@part()
def show(p: Part) -> None:
    """Let the teacher take a view, fix what they like, and copy the link."""
    p.say("lead")
    how = p.choice("from")
    try:
        view = _from_lists(p) if how == "lists" else read_link(_ask_link(p))
    except UnreadableLinkError as error:
        say = p.note if error.reason == "no_link" else p.warn
        say(error.reason, icon="link_off", **error.values)
        return
    p.heading(Text(title_of(view)))
    source = view.link()
    view = _ask_model_and_language(p, ask_seed(p, view))
    p.write(f"#### {p.label('controls')}")
    _show(p, ask_states(p, view, source=source))


def _from_lists(p: Part) -> View:
    left, right = p.columns(gap="small")
    with left:
        titles = {lesson.slug: read_words(lesson.slug).label("title") for lesson in LESSONS}
        slug = p.choice("lesson", titles)
    with right:
        names = (OPENING, *BY_SLUG[slug].parts)
        name = p.choice("lesson_part", {name: part_title(slug, name) for name in names})
    return view_of(BY_SLUG[slug], name)


def _ask_link(p: Part) -> str:
    return p.typed(PASTED, longest=MOST_TYPED, placeholder=p.plain("pasted_placeholder"))


def _ask_model_and_language(p: Part, view: View) -> View:
    as_each_has = p.plain("as_each_has")
    left, right = p.columns(gap="small")
    names = dict.fromkeys([AS_IT_STARTS, *own_models.choices(), view.model])
    shown = [name for name in names if not name.startswith(own_models.PREFIX)]
    with left:
        model = p.picked(
            f"model_{view.model}",
            {name: name or as_each_has for name in shown},
            "model",
            index=shown.index(view.model) if view.model in shown else 0,
        )
    with right:
        spoken = {each: read_words("frame", each).label("language") for each in languages()}
        language = p.segments(
            f"language_{view.language}",
            {AS_IT_STARTS: as_each_has} | spoken,
            "language_picker",
            default=view.language,
            wrap=True,
        )
    asked = p.switched(f"figures_{view.has_figures}", view.has_figures, "has_figures")
    return view.read_with(model, language or AS_IT_STARTS, has_figures=asked)


def _show(p: Part, view: View) -> None:
    """Show the finished link to copy, the way to try it, and to keep it in the plan."""
    p.write(f"#### {p.label('finished')}")
    view = view.made_now()
    link = ask_address(p) + view.link()
    p.program(link, None, wrap_lines=True)
    if len(link) > LONGEST_LINK:
        values = {"n": formatted(len(link), ","), "most": formatted(LONGEST_LINK, ",")}
        p.warn("too_long", icon="content_cut", **values)
    elif len(link) > LONG_LINK:
        p.caption("long", n=formatted(len(link), ","))
    with p.row("center"):
        slug, parameters = view.lesson.slug, parameters_of(view)
        p.link_to(slug, "", p.label("try"), icon="open_in_new", view=parameters)
        at = plan_state.aim(p)
        if at is not None:
            about = {"n": at + 1}
            p.button("to_step", put_view, p, at, view.link(), icon="edit", about=about)
        is_full = len(plan_state.current(p).steps) >= MOST_STEPS
        p.button("to_plan", _to_plan, p, view.link(), icon="playlist_add", disabled=is_full)


def _to_plan(p: Part, link: str) -> None:
    plan_state.change(p, lambda plan: plan.with_step(Step(link=link)))
    p.toast("plan.added", icon="playlist_add", n=len(plan_state.current(p).steps))


def ask_seed(p: Part, view: View) -> View:
    """Show the choice; return the view with it."""
    start = "own" if view.has_own_numbers else "none" if view.number is None else "same"
    number = USUAL if view.number is None else view.number
    with p.row():
        kinds = {name: p.label(f"seed_{name}") for name in KINDS}
        # Another link begins with what it says itself.
        kind = p.segments(f"seed_{start}", kinds, "seed", default=start, wrap=True)
        if kind == "same":
            name = f"seed_number_{number}"
            number = p.counted(name, 0, LARGEST, number, "seed_number", width=160)
    p.caption(f"seed.{kind}")
    if kind == "own":
        return view.with_own_numbers()
    return view.with_number(number if kind == "same" else None)
