"""Score by entity: two rows of tags to change, and precision, recall and F1 that move at once."""

from mlm_core.figures.tagging.entity_spans import TagRow, entity_sentence, entity_text
from mlm_core.number_format import formatted, in_formula
from mlm_core.tagging.bio_tags import READINGS, SCHEMES, Reading, Scheme, Span, decode, tags_of
from mlm_core.tagging.errors import Disagreement, Outcome, list_disagreements, list_outcomes
from mlm_core.tagging.scores import (
    Counts,
    EntityScores,
    WordAccuracy,
    score_entities,
    word_accuracy,
)
from mlm_core.tagging.transitions import faults_in
from pages.kit.part import Part, Table, part
from pages.kit.remember import read_words
from pages.lessons.bio_tagging import scores_edits
from pages.lessons.bio_tagging.scores_cases import Case, choose_case
from pages.lessons.bio_tagging.scores_edits import TAGS, Edited, Rows
from pages.lessons.bio_tagging.scores_grid import tag_grid

HIT, WRONG = ":green[:material/check:]", ":red[:material/close:]"
CODE = (
    *("tagging.scores:score_entities", "tagging.scores:word_accuracy"),
    *("tagging.errors:list_outcomes", "tagging.errors:list_disagreements"),
)


@part(code=CODE)
def show(p: Part) -> None:
    """Choose a case, change its tags, and see what is counted."""
    p.say("lead")
    shown = p.place()
    with p.fold("more", "tune"):
        with p.row():
            scheme = p.choice("scores_scheme", SCHEMES)
            reading = p.choice("scores_reading")
        readings = p.place()
    with shown:
        case = choose_case(p, scheme)
        if case is None:
            return
        edited = scores_edits.current(p, case, scheme, tags_of(case.types, scheme))
        _show_grid(p, case, scheme, edited)
        _show_measures(p, case, edited, scheme, reading)
    with readings:
        _show_readings(p, case, edited.rows, scheme)
    p.say("notice")


def _show_grid(p: Part, case: Case, scheme: Scheme, edited: Edited) -> None:
    """Show both rows of tags, with the buttons that take changes back."""
    p.drawn(TAGS, "")
    if not p.is_hidden(TAGS):
        tag_grid(
            case.words,
            dict(zip((p.plain("gold"), p.plain("predicted")), edited.rows, strict=True)),
            key=p.key("grid"),
            tags=tags_of(case.types, scheme),
            faults=[{fault.position for fault in faults_in(row, scheme)} for row in edited.rows],
            on_edit=scores_edits.changer(p, case, edited),
            disabled=p.is_fixed(TAGS),
        )
    untouched = edited.rows == (case.gold, case.predicted)
    with p.row("center"):
        undo = {"icon": "undo", "changes": (TAGS,), "disabled": not edited.before}
        p.button("scores_undo", scores_edits.undo, p, case, edited, **undo)
        reset = {"icon": "restart_alt", "changes": (TAGS,), "disabled": untouched}
        p.button("scores_reset", scores_edits.reset, p, case, **reset)
        p.write_small(p.section("marks"), width="content")


# Precision, recall, F1 and token accuracy, written out with their counts.


def _show_measures(p: Part, case: Case, edited: Edited, scheme: Scheme, reading: Reading) -> None:
    """Show the numbers, by how much the last change moved each, the divisions and the entities."""
    scores, accuracy = _measure(edited.rows, scheme, reading)
    now = _values(scores, accuracy)
    earlier = _values(*_measure(edited.before[-1], scheme, reading)) if edited.before else now
    with p.row("top", gap="medium"):
        for name, value in now.items():
            change = value - earlier[name]
            moved = formatted(change, "+.3f") if change else None
            p.metric(name, formatted(value, ".3f"), change=moved, width="content")
    left, right = p.columns(2, 3, gap="large")
    with right:
        _show_outcomes(p, case, edited.rows, scheme, reading)
    with left:
        p.formula(_formulas(scores.counts))
        if not scores.counts.n_predicted or not scores.counts.n_gold:
            p.say("nothing")
        p.say(
            "accuracy",
            right=accuracy.n_right,
            n=accuracy.n_words,
            accuracy=accuracy.accuracy,
            outside=accuracy.n_gold_outside,
            outside_accuracy=accuracy.all_outside_accuracy,
        )
        rows = _rows(p, scores)
        if len(scores.by_type) > 1:
            with p.fold("by_type", "table_rows"):
                Table(rows).show()
                p.say("macro")
        told = {"case": case.source, "scheme": scheme, "reading": p.plain(f"reading_{reading}")}
        p.numbers("scores", rows, **told)


def _measure(rows: Rows, scheme: Scheme, reading: Reading) -> tuple[EntityScores, WordAccuracy]:
    """Return the entity scores and the word accuracy of one sentence."""
    gold, predicted = (decode(row, scheme, reading) for row in rows)
    return score_entities([gold], [predicted]), word_accuracy([rows[0]], [rows[1]])


def _values(scores: EntityScores, accuracy: WordAccuracy) -> dict[str, float]:
    return {
        "precision": scores.micro.precision,
        "recall": scores.micro.recall,
        "f1": scores.micro.f1,
        "accuracy": accuracy.accuracy,
    }


