"""After NSP: documents poured into windows, drawn to scale; batches, steps and passes."""

import streamlit as st

from mlm_core.figures.prediction.packing import MOST_WINDOWS, packing_svg
from mlm_core.number_format import formatted
from mlm_core.prediction.packing import LAYOUTS, Packing, pack
from pages.parts.sentence_pairs.passes import show_passes
from pages.parts.sentence_pairs.setting import documents_text
from pages.shared.caches import cache_vocabularies
from pages.shared.figures.show import keep, show_drawing, show_metrics
from pages.shared.figures.table import Table
from pages.shared.frame.guess import ask_for_guess
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs

SIZES = ("32", "64", "128", "256", "512")
GUESSES = {"low": (0.0, 0.25), "middle": (0.25, 0.6), "high": (0.6, 1.01)}  # share of padding


@part
def show(page: Page) -> None:
    """Let the learner guess, then pour their documents or ours into windows."""
    words = page.words
    st.markdown(words.section("packing.lead"))
    own_text = documents_text(page)
    size = int(
        inputs.choice(
            words.label("window"),
            {size: size for size in SIZES},
            key="sentence_pairs_pack_size",
            default="128",
        )
    )
    lengths = cache_vocabularies.sentence_lengths(page.model_name, own_text)
    packings = {layout: pack(lengths, size, layout) for layout in LAYOUTS}
    if not _guess(page, packings["pairs"].padding_proportion):
        return
    layouts = {name: words.label(f"layout_{name}") for name in LAYOUTS}
    layout = inputs.choice(words.label("layout"), layouts, key="sentence_pairs_layout")
    packing = packings[layout]
    st.markdown(words.section(f"packing.{layout}"))
    _draw(page, packing, lengths)
    if packing.n_truncated:
        st.markdown(words.section("packing.truncated", n=packing.n_truncated))
    if packing.n_split:
        st.markdown(words.section("packing.split", n=packing.n_split))
    _compare_layouts(page, packings, layouts)
    st.divider()
    show_passes(page, size)
    show_source(pack, key="sentence_pairs_packing_code")


def _guess(page: Page, share: float) -> bool:
    """Ask how much of the windows is padding; return whether there is a guess."""
    words = page.words
    guess = ask_for_guess(page, "packing", tuple(GUESSES), key="sentence_pairs_packing_guess")
    if guess is None:
        return False
    least, most = GUESSES[guess]
    verdict = "right" if least <= share < most else "wrong"
    st.markdown(
        words.section(
            f"packing.answer_{verdict}",
            guess=words.plain(f"packing_guess_{guess}"),
            share=formatted(100 * share, ".0f"),
        )
    )
    return True


def _draw(page: Page, packing: Packing, lengths: tuple[tuple[int, ...], ...]) -> None:
    words = page.words
    share = formatted(100 * packing.padding_proportion, ".1f")
    n_windows = len(packing.windows)
    show_metrics(
        {
            words.label("packing_share"): f"{share} %",
            words.label("packing_windows"): formatted(n_windows, ","),
            words.label("packing_crossing"): formatted(packing.n_crossing, ","),
        }
    )
    names = {name: words.plain(f"packing_{name}") for name in ("document", "padding", "window")}
    show_drawing(
        packing_svg(
            packing,
            names=names,
            alt=words.plain("packing_alt", n=n_windows, size=packing.window_size, share=share),
        ),
        key="sentence_pairs_packing",
        table=lambda: _window_table(packing),
        source=words.label(
            "packing_source",
            model=page.model_name,
            n=len(lengths),
            text=formatted(sum(map(sum, lengths)), ","),
            drawn=min(n_windows, MOST_WINDOWS),
            windows=formatted(n_windows, ","),
        ),
    )


# Packing in numbers: every window of one layout, and all layouts side by side.


def _window_table(packing: Packing) -> Table:
    """Return every window: the documents in it, its tokens of text and of padding."""
    return Table(
        {
            "window": range(1, len(packing.windows) + 1),
            "documents": [
                " ".join(str(document + 1) for document in window.documents)
                for window in packing.windows
            ],
            "text": [
                sum(piece.n_tokens for piece in window.pieces if piece.document is not None)
                for window in packing.windows
            ],
            "padding": [window.n_padding for window in packing.windows],
        }
    )


def _compare_layouts(page: Page, packings: dict[str, Packing], layouts: dict[str, str]) -> None:
    """Show padding, windows and crossings of all layouts as one table."""
    words = page.words
    table = Table(
        {
            words.plain("layout"): [layouts[name] for name in packings],
            words.plain("packing_share"): [
                f"{formatted(100 * packing.padding_proportion, '.1f')} %"
                for packing in packings.values()
            ],
            words.plain("packing_windows"): [len(p.windows) for p in packings.values()],
            words.plain("packing_crossing"): [p.n_crossing for p in packings.values()],
        }
    )
    st.markdown(f"**{words.label('packing_compared')}**")
    table.show()
    size = next(iter(packings.values())).window_size
    keep(
        "sentence_pairs_layouts",
        table=table,
        source=f"{page.model_name}, N = {size}",
    )
