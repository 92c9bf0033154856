"""What a reader notices of every drawing and chart: one small sample of each in a table.

What only one figure has to hold, such as a scale or an order, is tested in the file of its folder.
"""

import html
import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
import torch

from mlm_core import figures
from mlm_core.answers.words import PassageWord
from mlm_core.embeddings.senses_data import MarkedSentence
from mlm_core.encoder.attention import attend, causal_mask
from mlm_core.encoder.block_steps import BlockRow, TokenAtStep
from mlm_core.encoder.cost import ParameterTerm
from mlm_core.evaluation.learning_gain import Gain
from mlm_core.figures.charts import DotRow, percent
from mlm_core.figures.curves import Curve, Level
from mlm_core.figures.embeddings.search_hits import FoundText, HitColumn
from mlm_core.figures.embeddings.sense_map import Frame, MapPoint, MapSign, sense_groups
from mlm_core.figures.embeddings.sense_map_uses import ListedUse
from mlm_core.figures.encoder.sizes import Sized
from mlm_core.figures.encoder.worked_example import STEPS, Cell
from mlm_core.figures.film import Film, FilmNames
from mlm_core.figures.finetuning.answer_spans import AnswerNames
from mlm_core.figures.finetuning.classification import ClassRow
from mlm_core.figures.finetuning.classification_variants import VariantRow
from mlm_core.figures.inside.attribution import AttributedText
from mlm_core.figures.inside.heads_in_turn import Gone
from mlm_core.figures.inside.heads_off import BoardNames, Switch
from mlm_core.figures.inside.lens import DrawnLayer, LensWord
from mlm_core.figures.masking.corruption import PlayNames
from mlm_core.figures.prediction.predictions import Column
from mlm_core.figures.prediction.sentence_pairs import BatchRow
from mlm_core.figures.prediction.unmasking import Cell as Unmasked
from mlm_core.figures.prediction.unmasking import UnmaskRow
from mlm_core.figures.prediction.whole_way import DrawnWay, WayNames, WayRow, WayWord
from mlm_core.figures.svg import text
from mlm_core.figures.tagging.entity_spans import TagRow
from mlm_core.figures.tagging.subword_tags import DrawnSubword, DrawnWord
from mlm_core.figures.tagging.tag_distribution import TagPath
from mlm_core.figures.theme import printable
from mlm_core.masking.noising import infill
from mlm_core.masking.rule import CorruptionRule
from mlm_core.masking.steps import Candidate, Choice, Corruption, Replacement, play_state
from mlm_core.number_format import ENGLISH, GERMAN, NumberMarks, with_marks, written_with
from mlm_core.prediction.packing import pack
from mlm_core.stored.pictures import read_pictures
from mlm_core.tagging.bio_tags import Span
from mlm_core.text.cutting import Attempt, MergeStep, Segmentation
from mlm_core.text.tokens import Token, TokenizedText
from pages.server.figures import clickable

T = "<b>'\"&\x07"  # a learner's text, wherever one may stand
# Names of bars, which the words of home give to two of the stored pictures.
BARS = {"sentence_pairs": {"names": "ab"}, "encoders_today": {"names": "abc"}}
NAN, INFINITY = float("nan"), float("inf")
SMALLEST = 9  # pixels of a letter that can be read


@dataclass(frozen=True, kw_only=True)
class Case:
    """A figure's sample and what a reader finds in it; `draw` gives T to every text left out."""

    given: Mapping[str, Any]
    says: str = ""  # parts of what is written, in order; numbers as English writes them
    sized: Sequence[float] = ()  # lengths, heights or shades are in proportion to these, in order
    clicks: str = ""  # the values that can be clicked
    pressed: str = ""  # those of them that are chosen
    odd: Sequence[Mapping[str, Any]] = ()  # given in place of the sample's: one or no number, ...
    can_be_empty: bool = True
    has_words: bool = True  # apart from the alt text


def token(text: str, word: int | None = 0, at: int = 0) -> Token:
    stop, is_special = at + len(text), word is None
    return Token(text=text, id=17, start=at, stop=stop, word=word, segment=0, is_special=is_special)


def passage_word(text: str, start: int, p_start: float, p_end: float) -> PassageWord:
    stop = start + len(text)
    return PassageWord(
        text=text, start=start, stop=stop, subwords=(text,), p_start=p_start, p_end=p_end
    )


def block_row(name: str, hidden: int) -> BlockRow:
    return BlockRow(name=name, formula="X", shape=(1, 7, hidden), n_parameters=1560)


def at_step(name: str, length: float) -> TokenAtStep:
    return TokenAtStep(name=name, size=3, length=length, mean=0.0, deviation=1.0, first=())


def lens_word(text: str, probability: float, value: str, is_followed: bool = False) -> LensWord:
    return LensWord(text=text, probability=probability, is_followed=is_followed, value=value)


FILM_NAMES = FilmNames(first="a", back="a", play="b", pause="c", next="d", moment="m", speed="s")

