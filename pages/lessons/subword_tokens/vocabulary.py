"""The vocabulary: tokens per word against its size, and another text to learn it from."""

from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

from mlm_core.figures.charts import lines_chart, log_axis
from mlm_core.figures.curves import Curve, Level
from mlm_core.figures.text.tokens import cuts_html
from mlm_core.number_format import formatted
from mlm_core.stored.size_curve import stored_curve
from mlm_core.text.cutting import count_unknown, tokens_per_word
from mlm_core.text.size_curve import SIZES, SizePoint
from mlm_core.text.tokens import ALGORITHMS
from pages.kit.part import Part, part
from pages.lessons.subword_tokens import computed, setting

LONGEST, FEWEST_WORDS = 20_000, 20  # characters that are taken; words below which nothing repeats


@part(
    code=(
        "text.size_curve:measure",
        "text.cutting:tokens_per_word",
        "text.tokens:train_tokenizer",
    )
)
def show(p: Part) -> None:
    """Draw the curve on the training text or the learner's, or learn from another text."""
    p.say("lead")
    left, right = p.columns(3, 2)
    with left:
        measured = p.choice("curve")
        text = p.text("part_text")
    with right:
        size = setting.choose_size(p)
    is_empty = not text.strip()
    if measured == "corpus":
        _draw_curve(p, measured, stored_curve(p.language), size)
        if not is_empty:
            p.say("yours", **_tokens_per_word(p, text, size))
            _say_unknown(p, text, size)
        p.say("notice")
    elif is_empty:
        p.note("empty", icon="edit")
    elif measured == "own":
        _learn_from_another_text(p, text, size)
    else:
        _draw_curve(p, measured, _measured_on(p, text), size)
        _say_unknown(p, text, size)


def _say_unknown(p: Part, text: str, size: int) -> None:
    """Say how many pieces are unknown, if any are: [UNK] makes a curve look good."""
    cuts = [(name, cut) for name, cut, _ in setting.cut_by_all(p, text, size)]
    if any(count_unknown(cut) for _, cut in cuts):
        shares = [f"{name} {count_unknown(cut)} / {setting.n_pieces(cut)}" for name, cut in cuts]
        p.say("unknown", unknown=", ".join(shares))


def _tokens_per_word(p: Part, text: str, size: int) -> dict[str, float]:
    return {
        name.lower(): tokens_per_word(computed.trained_tokenizer(name, size, p.language), [text])
        for name in ALGORITHMS
    }


def _draw_curve(p: Part, measured: str, points: Sequence[SizePoint], size: int) -> None:
    """Draw tokens per word at every size, and say them at the chosen one."""
    lines = [
        Curve(
            name=name,
            # A vocabulary that could grow no further is drawn once.
            points=sorted(
                {
                    (point.reached, point.tokens_per_word)
                    for point in points
                    if point.algorithm == name
                }
            ),
            pen=pen,
            dots=True,
        )
        for pen, name in enumerate(ALGORITHMS)
    ]
    chart = lines_chart(
        lines,
        x_title=p.plain("x"),
        y_title=p.plain("y"),
        marks=[Level(name=p.plain("current", size=size), value=size)],
        x_axis=log_axis(SIZES[1::2]),
        y_axis={"rangemode": "tozero"},
    )
    told: dict[str, Any] = {"size": size, **setting.of_corpus(p)}
    told |= {
        point.algorithm.lower(): point.tokens_per_word for point in points if point.size == size
    }
    p.say("reading", **told)
    table = [asdict(point) for point in points]
    p.figure("curve_chart", chart, table, source=f"source_{measured}", **told)


def _measured_on(p: Part, text: str) -> list[SizePoint]:
    """Return the points for the learner's text, training what no visitor has trained yet."""
    points = []
    with p.working("measuring"):
        for algorithm in ALGORITHMS:
            for size in SIZES:
                tokenizer = computed.trained_tokenizer(algorithm, size, p.language)
                points.append(
                    SizePoint(
                        algorithm=algorithm,
                        size=size,
                        reached=tokenizer.get_vocab_size(),
                        tokens_per_word=tokens_per_word(tokenizer, [text]),
                    )
                )
    return points


def _learn_from_another_text(p: Part, text: str, size: int) -> None:
    """Take a text, train all three on it, and split the sentence with both vocabularies."""
    told = p.section("help", longest=LONGEST)
    corpus = p.pasted("own", longest=LONGEST, height=120, sample="vocabulary.sample", help=told)
    corpus = corpus.strip()
    n = len(corpus.split())
    if n < FEWEST_WORDS:
        p.note("too_short", icon="edit", n=n, fewest=FEWEST_WORDS)
        return
    if len(corpus) >= LONGEST:
        p.warn("cut", icon="content_cut", longest=LONGEST)
    with p.working("training", is_timed=False, size=size):
        own = setting.cut_by_all(p, text, size, corpus)
        ours = setting.cut_by_all(p, text, size)
    rows = [(p.plain("row", name=name), cut) for name, cut, _ in own]
    rows += [(name, cut) for name, cut, _ in ours]
    p.figure(
        "own_cuts",
        partial(cuts_html, text, rows),
        lambda: setting.table_of(rows),
        alt="cuts_alt",
        source="own_source",
        n=n,
        **setting.of_corpus(p),
        reached=", ".join(f"{name} {formatted(reached, ',')}" for name, _, reached in own),
    )
    p.say("own_notice")
