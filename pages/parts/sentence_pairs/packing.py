"""After NSP: documents poured into windows, drawn to scale; batches, steps and passes."""

import streamlit as st

from mlm_core.figures.prediction.packing import MOST_WINDOWS, packing_svg
from mlm_core.number_format import formatted
from mlm_core.prediction.packing import LAYOUTS, Packing, pack
from pages.parts.sentence_pairs.packing_tables import compare_layouts, window_table
from pages.parts.sentence_pairs.passes import show_passes
from pages.parts.sentence_pairs.setting import documents_text, metrics
from pages.shared import cache, inputs
from pages.shared.frame import Page
from pages.shared.parts import part
from pages.shared.show import show_drawing
from pages.shared.source import show_source

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
    lengths = cache.sentence_lengths(page.model_name, own_text)
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
    compare_layouts(page, packings, layouts)
    st.divider()
    show_passes(page, size)
    show_source(pack, key="sentence_pairs_packing_code")


def _guess(page: Page, share: float) -> bool:
    """Ask how much of the windows is padding; return whether there is a guess."""
    words = page.words
    guess = st.segmented_control(
        words.label("packing_guess"),
        list(GUESSES),
        format_func=lambda name: words.label(f"packing_guess_{name}"),
        key="sentence_pairs_packing_guess",
        persist_state="session",
    )
    if guess is None:
        st.caption(words.section("packing.guess_first"))
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
    metrics(
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
        table=lambda: window_table(packing),
        source=words.label(
            "packing_source",
            model=page.model_name,
            n=len(lengths),
            text=formatted(sum(map(sum, lengths)), ","),
            drawn=min(n_windows, MOST_WINDOWS),
            windows=formatted(n_windows, ","),
        ),
    )