PLAYED = Corruption(
    tokens=(token("[CLS]", None), token(T), token("was", 1), token("good", 2)),
    choice=Choice(
        count=2,
        candidates=(
            Candidate(excluded="special"),
            Candidate(excluded=None, draw=0.0719, is_chosen=True),
            Candidate(excluded=None, draw=0.6),
            Candidate(excluded=None, draw=0.79999, is_chosen=True),
        ),
        span_words=(),
    ),
    replacements=(
        None,
        Replacement(die=0.79999, branch="mask", id=4, text="[MASK]"),
        None,
        Replacement(die=0.85, branch="random", id=9, text="planet"),
    ),
)
STATES = [play_state(PLAYED, n_done) for n_done in range(6)]
WORDS = torch.tensor([[1.0, 0.5, -2.0], [0.0, 3.25, 1.0], [-0.1, 0.0, 2.0]])
CUT = TokenizedText(
    text=T + "sat",
    pair=None,
    tokens=(token("[CLS]", None), token(T), token("sat", 1, len(T))),
    n_left_out=0,
)
USE, OTHER = (MarkedSentence(text=f"{word} here", start=0, end=len(word)) for word in (T, "bank"))
GROUPS = sense_groups([T, "river"])
CURVE = Curve(name=T, points=((0, 5.0), (50, 1.25), (90, 0.5)), pen=0, dots=True)
BEYOND = Curve(name="a", points=((0, 99.0), (1, NAN), (2, -5.0)), pen=0, dots=True)
STEPS_OF_BLOCK = ("input", "first_sum", "first_norm", "second_sum")
SPAN = Span(start=0, end=2, type=T)
STATIONS = ("subwords", "embedding", "attention", "feed_forward", "logits", "probabilities")
WAY = DrawnWay(
    rows=[
        WayRow(text=T),
        WayRow(text="[MASK]", position=1, can_be_followed=True),
        WayRow(text="c"),
    ],
    chosen=1,
    strips=[("token", [0.25, -0.5, 3.0]), ("sum", [1.0, 0.0, -2.0])],
    weights=[[0.25, 0.0, 0.75], [0.5, 0.25, 0.25]],
    added={"attention": [5.0, 20.0], "feed_forward": [10.0, 15.0]},
    state=[0.5, -0.25, 0.0],
    words=[
        WayWord(text="river", logit=12.5, probability=0.25, is_true=True),
        WayWord(text="bank", logit=11.0, probability=0.125),
    ],
    rest=0.5,
    said=[T, "two", "three", "four", "five", "six"],
    names=WayNames(
        stations={name: name for name in STATIONS},
        opens=dict.fromkeys(STATIONS, T),
        added=dict.fromkeys(("attention", "feed_forward", "layer"), "adds"),
        state="state",
        rest="others",
        film=FILM_NAMES,
    ),
)

