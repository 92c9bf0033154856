"""A first-time user sees a figure first, projected too, and finds a typed sentence in all parts."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from bench.sent_bytes import OPENING_LIMIT, PART_LIMIT
from pages.server.course.lessons import BY_SLUG, LESSONS
from pages.server.course.words import read_words
from pages.server.frame.overview import numbered_title
from pages.server.link.controls import OPENING, controls_of
from tests.browser.access import MAIN, findings, go_on_a_phone
from tests.browser.live import FIGURES, Server, troubles_of, wait_until_finished
from tests.browser.projector import IS_WHOLE, SCREENS
from tests.browser.projector import OPENING as PROJECTED
from tests.browser.widths import NARROWEST_COLUMNS, number_of_run

APOLOGY = read_words("frame").section("unexpected")
# Where the first field asks for more than a sentence, and draws what the model makes of it.
ASKED_FOR = {
    "train_an_encoder": "Zebras drink at the [MASK] of the river.",
    "word_senses": "Zebras drink at the bank of the river.",
    "isotropy": "Zebras drink coffee with the plumber.",
    "classification": "Zebras are my favourite animals.",
    "inside_a_prediction": "Zebras drink at the [MASK] of the river.",
}
# Where the first field is folded: what opens it, and the field.
FOLDED = {
    "isotropy": ("sentences", "first"),
    "classification": ("three_ways_own", "ways_text"),
    "attention_mask": ("contrast_sentences", "first"),
    "encoders_today": ("search_own_fold", "own_query"),
}
# A laptop with its browser's bars, and a phone.
LAPTOP, PHONE = {"width": 1366, "height": 650}, {"width": 390, "height": 844}
# Of the opening: the lines of text above its first figure, and in pixels where the figure begins
# and ends, where the first thing that one can choose in or beside it ends, and where the goals
# begin.
FIRST_SIGHT = """() => {
  const main = document.querySelector("[data-testid=stMain]");
  const box = (one) => one.getBoundingClientRect();
  const drawings = [...main.querySelectorAll("*")].filter((one) =>
    one.shadowRoot?.querySelector(".drawing > :not([data-chart])") ||
    one.matches("[data-testid=stPlotlyChart]"));
  const figure = drawings.find((one) => box(one).height > 40);
  const inside = figure.shadowRoot ? [...figure.shadowRoot.querySelectorAll("[data-value]")] : [];
  const kinds = ["TextInput", "ButtonGroup", "Slider", "Selectbox", "Button"];
  const controls = main.querySelectorAll(kinds.map((kind) => `[data-testid=st${kind}]`).join());
  const lead = [...main.querySelectorAll("[data-testid=stMarkdown] p")][1];
  return {
    lines: Math.round(box(lead).height / parseFloat(getComputedStyle(lead).lineHeight)),
    figure: box(figure).top,
    foot: box(figure).bottom,
    control: Math.min(...[...inside, ...controls].map((one) => box(one).bottom)),
    goals: box(main.querySelector(".st-key-opening_goals")).top,
    covered: [...document.querySelectorAll("[data-testid=stHeader] :is(button, img)")]
      .filter((one) => box(one).width)
      .filter((one) => !one.contains(document.elementFromPoint(
        box(one).x + box(one).width / 2, box(one).y + box(one).height / 2)))
      .map((one) => one.dataset.testid),
  };
}"""
# The words, fields and drawings of the part that is shown, without what stands above it.
IN_PART = """slug => {
  const from = document.querySelector(`.st-key-${slug}_part`);
  const after = (one) => from.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING;
  return [...document.querySelectorAll("[data-testid=stMain] *")].filter(after)
    .map((one) => one.shadowRoot?.querySelector(".drawing")?.textContent ?? one.value
      ?? (one.childElementCount ? "" : one.textContent)).join(" ");
}"""
TYPED = re.compile("ebra|pond|drink")  # what a drawing of pieces has of it
AFTER_TRAINING = {("encoders_today", "take_home")}  # no line before a run has vectors
LOOKED_AT_AGAIN = "bio_tagging"  # what keeps a text and its marks is the same in all lessons
# What the first screen of a laptop has beside the first figure: what answers, and what asks for it.
ALSO_IN_VIEW = {
    "isotropy": ".st-key-isotropy_pair .curtain, .st-key-isotropy_reveal button",
    "encoders_today": ".st-key-encoders_today_start button",
}
ALIKE = "in_short"  # the part that has the same shape in all lessons: seen in every third
THEMES = ("light", "dark")
SLACK = 1.1  # beside what is opened a browser is sent what the way there changes
MOST_MEMORY_MB = 660  # with both bundled models; a Community Cloud container has 690 at least


def part_buttons(tab, slug: str):
    return tab.locator(f".st-key-{slug}_part button")


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.slug)
def test_a_lesson_from_its_opening_through_all_parts_loads_no_heavy_library(
    lesson, tab, server: Server, pytestconfig
):
    sent: list[int] = []  # bytes of each message
    tab.on(
        "websocket", lambda socket: socket.on("framereceived", lambda one: sent.append(len(one)))
    )
    at = LESSONS.index(lesson)
    themes = THEMES[:: 1 if at % 2 else -1][: 1 if at % 6 else 2]
    tab.emulate_media(color_scheme=themes[0])
    tab.set_viewport_size(PHONE)
    tab.goto(f"/{lesson.slug}")
    wait_until_finished(tab)
    assert tab.inner_text("h1") == numbered_title(lesson)
    assert 0 < sum(sent) <= SLACK * OPENING_LIMIT
    _see_the_figure_first(lesson.slug, tab)
    _see_it_projected(tab, SCREENS[at % 2])  # the layout is the same on both, enlarged
    _see_ones_own_tokens(lesson.slug, tab)
    turn = (number_of_run(pytestconfig) + at) % 3
    _walk_through(lesson.slug, tab, server, sent, themes, turn)
    if lesson.slug == LOOKED_AT_AGAIN:
        _find_it_again(lesson.slug, tab)
    heavy = {"transformers", "umap", "sklearn", "numba", "pandas"} & server.modules()
    assert not heavy, f"using the lessons has imported {', '.join(sorted(heavy))}"
    if Path("/proc/self/status").exists():
        assert server.memory()["VmRSS"] <= MOST_MEMORY_MB


def _see_the_figure_first(slug: str, tab) -> None:
    """See the whole figure and a control above the fold of a laptop, its head on a phone."""
    for size in (PHONE, LAPTOP):
        if size != tab.viewport_size:
            tab.set_viewport_size(size)
            wait_until_finished(tab)
        seen = tab.evaluate(FIRST_SIGHT)
        assert not seen["covered"], seen  # no title lies over what opens the menu
        assert seen["figure"] + 60 < size["height"], seen
        assert seen["figure"] < seen["goals"], seen
        if size == LAPTOP:
            assert seen["lines"] <= 2, seen
            assert seen["control"] <= size["height"], seen
            assert seen["foot"] <= size["height"], seen
            for one in tab.locator(ALSO_IN_VIEW.get(slug, "none")).all():
                box = one.bounding_box()
                assert box["y"] + box["height"] <= size["height"], (one, box)


def _see_it_projected(tab, screen) -> None:
    """Project the opening, whose figure is wholly on the screen also when all stands there."""
    tab.set_viewport_size(screen)
    tab.keyboard.press("p")
    tab.wait_for_function(IS_WHOLE, arg=PROJECTED)
    wait_until_finished(tab)
    assert tab.evaluate(IS_WHOLE, PROJECTED)
    tab.keyboard.press("p")
    tab.locator("#leave-presenting").wait_for(state="detached")
    tab.set_viewport_size(LAPTOP)
    wait_until_finished(tab)


def _see_ones_own_tokens(slug: str, tab) -> None:
    """Type into the first field: the drawing answers, and has the learner's own word in it."""
    before = tab.evaluate(f"() => ({FIGURES})().join()")
    typed = ASKED_FOR.get(slug, "Zebras river ponds")
    if slug in FOLDED:
        label, key = FOLDED[slug]
        tab.get_by_test_id("stMain").get_by_text(read_words(slug).label(label)).first.click()
        tab.locator(f".st-key-{slug}_{key} input").fill(typed)
    else:
        tab.get_by_test_id("stMain").locator("[data-testid=stTextInput] input").first.fill(typed)
    tab.wait_for_function("() => window.location.search.includes('ebras')")
    wait_until_finished(tab)
    if slug == "word_senses":  # the star is there before: it moves, and its cosines are new
        tab.get_by_text("cosine 0.940").first.wait_for(state="detached")
    else:
        tab.wait_for_function(f"before => ({FIGURES})().join() !== before", arg=before)
    if slug not in ASKED_FOR:
        tab.wait_for_function(f"() => ({FIGURES})().join().includes('river')")
    assert not troubles_of(tab, APOLOGY)


