"""What several parts of this lesson share: the corpus, the layer, the words and how they are read.

The opening has widgets of its own; the parts below it share theirs, so that a layer or seed
stays as it is from part to part.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.chips import chip_row
from mlm_core.number_format import formatted
from pages.shared.caches import cache, cache_senses, cache_vectors
from pages.shared.caches.cache_vectors import CorpusKey, Progress
from pages.shared.course.core_messages import translated
from pages.shared.figures.clickable import drawing
from pages.shared.frame.page_frame import Page
from pages.shared.link import inputs, seeds

if TYPE_CHECKING:
    from mlm_core.embeddings.contextual import WordVectors
    from mlm_core.embeddings.postprocessing import Postprocessing
    from mlm_core.embeddings.senses_data import MarkedSentence

POSTPROCESSINGS: "tuple[Postprocessing, ...]" = ("raw", "dropped", "z-scored")
LARGEST_SEED, MOST_DROPPED = 100, 20
LONGEST_CORPUS = 20_000  # characters; some 4,000 words, of which the seed draws
FEW_WORDS = 150  # fewer say little about a deviation


@dataclass(frozen=True, kw_only=True)
class View:
    """What a part looks at."""

    corpus: CorpusKey
    layer: int
    n_dropped: int


def choose(page: Page, *, with_layer: bool = True, with_dropped: bool = True) -> View:
    """Show the settings that the parts share and return them."""
    words = page.words
    chosen = cache.model(page.model_name)
    layer, n_dropped = chosen.n_layers, 0
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if with_layer:
            with st.container(width=260):
                layer = choose_layer(page, key="isotropy_layer")
        if with_dropped:
            n_dropped = inputs.slider(
                words.label("n_dropped"),
                0,
                min(MOST_DROPPED, chosen.hidden_size - 1),
                3,
                key="isotropy_dropped",
                width=260,
            )
        seed = choose_seed(page, key="isotropy_seed")
    corpus = CorpusKey(model_name=page.model_name, seed=seed, text=_choose_text(page))
    return View(corpus=corpus, layer=layer, n_dropped=n_dropped)


def choose_layer(page: Page, *, key: str) -> int:
    """Show the layers along a slider, from the embedding output to the last."""
    n_layers = cache.model(page.model_name).n_layers
    options = {str(i): str(i) for i in range(n_layers + 1)}
    return int(inputs.step(page.words.label("layer"), options, key=key, default=str(n_layers)))


def choose_seed(page: Page, *, key: str) -> int:
    """Show the number that all drawing of words and pairs comes from."""
    start = seeds.start(1, 1, LARGEST_SEED)
    return inputs.slider(page.words.label("seed"), 1, LARGEST_SEED, start, key=key, width=200)


def _choose_text(page: Page) -> str | None:
    """Let the learner choose the corpus; return their own text, or None for ours."""
    words = page.words
    names = {name: words.label(f"corpus_{name}") for name in ("ours", "own")}
    if inputs.choice(words.label("corpus"), names, key="isotropy_corpus") == "ours":
        return None
    longest = formatted(LONGEST_CORPUS, ",")
    text = st.text_area(
        words.label("own_corpus"),
        words.section("corpus.sample"),
        height=170,
        max_chars=LONGEST_CORPUS,
        key="isotropy_own",
        persist_state="session",
    )
    st.caption(words.section("corpus.own_help", longest=longest))
    text = text or ""
    if len(text) >= LONGEST_CORPUS:
        st.warning(words.section("corpus.cut", longest=longest), icon=":material/content_cut:")
    return text[:LONGEST_CORPUS]


def read_corpus(page: Page, corpus: CorpusKey) -> None:
    """Read the corpus's words, with a bar, and say so if they are few."""
    with progress(page, "reading_words") as told:
        cache_vectors.read_corpus(corpus, told)
    n = len(cache_vectors.corpus_words(corpus).words)
    if corpus.text is not None and n < FEW_WORDS:
        st.caption(page.words.section("corpus.few", n=n))