CASES: dict[str, Case | list[Case]] = {
    "bars.bars_svg": Case(
        given=dict(names=[T, "two", "c"], values=[0.5, 0.13, 0.3], longest=0.5),
        says="0.50 two 0.13 c 0.30",
        sized=[0.5, 0.13, 0.3],
    ),
    "charts.lines_chart": Case(
        given=dict(curves=[CURVE], levels=[Level(name=T, value=5.25)]),
        says="5.25",
        sized=[5.0, 1.25, 0.5],
        clicks="0 50 90",
    ),
    "charts.layers_chart": Case(
        given=dict(
            lines={T: [0.25, 0.5], "two": [0.75, 0.5]},
            x_title="b",
            y_title="c",
            errors={T: [0.125, 0.0625]},
            undotted="two",
        ),
        says="",
        sized=[0.25, 0.5],
        clicks="0 1",
    ),
    "charts.histogram_chart": Case(
        given=dict(
            groups={T: [0.1, 0.1, 0.1, 0.5, 0.9, 0.9]},
            low=0.0,
            high=1.0,
            n_bins=3,
            marks=[Level(name=T, value=0.5)],
        ),
        sized=[3, 1, 2],
        odd=[dict(groups={})],
    ),
    "charts.bars_chart": Case(
        given=dict(names=[T, "two"], series={T: [0.5, 0.25], "b": [0.0, 0.75]}, written=percent),
        says="50.0 % 25.0 % b 0 % 75.0 % two",
        sized=[0.5, 0.25],
    ),
    "charts.dots_chart": Case(
        given=dict(
            rows=[DotRow(name=T, values=[0.2]), DotRow(name="b", values=[0.7])],
            series=[T],
            low=0.0,
            high=1.0,
        ),
        sized=[0.2, 0.7],
    ),
    "chips.chip_row": Case(
        given=dict(
            tokens=[token(T), token("two", 1)], first=5, selected={6}, clickable=True, label=T
        ),
        says="position 5 two position 6",
        clicks="5 6",
        pressed="6",
    ),
    "curves.curves_svg": Case(
        given=dict(
            curves=[CURVE],
            last_step=90,
            y_range=(0.0, 5.0),
            levels=[Level(name=T, value=4.25)],
            at=50,
        ),
        says="3 80 4.25",
        odd=[dict(curves=[BEYOND])],
    ),
    "film.film_html": Case(
        given=dict(
            film=Film(lasts=[1.5, 2], said=[T, "two"]),
            names=FILM_NAMES,
            drawings=["<svg aria-hidden='true' viewBox='0 0 9 9'/>"],
            kind="k",
        ),
        says="b c two",
    ),
    "film.frames_html": Case(
        given=dict(
            film=Film(lasts=[1.5, 2], said=[T, "two"], values=["1", "2"]),
            names=FILM_NAMES,
            frames=["<svg aria-hidden='true' viewBox='0 0 9 9'/>"] * 2,
            kind="k",
        ),
        says="b c two",
    ),
    "matrix.matrix_svg": Case(
        given=dict(
            values=[[0.25, 0.0, 0.75], [1.0, 0.126, 0.5]],
            rows=[T, "two"],
            columns=["x", "y", T],
            clickable="rows",
        ),
        says="x: 0.2500 0.25 y: 0 0.7500 two → x: 1.000 1.00 two → y: 0.1260 0.13",
        sized=[0.25, 0.0, 0.75, 1.0, 0.126, 0.5],
        clicks="0 1",
        odd=[
            dict(values=[[0.0]], rows=["a"], columns=["x"], scale="signed"),
            dict(values=[[NAN, INFINITY]], rows=["a"], columns=["x", "y"]),
        ],
    ),
    "matrix.wrapped_row_svg": Case(
        given=dict(values=[0.25, 0.75, 0.5], row=T, columns=["x", "y", T]),
        says="x y 0.25 x: 0.2500 0.25 y: 0.7500 0.75 0.50",
        sized=[0.25, 0.75, 0.5],
        odd=[dict(values=[0.5], columns=["x"])],
    ),
    "svg.svg": Case(
        given=dict(kind="k", parts=[text(1, 5, T, 2)], width=9, height=9),
        has_words=False,
    ),
    "classroom.pictures.lesson_picture": [
        Case(given=dict(slug=slug, numbers=BARS.get(slug, {}) | numbers), has_words=False)
        for slug, numbers in read_pictures().items()
    ],
    "classroom.qr_code.qr_svg": Case(given=dict(link="https://school.example/"), has_words=False),
    "classroom.gains.gains_chart": Case(
        given=dict(
            gains={
                T: Gain(n=7, before=0.2, after=0.6, gain=0.5, low=0.25, high=0.75),
                "two": Gain(n=3, before=0.5, after=0.625, gain=0.25, low=None, high=None),
            }
        ),
        sized=[0.5, 0.25],
        odd=[dict(gains={"a": Gain(n=1, before=1, after=1, gain=None, low=None, high=None)})],
    ),
    "classroom.votes.votes_svg": Case(
        given=dict(rounds=[{T: 1, "two": 6}, {T: 2, "two": 3}], round_names=[T, T]),
        says="1 · 14 % 2 · 40 % two 6 · 86 % 3 · 60 %",
        sized=[1 / 7, 2 / 5, 6 / 7, 3 / 5],
        odd=[dict(rounds=[{"a": 0, "b": 0}], round_names=["1"])],
    ),
    "classroom.votes.dots_svg": Case(
        given=dict(rounds=[(2.5, 2.5, 5.25), (3.0,)], round_names=[T, T]),
        says="2.50 5.25",
        odd=[dict(rounds=[()], round_names=["1"]), dict(rounds=[(3.0,)], round_names=["1"])],
    ),
    "classroom.votes.map_html": Case(
        given=dict(lessons={T: [(T, 1600, 0), ("two", 4000, 2)]}),
        says="1,600 two 4,000 ! 2",
        sized=[0.4, 1],
        odd=[dict(lessons={}), dict(lessons={"A": [("x", 0, 0)]})],
    ),
    "embeddings.isotropy_shares.shares_svg": Case(
        given=dict(names=[T, "7"], proportions=[0.5, 0.125], rest=(T, 0.375), n_dropped=1),
        says="50.0 % 7: 12.5 % 37.5 %",
        sized=[0.5, 0.125, 0.375],
        clicks="0,0 0,1",
        pressed="0,0",
        can_be_empty=False,
        odd=[dict(proportions=[1.4, -0.1])],  # a dimension can lower the mean cosine
    ),
    "embeddings.search_hits.hits_html": Case(
        given=dict(
            query=T,
            columns=[
                HitColumn(
                    name=T,
                    hits=[FoundText(text=T, score=0.5, grade=2), FoundText(text="b", score=0)],
                ),
                HitColumn(name="mean", hits=[FoundText(text="c", score=1, grade=0)], foot=T),
            ],
            grades=(T, "related", "same"),
        ),
        says="✓",
    ),
    "embeddings.sense_map.sense_map_chart": Case(
        given=dict(
            points=[
                MapPoint(x=0.0, y=2.0, group=0, sentence=USE),
                MapPoint(x=4.0, y=0.0, group=1, sentence=OTHER, lies=True),
                MapPoint(x=3.0, y=1.0, group=1, sentence=OTHER),
            ],
            groups=GROUPS,
            frame=Frame.around([(0.0, 2.0), (4.0, 0.0)]),
            signs=[MapSign(x=1.0, y=1.0, shape="star", title=T, legend=T)],
        ),
        clicks="0 1 2",
        odd=[dict(frame=Frame.around([(3.0, -2.0)]))],
    ),
    "embeddings.sense_map.mark_svg": Case(given=dict(group=GROUPS[0]), has_words=False),
    "embeddings.sense_map_uses.marked_html": Case(given=dict(sentence=USE)),
    "embeddings.sense_map_uses.use_html": Case(given=dict(sentence=USE, group=GROUPS[0], note=T)),
    "embeddings.sense_map_uses.uses_html": Case(
        given=dict(
            lists=[
                (T, [ListedUse(sentence=USE, group=GROUPS[0], number=T, is_true=False, value="7")]),
                ("more", [ListedUse(sentence=OTHER, group=GROUPS[1], number="1")]),
            ]
        ),
        says="✗ more 1 bank",
        clicks="7",
    ),
    "encoder.attention.flow_svg": Case(
        given=dict(
            tokens=[T, "two", "c"],
            query=1,
            attention_mask=[True, True, False],
            weights=[0.25, 0.75, 0.0],
            headings=(T, T),
        ),
        says="0.25 two 0.75 c ✕",
        clicks="0 1 2",
        pressed="1",
        odd=[dict(attention_mask=[False] * 3, weights=[NAN] * 3)],
        can_be_empty=False,
    ),
    "encoder.bert.strips_html": Case(
        given=dict(
            rows=[("", T, [0.2, 0.5, 1.0]), ("=", "two", [0.1, -9.0, 2.0])], lengths=[1.25, 2.5]
        ),
        says="1.25 two 2.50",
        odd=[dict(rows=[("", "a", [])], lengths=[0.0])],
        can_be_empty=False,
    ),
    "encoder.block.block_svg": Case(
        given=dict(
            rows=[block_row(name, 12) for name in STEPS_OF_BLOCK],
            names=dict.fromkeys(STEPS_OF_BLOCK, T),
            parameters="{} numbers",
        ),
        says="[1, 7, 12] 1,560 numbers",
        can_be_empty=False,
    ),
    "encoder.block.length_chart": Case(
        given=dict(
            steps=[at_step("input", 2.5), at_step("output", 7.25)],
            names={"input": "X", "output": "Y"},
            x_title="length",
        ),
        says="2.5 7.25",
        sized=[2.5, 7.25],
        can_be_empty=False,
        has_words=False,
    ),
    "encoder.cost.growth_chart": Case(
        given=dict(sizes=[128, 4096], lines={T: [3.0, 96.0]}, marks={T: 300}),
        says="128 4,096",
        sized=[3.0, 96.0],
        clicks="128 4096",
        can_be_empty=False,
    ),
    "encoder.heads.heads_svg": Case(
        given=dict(weights=[np.eye(5)[None].repeat(3, axis=0)] * 2),
        clicks="0,0 0,1 0,2 1,0 1,1 1,2",
        odd=[dict(weights=[np.ones((1, 1, 1))])],
        can_be_empty=False,
    ),
    "encoder.masked_row.masked_row_svg": Case(
        given=dict(
            tokens=[T, "two", "c"],
            scores=[2.5, 1.25, 0.5],
            masked_scores=[2.5, -INFINITY, 0.5],
            weights=[0.75, 0.0, 0.25],
            attention_mask=[True, False, True],
            headings=(T, T, T, T),
        ),
        says="2.50 2.50 0.750 two 1.25 −∞ 0 c 0.500 0.500 0.250",
        sized=[0.75, 0.0, 0.25],
        odd=[dict(weights=[NAN] * 3), dict(weights=None)],
    ),
    "encoder.parameter_count.parameter_terms_html": Case(
        given=dict(
            terms=[
                ParameterTerm(group="embeddings", name="words", formula="V d", count=1250),
                ParameterTerm(group="layers", name="inner", formula="d f", count=3750),
            ],
            name_of=lambda _: T,
        ),
        says="1,250 · 25.0 % V d 1,250 3,750 · 75.0 % d f 3,750",
        sized=[25, 75, 25, 75],
    ),
    "encoder.sizes.sizes_svg": Case(
        given=dict(
            things=[
                Sized(name=T, size=1.0),
                Sized(name="two", size=4.0, is_first=False),
                Sized(name="limit", size=9.0, is_limit=True),
            ]
        ),
        says="limit two",
    ),
    "encoder.worked_example.chain_html": Case(
        given=dict(
            steps=attend(WORDS, WORDS, WORDS, causal_mask(3)),
            words=(T, "cat", "sat"),
            titles=dict.fromkeys(STEPS, T),
            selected=Cell(step="weights", row=1, column=0),
        ),
        says="5.250 −0.3750 ✕ −∞ ✕ 0 0.9990 −2.000",
        clicks=" ".join(
            f"{i},{j + k}" for k in (0, 3, 6, 9, 12) for i in range(3) for j in range(3)
        ),
    ),
    "finetuning.answer_spans.answer_html": Case(
        given=dict(
            passage=f"{T} Ada sang",
            words=[passage_word(T, 0, 0.7, 0.05), passage_word("Ada", len(T) + 1, 0.2, 0.9)],
            given=(0, len(T)),
            right=None,
            names=AnswerNames(start=T, end=T, given=T, right=T),
        ),
        says="0.70 / 0.05 0.70 Ada: 0.20 / 0.90 0.20 0.90 sang",
        sized=[0.7, 0.05, 0.2, 0.9],
    ),
    "finetuning.classification.class_grid_svg": Case(
        given=dict(
            rows=[
                ClassRow(name=T, verdict=T, probabilities=(0.25, 0.75)),
                ClassRow(name="two", verdict="a", probabilities=(0.88, 0.12)),
            ],
            classes=("a", T),
            right=1,
        ),
        says="a ✓ ✓ 0.25 0.75 two a ✗ 0.88 0.12",
        sized=[0.25, 0.75, 0.88, 0.12],
    ),
    "finetuning.classification_confusion.confusion_svg": Case(
        given=dict(
            counts=[[3, 1, 0], [0, 5, 2], [1, 0, 8]], classes=[T, "two", "c"], selected=(1, 2)
        ),
        says="3 1 0 0 5 2 1 0 8",
        sized=[3 / 4, 1 / 4, 0, 0, 5 / 7, 2 / 7, 1 / 9, 0, 8 / 9],
        clicks="0,0 0,1 0,2 1,0 1,1 1,2 2,0 2,1 2,2",
        odd=[dict(counts=[[0] * n] * n, classes=["a long name"] * n) for n in (1, 5, 20)],
        can_be_empty=False,
    ),
    "finetuning.classification_variants.slopes_chart": Case(
        given=dict(pairs=[(0.5, 0.75), (0.7, 0.25)], chosen=1, names=(T, T, T, T)),
        says="25% 50% 75%",
        sized=[0.7, 0.25],
        clicks="0 1 0 1 0 1 0 1",
        odd=[dict(pairs=[(0.5, 0.5)], chosen=0)],
        can_be_empty=False,
    ),
    "finetuning.classification_terms.strip_svg": Case(
        given=dict(values=[0.5, -1.0, 0.25]),
        sized=[0.5, 1.0, 0.25],
        odd=[dict(values=[0.0] * 33)],
        has_words=False,
    ),
    "finetuning.classification_terms.moves_svg": Case(
        given=dict(words=[T, "two"], moves=[2.0, -3.0]),
        says="+2.00 two −3.00",
        sized=[2.0, 3.0],
        odd=[dict(words=["a"], moves=[0.0])],
    ),
    "finetuning.classification_variants.variants_chart": Case(
        given=dict(
            rows=[
                VariantRow(name=T, values=(0.5, 0.7), mean=0.6, margin=0.08),
                VariantRow(name="two", values=(0.3,), mean=0.31, margin=0.02, mark="own"),
                VariantRow(name="c", values=(), mean=0.4, margin=None, mark="own"),
            ],
            legend={"seed": T, "own": T, "baseline": "none"},
        ),
        says="60.0 % 31.0 % 40.0 % 0% 25% two c",
        sized=[0.08, 0.02],
    ),
    "masking.corruption.play_html": Case(
        given=dict(
            corruption=PLAYED,
            state=STATES[-1],
            rule=CorruptionRule(),
            names=PlayNames(token=T, draw=T, die=T, seen=T, label=T),
            at=1,
        ),
        # A number just below a zone's end is not rounded into the next zone.
        says="0.071 0.799 [MASK] 0.600 −100 0.850 planet",
        clicks="0 1 2 3",
        pressed="1",
        odd=[dict(state=state) for state in STATES],
    ),
    "masking.corruption.die_svg": Case(
        given=dict(
            rule=CorruptionRule(mask_rate=0.5, random_rate=0.125, keep_rate=0.375),
            die=0.3,
            wide=True,
        ),
        says="M R K 0.00 0.50 1.00",
        sized=[0.5, 0.125, 0.375],
        odd=[dict(rule=CorruptionRule(mask_rate=0.0, random_rate=0.0, keep_rate=1.0), wide=False)],
        has_words=False,
    ),
    "masking.corruption.passes_html": Case(
        given=dict(corruptions=[PLAYED, PLAYED], names=[T, "two"], token=T),
        says="two [MASK] planet",
    ),
    "masking.corruption.noised_rows": Case(
        given=dict(noised=infill([token(T), token("b", 1)], [1]))
    ),
    "charts.counts_chart": Case(
        given=dict(names=[T, "two"], observed=[1500, 4000], expected=[2000.0, 3000.0]),
        says="1,500 / 2,000 4,000 / 3,000 two",
        sized=[1500, 4000],
        odd=[dict(observed=[0, 0], expected=[0.0, 0.0]), dict(expected=None)],
    ),
    "prediction.losses.loss_curve": Case(
        given=dict(points=[("true", T, 0.25)]), odd=[dict(points=[("true", "a", 0.0)])]
    ),
    "prediction.losses.loss_rows_chart": Case(
        given=dict(
            names=[T, "row"], series=[(T, [2.0, 1.0]), ("two", [4.0, 0.5])], counts=[True, False]
        ),
        says="2.00 1.00 two 4.00 0.50 row",
        sized=[4.0, 0.5],
        odd=[dict(names=["a"], series=[("", [0.0])])],
    ),
    "prediction.one_step.gradient_chart": Case(
        given=dict(rows=[(T, -0.75), ("two", 0.25)]), says="−0.750 0.250 two", sized=[-0.75, 0.25]
    ),
    "prediction.packing.packing_svg": Case(
        given=dict(
            packing=pack([[4], [6]], 20, "full"),  # [CLS] 4 [SEP] 6 [SEP] and 7 of padding
            names=dict.fromkeys(("document", "padding", "window"), T),
        ),
        says="1: 4 2: 6 7",
        sized=[4, 6, 7],
        odd=[dict(packing=pack([[4]], 20, "document"))],
    ),
    "prediction.predictions.machine_html": Case(
        given=dict(
            columns=[
                Column(token=token("[CLS]", None), kind="plain", original="[CLS]"),
                Column(
                    token=token("[MASK]", None),
                    kind="mask",
                    original=T,
                    guesses=[("cat", 0.5), (T, 0.25)],
                    probability=0.25,
                    loss=1.386,
                ),
                Column(token=token(T), kind="plain", original=T),
            ]
        ),
        says="cat 0.50 0.25 0.250 1.39",
        sized=[0.5, 0.25],
        clicks="1 2",
    ),
    "prediction.sentence_pairs.pair_html": Case(
        given=dict(tokens=[token(T), token("two", 1)], names=(T, T)),
        says="position 0 position 1 two",
    ),
    "prediction.sentence_pairs.batch_svg": Case(
        given=dict(
            rows=[
                BatchRow(label=T, p_true=0.875, loss=0.134, is_right=True),
                BatchRow(label="two", p_true=0.25, loss=1.386, is_right=False),
            ],
            headings=(T, T, T),
            selected=1,
        ),
        says="0.88 0.134 ✓ two 0.25 1.39 ✗",
        sized=[0.875, 0.25],
        clicks="0 1",
        pressed="1",
    ),
    "inside.lens.lens_html": Case(
        given=dict(
            layers=[
                DrawnLayer(name="in", words=[lens_word(T, 0.25, "7")], rank=100, said=T),
                DrawnLayer(
                    name="1",
                    words=[lens_word("cat", 0.5, "8", True), lens_word("dog", 0.1, "9")],
                    rank=1,
                    said="two",
                ),
            ],
            n_tokens=100,
            names=FILM_NAMES,
            layer="layer",
            words=T,
            rank=T,
            press="follow",
        ),
        says="two layer 100 1 in 0.25 100 1 cat 0.50 dog 0.10 1",
        clicks="7 8 9",
        can_be_empty=False,
        odd=[dict(begins=1)],
    ),
    "inside.attribution.attribution_html": Case(
        given=dict(
            lines=[
                AttributedText(method="Occlusion", words=[(T, 1.5), ("piano", None), ("a", -0.5)]),
                AttributedText(method=T, words=[("b", 0.25)], is_signed=False),
            ]
        ),
        says="Occlusion +1.50 piano a −0.50 b 0.25",
        odd=[dict(lines=[AttributedText(method=T, words=[])])],
    ),
    "inside.heads_off.board_svg": Case(
        given=dict(
            switches=[
                [Switch(name=T, is_off=False, change=0.25), Switch(name="b", is_off=True)],
                [Switch(name="c", is_off=False, change=-0.125), Switch(name="d", is_off=False)],
            ],
            layers_off=[False, True],
            names=BoardNames(layer=T, head="head"),
        ),
        says="1 +0.25 b 2 c d",
        clicks="-1,0 0,0 1,0 -1,1 0,1 1,1",
        pressed="1,0 -1,1 1,0 -1,1",
        odd=[dict(switches=[], layers_off=[]), dict(switches=[[]], layers_off=[True])],
    ),
    "inside.heads_in_turn.heads_in_turn_html": Case(
        given=dict(
            gone=[Gone(layer=0, head=1, loss=1.5, said=T), Gone(layer=1, head=0, loss=4, said="b")],
            n_layers=2,
            n_heads=2,
            all_on=1.25,
            names=FILM_NAMES,
            board=BoardNames(layer=T, head="head"),
        ),
        says="1 2 4 0 1 2",
        odd=[dict(gone=[])],
    ),
    "prediction.unmasking.unmasking_html": Case(
        given=dict(
            rows=[
                UnmaskRow(name="0", cells=[Unmasked(text="[MASK]", state="mask")] * 2, said=T),
                UnmaskRow(
                    name="1",
                    cells=[
                        Unmasked(text=T, state="open", probability=0.25),
                        Unmasked(text="cat", state="kept", probability=0.5, value="2"),
                    ],
                    said="two",
                ),
            ],
            given=T,
            names=FILM_NAMES,
            press="again",
        ),
        says="two 0 [MASK] 1 0.25 cat 0.50",
        clicks="2",
        can_be_empty=False,
        odd=[dict(begins=1)],
    ),
    "prediction.whole_way.whole_way_html": Case(
        given=dict(way=WAY),
        says="[MASK] 5.0 20 river 12.5 0.25 bank 11.0 0.12 0.50",
        sized=[5, 20],
        clicks="to-subwords to-embedding to-attention to-logits to-probabilities 1 to-feed_forward",
        pressed="1",
        can_be_empty=False,
        odd=[
            dict(way=replace(WAY, added={"layer": [0.0, 0.0]}, strips=[("x", [0.5])])),
            dict(
                way=replace(
                    WAY,
                    weights=[[1.0, 0.0, 0.0]] * 40,
                    added={"layer": [9.0] * 40},
                    said=["a"] * 44,
                )
            ),
        ],
    ),
    "tagging.entity_spans.entity_sentence": Case(
        given=dict(
            words=[T, "two", "c"],
            spans=[SPAN],
            marks={SPAN: "✗"},
            rows=[TagRow(name=T, tags=[T, "O", ""], lit={1: "why"})],
            clickable=True,
        ),
        says="✗ two why O ! c",
        clicks="0 1 2",
        pressed="0 1",
    ),
    "tagging.resamples.leads_chart": Case(
        given=dict(leads=[0.1, 0.2, 0.5], lead=0.2, names=(T, T), marks=(T, T, T), axes=(T, T))
    ),
    "tagging.subword_tags.subword_tags_html": Case(
        given=dict(
            drawn=[
                DrawnWord(
                    word=T,
                    tag=f"B-{T}",
                    subwords=(
                        DrawnSubword(text=T, tag=f"B-{T}"),
                        DrawnSubword(text="##two", tag=None),
                    ),
                )
            ]
        ),
        says="##two −100",
    ),
    "tagging.tag_distribution.distribution_svg": Case(
        given=dict(
            probabilities=[[0.9, 0.1], [0.003, 0.997], [0.38, 0.62]],
            tags=("O", T),
            columns=[T, "two", "c"],
            word_of_column=[0, 0, 1],
            paths=[TagPath(name=T, tags=(1, 0, 1), illegal={0, 2})],
            chosen=1,
            clickable=True,
        ),
        says="0.90 0.10 two 1.00 c 0.38 0.62",  # what rounds to 0.00 has no number
        sized=[0.9, 0.1, 0.997, 0.38, 0.62],
        clicks="0 1 2",
        pressed="1",
    ),
    "text.cutting.attempts_svg": Case(
        given=dict(
            word=T,
            attempts=[
                Attempt(subword=T, start=0, stop=len(T), found=False),
                Attempt(subword=T[:2], start=0, stop=2, found=True),
            ],
        ),
        says="✕ ✓",
    ),
    "text.cutting.merges_svg": Case(
        given=dict(
            steps=[
                MergeStep(subwords=(*T, "[UNK]"), merged=None, rank=None),
                MergeStep(subwords=(T, "[UNK]"), merged=(T[:1], T[1:]), rank=1233),
            ]
        ),
        says="? ? 1,234",
        can_be_empty=False,
    ),
    "text.cutting.segmentations_svg": Case(
        given=dict(cuts=[Segmentation(subwords=(T,), log_probs=(-3.25,))]),
        says="−3.250",
        can_be_empty=False,
    ),
    "text.tokens.cuts_html": Case(
        given=dict(text=T + "sat", rows=[(T, CUT), ("two", CUT)]), says="17 sat 17 sat two sat"
    ),
    "text.tokens.word_map_html": Case(
        given=dict(tokenized=CUT, selected=2, no_word="added"),
        says="added [CLS] 17 sat 17",
        clicks="0 1 2",
        pressed="2",
    ),
}
MODULES = [
    importlib.import_module(one.name)
    for one in pkgutil.walk_packages(figures.__path__, f"{figures.__name__}.")
]
FIGURES = {
    f"{module.__name__.removeprefix('mlm_core.figures.')}.{name}": value
    for module in MODULES
    for name, value in vars(module).items()
    if inspect.isfunction(value) and value.__module__ == module.__name__ and name[0] != "_"
}
every_figure = pytest.mark.parametrize(
    ("of", "case"),
    [
        pytest.param(FIGURES[name], case, id=name)
        for name, found in CASES.items()
        for case in (found if isinstance(found, list) else [found])
    ],
)
WRITTEN = {"name", "text", "ticktext"}  # of a chart: what stands in it as text
MEASURES = [
    *(rf' {name}="([\d.]+)"' for name in ("width", "height", "fill-opacity")),
    *(r"\bheight:([\d.]+)px", r"\bwidth:([\d.]+)%", r"background-size:([\d.]+)%"),
    *(r"v-([\d.]+)h", r"rgba\(0,114,178,([\d.]+)\)"),
]
NUMBERS = {"x", "y", "width", "height", "cx", "cy", "r", "x1", "x2", "y1", "y2"}


