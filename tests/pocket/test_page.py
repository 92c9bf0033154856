"""The file in a browser without a network: its views, by keyboard too, and what may harm it."""

import json
import re
from importlib import import_module
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from mlm_core.encoder.model_list import READERS
from pages.lessons.prediction_and_loss import marks
from pocket import build
from tests.browser.access import AXE_SCRIPT, WCAG
from tests.conftest import PHONE
from tests.hostile import TEXTS
from tests.pocket.conftest import APP

HOSTILE = TEXTS["image that fails"]
LARGEST_FILE = 19_000_000  # bytes
LAPTOP = {"width": 1366, "height": 650}
ABOVE_FOLD = """() => {
  const isSeen = (one) => one.checkVisibility({ visibilityProperty: true })
    && one.getBoundingClientRect().top < innerHeight && one.getBoundingClientRect().width > 2;
  const words = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    if (isSeen(walker.currentNode.parentElement)) words.push(walker.currentNode.textContent);
  }
  const found = [...document.querySelectorAll("a, button, input, select, summary")].filter(isSeen);
  const clipped = found.filter((one) => getComputedStyle(one).clipPath === "none");
  return [words.join(" ").match(/\\p{L}+/gu).length, clipped.length];
}"""


def wait_for(tab, condition: str) -> None:
    tab.wait_for_function(f"() => {condition}")


def show(tab, view: str) -> None:
    """Open a view and wait until all of it is computed."""
    tab.evaluate("view => { location.hash = view }", view)
    tab.wait_for_selector(f".view.{view}")
    wait_for(
        tab, "document.querySelector('.drawing').firstChild && !document.querySelector('.working')"
    )
    wait_for(tab, "![...document.querySelectorAll('small')].some((one) => one.textContent === '…')")
    if view == "write":
        wait_for(tab, "document.querySelectorAll('.unmasking .step').length === 4")


def answer(tab, word: str = "tea") -> None:
    tab.fill("#guess", word)
    tab.keyboard.press("Enter")
    tab.wait_for_selector(".bars")


def few_blanks(tab) -> None:
    """Write three words only, so that the view is soon computed."""
    tab.evaluate("location.hash = 'write'")
    tab.locator(".slider input").first.fill("3")


@pytest.mark.parametrize("language", READERS)
def test_the_file_is_small_and_asks_for_nothing(opened, built, language: str):
    file = built(language, build.EIGHT_BITS)
    assert file.stat().st_size < LARGEST_FILE
    assert not re.search(r"""(src|href)=["']?https?:""", file.read_text("utf-8")[-20_000_000:-1])
    tab = opened(language, bypass_csp=False)
    requests = []
    tab.context.on("request", lambda request: requests.append(request.url))
    answer(tab)
    assert tab.evaluate("fetch('https://example.org').then(() => 'sent', () => 'refused')") == (
        "refused"
    )
    assert not [url for url in requests if not url.startswith(("file:", "blob:", "https://ex"))]
    assert tab.evaluate("[localStorage.length, sessionStorage.length, document.cookie]") == [
        0,
        0,
        "",
    ]


@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_the_first_sight_has_few_words_and_one_control_and_answers_at_once(opened, size: dict):
    tab = opened(viewport=size, reduced_motion="no-preference")
    tab.wait_for_selector("#guess")
    n_words, n_controls = tab.evaluate(ABOVE_FOLD)
    assert (n_words <= 40, n_controls) == (True, 1)
    # In the frame after the key something new is there, and it moves.
    moved = tab.evaluate(
        """async () => {
          document.querySelector("form.guess").requestSubmit();
          await new Promise(requestAnimationFrame);
          return getComputedStyle(document.querySelector(".working")).animationName;
        }"""
    )
    assert moved == "beat"
    tab.wait_for_selector(".bars")


def test_a_guess_is_made_before_the_answer_and_by_keyboard_alone(opened):
    tab = opened()
    tab.wait_for_selector("#guess")
    assert tab.locator(".bars").count() == 0
    tab.keyboard.press("Tab")
    tab.keyboard.type("coffee")
    tab.keyboard.press("Enter")
    tab.wait_for_selector(".bars")
    assert "guess number 2" in tab.inner_text("main")
    seen = set()
    for _ in range(40):  # through all that can be reached, once round
        tab.keyboard.press("Tab")
        seen.add(tab.evaluate("document.activeElement.textContent.trim()"))
    assert {"Attention mask", "80/10/10", "Write", "She", "Guess first again"} <= seen
    tab.focus("text=80/10/10")
    tab.keyboard.press("Enter")
    tab.wait_for_selector(".view.masking")
    for move in ("Choose", "Draw an action", "Replace"):
        tab.focus(".row button.primary")
        assert tab.inner_text(".row button.primary") == move
        tab.keyboard.press("Enter")
    assert tab.evaluate("document.activeElement.tagName") == "BUTTON"
    show(tab, "mask")
    tab.focus(".heads [tabindex='0']")
    tab.keyboard.press("ArrowDown")
    tab.keyboard.press("Enter")
    tab.wait_for_selector(".mask h2 >> text=layer 3, head 4")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_at_200_percent_and_nothing_is_wider_than_the_screen(opened, scheme: str):
    tab = opened("de" if scheme == "dark" else "en", color_scheme=scheme)
    tab.set_viewport_size({"width": 640, "height": 400})  # a laptop's 1280 at 200 %
    tab.evaluate(AXE_SCRIPT)

    def check() -> None:
        found = tab.evaluate(
            """async (rules) => (await axe.run({ runOnly: rules, resultTypes: ["violations"] }))
              .violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))""",
            WCAG,
        )
        assert not found
        for width in (640, 360):
            tab.set_viewport_size({"width": width, "height": 700})
            assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")

    tab.wait_for_selector("#guess")
    check()
    answer(tab)
    few_blanks(tab)
    for view in (*build.VIEWS[1:], "guess"):
        show(tab, view)
        check()


