"""The learner's own word, in any language, as a map: coloured by labels or by clusters."""

from collections.abc import Sequence
from dataclasses import dataclass

from mlm_core.embeddings.clusters import cluster_by_cosine
from mlm_core.embeddings.contextual import WordVectors
from mlm_core.embeddings.locating import find_word, locate_words, regular_forms, split_readable
from mlm_core.embeddings.senses_data import MarkedSentence
from mlm_core.figures.embeddings.sense_map import sense_groups
from mlm_core.labelled.tables import named_rows
from mlm_core.text import corpora
from mlm_core.text.plain_text import decode_text
from pages.kit.part import Part, as_typed, part
from pages.lessons.word_senses.board import Board, show_board
from pages.lessons.word_senses.setting import Setting, with_layer
from pages.lessons.word_senses.uses import choose_kind, gather, lay_out

SOURCES = ("corpus", "paste", "file")
CLASS = "room"  # in a room: the sentences that the teacher let through
LONGEST_WORD = 40  # letters
LONGEST, MOST = 400_000, 500  # characters that are taken, sentences that are drawn
LONGEST_LABEL = 30  # letters of a sense's name
CLUSTERS = ("2", "3", "4", "5")


@dataclass(frozen=True, kw_only=True)
class OwnUses:
    """The word's uses, and the senses that the learner gave some of them."""

    sentences: tuple[MarkedSentence, ...]
    labels: tuple[str, ...]  # "" without one


@part(
    code=(
        "embeddings.locating:find_word",
        "embeddings.clusters:cluster_by_cosine",
    )
)
def show(p: Part) -> None:
    """Take a word and sentences, say what can't be used, and draw the map of the rest."""
    p.start_helper()  # it is ready when word and sentences are typed
    p.say("lead")
    found = _ask(p)
    if not found.sentences:
        return
    controls = p.row()
    with controls:
        now = with_layer(p)
    uses = gather(p, found.sentences, now.pooling)
    if n_cut := sum(n > 0 for n in uses.n_left_out):
        p.warn("long", icon="content_cut", n=n_cut)
    with controls:
        groups = _coloured(p, found, uses, now)
        kind = choose_kind(p, "own_kind", has_stored=False)
    names = list(dict.fromkeys(groups))
    board = Board(
        names="own_",
        uses=uses,
        layer=now.layer,
        layout=lay_out(p, uses, now.layer, kind, None),
        groups=sense_groups(names),
        group_of=[names.index(group) for group in groups],
    )
    show_board(p, board, controls)
    p.say("notice")


def _coloured(p: Part, found: OwnUses, uses: WordVectors, now: Setting) -> list[str]:
    """Let the learner colour by labels, where there are some, or by clusters; return the groups."""
    names = [n for n in CLUSTERS if int(n) < len(found.sentences)]
    if any(found.labels):
        names.insert(0, "labels")
    if not names:
        return [p.plain("no_label")] * len(found.sentences)
    colour = p.choice("own_colour", names, start=names[0])
    if colour == "labels":
        return [label or p.plain("no_label") for label in found.labels]
    clusters = cluster_by_cosine(uses.at(now.layer), int(colour))
    return [p.plain("cluster", n=number + 1) for number in clusters.tolist()]


def _ask(p: Part) -> OwnUses:
    """Show where the sentences may come from; return what is found there."""
    of_class = p.sentences_of_class()
    sources = SOURCES if of_class is None else (*SOURCES, CLASS)
    source = p.choice("own_from", {name: p.label(f"from_{name}") for name in sources})
    left, right = p.columns(align="bottom")
    with left:
        word = p.text("own_word", longest=LONGEST_WORD, live=False)
    with right:
        forms = regular_forms(word) if p.toggle("own_forms") else ()
    if source == "corpus":
        text = "\n".join(corpora.sentences())
    elif source == CLASS and of_class is not None:
        text = "\n".join(of_class)
    elif source == "file":
        file = p.upload("own_file", ("txt", "tsv", "csv"), "file")
        is_table = file is not None and file.name.lower().endswith(".csv")
        text = "" if file is None else lines_of_table(_decoded(p, file.getvalue()), is_table)
    else:
        text = p.pasted("own_text", "text", longest=LONGEST, height=180, sample="own.sample")
        text = lines_of_table(text)
    if not word.strip() or not text.strip():
        p.note("empty", icon="edit")
        return OwnUses(sentences=(), labels=())
    return _find_uses(p, word, forms, text, source)


def _decoded(p: Part, data: bytes) -> str:
    """Return the text of a file, in the encoding that the learner chooses where it is a guess."""
    found = decode_text(data)
    text = p.decoded("own_file", found)
    if len(found.text) > LONGEST:
        p.warn("file_cut", icon="content_cut", longest=LONGEST)
    return text[:LONGEST]


def _find_uses(p: Part, word: str, forms: Sequence[str], text: str, source: str) -> OwnUses:
    """Return the word's uses in the lines of a text, and say which lines can't be used, and why."""
    sentences, labels = [], []
    without = repeated = 0
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
        p.note("without", icon="", n=without, of=len(lines), word=word)
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


def lines_of_table(text: str, is_table: bool = False) -> str:
    r"""Return the rows of a table, such as a class's map, as lines: the sense, a tab, the sentence.

    >>> lines_of_table('"Sense";"Sentence"\r\n"river";"The bank; steep."\r\n')
    'river\tThe bank; steep.'
    """
    rows = named_rows(text, is_table)
    return text if rows is None else "\n".join("\t".join(map(as_typed, row)) for row in rows)


def _readable(p: Part, sentences: Sequence[MarkedSentence], labels: Sequence[str]) -> OwnUses:
    """Leave out what this model can't read, and say what is there twice or in many pieces."""
    model = p.model
    kept, refusals = split_readable(model, sentences)
    if refusals:
        reason = p.translated(next(iter(refusals.values())))
        p.warn("unreadable", icon="block", n=len(refusals), reason=reason)
    if twice := len(sentences) - len({sentence.text.casefold() for sentence in sentences}):
        p.note("twice", icon="content_copy", n=twice)
    readable = tuple(sentences[i] for i in kept)
    pieces = max((len(place.positions) for place in locate_words(model, readable)), default=1)
    if pieces > 1:
        p.caption("pieces", n=pieces)
    return OwnUses(sentences=readable, labels=tuple(labels[i] for i in kept))
