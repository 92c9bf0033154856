"""What a tagger says of each subword: a probability for every tag, then one tag for each word."""

from functools import partial
from typing import Any

from mlm_core.classification.head_steps import tag_steps
from mlm_core.figures.finetuning.classification_terms import softmax_tex
from mlm_core.figures.tagging.entity_spans import TagRow, entity_sentence, entity_text
from mlm_core.figures.tagging.tag_distribution import distribution_svg
from mlm_core.finetuning.snapshot import FineTuneSnapshot
from mlm_core.tagging.alignment import COMBINATIONS
from mlm_core.tagging.bio_tags import encode
from mlm_core.tagging.decoding import greedy
from mlm_core.text.tokens import TokenizedText
from pages.kit.caches import cache_finetuning
from pages.kit.part import Part, Table, Text, part
from pages.lessons.bio_tagging import computed, setting
from pages.lessons.bio_tagging.computed import Predicted
from pages.lessons.bio_tagging.marked import Marked, current

MOST_PIECES = 30  # with numbers below; a longer sentence's drawings are large already


@part(code=("tagging.alignment:combine_subwords", "tagging.decoding:greedy"))
def show(p: Part) -> None:
    """Ask a tagger about the marked sentence; draw its distributions, and the tags of words."""
    p.say("lead")
    marked = current(p)
    if not marked.words:
        p.note("schemes.no_text", icon="edit")
        return
    chosen = setting.choose_tagger(p, folded=True)
    if chosen is None:
        return
    title, run = chosen
    text, word_of_piece, predicted = computed.piece_probabilities(run, marked.words)
    p.say_what_was_left_out(text)
    told = {"title": title, "model": run.settings.model}
    _show_pieces(p, run, text, word_of_piece, predicted, told)
    _show_words(p, run, marked, word_of_piece, predicted, told)
    p.say("notice")


def _show_pieces(
    p: Part,
    run: FineTuneSnapshot,
    text: TokenizedText,
    word_of_piece: tuple[int | None, ...],
    predicted: Predicted,
    told: dict[str, Any],
) -> None:
    """Draw a column for each subword of a word, as [CLS] and [SEP] have no tag; write one out."""
    tags = computed.reading_of(run).classes
    places = [i for i, word in enumerate(word_of_piece) if word is not None]
    pieces = [text.tokens[i].text for i in places]
    probabilities = predicted[places].exp().tolist()
    drawn, chosen = p.place(), None
    if len(places) <= MOST_PIECES:
        # At first a subword that is no O, if there is one: its numbers have more to tell.
        is_name = (predicted[places].argmax(dim=1) != tags.index("O")).tolist()
        first = is_name.index(True) if True in is_name else 0
        with p.popover("piece", "list"):
            chosen = p.position("piece", pieces, default=first)
    with drawn:
        p.figure(
            "pieces_chances",
            partial(
                distribution_svg,
                probabilities,
                tags,
                pieces,
                word_of_column=[word_of_piece[i] for i in places],
                chosen=chosen,
                clickable=chosen is not None,
            ),
            lambda: [
                {"piece": piece} | dict(zip(map(Text, tags), row, strict=True))
                for piece, row in zip(pieces, probabilities, strict=True)
            ],
            on_click=None if chosen is None else partial(p.choose, "piece"),
            n=len(places),
            tags=len(tags),
            **told,
        )
    if chosen is None:
        p.say("long", most=MOST_PIECES)
    else:
        with p.fold("softmax", "calculate", piece=pieces[chosen]):
            _show_softmax(p, run, text, places[chosen], told)


def _show_softmax(
    p: Part, run: FineTuneSnapshot, text: TokenizedText, position: int, told: dict[str, Any]
) -> None:
    """Write out Eq. 11.12 and 11.13 at one subword: a line for each tag, and one quotient."""
    model = cache_finetuning.model(run)
    steps, tags, piece = tag_steps(model, text, position), model.classes, text.tokens[position].text
    probabilities = steps.probabilities.tolist()
    best, second = steps.probabilities.topk(2).indices.tolist()
    numbers = [one.tolist() for one in (steps.logits, steps.powers, steps.probabilities)]
    titles = [p.plain("equations_tag"), p.plain("equations_logit"), "e^u", "y"]
    left, right = p.columns(gap="large")
    with left:
        short = [[float(f"{x:.3g}") for x in column] for column in numbers]
        named = [setting.in_table(tag, is_chosen=k == best) for k, tag in enumerate(tags)]
        Table(dict(zip(titles, [named, *short], strict=True))).show()
        table = dict(zip(titles, [tags, *numbers], strict=True))
        p.numbers("equations", table, piece=piece, **told)
    with right:
        p.say("equations", piece=piece, n=len(steps.pooled), tags=len(tags))
        if steps.shift:
            p.caption("equations_shifted", shift=steps.shift)
        p.formula(softmax_tex(steps.powers.tolist(), best, probabilities[best]))
        p.say(
            "argmax",
            piece=piece,
            tag=tags[best],
            p=probabilities[best],
            second=tags[second],
            p_second=probabilities[second],
        )


def _show_words(
    p: Part,
    run: FineTuneSnapshot,
    marked: Marked,
    word_of_piece: tuple[int | None, ...],
    predicted: Predicted,
    told: dict[str, Any],
) -> None:
    """Draw the marked sentence over its tags, and those that each rule makes of its subwords."""
    p.say("words")
    reading, scheme = computed.reading_of(run), run.settings.scheme
    gold = encode(marked.spans, len(marked.words), scheme)
    by_rule = {
        rule: [
            reading.classes[tag]
            for tag in greedy(reading.combine(predicted, word_of_piece, rule)).path
        ]
        for rule in COMBINATIONS
    }
    n = len(by_rule["first"])  # words inside the model's window
    confidence = reading.combine(predicted, word_of_piece, "first").exp().amax(dim=1).tolist()
    refusal = computed.refusal_of(run.settings)
    doubtful = {
        i: p.plain("doubtful", p=c)
        for i, c in enumerate(confidence)
        if refusal is not None and c < refusal.threshold
    }
    rows = [
        TagRow(
            name=p.plain(f"row_{rule}"),
            tags=tags,
            lost={i for i, tag in enumerate(tags) if tag != gold[i]},
            lit=doubtful if rule == "first" else {},
        )
        for rule, tags in by_rule.items()
    ]
    wrong: dict[str, Any] = {
        f"wrong_{rule}": len(row.lost) for rule, row in zip(by_rule, rows, strict=True)
    }
    words, spans = marked.words[:n], tuple(span for span in marked.spans if span.end <= n)
    p.figure(
        "word_tags",
        partial(
            entity_sentence,
            words,
            spans,
            rows=[TagRow(name=p.plain("row_marked"), tags=gold[:n]), *rows],
            types=marked.types,
        ),
        {"word": words, "gold": gold[:n], **by_rule},
        text=entity_text(words, spans),
        n=n,
        **wrong,
        **told,
    )
    if run.settings.labelling == "first_only":
        p.caption("untrained")
    if refusal is not None:
        p.say("doubt", n_doubtful=len(doubtful), n=n, threshold=refusal.threshold)
        with p.fold("doubt", "straighten"):
            p.say(
                "doubt_rates",
                most=refusal.most_wrong,
                share=refusal.test.n_doubtful / refusal.test.n,
                wrong_doubtful=refusal.test.doubtful_error,
                wrong_sure=refusal.test.sure_error,
            )
