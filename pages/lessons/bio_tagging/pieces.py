"""Words have tags, the model reads pieces: three rules for the labels of a word's pieces."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Any

from mlm_core.figures.tagging.entity_spans import entity_sentence, entity_text
from mlm_core.figures.tagging.subword_tags import DrawnSubword, DrawnWord, subword_tags_html
from mlm_core.finetuning.encoded_examples import Reading
from mlm_core.tagging.alignment import LABELLINGS, subword_tags
from mlm_core.tagging.bio_tags import SCHEMES, decode, encode
from pages.kit.part import Part, part
from pages.lessons.bio_tagging.marked import Marked, current


@dataclass(frozen=True, kw_only=True)
class Labelled:
    """The marked sentence in pieces, with the labels of the chosen rule."""

    marked: Marked
    tags: tuple[str, ...]  # of its words
    pieces: list[str]
    word_of_piece: tuple[int | None, ...]  # None: [CLS] or [SEP]
    labels: tuple[str | None, ...]  # of the pieces; None: the loss leaves the piece out
    n_kept: int  # words inside the model's window


@part(code=("tagging.alignment:subword_tags",))
def show(p: Part) -> None:
    """Drop the labels of the marked sentence onto its pieces, and read them back as tags."""
    p.say("lead")
    marked = current(p)
    if not marked.words:
        p.note("schemes.no_text", icon="edit")
        return
    with p.row():
        rule = p.choice("pieces_rule")
        with p.popover("more", "tune"):
            scheme = p.choice("pieces_scheme", SCHEMES)
    tokenizer = p.tokenizer
    window = p.model.max_tokens
    reading = Reading(tokenizer=tokenizer, max_tokens=window, classes=())
    text, word_of_piece = reading.read_words(marked.words)
    n_kept = max((word for word in word_of_piece if word is not None), default=-1) + 1
    if n_kept < len(marked.words):
        p.warn("cut", icon="content_cut", n=len(marked.words), kept=n_kept)
    tags = encode(marked.spans, len(marked.words), scheme)
    labels = {name: subword_tags(tags, word_of_piece, scheme, name) for name in LABELLINGS}
    shown = Labelled(
        marked=marked,
        tags=tags,
        pieces=text.texts,
        word_of_piece=word_of_piece,
        labels=labels[rule],
        n_kept=n_kept,
    )
    told: dict[str, Any] = {"scheme": scheme, "rule": p.plain(f"rule_{rule}")}
    _draw(p, shown, labels, told)
    p.say(rule, **_counts(shown))
    _show_back(p, shown, told)


def _draw(p: Part, shown: Labelled, labels: Mapping[Any, tuple], told: dict[str, Any]) -> None:
    """Draw each word over its pieces; the table has the labels of all rules."""
    words = [None if i is None else shown.marked.words[i] for i in shown.word_of_piece]
    tags = [None if i is None else shown.tags[i] for i in shown.word_of_piece]
    drawn = [
        DrawnWord(
            word=words[positions[0]],
            tag=tags[positions[0]] or "",
            subwords=tuple(
                DrawnSubword(text=shown.pieces[i], tag=shown.labels[i]) for i in positions
            ),
        )
        for positions in _positions_by_word(shown.word_of_piece)
    ]
    columns = {name: [tag or "−100" for tag in of_pieces] for name, of_pieces in labels.items()}
    p.figure(
        "pieces",
        partial(subword_tags_html, drawn, types=shown.marked.types),
        {"piece": shown.pieces, "word": words, "tag": tags, **columns},
        n=len(drawn) - words.count(None),
        m=len(shown.pieces),
        **told,
    )
    p.caption("lines")


def _positions_by_word(word_of_piece: tuple[int | None, ...]) -> list[list[int]]:
    """Return the positions of each word's pieces; [CLS] and [SEP] are alone.

    >>> _positions_by_word((None, 0, 0, 1, None))
    [[0], [1, 2], [3], [4]]
    """
    apart = [(word, i if word is None else None) for i, word in enumerate(word_of_piece)]
    return [list(group) for _, group in groupby(range(len(apart)), key=apart.__getitem__)]


def _counts(shown: Labelled) -> dict[str, int]:
    """Return the numbers that the sentence about a rule names."""
    pairs = zip(shown.labels, shown.word_of_piece, strict=True)
    inside = [(tag, word) for tag, word in pairs if word is not None]
    return {
        "n_words": len({word for _, word in inside}),
        "n_pieces": len(inside),
        "n_labels": sum(tag is not None for tag, _ in inside),
        "n_changed": sum(tag is not None and tag != shown.tags[word] for tag, word in inside),
        "n_ignored": sum(tag is None for tag, _ in inside),
    }


def _show_back(p: Part, shown: Labelled, told: dict[str, Any]) -> None:
    """Read the labels as tags: as many names as were marked, or more, or fewer."""
    counted = [i for i, label in enumerate(shown.labels) if label is not None]
    labels = [label for label in shown.labels if label is not None]
    pieces = [shown.pieces[i] for i in counted]
    back = decode(labels, told["scheme"], "conlleval")
    p.say("back")
    p.figure(
        "pieces_back",
        partial(entity_sentence, pieces, back, types=shown.marked.types),
        {"piece": pieces, "label": labels},
        text=entity_text(pieces, back),
        **told,
    )
    word_of = [word for i in counted if (word := shown.word_of_piece[i]) is not None]
    found = [(word_of[s.start], word_of[s.end - 1] + 1, s.type) for s in back]
    inside = [span for span in shown.marked.spans if span.start < shown.n_kept]
    same = found == [(s.start, min(s.end, shown.n_kept), s.type) for s in inside]
    verdict = "same" if same else "fewer" if len(back) < len(inside) else "more"
    p.say(f"back_{verdict}", n=len(inside), m=len(back), **told)
