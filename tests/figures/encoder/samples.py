"""A sample of each figure of mlm_core/figures/encoder: tests/figures/test_every_figure.py."""

import numpy as np
import torch

from mlm_core.encoder.attention import attend, causal_mask
from mlm_core.encoder.block_steps import BlockRow, TokenAtStep
from mlm_core.encoder.cost import ParameterTerm
from mlm_core.figures.encoder.head_pairs import DrawnPair
from mlm_core.figures.encoder.worked_example import STEPS, Cell
from tests.figures.sample import NAN, Sample, T


def block_row(name: str, hidden: int) -> BlockRow:
    return BlockRow(name=name, formula="X", shape=(1, 7, hidden), n_parameters=1560)


def at_step(name: str, length: float) -> TokenAtStep:
    return TokenAtStep(name=name, size=3, length=length, mean=0.0, deviation=1.0, first=())


WORDS = torch.tensor([[1.0, 0.5, -2.0], [0.0, 3.25, 1.0], [-0.1, 0.0, 2.0]])
STEPS_OF_BLOCK = ("input", "first_sum", "first_norm", "second_sum")

SAMPLES: dict[str, Sample | list[Sample]] = {
    "attention.flow_svg": Sample(
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
    "bert.strips_html": Sample(
        given=dict(
            rows=[("", T, [0.2, 0.5, 1.0]), ("=", "two", [0.1, -9.0, 2.0])], lengths=[1.25, 2.5]
        ),
        says="1.25 two 2.50",
        odd=[dict(rows=[("", "a", [])], lengths=[0.0])],
        can_be_empty=False,
    ),
    "block.block_svg": Sample(
        given=dict(
            rows=[block_row(name, 12) for name in STEPS_OF_BLOCK],
            names=dict.fromkeys(STEPS_OF_BLOCK, T),
            parameters="{} numbers",
        ),
        says="[1, 7, 12] 1,560 numbers",
        can_be_empty=False,
    ),
    "block.length_chart": Sample(
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
    "cost.growth_chart": Sample(
        given=dict(sizes=[128, 4096], lines={T: [3.0, 96.0]}, marks={T: 300}),
        says="128 4,096",
        sized=[3.0, 96.0],
        clicks="128 4096",
        can_be_empty=False,
    ),
    "heads.heads_svg": Sample(
        given=dict(
            weights=[np.eye(5)[None].repeat(3, axis=0)] * 2,
            lengths=[np.ones((3, 5))] * 2,
            marks=[np.full((3, 5), 4)] * 2,
        ),
        clicks="0,0 1,0 2,0 0,1 1,1 2,1",
        odd=[
            dict(weights=[np.ones((1, 1, 1))], lengths=[np.zeros((1, 1))], marks=[-np.ones((1, 1))])
        ],
        can_be_empty=False,
    ),
    "head_pairs.pairs_html": Sample(
        given=dict(
            pairs=[
                DrawnPair(text=f"one {T} two", query=(12, 15), key=(0, 3), weight=0.75),
                DrawnPair(text="self", query=(0, 4), key=(0, 4), weight=0.25),
            ],
        ),
        says="0.75 one two 0.25 self",
        sized=(0.45, 0.25),
    ),
    "parameter_count.parameter_terms_html": Sample(
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
    "worked_example.chain_html": Sample(
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
}
