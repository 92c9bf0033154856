"""Sentences of the learner's own: pasted, from a file, picked from the app's, or of the class."""

from dataclasses import dataclass

import streamlit as st

from mlm_core.embeddings.locating import find_word, regular_forms
from mlm_core.embeddings.senses_data import MarkedSentence
from mlm_core.text import corpora
from mlm_core.text.plain_text import decode_text
from pages.shared.caches import cache
from pages.shared.course.core_messages import translated
from pages.shared.frame.page_frame import Page
from pages.shared.link import inputs
from pages.shared.room.sentences import shown_sentences

SOURCES = ("corpus", "paste", "file")
CLASS = "room"  # in a room: the sentences that the teacher let through
LONGEST_WORD = 40  # letters
LONGEST, MOST = 400_000, 500  # characters that are taken, sentences that are drawn
LONGEST_LABEL = 30  # letters of a sense's name


@dataclass(frozen=True, kw_only=True)
class OwnUses:
    """The word's uses, and the senses that the learner gave some of them."""

    sentences: tuple[MarkedSentence, ...]
    labels: tuple[str, ...]  # "" without one


def ask_text(page: Page) -> tuple[str, str]:
    """Show the word's field and where the sentences come from; return both."""
    words = page.words
    word = inputs.text(
        words.label("own_word"),
        words.label("own_word_default"),
        key="word_senses_own_word",
        longest=LONGEST_WORD,
        live=False,
    )
    of_class = shown_sentences()
    sources = SOURCES if of_class is None else (*SOURCES, CLASS)
    names = {name: words.label(f"own_from_{name}") for name in sources}
    source = inputs.choice(words.label("own_from"), names, key="word_senses_own_from")
    if source == "corpus":
        return word or "", "\n".join(corpora.sentences())
    if source == CLASS and of_class is not None:
        return word or "", "\n".join(of_class)
    if source == "file":
        file = st.file_uploader(
            words.label("own_file"), type=["txt", "tsv"], key="word_senses_own_file"
        )
        return word or "", "" if file is None else decode_text(file.getvalue())[:LONGEST]
    text = st.text_area(
        words.label("own_text"),
        words.section("own.sample"),
        height=180,
        max_chars=LONGEST,
        key="word_senses_own_text",
        persist_state="session",
    )
    return word or "", (text or "")[:LONGEST]


def find_uses(page: Page, word: str, text: str) -> OwnUses:
    """Return the word's uses in the lines of a text, and say which lines can't be used, and why."""
    words, sentences, labels = page.words, [], []
    without = repeated = 0
    with_forms = inputs.toggle(words.label("own_forms"), True, key="word_senses_own_forms")
    forms = regular_forms(word) if with_forms else ()
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    for line in lines:
        label, sentence = split_label(line)
        found = find_word(sentence, word, forms)
        if not found.spans and "\t" not in line:  # as in "Light: a wave or a particle?"
            label, found = "", find_word(line, word, forms)
        if not found.spans:
            without += 1
            continue
        repeated += len(found.spans) > 1
        sentences.append(found.marked())
        labels.append(label)
    is_corpus = st.session_state.get("word_senses_own_from") == "corpus"
    if without and not is_corpus:
        st.info(words.section("own.without", n=without, of=len(lines), word=word))
    if repeated:
        st.caption(words.section("own.repeated", n=repeated, word=word))
    if not sentences:
        # A link has the word, but not the sentences that were pasted.
        said = "own.not_in_link" if text == words.section("own.sample") else "own.none"
        st.info(words.section(said, word=word), icon=":material/search_off:")
    elif len(sentences) == 1:
        st.info(words.section("own.one"), icon=":material/looks_one:")
    if len(sentences) > MOST:
        st.warning(
            words.section("own.too_many", n=len(sentences), most=MOST),
            icon=":material/content_cut:",
        )
    return _readable(page, sentences[:MOST], labels[:MOST])


def split_label(line: str) -> tuple[str, str]:
    r"""Return the name of the sense before a sentence, "" without one, and the sentence.

    >>> split_label("lamp: Turn off the light."), split_label("a lamp\tTurn off the light.")
    (('lamp', 'Turn off the light.'), ('a lamp', 'Turn off the light.'))
    >>> split_label("She said: turn off the light.")
    ('', 'She said: turn off the light.')
    """
    label, tab, sentence = line.partition("\t")
    if not tab:
        label, colon, sentence = line.partition(": ")
        if not colon or " " in label:
            return "", line.strip()
    return label.strip()[:LONGEST_LABEL], sentence.strip()


def _readable(page: Page, sentences: list[MarkedSentence], labels: list[str]) -> OwnUses:
    """Leave out what this model can't read, and say what is there twice or in many pieces."""
    from mlm_core.embeddings.locating import locate_words, split_readable

    words, model = page.words, cache.model(page.model_name)
    kept, refusals = split_readable(model, sentences)
    if refusals:
        first = next(iter(refusals.values()))
        st.warning(
            words.section("own.unreadable", n=len(refusals), reason=translated(first)),
            icon=":material/block:",
        )
    twice = len(sentences) - len({sentence.text.casefold() for sentence in sentences})
    if twice:
        st.info(words.section("own.twice", n=twice), icon=":material/content_copy:")
    readable = tuple(sentences[i] for i in kept)
    pieces = max((len(place.positions) for place in locate_words(model, readable)), default=1)
    if pieces > 1:
        st.caption(words.section("own.pieces", n=pieces))
    return OwnUses(sentences=readable, labels=tuple(labels[i] for i in kept))
