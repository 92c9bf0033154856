"""Entity types with examples, and one name that has several of them: guess it from the sentence."""

from collections.abc import Collection, Sequence

from mlm_core.figures.tagging.entity_spans import HIDDEN_TYPE, entity_sentence, entity_text
from mlm_core.finetuning.snapshot import FineTuneSnapshot
from mlm_core.labelled.examples import Dataset
from mlm_core.labelled.name_types import (
    Mention,
    Name,
    ambiguous_names,
    count_right,
    examples_of,
    find_names,
    overlaps,
    predicted_type,
)
from mlm_core.tagging.bio_tags import Scheme, Span, decode
from pages.kit.caches import cache_finetuning
from pages.kit.part import Part, Table, part
from pages.kit.training import finetune_runs
from pages.lessons.bio_tagging.setting import data_of

KNOWN = ("PER", "ORG", "LOC", "GPE")  # types that the words explain
N_EXAMPLES = 4  # of each type
MOST = 4  # sentences


@part(code=("labelled.name_types:ambiguous_names", "labelled.name_types:predicted_type"))
def show(p: Part) -> None:
    """List the types; then one name's sentences, each with a guess before its type."""
    p.say("lead")
    data = data_of(p)
    chosen = finetune_runs.choose(p, data, with_weights=False, name="types_run")
    title, run = chosen or (p.plain("no_tagger"), None)
    dataset = run.dataset if run is not None else None
    if dataset is None:
        dataset = cache_finetuning.dataset(data[0])
    names = find_names((*dataset.train, *dataset.test))
    with p.fold("list", "table_rows"):
        _list_types(p, dataset, names)
    several = {name.text: name for name in ambiguous_names(names)}
    if not several:
        p.note("none")
        return
    shown = {text: f"{text} ({', '.join(name.types)})" for text, name in several.items()}
    name = several[p.choice("types_name", shown, n=len(several))]
    _show_sentences(p, name, dataset, title, run)
    if run is not None and run.predictions is not None:
        _count(p, dataset, several.keys(), title, run)
    p.say("notice")


def _list_types(p: Part, dataset: Dataset, names: Sequence[Name]) -> None:
    types = dataset.classes
    columns = (
        types,
        [p.plain(type_) if type_ in KNOWN else "" for type_ in types],
        [", ".join(examples_of(names, type_, N_EXAMPLES)) for type_ in types],
    )
    titles = [p.plain(f"column_{name}") for name in ("type", "meaning", "examples")]
    Table(dict(zip(titles, columns, strict=True))).show()


def _count(
    p: Part, dataset: Dataset, several: Collection[str], title: str, run: FineTuneSnapshot
) -> None:
    """Count over the test part how often the tagger is right on such names, and on others."""
    mentions: dict[bool, list[Mention]] = {True: [], False: []}
    for name in find_names(dataset.test):
        mentions[name.text in several].extend(name.mentions)
    predicted, scheme = run.tested.tags, run.settings.scheme
    those, others = (count_right(mentions[is_one], predicted, scheme) for is_one in (True, False))
    values = {"right": those.n_right, "right_others": others.n_right, "n": those.n, "m": others.n}
    p.say("count", tagger=title, **values)


# The sentences of one name side by side, as many types among them as there are.


def _show_sentences(
    p: Part, name: Name, dataset: Dataset, title: str, run: FineTuneSnapshot | None
) -> None:
    """Show the first sentence with the name's type, the others to guess."""
    rows, columns = [], []
    p.say("ask", name=name.text, n=len(name.mentions))
    for i, mention in enumerate(_in_turn(name, len(dataset.train))[:MOST]):
        if i % 2 == 0:
            columns = p.columns()  # row by row, so that a phone keeps the order
        with columns[i % 2], p.place(border=True):
            rows.append(_show_mention(p, name.text, mention, dataset, run, is_given=i == 0))
    if len(name.mentions) > MOST:
        p.caption("more", shown=MOST, n=len(name.mentions))
    p.numbers("types", rows, n=len(rows), name=name.text, tagger=title)


def _in_turn(name: Name, n_train: int) -> list[Mention]:
    """Return the mentions, type by type in turn; of a type, those of the test part first.

    So the first few have as many types as there are, and the tagger has something to say.
    """
    ranked = []
    for type_ in name.types:
        of_type = [mention for mention in name.mentions if mention.span.type == type_]
        of_type.sort(key=lambda mention: mention.sentence < n_train)
        ranked += enumerate(of_type)
    return [mention for _, mention in sorted(ranked, key=lambda pair: pair[0])]


def _show_mention(
    p: Part,
    name: str,
    mention: Mention,
    dataset: Dataset,
    run: FineTuneSnapshot | None,
    *,
    is_given: bool,
) -> dict[str, str]:
    """Show the sentence with the name framed; after the guess, all its entities.

    Returns what is shown as a row of the table of all sentences.
    """
    n_train, span, types = len(dataset.train), mention.span, dataset.classes
    sentence = (*dataset.train, *dataset.test)[mention.sentence]
    key = f"types_{mention.sentence}_{span.start}"
    above, guess = p.place(), span.type
    if not is_given:
        named = dict(zip(types, types, strict=True))
        guess = p.guess("types", named, key=f"{key}_guess", name=name)
    hidden = Span(start=span.start, end=span.end, type=HIDDEN_TYPE)
    spans = (hidden,) if guess is None else sentence.spans
    marks = {} if is_given else {span: "✓" if guess == span.type else "✗"}
    alt = p.plain("alt", text=entity_text(sentence.words, spans))
    with above:
        p.drawing(key, entity_sentence(sentence.words, spans, alt=alt, marks=marks, types=types))
    is_test = mention.sentence >= n_train
    told = {"name": name, "type": span.type, "part": p.plain("test" if is_test else "train")}
    row = {"sentence": entity_text(sentence.words, spans), "part": told["part"]}
    if is_given:
        p.say("given", **told)
    elif guess is None:
        return row
    else:
        p.tell_right("types", span.type)
        p.say("right" if guess == span.type else "wrong", guess=guess, **told)
    if not is_test:
        p.caption("learnt")
    elif run is not None and run.predictions is not None:
        tags, scheme = run.predictions.predicted[mention.sentence - n_train], run.settings.scheme
        _say_tagger(p, tags, span, scheme)
        row["tagger"] = entity_text(sentence.words, decode(tags, scheme, "conlleval"))
    return row


def _say_tagger(p: Part, tags: Sequence[str], span: Span, scheme: Scheme) -> None:
    """Say what the tagger makes of the name."""
    said, part_of = predicted_type(tags, span, scheme), overlaps(tags, span, scheme)
    if said is not None:
        p.say("tagger_right" if said == span.type else "tagger_other", said=said)
    else:
        p.say("tagger_part" if part_of else "tagger_none", said=", ".join(part_of))