def draw(of: Callable, case: Case, changed: Mapping[str, Any] | None = None) -> Any:
    """Return the figure of a case; what of its texts the case doesn't give is T."""
    parameters = inspect.signature(of).parameters.values()
    texts = {
        one.name: T for one in parameters if one.annotation is str and one.default is one.empty
    }
    figure = of(**(texts | dict(case.given) | dict(changed or {})))
    return "".join(figure) if isinstance(figure, tuple) else figure


def drawings(of: Callable, case: Case) -> Iterator[ElementTree.Element]:
    """Yield the sample, the empty case and the odd ones, where they are drawings."""
    empty = {key: [] for key, value in case.given.items() if isinstance(value, list)}
    for changed in ({}, *([empty] if case.can_be_empty else []), *case.odd):
        figure = draw(of, case, changed)
        if isinstance(figure, str):
            yield tree(figure)


def tree(drawing: str) -> ElementTree.Element:
    """Return a drawing's elements; it fails if a text opened or closed one."""
    return ElementTree.fromstring(f"<div>{drawing}</div>".replace("&nbsp;", "\u00a0"))


def texts_in(element: ElementTree.Element) -> Iterator[str]:
    """Yield what stands in a drawing as text and what its titles say, in order."""
    yield from (element.get("title", ""), element.text or "")
    for child in element:
        yield from texts_in(child)
        yield child.tail or ""


