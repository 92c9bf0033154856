"""Templates and bias: two answers at a blank, with one word after another in the same sentence."""

from collections.abc import Mapping, Sequence

from mlm_core.figures.charts import bars_chart, percent
from mlm_core.inside.templates import SLOT, Expected, TemplateError, association
from pages.kit.part import Part, Text, part
from pages.lessons.inside_a_prediction import computed
from pages.lessons.inside_a_prediction.lesson import MOST_WORDS

ORDERS = ("word_first", "blank_first")
N_ANSWERS = 2


@part(code=("inside.templates:expected_at_blank", "inside.templates:association"))
def show(p: Part) -> None:
    """Draw the probabilities of the two answers, in both orders, next to the control."""
    p.say("lead")
    if not p.model.has_language_head:
        p.note("no_head", icon="block", model=p.model_name)
        return
    left, right = p.columns()
    with left:
        words = _listed(p.text("expects_words"))[:MOST_WORDS]
    with right:
        answers = _listed(p.text("expects_answers"))
    columns = dict(zip(ORDERS, p.columns(), strict=True))
    found: dict[str, tuple[Expected, ...]] = {}
    for order, column in columns.items():
        with column:
            template = p.text(f"expects_{order}")
            expected = _expected(p, template, words, answers)
            if expected is not None:
                found[order] = expected
    highest = max((max(one.probabilities) for rows in found.values() for one in rows), default=0)
    for order, expected in found.items():
        with columns[order]:
            _draw(p, order, expected, answers, highest)
    if len(found) == len(ORDERS):
        _compare(p, found, answers)
    p.say("limits")


def _listed(typed: str) -> list[str]:
    """Return what is typed between commas, each once."""
    return list(dict.fromkeys(word for one in typed.split(",") if (word := one.strip())))


def _expected(
    p: Part, template: str, words: Sequence[str], answers: Sequence[str]
) -> tuple[Expected, ...] | None:
    """Return the control and each word's row; None, with a note, for unusable input."""
    if not words:
        p.note("no_words", icon="edit")
    elif len(answers) != N_ANSWERS:
        p.note("two_answers", icon="edit", n=len(answers))
    else:
        try:
            return computed.expected(p.model_name, template, tuple(words), tuple(answers))
        except TemplateError as error:
            p.refused(error, "edit", mildly="note")
        except ValueError:
            p.note("one_token", icon="edit", answers=", ".join(answers), slot=SLOT)
    return None


def _draw(
    p: Part, order: str, expected: Sequence[Expected], answers: Sequence[str], highest: float
) -> None:
    control, *_ = expected
    names = [one.word or p.plain("control") for one in expected]
    columns = list(zip(*(one.probabilities for one in expected), strict=True))
    series = dict(zip(answers, columns, strict=True))
    p.figure(
        f"expects_{order}_bars",
        bars_chart(
            names,
            series,
            written=percent,
            x_axis={"range": [0, 1.35 * highest], "showticklabels": False},
        ),
        {
            "word": names,
            **{Text(f"P({answer})"): column for answer, column in series.items()},
            "log_ratio": [one.log_ratio for one in expected],
            "beyond_control": [association(one, control) for one in expected],
        },
        alt="expects_bars_alt",
        source="expects_bars_source",
        first=answers[0],
        second=answers[1],
        n=len(expected) - 1,
    )


def _compare(p: Part, found: Mapping[str, Sequence[Expected]], answers: Sequence[str]) -> None:
    """Say which words are farthest from the control, and whether the other order agrees."""
    beyond = {
        order: {one.word: association(one, rows[0]) for one in rows[1:]}
        for order, rows in found.items()
    }
    first, other = (beyond[order] for order in ORDERS)
    most, least = max(first, key=first.__getitem__), min(first, key=first.__getitem__)
    ratios = {one.word: 2**one.log_ratio for one in found[ORDERS[0]]}
    p.say(
        "said",
        first=answers[0],
        second=answers[1],
        control=ratios[None],
        most=most,
        most_ratio=ratios[most],
        least=least,
        least_ratio=ratios[least],
        same=sum(first[word] * other[word] > 0 for word in first),
        n=len(first),
    )