class progress:  # noqa: N801 - reads as what it is: `with progress(...) as told`
    """A bar with the time that is left; it goes when the work is done."""

    def __init__(self, page: Page, label: str) -> None:
        """Take the name of the label that says what is being done."""
        self._words, self._label, self._box = page.words, label, st.empty()

    def __enter__(self) -> Progress:
        """Give what is to be called after each step: told(done, of)."""
        self._started, self._first = time.monotonic(), None
        return self._tell

    def __exit__(self, *_: object) -> None:
        """Take the bar away."""
        self._box.empty()

    def _tell(self, n_done: int, of: int) -> None:
        # Another visitor may have done the first steps.
        if self._first is None:
            self._first = n_done - 1
        a_step = (time.monotonic() - self._started) / max(1, n_done - self._first)
        left = max(1, round(a_step * (of - n_done)))
        text = self._words.label(self._label, n=n_done, of=of, left=left)
        self._box.progress(min(1.0, n_done / of), text)


def source(page: Page, view: View) -> str:
    """Return the line that says where a figure's numbers come from."""
    words = page.words
    return words.label(
        "source",
        model=page.model_name,
        layer=view.layer,
        n=len(cache_vectors.corpus_words(view.corpus).words),
        corpus=words.plain("source_ours" if view.corpus.text is None else "source_own"),
        seed=view.corpus.seed,
    )


def source_all_layers(page: Page, view: View) -> str:
    """Return the line under a figure that shows every layer."""
    words = page.words
    return words.label(
        "source_layers",
        model=page.model_name,
        n=len(cache_vectors.corpus_words(view.corpus).words),
        corpus=words.plain("source_ours" if view.corpus.text is None else "source_own"),
        seed=view.corpus.seed,
        k=view.n_dropped,
    )


def postprocessing_names(page: Page, n_dropped: int) -> "dict[Postprocessing, str]":
    """Return the treatments' names for legends."""
    return {name: page.words.plain(f"treatment_{name}", k=n_dropped) for name in POSTPROCESSINGS}


def histogram_alt(page: Page, means: Mapping[str, float]) -> str:
    """Return in words what histograms of random pairs' cosines show: each one's mean."""
    return "; ".join(
        page.words.plain("histogram_alt", treatment=name, mean=formatted(mean, ".3f"))
        for name, mean in means.items()
    )


def own_word(page: Page, *, name: str, key: str) -> "MarkedSentence | None":
    """Show a sentence and the word in it; say what is missing, and return None, if it isn't."""
    from mlm_core.embeddings.locating import find_word

    words = page.words
    sentence = inputs.text(
        words.label(f"sentence_{name}"), words.label(f"default_sentence_{name}"), key=key
    )
    word = inputs.text(
        words.label(f"word_{name}"), words.label(f"default_word_{name}"), key=f"{key}_word"
    )
    if not word.strip() or not sentence.strip():
        st.info(words.section("no_word"), icon=":material/edit:")
        return None
    found = find_word(sentence, word)
    if not found.spans:
        st.info(words.section("word_missing", word=word.strip()), icon=":material/edit:")
        return None
    return found.marked()


def vectors_of(page: Page, sentences: "tuple[MarkedSentence, ...]") -> "WordVectors | None":
    """Return the marked words' vectors; say so, and return None, if the model can't read them."""
    try:
        found = cache_senses.own_uses(page.model_name, sentences)
    except ValueError as error:
        st.warning(
            page.words.section("unreadable", reason=translated(str(error))), icon=":material/error:"
        )
        return None
    for place in found.located:
        inputs.say_what_was_left_out(place.text)
    return found


def show_word(page: Page, uses: "WordVectors", number: int, *, key: str) -> None:
    """Show a sentence as chips, its word ringed."""
    place = uses.located[number]
    drawing(
        chip_row(place.text.tokens, selected=place.positions, label=page.words.plain("chips_alt")),
        key=key,
    )


def say_guess(page: Page, name: str, guess: str, truth: str) -> None:
    """Say what was guessed and what is so."""
    words = page.words
    st.markdown(
        words.section(
            "guess_right" if guess == truth else "guess_wrong",
            guess=words.plain(f"{name}_guess_{guess}"),
            truth=words.plain(f"{name}_guess_{truth}"),
        )
    )
