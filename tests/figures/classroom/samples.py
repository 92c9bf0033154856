"""A sample of each figure of mlm_core/figures/classroom: tests/figures/test_every_figure.py."""

from mlm_core.evaluation.learning_gain import Gain
from mlm_core.stored.pictures import read_pictures
from tests.figures.sample import Sample, T

# Names of bars, which the words of home give to two of the stored pictures.
BARS = {"sentence_pairs": {"names": "ab"}, "encoders_today": {"names": "abc"}}

SAMPLES: dict[str, Sample | list[Sample]] = {
    "pictures.lesson_picture": [
        Sample(given=dict(slug=slug, numbers=BARS.get(slug, {}) | numbers), has_words=False)
        for slug, numbers in read_pictures().items()
    ],
    "qr_code.qr_svg": Sample(given=dict(link="https://school.example/"), has_words=False),
    "gains.gains_chart": Sample(
        given=dict(
            gains={
                T: Gain(n=7, before=0.2, after=0.6, gain=0.5, low=0.25, high=0.75),
                "two": Gain(n=3, before=0.5, after=0.625, gain=0.25, low=None, high=None),
            }
        ),
        sized=[0.5, 0.25],
        odd=[dict(gains={"a": Gain(n=1, before=1, after=1, gain=None, low=None, high=None)})],
    ),
    "votes.votes_svg": Sample(
        given=dict(rounds=[{T: 1, "two": 6}, {T: 2, "two": 3}], round_names=[T, T]),
        says="1 · 14 % 2 · 40 % two 6 · 86 % 3 · 60 %",
        sized=[1 / 7, 2 / 5, 6 / 7, 3 / 5],
        odd=[dict(rounds=[{"a": 0, "b": 0}], round_names=["1"])],
    ),
    "votes.dots_svg": Sample(
        given=dict(rounds=[(2.5, 2.5, 5.25), (3.0,)], round_names=[T, T]),
        says="2.50 5.25",
        odd=[dict(rounds=[()], round_names=["1"]), dict(rounds=[(3.0,)], round_names=["1"])],
    ),
    "votes.map_html": Sample(
        given=dict(lessons={T: [(T, 1600, 0), ("two", 4000, 2)]}),
        says="1,600 two 4,000 ! 2",
        sized=[0.4, 1],
        odd=[dict(lessons={}), dict(lessons={"A": [("x", 0, 0)]})],
    ),
}
