"""What several parts of this lesson share: the corpus, the layer, the words and how they are read.

The opening has separate widgets; the parts below it share theirs, so that a layer or seed stays
from part to part.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from mlm_core.embeddings.contextual import WordVectors
from mlm_core.embeddings.locating import find_word
from mlm_core.embeddings.postprocessing import Postprocessing
from mlm_core.embeddings.senses_data import MarkedSentence
from pages.kit.caches import cache_senses
from pages.kit.part import Part
from pages.lessons.isotropy import computed
from pages.lessons.isotropy.computed import CorpusKey

Value = TypeVar("Value")

POSTPROCESSINGS: tuple[Postprocessing, ...] = ("raw", "dropped", "z-scored")
SENTENCES = ("first", "second")  # of the opening
LARGEST_SEED, MOST_DROPPED = 100, 20
LONGEST_CORPUS = 20_000  # characters; some 4,000 words, of which the seed draws
LONGEST_WORD = 60  # letters of a word and the number of its occurrence
FEW_WORDS = 150  # fewer say little about a deviation


@dataclass(frozen=True, kw_only=True)
class View:
    """What a part looks at."""

    corpus: CorpusKey
    layer: int
    n_dropped: int


def choose(p: Part, *, with_layer: bool = True, with_dropped: bool = True) -> View:
    """Show the settings that the parts share in a fold-out; return them."""
    model = p.model
    layer, n_dropped = model.n_layers, 0
    with p.popover("details", "tune"):
        if with_layer:
            layer = choose_layer(p, "layer")
        if with_dropped:
            n_dropped = choose_dropped(p)
        seed = choose_seed(p, "seed")
        text = _choose_text(p)
    return View(corpus=corpus_of(p, seed, text), layer=layer, n_dropped=n_dropped)


def corpus_of(p: Part, seed: int, text: str | None = None) -> CorpusKey:
    """Return whose words are looked at; without a text those of our sentences."""
    language = p.language
    return CorpusKey(model_name=p.model_name, seed=seed, text=text, language=language)


def choose_dropped(p: Part) -> int:
    """Show how many of the largest dimensions are dropped."""
    most = min(MOST_DROPPED, p.model.hidden_size - 1)
    return p.slider("dropped", highest=most, width=320)


def choose_layer(p: Part, name: str) -> int:
    """Show the layers along a slider, from the embedding output to the last."""
    n_layers = p.model.n_layers
    return int(p.choice(name, [str(i) for i in range(n_layers + 1)], start=str(n_layers)))


def choose_seed(p: Part, name: str) -> int:
    """Show the number that all drawing of words and pairs comes from."""
    return p.slider(name, start=p.seed_start(1, 1, LARGEST_SEED), width=200)


def _choose_text(p: Part) -> str | None:
    """Let the learner choose the corpus; return the learner's text, or None for ours."""
    if p.choice("corpus") == "ours":
        return None
    longest = LONGEST_CORPUS
    text = p.pasted(
        "own",
        "own_corpus",
        longest=longest,
        height=170,
        sample="corpus.sample",
        reads="text",
    )
    p.caption("corpus.own_help", longest=longest)
    if len(text) == longest:
        p.warn("corpus.cut", icon="content_cut", longest=longest)
    return text


def read_corpus(p: Part, corpus: CorpusKey) -> None:
    """Read the corpus's words, with a bar, and say so if they are few."""
    with p.reported("reading_words") as told:
        computed.read_corpus(corpus, told)
    n = len(computed.corpus_words(corpus).words)
    if corpus.text is not None and n < FEW_WORDS:
        p.caption("corpus.few", n=n)


def source_of(p: Part, view: View) -> dict[str, Any]:
    """Return what the line under each figure says of the numbers' source."""
    return {
        "layer": view.layer,
        "n_words": len(computed.corpus_words(view.corpus).words),
        "corpus": p.plain("source_ours" if view.corpus.text is None else "source_own"),
        "seed": view.corpus.seed,
        "k": view.n_dropped,
    }


def treatment_names(p: Part, n_dropped: int) -> dict[Postprocessing, str]:
    """Return the treatments' names for legends."""
    return {name: p.plain(f"treatment_{name}", k=n_dropped) for name in POSTPROCESSINGS}


def by_treatment(values: Iterable[Value]) -> dict[str, Value]:
    """Return one value for each treatment, under the names that they have in the texts."""
    return dict(zip(("raw", "dropped", "z"), values, strict=True))


def own_word(p: Part, name: str) -> MarkedSentence | None:
    """Show a sentence and the word in it; say what is missing, and return None, if it isn't."""
    sentence, word = p.text(name), p.text(f"{name}_word")
    if not word.strip() or not sentence.strip():
        p.note("no_word", icon="edit")
        return None
    found = marked_word(sentence, word)
    if found is None:
        p.note("word_missing", icon="edit", word=word.strip())
    return found


def marked_word(sentence: str, asked: str) -> MarkedSentence | None:
    """Return the sentence with a word marked, as "verse", or as "the@1" its second occurrence.

    >>> marked_word("The old and the new.", "the@1").start
    12
    """
    word, _, number = asked.rpartition("@")
    if not word or not number.isdecimal():
        word, number = asked, "0"
    found = find_word(sentence, word) if word.strip() else None
    if found is None or not found.spans:
        return None
    return found.marked(min(int(number), len(found.spans) - 1))


def pair_of_opening(p: Part) -> WordVectors | None:
    """Return the vectors of the learner's pair, if its words can be read."""
    words = {
        name: p.chosen(f"{name}_word") or p.examples.label(f"default_{name}_word")
        for name in SENTENCES
    }
    found = [marked_word(p.chosen(name), word) for name, word in words.items()]
    pair = tuple(word for word in found if word is not None)
    if len(pair) < len(SENTENCES):
        return None
    try:
        return cache_senses.own_uses(p.model_name, pair)
    except ValueError:  # the opening says why
        return None


def vectors_of(p: Part, sentences: tuple[MarkedSentence, ...]) -> WordVectors | None:
    """Return the marked words' vectors; say so, and return None, if the model can't read them."""
    try:
        found = cache_senses.own_uses(p.model_name, sentences)
    except ValueError as error:
        p.warn("unreadable", icon="error", reason=p.translated(error))
        return None
    for place in found.located:
        p.say_what_was_left_out(place.text)
    return found


def say_guess(p: Part, name: str, guess: str, truth: str) -> None:
    """Say what was guessed and what is right."""
    p.tell_right(name, truth)
    p.say(
        "guess_right" if guess == truth else "guess_wrong",
        guess=p.plain(f"{name}_guess_{guess}"),
        truth=p.plain(f"{name}_guess_{truth}"),
    )
