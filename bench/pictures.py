"""The pictures of the README, taken from the real pages, and those of the logo: `make pictures`.

Each is one view, opened by its link as a learner would open it. The icon of the browser's tab and
the picture that goes with a link (`social.png`) are made of the logo. `make film` takes the film of
the README (`film.webp`): a hidden word's way on home, and the map of senses through the layers.
"""

import io
import sys
import tempfile
import time
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path

from pages.server.course.language import FIRST
from pages.server.course.words import read_words
from tests.browser.live import ROOT, Server, launch_chromium, wait_until_finished

FOLDER = ROOT / "docs" / "pictures"
LOGO = ROOT / "pages" / "server" / "frame" / "logo.svg"
ICON, SOCIAL = 64, {"width": 1200, "height": 630}  # pixels
SAID = read_words("frame", FIRST).plain("app_about")
CARD = """<style>
  body {{ margin: 0; padding: 36px 90px; background: #12161d; color: #e8ecf2; }}
  .logo {{ width: 380px; height: auto; }}
  p {{ margin: 4px 0 22px; font: 30px "Source Sans 3", "Open Sans", sans-serif; }}
  img {{ width: 1020px; }}
</style>{logo}<p>{said}</p><img src="data:image/png;base64,{figure}">"""
WIDTH = 1366  # pixels
FILM, SHRUNK = {"width": WIDTH, "height": 820}, (1000, 600)
FILM_SECONDS, MOST_FILM = 20, 3_000_000  # bytes
SECONDS = 60  # for one page
# By picture: a link, the colours, and the pixels to where no figure is cut; two side by side alike.
VIEWS = {
    "attention_mask": ("attention_mask", "light", 820),
    "train_an_encoder": ("train_an_encoder", "dark", 820),
    "word_senses": ("word_senses", "light", 820),
    "bio_tagging": ("bio_tagging", "dark", 820),
}


def main() -> None:
    """Take all pictures anew, or the film."""
    from playwright.sync_api import sync_playwright

    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        server, chromium = Server(Path(name)), launch_chromium(playwright)
        try:
            if "film" in sys.argv:
                _take_film(chromium.new_page(viewport=FILM, color_scheme="dark"), server.url)
                return
            for picture, (link, scheme, height) in VIEWS.items():
                context = chromium.new_context(
                    viewport={"width": WIDTH, "height": height}, color_scheme=scheme
                )
                context.set_default_timeout(1000 * SECONDS)
                tab = context.new_page()
                tab.goto(f"{server.url}/{link}")
                wait_until_finished(tab, quiet_ms=1500)
                tab.screenshot(path=FOLDER / f"{picture}.png")
                context.close()
                print(picture, flush=True)
            looks = {"color_scheme": "dark", "reduced_motion": "reduce"}  # a film shows its end
            context = chromium.new_context(viewport=SOCIAL, device_scale_factor=2, **looks)
            context.set_default_timeout(1000 * SECONDS)
            _make_of_the_logo(context.new_page(), chromium.new_page(viewport=SOCIAL), server.url)
        finally:
            chromium.close()
            server.stop()


def _take_film(tab, url: str) -> None:
    """Film a hidden word's way and the map of senses, half the time each."""
    from PIL import Image

    frames = []
    play = f"button:has-text('{read_words('frame', FIRST).plain('film_play')}')"
    way, to_its_end = tab.locator(".way .wide svg"), "(one) => one.scrollIntoView({block: 'end'})"

    def show_way() -> None:
        tab.locator(".st-key-home_reveal button").click()
        way.evaluate(to_its_end)

    for link, begin in (("/", show_way), ("/word_senses", tab.locator(play).first.click)):
        tab.goto(f"{url}{link}")
        wait_until_finished(tab, quiet_ms=500)
        frames += _filmed(tab, begin)
    pictures = [Image.open(io.BytesIO(taken)).resize(SHRUNK) for _, taken in frames]
    file = FOLDER / "film.webp"
    first, *others = pictures
    how = {"save_all": True, "append_images": others, "loop": 0, "quality": 60, "method": 4}
    first.save(file, duration=[round(1000 * seconds) for seconds, _ in frames], **how)
    print(f"{len(frames)} frames, {sum(one for one, _ in frames):.1f} s, {file.stat().st_size:,}")
    assert file.stat().st_size <= MOST_FILM, "make FILM smaller"


def _filmed(tab, begin: Callable[[], None]) -> list[tuple[float, bytes]]:
    """Take pictures as quickly as the browser can; return each with the seconds to the next."""
    taken = [(time.monotonic(), tab.screenshot())]
    begin()
    until = time.monotonic() + FILM_SECONDS / 2 - 1
    while time.monotonic() < until:
        taken.append((time.monotonic(), tab.screenshot()))
    times = [at for at, _ in taken] + [time.monotonic()]
    return [(times[n + 1] - times[n], picture) for n, (_, picture) in enumerate(taken)]


def _make_of_the_logo(home, tab, url: str) -> None:
    """Make the icon of the browser's tab, and the picture that goes with a link."""
    home.goto(url)
    wait_until_finished(home)
    home.locator(".st-key-home_reveal button").click()
    figure = home.locator(".way .wide svg").screenshot()
    logo = LOGO.read_text(encoding="utf-8")
    tab.set_content(f'<body style="margin: 0; zoom: {ICON / 32}">{logo}')
    mark = {"x": 0, "y": 0, "width": ICON, "height": ICON}
    tab.screenshot(path=LOGO.with_name("icon.png"), clip=mark, omit_background=True)
    about = {"said": SAID.capitalize(), "figure": b64encode(figure).decode()}
    tab.set_content(CARD.format(logo=logo.replace("<svg", '<svg class="logo"'), **about))
    tab.screenshot(path=FOLDER / "social.png")


if __name__ == "__main__":
    main()
