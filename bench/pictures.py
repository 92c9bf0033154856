"""The pictures of the README, taken from the real pages, and those of the logo: `make pictures`.

Each is one view, opened by its link as a learner would open it. The icon of the browser's tab and
the picture that goes with a link (`social.png`) are made of the logo.
"""

import tempfile
from base64 import b64encode
from pathlib import Path

from pages.server.course.language import FIRST
from pages.server.course.words import read_words
from tests.browser.live import ROOT, Server, launch_chromium, wait_until_finished

FOLDER = ROOT / "docs" / "pictures"
LOGO = ROOT / "pages" / "server" / "frame" / "logo.svg"
ICON, SOCIAL = 64, {"width": 1200, "height": 630}  # pixels
SAID = read_words("frame", FIRST).plain("app_about")
CARD = """<body style="margin: 0; height: 630px; overflow: hidden; background: #12161d;
  color: #e8ecf2;
  font: 34px 'Source Sans 3', 'Open Sans', sans-serif"><div style="padding: 52px 64px 0">{logo}
  <p style="margin: 14px 0 40px">{said}</p></div><img src="data:image/png;base64,{figure}"
  style="display: block; width: 1072px; margin: 0 64px; border-radius: 12px">"""
WIDTH = 1180  # pixels
SECONDS = 60  # for one page
# By picture: a link, the colours, and the pixels to where no figure is cut; two side by side alike.
VIEWS = {
    "attention_mask": ("attention_mask", "light", 660),
    "train_an_encoder": ("train_an_encoder", "dark", 660),
    "word_senses": ("word_senses", "light", 760),
    "bio_tagging": ("bio_tagging", "dark", 760),
    "home": ("", "light", 1080),
}


def main() -> None:
    """Take all pictures anew."""
    from playwright.sync_api import sync_playwright

    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        server, chromium = Server(Path(name)), launch_chromium(playwright)
        try:
            for picture, (link, scheme, height) in VIEWS.items():
                context = chromium.new_context(
                    viewport={"width": WIDTH, "height": height},
                    color_scheme=scheme,
                    reduced_motion="reduce",  # which shows a film's end
                )
                context.set_default_timeout(1000 * SECONDS)
                tab = context.new_page()
                tab.goto(f"{server.url}/{link}")
                wait_until_finished(tab, quiet_ms=1500)
                if picture == "home":
                    tab.locator(".st-key-home_reveal button").click()
                    tab.locator(".st-key-home_way").wait_for()
                    wait_until_finished(tab, quiet_ms=1500)
                    figure = tab.locator(".st-key-home_whole").screenshot()
                tab.screenshot(path=FOLDER / f"{picture}.png")
                context.close()
                print(picture, flush=True)
            _make_of_the_logo(chromium.new_page(viewport=SOCIAL), figure)
        finally:
            chromium.close()
            server.stop()


def _make_of_the_logo(tab, figure: bytes) -> None:
    """Make the icon of the browser's tab, and the picture that goes with a link."""
    logo = LOGO.read_text(encoding="utf-8")
    tab.set_content(f'<body style="margin: 0; zoom: {ICON / 32}">{logo}')
    mark = {"x": 0, "y": 0, "width": ICON, "height": ICON}
    tab.screenshot(path=LOGO.with_name("icon.png"), clip=mark, omit_background=True)
    large = logo.replace("<svg", '<svg style="width: 460px; height: auto"')
    of_page = {"logo": large, "said": SAID.capitalize(), "figure": b64encode(figure).decode()}
    tab.set_content(CARD.format(**of_page))
    tab.screenshot(path=FOLDER / "social.png")


if __name__ == "__main__":
    main()