def strings_in(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Yield all strings of a chart, each with its key."""
    if isinstance(value, str):
        yield key, value
    elif isinstance(value, Mapping):
        yield from (found for name, one in value.items() for found in strings_in(one, name))
    elif isinstance(value, list | tuple):
        yield from (found for one in value for found in strings_in(one, key))


def read(figure: Any) -> list[str]:
    """Return what a reader finds written in a figure."""
    if isinstance(figure, str):
        return [text for text in texts_in(tree(figure)) if text]
    return [html.unescape(text) for key, text in strings_in(chart_of(figure)) if key in WRITTEN]


def chart_of(figure: Any) -> dict[str, Any]:
    found = figure.to_dict()
    found["layout"].pop("template")
    return found


def in_proportion(sizes: Sequence[float], values: Sequence[float]) -> bool:
    """Return whether sizes in proportion to all values follow each other among `sizes`."""
    for unit in (size / values[0] for size in sizes):
        left, most = iter(sizes), 0.006 * abs(unit) * max(map(abs, values))
        if unit and all(any(abs(one - unit * value) <= most for one in left) for value in values):
            return True
    return False


def corners(element: ElementTree.Element, left: float, top: float) -> Iterator[tuple[float, float]]:
    """Yield the coordinates in what an SVG element holds, but for what is turned."""
    for child in element:
        name, moved = child.tag.rpartition("}")[2], child.get("transform", "")
        if name in ("svg", "defs", "pattern") or "rotate" in moved:
            continue
        by = re.search(r"translate\(([\d.]+) ([\d.]+)\)", moved)
        x, y = (left + float(by[1]), top + float(by[2])) if by else (left, top)
        of = dict.fromkeys(NUMBERS, 0.0)
        of |= {key: float(text) for key, text in child.items() if key in NUMBERS if text != "100%"}
        for sign in (0, 1):
            yield x + of["x"] + sign * of["width"], y + of["y"] + sign * of["height"]
            yield x + of["cx"] + (2 * sign - 1) * of["r"], y + of["cy"] + (2 * sign - 1) * of["r"]
            yield x + of["x2" if sign else "x1"], y + of["y2" if sign else "y1"]
        line = re.findall(r"(-?[\d.]+),(-?[\d.]+)", child.get("points", ""))
        line += re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)", child.get("d", ""))
        yield from ((x + float(across), y + float(down)) for across, down in line)
        yield from corners(child, x, y)


def test_every_figure_has_a_case():
    drawn = {
        name
        for name, value in FIGURES.items()
        if name.endswith(("_svg", "_html", "_chart"))
        or {"alt", "label"} & set(inspect.signature(value).parameters)
    }
    assert len(drawn) > 40
    assert not drawn - set(CASES)


def a_learners_text_is_readable_and_never_becomes_markup(of: Callable, case: Case):
    figure = draw(of, case)
    written = "".join(read(figure))  # fails where a drawing is not well-formed
    assert not case.has_words or printable(T) in written
    assert not re.search("&(lt|gt|amp|quot|#x27);", written)  # escaped twice
    if not isinstance(figure, str):
        assert not [text for _, text in strings_in(chart_of(figure)) if T[:4] in text]


def a_drawing_has_its_alt_text_and_none_in_it_lacks_one(of: Callable, case: Case):
    if not {"alt", "label"} & set(inspect.signature(of).parameters):
        return
    whole = next(one for one in tree(draw(of, case)).iter() if one.get("role"))
    assert whole.get("role") in ("img", "group", "list")
    assert whole.get("aria-label", "").startswith(printable(T))
    svgs = [one for one in tree(draw(of, case)).iter() if one.tag.endswith("svg")]
    assert all(one.get("aria-label") or one.get("aria-hidden") for one in svgs)


def values_stand_in_order_in_german(of: Callable, case: Case):
    values_stand_in_order_as_the_reader_writes_numbers(of, case, GERMAN)


def values_stand_in_order_as_the_reader_writes_numbers(
    of: Callable, case: Case, marks: NumberMarks = ENGLISH
):
    with written_with(marks):
        written, at = " | ".join(read(draw(of, case))), 0
    for part in case.says.split():
        own = re.sub(r"\d+(?:[.,]\d+)*%?", lambda found: with_marks(found[0], marks), part)
        found = re.compile(rf"(?<!\w){re.escape(own)}(?!\w|[.,]\d)").search(written, at)
        assert found, f"{own} not in {written[at:]}"
        at = found.end()
    assert marks == ENGLISH or not re.search(r"\d\.\d", written)


def what_stands_for_values_is_in_proportion_to_them(of: Callable, case: Case):
    figure = draw(of, case)
    if isinstance(figure, str):
        found = [[float(size) for size in re.findall(one, figure)] for one in MEASURES]
    else:
        found = [list(line or ()) for trace in figure.data for line in (trace.x, trace.y)]
    assert not case.sized or any(in_proportion(sizes, case.sized) for sizes in found)


def what_is_clicked_or_reached_with_keys_reports_its_place(of: Callable, case: Case):
    figure, values = draw(of, case), case.clicks.split()
    if not isinstance(figure, str):
        assert [str(x) for trace in figure.data for x in trace.customdata or ()] == values
        return
    targets = [one for one in tree(figure).iter() if one.get("data-value")]
    buttons = [one for one in targets if one.tag == "button" or one.get("role") == "button"]
    for found in (targets, buttons):
        assert list(dict.fromkeys(one.get("data-value") for one in found)) == values
    assert all(clickable._has(figure, value) for value in values)
    assert not buttons or any(one.tag == "button" or one.get("tabindex") == "0" for one in buttons)
    pressed = [one.get("data-value") for one in buttons if one.get("aria-pressed") == "true"]
    assert pressed == case.pressed.split()


def nothing_stands_outside_its_drawing_or_where_no_number_is(of: Callable, case: Case):
    for drawing in drawings(of, case):
        for one in drawing.iter():
            looks = " ".join(
                text for key, text in one.items() if key not in ("title", "aria-label")
            )
            assert not re.search(r"\b(nan|inf)", looks), looks
            assert not re.search(r"(^|:)-", f"{one.get('width', '')}:{one.get('height', '')}")
        for svg in (one for one in drawing.iter() if one.tag.endswith("svg")):
            left, top, width, height = map(float, svg.get("viewBox", "").split())
            for x, y in corners(svg, 0.0, 0.0):  # half a line's width may stand out
                assert left - 4 <= x <= left + width + 4, (x, y)
                assert top - 4 <= y <= top + height + 4, (x, y)


def letters_can_be_read_where_a_drawing_is_smallest(of: Callable, case: Case):
    for svg in (one for drawn in drawings(of, case) for one in drawn.iter()):
        least = re.search(r"min-width:([\d.]+)px", svg.get("style", ""))
        if least is not None:
            scale = float(least[1]) / float(svg.get("viewBox", "").split()[2])
            texts = (one for one in svg.iter() if one.tag.endswith("text"))
            sizes = [float(one.get("font-size") or svg.get("font-size", 0)) for one in texts]
            assert scale * min(sizes, default=SMALLEST / scale) >= 0.98 * SMALLEST


@every_figure
def test_a_figure(of: Callable, case: Case):
    for holds in (
        a_learners_text_is_readable_and_never_becomes_markup,
        a_drawing_has_its_alt_text_and_none_in_it_lacks_one,
        values_stand_in_order_as_the_reader_writes_numbers,
        values_stand_in_order_in_german,
        what_stands_for_values_is_in_proportion_to_them,
        what_is_clicked_or_reached_with_keys_reports_its_place,
        nothing_stands_outside_its_drawing_or_where_no_number_is,
        letters_can_be_read_where_a_drawing_is_smallest,
    ):
        holds(of, case)
