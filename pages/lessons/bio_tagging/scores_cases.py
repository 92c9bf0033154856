"""The sentences to score: the learner's own, four cases worth a look, and the test part's."""

from collections.abc import Iterator
from dataclasses import dataclass

from mlm_core.figures.tagging.entity_spans import KNOWN_TYPES
from mlm_core.tagging.bio_tags import Scheme, Span, decode, encode
from pages.kit.caches import cache_finetuning
from pages.kit.part import Part
from pages.lessons.bio_tagging import setting
from pages.lessons.bio_tagging.marked import current

MOST_WORDS = 60  # two lists a word; more would be no figure any more


@dataclass(frozen=True, kw_only=True)
class Case:
    """A sentence with gold tags and predicted ones, as they are before anybody changes them."""

    name: str
    words: tuple[str, ...]
    types: tuple[str, ...] = KNOWN_TYPES
    gold: tuple[str, ...]
    predicted: tuple[str, ...]
    source: str  # where the tags come from, in words
    marks: tuple[Span, ...] = ()  # of the learner's own sentence: with others it is another case


def choose_case(p: Part, scheme: Scheme) -> Case | None:
    """Show what else the chosen case needs and return it; None if something is missing."""
    # A link with changed tags means the case that they are of.
    linked = (p.in_link("tags") or "").partition("/")[0]
    if p.is_asked("tags") and not p.is_asked("scores_case"):
        p.state.pop("scores_case", None)
    is_marked = any(map(p.in_link, ("marked_text", "marked_spans")))
    name = p.choice("scores_case", start=linked or "own" * is_marked)
    p.say(f"case_{name}", **_names(p, name))
    if name == "tagger":
        return _of_tagger(p, scheme)
    return _own(p, scheme) if name == "own" else _written(p, name, scheme)


def _names(p: Part, name: str) -> dict[str, str]:
    """Return the first name of a written case and what was found of it; none of another case."""
    if name != "jane":
        return {}
    told = {"whole": f"scores_{name}_gold", "found": f"scores_{name}_said"}
    read = {side: read_brackets(p.examples.plain(label)) for side, label in told.items()}
    return {
        side: " ".join(words[spans[0].start : spans[0].end])
        for side, (words, spans) in read.items()
    }


def _written(p: Part, name: str, scheme: Scheme) -> Case:
    words, gold = read_brackets(p.examples.plain(f"scores_{name}_gold"))
    _, predicted = read_brackets(p.examples.plain(f"scores_{name}_said"))
    tags = encode(predicted, len(words), scheme)
    return Case(
        name=name,
        words=words,
        gold=encode(gold, len(words), scheme),
        predicted=tuple(_begun_inside(tags)) if name == "begins_inside" else tags,
        source=p.plain("source_written"),
    )


def _begun_inside(tags: tuple[str, ...]) -> Iterator[str]:
    """Give the tags with each B of the first entity's type turned into I, and each S into E."""
    first = next(tag for tag in tags if tag != "O").partition("-")[2]
    for tag in tags:
        letter, _, type_ = tag.partition("-")
        inside = {"B": "I", "S": "E"}.get(letter, letter)
        yield f"{inside}-{type_}" if type_ == first else tag


def _own(p: Part, scheme: Scheme) -> Case | None:
    """Return the marked sentence, and what a tagger predicts for it."""
    marked = current(p)
    if not marked.words:
        p.note("schemes.no_text", icon="edit")
        return None
    chosen = setting.choose_tagger(p, "scores_own_run", folded=True)
    if chosen is None:
        return None
    title, run = chosen
    answer, _ = cache_finetuning.one_answer(run, marked.words)
    n = len(answer.predicted)  # words inside the model's window
    spans = tuple(span for span in marked.spans if span.end <= n)
    return Case(
        name="own",
        words=marked.words[:n],
        types=tuple(dict.fromkeys((*KNOWN_TYPES, *run.data.classes, *marked.types))),
        gold=encode(spans, n, scheme),
        predicted=_in_scheme(answer.predicted, run.settings.scheme, scheme),
        source=p.plain("source_own", title=title),
        marks=spans,
    )


def _of_tagger(p: Part, scheme: Scheme) -> Case | None:
    chosen = setting.choose_tagger(p, with_weights=False)
    if chosen is None:
        return None
    title, run = chosen
    predicted, own_scheme, test = run.tested.tags, run.settings.scheme, run.data.test
    spans = run.spans

    def has_an_error(i: int) -> bool:
        return len(test[i].words) <= MOST_WORDS and set(spans[i]) != set(test[i].spans)

    number = setting.pick_test_sentence(p, "scores_sentence", test, has_an_error)
    words, n = test[number].words, len(test[number].words)
    if n > MOST_WORDS:
        p.warn("too_long", n=n, most=MOST_WORDS)
        return None
    return Case(
        name="tagger",
        words=words,
        types=tuple(run.data.classes),
        gold=encode(test[number].spans, n, scheme),
        predicted=_in_scheme(predicted[number], own_scheme, scheme),
        source=p.plain("source_tagger", title=title, n=number),
    )


def _in_scheme(tags: tuple[str, ...], before: Scheme, scheme: Scheme) -> tuple[str, ...]:
    """Return tags as they are, or those of the same spans in another scheme."""
    if scheme == before:
        return tags
    return encode(decode(tags, before, "conlleval"), len(tags), scheme)


def read_brackets(text: str) -> tuple[tuple[str, ...], tuple[Span, ...]]:
    """Return the words and spans of a sentence with its entities in brackets.

    >>> read_brackets("[PER Jane] spoke")
    (('Jane', 'spoke'), (Span(start=0, end=1, type='PER'),))
    """
    words: list[str] = []
    spans: list[Span] = []
    opened: tuple[str, int] | None = None
    for part in text.split():
        if part.startswith("["):
            opened = part[1:], len(words)
            continue
        words.append(part.rstrip("]"))
        if part.endswith("]") and opened is not None:
            spans.append(Span(start=opened[1], end=len(words), type=opened[0]))
            opened = None
    return tuple(words), tuple(spans)
