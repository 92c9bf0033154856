"""A sample of each figure of mlm_core/figures/prediction: tests/figures/test_every_figure.py."""

from dataclasses import replace

from mlm_core.figures.prediction.predictions import Column
from mlm_core.figures.prediction.sentence_pairs import BatchRow
from mlm_core.figures.prediction.unmasking import Cell as Unmasked
from mlm_core.figures.prediction.unmasking import UnmaskRow
from mlm_core.figures.prediction.whole_way import DrawnWay, WayNames, WayRow, WayWord
from mlm_core.prediction.packing import pack
from tests.figures.sample import FILM_NAMES, Sample, T, token

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

SAMPLES: dict[str, Sample | list[Sample]] = {
    "losses.loss_curve": Sample(
        given=dict(points=[("true", T, 0.25)]), odd=[dict(points=[("true", "a", 0.0)])]
    ),
    "losses.loss_rows_chart": Sample(
        given=dict(
            names=[T, "row"], series=[(T, [2.0, 1.0]), ("two", [4.0, 0.5])], counts=[True, False]
        ),
        says="2.00 1.00 two 4.00 0.50 row",
        sized=[4.0, 0.5],
        odd=[dict(names=["a"], series=[("", [0.0])])],
    ),
    "one_step.gradient_chart": Sample(
        given=dict(rows=[(T, -0.75), ("two", 0.25)]), says="−0.750 0.250 two", sized=[-0.75, 0.25]
    ),
    "packing.packing_svg": Sample(
        given=dict(
            packing=pack([[4], [6]], 20, "full"),  # [CLS] 4 [SEP] 6 [SEP] and 7 of padding
            names=dict.fromkeys(("document", "padding", "window"), T),
        ),
        says="1: 4 2: 6 7",
        sized=[4, 6, 7],
        odd=[dict(packing=pack([[4]], 20, "document"))],
    ),
    "predictions.machine_html": Sample(
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
    "sentence_pairs.pair_html": Sample(
        given=dict(tokens=[token(T), token("two", 1)], names=(T, T)),
        says="position 0 position 1 two",
    ),
    "sentence_pairs.scored_html": Sample(
        given=dict(seconds=[(T, "two", 0.875), ("three", T, 0.25)]),
        says="A two 0.88 three 0.25",
        sized=[0.875, 0.25],
    ),
    "sentence_pairs.batch_svg": Sample(
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
    "unmasking.unmasking_html": Sample(
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
    "whole_way.whole_way_html": Sample(
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
}