def _walk_through(
    slug: str, tab, server: Server, sent: list[int], themes: Sequence[str], turn: int
) -> None:
    """Go from part to part by the button below each, and read them with axe-core."""
    parts = BY_SLUG[slug].parts
    titles = part_buttons(tab, slug).all_inner_texts()
    for number, (part, title) in enumerate(zip(parts, titles, strict=True)):
        is_left_out = len(themes) == 1 and ALIKE in parts[number - 1 : number + 1]
        if is_left_out and part == ALIKE:
            continue
        n_before = len(sent)
        if is_left_out:
            _open(tab, slug, title)
        elif number:
            tab.locator(f".st-key-{slug}_part_next button").click()
        _wait_for(title, tab, slug)
        assert not troubles_of(tab, APOLOGY), f"{title}\n{server.log()[-3_000:]}"
        assert sum(sent[n_before:]) <= SLACK * PART_LIMIT, title
        # What stands above the parts is the same for all of them. With the first part it is
        # read in both themes in every sixth lesson, in one of them in the others, every second
        # one in the dark: their colours are tests/figures' concern too, and a change of themes
        # draws all of the page again. What stands beside every lesson is read with those of both
        # themes. Of the other parts, which one kit draws, every third one is read, and contrasts
        # and small targets are looked for in every sixth: they take as long as all other rules,
        # as axe-core asks of the whole page what lies over what. Each is looked at on a phone,
        # where all shows that is too wide or too small, and in every third run where columns are
        # narrowest.
        if number == 0:
            from_key = None if len(themes) == 2 else MAIN
            found = findings(tab, from_key=from_key, themes=themes, and_back=False)
            go_on_a_phone(tab)
        else:
            read_in = () if number % 3 else themes[-1:]
            widths = (NARROWEST_COLUMNS, tab.viewport_size["width"]) if number % 3 == turn else ()
            where = {"from_key": f"{slug}_part", "themes": read_in, "widths": widths}
            found = findings(tab, **where, overlaps=number % 6 == 0)
        assert not found, "\n".join([title, *found])
        if part in _parts_of_ones_own(slug):
            _is_there_in(title, tab, slug)
    assert tab.locator(f".st-key-{slug}_part_next").count() == 0


