"""The pictures of the README, taken from the real pages: `make pictures`.

Each is one view, opened by its link as a learner would open it.
"""

import tempfile
from pathlib import Path

from tests.browser.live import ROOT, Server, launch_chromium, wait_until_finished

FOLDER = ROOT / "docs" / "pictures"
WIDTH = 1180  # pixels
SECONDS = 60  # for one page
# By picture: a link, the colours, and the pixels to where no figure is cut; two side by side alike.
VIEWS = {
    "attention_mask": ("attention_mask", "light", 660),
    "train_an_encoder": ("train_an_encoder", "dark", 660),
    "word_senses": ("word_senses", "light", 760),
    "bio_tagging": ("bio_tagging", "dark", 760),
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
                    viewport={"width": WIDTH, "height": height}, color_scheme=scheme
                )
                context.set_default_timeout(1000 * SECONDS)
                tab = context.new_page()
                tab.goto(f"{server.url}/{link}")
                wait_until_finished(tab, quiet_ms=1500)
                tab.screenshot(path=FOLDER / f"{picture}.png")
                context.close()
                print(picture, flush=True)
        finally:
            chromium.close()
            server.stop()


if __name__ == "__main__":
    main()
