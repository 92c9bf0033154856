"""A sample of each figure of mlm_core/figures/inside: tests/figures/test_every_figure.py."""

from mlm_core.figures.inside.attribution import AttributedText
from mlm_core.figures.inside.heads_in_turn import Gone
from mlm_core.figures.inside.heads_off import BoardNames, Switch
from mlm_core.figures.inside.lens import DrawnLayer, LensWord
from mlm_core.figures.inside.patched import DrawnRun
from tests.figures.sample import FILM_NAMES, Sample, T


def lens_word(text: str, probability: float, value: str, is_followed: bool = False) -> LensWord:
    return LensWord(text=text, probability=probability, is_followed=is_followed, value=value)


SAMPLES: dict[str, Sample | list[Sample]] = {
    "lens.lens_html": Sample(
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
    "attribution.attribution_html": Sample(
        given=dict(
            lines=[
                AttributedText(method="Occlusion", words=[(T, 1.5), ("piano", None), ("a", -0.5)]),
                AttributedText(method=T, words=[("b", 0.25)], is_signed=False),
            ]
        ),
        says="Occlusion +1.50 piano a −0.50 b 0.25",
        odd=[dict(lines=[AttributedText(method=T, words=[])])],
    ),
    "heads_off.board_svg": Sample(
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
    "heads_in_turn.heads_in_turn_html": Sample(
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
    "patched.patched_html": Sample(
        given=dict(
            closed=[[1.0, 0.0], [-0.125, 0.75]],
            layers=["0", T],
            tokens=["France", T],
            said=["begin", T],
            names=FILM_NAMES,
            selected=(1, 0),
        ),
        says="France 0 1.00 0 −0.12 0.75",
        clicks="0,0 0,1 1,0 1,1",
        can_be_empty=False,
        odd=[dict(begins=1)],
    ),
    "patched.three_runs_html": Sample(
        given=dict(
            runs=[
                DrawnRun(name=T, words=["Paris", T], probabilities=[0.5, 0.25]),
                DrawnRun(name="patched", words=["Rome"], probabilities=[0.125]),
            ]
        ),
        says="Paris 0.50 0.25 patched Rome 0.12",
        sized=[0.5, 0.25, 0.125],
        odd=[dict(runs=[]), dict(runs=[DrawnRun(name=T, words=[], probabilities=[])])],
    ),
}