def _parts_of_ones_own(slug: str) -> list[str]:
    """Return the parts whose text is the one that was typed into the opening."""
    if slug == "bio_tagging":  # its sentence is kept with the marks, in no line
        return ["pieces", "distribution", "scores"]
    rows = controls_of(slug).values()
    typed = next(row.name for row in rows if row.is_text and row.at == (OPENING,))
    typed = {"word_senses": "star_bank"}.get(slug, FOLDED.get(slug, ("", typed))[1])
    return [
        part
        for row in rows
        if row.follows == typed
        for part in row.at
        if not (row.when or row.elsewhere.get(part, {}).get("when"))
        and (slug, part) not in AFTER_TRAINING
    ]


def _find_it_again(slug: str, tab) -> None:
    """Find one's own sentence in a part after a reload and in another language.

    By Back, too: test_history.py.
    """
    part = _parts_of_ones_own(slug)[-1]
    _open(tab, slug, read_words(slug).label(f"part_{part}"))
    tab.set_viewport_size(LAPTOP)  # where the menu has the language in view
    tab.reload()
    _wait_for(read_words(slug).label(f"part_{part}"), tab, slug)
    _is_there_in(read_words(slug).label(f"part_{part}"), tab, slug)
    if (menu := tab.get_by_test_id("stExpandSidebarButton")).count():
        menu.click()
    language = tab.locator(".st-key-lang input")
    language.click()
    language.fill("Deutsch")
    tab.get_by_role("option", name="Deutsch").click()
    _wait_for(read_words(slug, "de").label(f"part_{part}"), tab, slug)
    _is_there_in(read_words(slug, "de").label(f"part_{part}"), tab, slug)
    tab.get_by_test_id("stSidebar").locator("a[href*=masking]").click()  # which goes on in German
    tab.get_by_role("heading", name=read_words("masking", "de").plain("title")).wait_for()
    tab.wait_for_url("**/masking?*lang=de*")


def _open(tab, slug: str, title: str) -> None:
    # By an event: on a phone the row of parts is drawn along to the one that is shown.
    part_buttons(tab, slug).get_by_text(title, exact=True).dispatch_event("click")
    tab.get_by_role("heading", name=title).wait_for()  # the button is checked before it is drawn
    _wait_for(title, tab, slug)


def _wait_for(title: str, tab, slug: str) -> None:
    tab.locator(f".st-key-{slug}_part button[aria-checked=true]", has_text=title).wait_for()
    wait_until_finished(tab)


def _is_there_in(title: str, tab, slug: str) -> None:
    assert TYPED.search(tab.evaluate(IN_PART, slug)), title