def _formulas(counts: Counts) -> str:
    """Return the three divisions with their counts; of 0/0 the rule says 0."""

    def share(name: str, formula: str, part: int, whole: int) -> str:
        value = f"= {in_formula(part / whole, '.3f')}" if whole else r"\rightarrow 0"
        return rf"{name} &= {formula} = \frac{{{part}}}{{{whole}}} {value}"

    named = read_words("columns").plain
    hit, said, gold = (rf"\text{{{named(name)}}}" for name in ("hits", "predicted", "gold"))
    hits, n_both = counts.n_hits, counts.n_gold + counts.n_predicted
    lines = (
        share("P", rf"\frac{{{hit}}}{{{said}}}", hits, counts.n_predicted),
        share("R", rf"\frac{{{hit}}}{{{gold}}}", hits, counts.n_gold),
        r"F_1 &= \frac{2 P R}{P + R}",
        share("", rf"\frac{{2 \cdot {hit}}}{{{gold} + {said}}}", 2 * hits, n_both),
    )
    return r"\begin{aligned}" + r" \\[.4em] ".join(lines) + r"\end{aligned}"


def _rows(p: Part, scores: EntityScores) -> list[dict[str, object]]:
    """Return a line for each type and for both averages; that of the types has no counts."""
    lines = [
        *((score.type, score.counts, score.measures) for score in scores.by_type),
        (p.plain("row_micro"), scores.counts, scores.micro),
        (p.plain("row_macro"), None, scores.macro),
    ]
    return [
        {
            "type": name,
            "hits": counts.n_hits if counts else "",
            "gold": counts.n_gold if counts else "",
            "predicted": counts.n_predicted if counts else "",
            "precision": round(measures.precision, 4),
            "recall": round(measures.recall, 4),
            "F1": round(measures.f1, 4),
        }
        for name, counts, measures in lines
    ]


# Gold and predicted entities as drawn spans, and each hit, miss and false alarm by its name.


def _show_outcomes(p: Part, case: Case, rows: Rows, scheme: Scheme, reading: Reading) -> None:
    """Draw both sides' entities and name what became of each."""
    gold, predicted = (decode(row, scheme, reading) for row in rows)
    for side, spans, others in (("gold", gold, predicted), ("predicted", predicted, gold)):
        p.write(f"**{p.label(f'{side}_entities')}**")
        marks = {span: "✓" if span in others else "✗" for span in spans}
        _draw_spans(p, case, side, spans, f"spans_{side}", marks)
    outcomes = list_outcomes([gold], [predicted])
    if not outcomes:
        p.say("no_entity")
        return
    p.say(
        "counted",
        hits=sum(outcome.kind == "hit" for outcome in outcomes),
        missed=sum(outcome.is_miss for outcome in outcomes),
        alarms=sum(outcome.is_false_alarm for outcome in outcomes),
    )
    p.write("\n".join(f"- {_outcome(p, case.words, outcome)}" for outcome in outcomes))


def _draw_spans(
    p: Part,
    case: Case,
    side: str,
    spans: tuple[Span, ...],
    name: str,
    marks: dict[Span, str] | None = None,
) -> None:
    alt = p.plain(f"{side}_alt", text=entity_text(case.words, spans))
    html = entity_sentence(case.words, spans, alt=alt, marks=marks, types=case.types)
    p.drawing(name, html)


def _outcome(p: Part, words: tuple[str, ...], outcome: Outcome) -> str:
    """Say what became of one entity, and what it costs."""
    told = {
        side: f"{' '.join(words[span.start : span.end])} ({span.type})"
        for side, span in (("gold", outcome.gold), ("predicted", outcome.predicted))
        if span is not None
    }
    icon = HIT if outcome.kind == "hit" else WRONG
    return f"{icon} {p.label(f'outcome_{outcome.kind}', **told)}"


# The same tags in conlleval's reading and in the strict one, and the tag that divides them.


def _show_readings(p: Part, case: Case, rows: Rows, scheme: Scheme) -> None:
    """Show what each reading takes for an entity, and what each scores."""
    p.say("readings")
    for reading, column in zip(READINGS, p.columns(gap="small"), strict=True):
        with column:
            scores, _ = _measure(rows, scheme, reading)
            p.say(reading, f1=scores.micro.f1, **vars(scores.counts))
            spans = decode(rows[1], scheme, reading)
            _draw_spans(p, case, "predicted", spans, f"reading_{reading}")
    found = list_disagreements([rows[0]], [rows[1]], scheme)
    if not found:
        p.say("agree_io" if scheme == "IO" else "agree")
        return
    _draw_faults(p, case, rows, found)
    for one in found:
        for fault in one.faults:
            p.say(
                "disagree",
                word=case.words[fault.position],
                side=p.plain(one.side),
                reason=p.translated(fault.reason),
                effect=p.translated(one.effect),
            )


def _draw_faults(p: Part, case: Case, rows: Rows, found: tuple[Disagreement, ...]) -> None:
    lit: dict[str, dict[int, str]] = {"gold": {}, "predicted": {}}
    for one in found:
        lit[one.side] |= {fault.position: p.translated(fault.reason) for fault in one.faults}
    drawn = [
        TagRow(name=p.plain(side), tags=row, lit=lit[side])
        for side, row in zip(lit, rows, strict=True)
    ]
    alt = p.plain("faults_alt", n=sum(map(len, lit.values())))
    p.drawing("faults", entity_sentence(case.words, [], rows=drawn, alt=alt))
