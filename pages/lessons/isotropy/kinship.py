"""Opening: two unrelated words, their cosine, and what thousands of random pairs have."""

from functools import partial
from typing import Any, cast

from torch.nn.functional import cosine_similarity

from mlm_core.embeddings.contextual import WordVectors
from mlm_core.embeddings.locating import find_word, marked_words
from mlm_core.embeddings.postprocessing import Postprocessing
from mlm_core.embeddings.senses_data import MarkedSentence
from mlm_core.figures.bars import curtain_html
from mlm_core.figures.charts import histogram_chart, marked
from mlm_core.figures.chips import chip_row
from mlm_core.number_format import formatted
from pages.kit.part import Part, part
from pages.lessons.isotropy import computed, setting

LOW, HIGH, HEIGHT = -0.4, 1.0, 300  # of the histogram; pixels
N_BARS = 40  # of the random pairs behind the curtain
LEADS = "leads_to_pairs"  # state: whether the page leads to the answer, below on a phone


@part(
    code=(
        "embeddings.isotropy:random_pairs",
        "embeddings.isotropy:independent_pairs",
        "embeddings.isotropy:pair_cosines",
        "embeddings.postprocessing:standardize",
    )
)
def show(p: Part) -> None:
    """Show two words and their cosine, take a guess, and answer with many pairs."""
    chips = p.place()
    left, right = p.columns()
    with left:
        with p.row():
            number = p.place(width=180)
            postprocessing = cast("Postprocessing", p.choice("vectors"))
        asked = p.place()
        view, words = _choose(p)
    pair = tuple(word for word in words if word is not None)
    if len(pair) < len(setting.SENTENCES):
        p.note("no_word", icon="edit")
        return
    uses = setting.vectors_of(p, pair)
    if uses is None:
        return
    with chips:
        for i, name in enumerate(setting.SENTENCES):
            _chips(p, name, uses, i)
    with number:
        cosine = _cosine(p, view, uses, postprocessing)
    with asked:
        guess = _ask(p)
    with right:
        _draw(p, view, postprocessing, cosine, guess)


# The pair.


def _word(p: Part, name: str) -> MarkedSentence | None:
    """Show a sentence; return it with its word marked: the chosen one, or the longest."""
    sentence, key = p.text(name), f"{name}_word"
    usual = p.examples.label(f"default_{name}_word")
    asked = p.drawn(key, usual, longest=setting.LONGEST_WORD) or usual
    found = setting.marked_word(sentence, asked)
    if found is None:
        found = max(marked_words((sentence,)), key=lambda one: len(one.target), default=None)
        if found is not None:
            p.write_to_link(key, found.target, usual)
    else:
        p.write_to_link(key, asked, usual)
    return found


def _chips(p: Part, name: str, uses: WordVectors, i: int) -> None:
    """Show a sentence's tokens; a click chooses another word."""
    place, sentence = uses.located[i], uses.sentences[i].text
    chips = chip_row(
        place.text.tokens, selected=place.positions, clickable=True, label=p.plain("chips_alt")
    )

    def choose(value: str) -> None:
        words = [word for word in place.text.words if int(value) in word.positions]
        if not words:  # a special token
            return
        starts = [start for start, _ in find_word(sentence, words[0].text).spans]
        if words[0].start in starts:
            number = starts.index(words[0].start)
            asked = f"{words[0].text}@{number}" if number else words[0].text
            p.choose(f"{name}_word", asked, on_whole_page=True)

    p.drawing(f"chips_{name}", chips, choose)


def _choose(p: Part) -> tuple[setting.View, list[MarkedSentence | None]]:
    """Show layer and, folded, sentences and seed; return what is chosen."""
    with p.row():
        with p.place(width=200):
            layer = setting.choose_layer(p, "opening_layer")
        with p.popover("sentences", "edit"):
            words = [_word(p, name) for name in setting.SENTENCES]
            seed = setting.choose_seed(p, "opening_seed")
    view = setting.View(corpus=setting.corpus_of(p, seed), layer=layer, n_dropped=0)
    return view, words


def _cosine(
    p: Part, view: setting.View, uses: WordVectors, postprocessing: Postprocessing
) -> float:
    """Show the cosine of the pair."""
    vectors = uses.at(view.layer)
    if postprocessing != "raw":
        setting.read_corpus(p, view.corpus)
        vectors = computed.learned(view.corpus, view.layer).postprocess(vectors, postprocessing)
    cosine = cosine_similarity(*vectors, dim=0).item()
    first, second = (sentence.target for sentence in uses.sentences)
    p.metric("cosine_of", formatted(cosine, ".3f"), first=first, second=second)
    return cosine


# The guess, and many pairs.


def _ask(p: Part) -> float | None:
    """Take the guess, which stays next to the answer; return it once it is made."""
    with p.row():
        with p.place(width=180):
            guess = p.slid("guess", -0.2, 1.0, 0.0, step=0.05)
        guessed = {"guessed": True, LEADS: True}
        p.button("reveal", p.state.update, guessed, icon="visibility", asks=True)
    if not p.state.get("guessed"):
        of_class = p.answer_of_class("kinship_guess", "number", name="guess")
        return None if of_class is None else float(of_class)
    is_shown = p.may_show("kinship_guess", "number", f"{guess:g}", name="guess")
    return guess if is_shown else None


def _draw(
    p: Part,
    view: setting.View,
    postprocessing: Postprocessing,
    cosine: float,
    guess: float | None,
) -> None:
    """Draw the random pairs: behind a curtain, then with their mean, the pair and the guess."""
    about: dict[str, Any] = {"layer": view.layer, "cosine": cosine}
    setting.read_corpus(p, view.corpus)
    many, apart = computed.random_cosines(view.corpus, view.layer, postprocessing, 0)
    if guess is None:
        bars = many.cosines.histc(N_BARS).tolist()  # from the least cosine to the largest
        drawn = partial(curtain_html, bars, height=HEIGHT, is_upright=True)
        p.figure("pair", drawn, {"cosine": [cosine]}, **about)
        p.say("scale")
        return
    p.tell_right("kinship", f"{many.mean:.4f}")
    values = many.cosines.tolist()
    about |= {
        "mean": many.mean,
        "error": apart.standard_error,
        "n": len(values),
        "n_apart": len(apart.cosines),
        "above": sum(value >= cosine for value in values) / len(values),
        "guess": guess,
    }
    name = setting.treatment_names(p, 0)[postprocessing]
    marks = [
        marked(p.plain(f"mark_{of}"), value)
        for of, value in (("mean", many.mean), ("pair", cosine), ("guess", guess))
    ]

    def table() -> dict[str, list]:
        """Return every pair with its words and its cosine."""
        words = [word.target for word in computed.corpus_words(view.corpus).words]
        first, second = ([words[i] for i in column] for column in many.pairs.T.tolist())
        return {"first": first, "second": second, "cosine": values}

    chart = histogram_chart(
        {name: values},
        low=LOW,
        high=HIGH,
        x_title=p.plain("axis_cosine"),
        y_title=p.plain("axis_pairs"),
        marks=marks,
    ).update_layout(height=HEIGHT)
    p.figure("random", chart, table, source="source", **setting.source_of(p, view) | about)
    if p.state.pop(LEADS, False):
        p.scroll_to(p.key("random"))
    p.say("answer", **about)
    is_narrow = many.mean > 3 * apart.standard_error and many.mean > 0.1
    p.say("standardized" if postprocessing != "raw" else "narrow" if is_narrow else "wide")