def test_hostile_texts_stay_text(opened):
    tab = opened()
    answer(tab, HOSTILE)
    few_blanks(tab)
    for view in build.VIEWS:
        tab.evaluate("text => { Object.assign(unmask.page, { text, hidden: 3 }) }", HOSTILE)
        show(tab, view)
        assert tab.locator("[src=x], [onerror]").count() == 0
    for text in (
        "x y " * 1250,
        TEXTS["emoji"],
        TEXTS["right to left"],
        "",
        "[MASK] [MASK]",
    ):
        tab.evaluate("text => { Object.assign(unmask.page, { text, hidden: null }) }", text)
        for view in ("masking", "guess", "loss"):
            tab.evaluate("view => { location.hash = view; unmask.draw() }", view)
            tab.wait_for_selector(f".view.{view}")
    assert tab.evaluate("window.hostile") is None
    tab.fill(".sentence-field input", "<b>bank</b> of the river")
    tab.wait_for_selector(".chip >> text=bank")
    assert tab.locator("main b >> text=bank").count() == 0


def test_there_are_at_most_as_many_steps_as_blanks(opened):
    tab = opened()
    few_blanks(tab)
    for n in ("3", "8", "2"):
        tab.locator(".slider input").first.fill(n)
        assert tab.locator(".slider output").all_inner_texts() == [n, n]
        link = parse_qs(urlsplit(tab.get_attribute(".to-lesson a", "href")).query)
        assert link["prediction_and_loss_write_length"] == [n]
        assert link["prediction_and_loss_write_steps"] == [n]
    wait_for(tab, "document.querySelectorAll('.unmasking .step').length === 3")


def test_a_computation_that_fails_says_so_and_the_next_one_goes_on(opened, built, tmp_path: Path):
    tab = opened(fails=True)
    answer(tab)
    tab.evaluate(
        """() => {
          const { postMessage } = Worker.prototype;
          Worker.prototype.postMessage = function (message, ports) {
            Worker.prototype.postMessage = postMessage;
            this.postMessage({ ...message, question: "unknown" }, ports);
          };
          location.hash = "layers";
        }"""
    )
    tab.wait_for_selector(".figure:not(.computing) >> text=The computation stopped")
    wait_for(tab, "document.querySelector('#said').textContent.includes('Reload')")
    show(tab, "words")
    text = built("en", build.EIGHT_BITS).read_text(encoding="utf-8")
    file = tmp_path / "no_worker.html"
    file.write_text(text.replace('id="worker">', 'id="worker">)'), encoding="utf-8")
    opened(file=file, fails=True).wait_for_selector("[role=alert] >> text=computation stopped")


def test_motion_is_left_out_where_less_is_wanted(opened):
    tab = opened()
    answer(tab)
    show(tab, "layers")
    moving = "document.getAnimations().filter((one) => one.playState === 'running').length"
    assert tab.evaluate(moving) == 0
    assert tab.locator(".film .player button:visible").count() == 3  # none that plays
    seen = tab.evaluate(
        "[...document.querySelectorAll('.lit')].map((one) => getComputedStyle(one).opacity)"
    )
    assert set(seen) == {"1"}  # the whole figure is there at once


@pytest.mark.parametrize("damage", ["cut", "changed", "gone"])
def test_a_damaged_file_says_so(opened, built, tmp_path: Path, damage: str):
    text = built("en", build.EIGHT_BITS).read_text(encoding="utf-8")
    at = text.index('id="weights">') + 5_000_000
    changed = "B" if text[at] == "A" else "A"
    damaged = {
        "cut": text[:at],
        "changed": text[:at] + changed + text[at + 1 :],
        "gone": text[: text.index('<script type="text/plain" id="weights">')],
    }[damage]
    file = tmp_path / "damaged.html"
    file.write_text(damaged, encoding="utf-8")
    opened(file=file).wait_for_selector("[role=alert] >> text=damaged")


@pytest.mark.parametrize("language", READERS)
def test_it_says_how_right_it_is_and_leads_to_the_course(opened, language: str):
    tab = opened(language)
    answer(tab)
    tab.click("summary")
    said = tab.inner_text("footer")
    (measured,) = [json.loads((build.FOLDER / "measured.json").read_text())[READERS[language]]]
    assert str(measured["n"]) in said and READERS[language] in said and APP in said
    for view in build.VIEWS:
        tab.evaluate("view => { location.hash = view }", view)
        tab.wait_for_selector(f".view.{view} .to-lesson")
        link = urlsplit(tab.get_attribute(".to-lesson a", "href"))
        slug, values = link.path.strip("/"), parse_qs(link.query, keep_blank_values=True)
        lesson = import_module(f"pages.lessons.{slug}.lesson")
        assert values.pop("lang", ["en"]) == [language]
        named = {key.removeprefix(f"{slug}_"): value for key, (value,) in values.items()}
        assert named.pop("part", "in_short") in lesson.LESSON.parts
        assert named.keys() <= {row.name for row in lesson.CONTROLS}
        # The sentence goes along, of the writing its beginning.
        text = tab.input_value(".sentence-field input")
        assert any(len(value) > 10 and value[:10] == text[:10] for value in named.values())
        if view == "loss":
            assert list(marks.read(named["marks"]).values()) == ["m"]
