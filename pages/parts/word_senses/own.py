"""The learner's own word and sentences as a map: PCA at once, UMAP when they ask."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from mlm_core.embeddings.locating import find_word, locate_words, regular_forms, split_readable
from mlm_core.embeddings.senses_data import MarkedSentence
from mlm_core.figures.embeddings.sense_map import sense_groups
from mlm_core.text import corpora
from mlm_core.text.plain_text import decode_text
from pages.parts.word_senses.board import Board, show_board
from pages.parts.word_senses.setting import current, layers
from pages.parts.word_senses.uses import choose_kind, gather, lay_out
from pages.shared.caches import cache
from pages.shared.course.core_messages import translated
from pages.shared.kit.part import Part, part
from pages.shared.room.sentences import shown_sentences
from pages.shared.server import helper_process

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


@part(
    code=(
        "embeddings.locating:find_word",
        "embeddings.maps:pca_layout",
        "embeddings.umap_fit:fit_umap_learn",
    )
)
def show(p: Part) -> None:
    """Take a word and sentences, say what can't be used, and draw the map of the rest."""
    helper_process.begin()  # it is ready when word and sentences are typed
    p.say("lead")
    word = p.text("own_word", longest=LONGEST_WORD, live=False)
    source, text = _ask_text(p)
    if not word.strip() or not text.strip():
        p.note("empty", icon="edit")
        return
    found = _find_uses(p, word, text, source)
    if not found.sentences:
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        with st.container(width=360):
            names = layers(p)
            layer = int(p.choice("own_layer", names, start=names[-1]))
        kind = choose_kind(p, "own_kind", has_stored=False)
    uses = gather(p, found.sentences, current(p).pooling)
    if n_cut := sum(n > 0 for n in uses.n_left_out):
        p.warn("long", icon="content_cut", n=n_cut)
    labels = [label or p.plain("no_label") for label in found.labels]
    groups = list(dict.fromkeys(labels))
    board = Board(
        names="own_",
        uses=uses,
        layer=layer,
        layout=lay_out(p, uses, layer, kind, None, controls="own_umap_"),
        groups=sense_groups(groups),
        group_of=[groups.index(label) for label in labels],
    )
    show_board(p, board)
    p.say("notice")


def _ask_text(p: Part) -> tuple[str, str]:
    """Show where the sentences may come from; return the chosen source, and the text."""
    of_class = shown_sentences()
    sources = SOURCES if of_class is None else (*SOURCES, CLASS)
    source = p.choice("own_from", {name: p.label(f"from_{name}") for name in sources})
    if source == "corpus":
        return source, "\n".join(corpora.sentences())
    if source == CLASS and of_class is not None:
        return source, "\n".join(of_class)
    if source == "file":
        file = st.file_uploader(p.label("file"), type=["txt", "tsv"], key=p.key("own_file"))
        return source, "" if file is None else decode_text(file.getvalue())[:LONGEST]
    text = st.text_area(
        p.label("text"),
        p.section("sample"),
        height=180,
        max_chars=LONGEST,
        key=p.key("own_text"),
        persist_state="session",
    )
    return source, (text or "")[:LONGEST]


def _find_uses(p: Part, word: str, text: str, source: str) -> OwnUses:
    """Return the word's uses in the lines of a text, and say which lines can't be used, and why."""
    sentences, labels = [], []
    without = repeated = 0
    forms = regular_forms(word) if p.toggle("own_forms") else ()
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
    if without and source != "corpus":
        st.info(p.section("without", n=without, of=len(lines), word=word))
    if repeated:
        p.caption("repeated", n=repeated, word=word)
    if not sentences:
        # A link has the word, but not the sentences that were pasted.
        p.note("not_in_link" if text == p.section("sample") else "none", "search_off", word=word)
    elif len(sentences) == 1:
        p.note("one", icon="looks_one")
    if len(sentences) > MOST:
        p.warn("too_many", icon="content_cut", n=len(sentences), most=MOST)
    return _readable(p, sentences[:MOST], labels[:MOST])


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


def _readable(p: Part, sentences: Sequence[MarkedSentence], labels: Sequence[str]) -> OwnUses:
    """Leave out what this model can't read, and say what is there twice or in many pieces."""
    model = cache.model(p.model_name)
    kept, refusals = split_readable(model, sentences)
    if refusals:
        reason = translated(next(iter(refusals.values())))
        p.warn("unreadable", icon="block", n=len(refusals), reason=reason)
    if twice := len(sentences) - len({sentence.text.casefold() for sentence in sentences}):
        p.note("twice", icon="content_copy", n=twice)
    readable = tuple(sentences[i] for i in kept)
    pieces = max((len(place.positions) for place in locate_words(model, readable)), default=1)
    if pieces > 1:
        p.caption("pieces", n=pieces)
    return OwnUses(sentences=readable, labels=tuple(labels[i] for i in kept))
