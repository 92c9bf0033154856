"""A sample of each figure of mlm_core/figures/tagging: tests/figures/test_every_figure.py."""

from mlm_core.figures.tagging.entity_spans import TagRow
from mlm_core.figures.tagging.subword_tags import DrawnSubword, DrawnWord
from mlm_core.figures.tagging.tag_distribution import TagPath
from mlm_core.tagging.bio_tags import Span
from tests.figures.sample import Sample, T

SPAN = Span(start=0, end=2, type=T)

SAMPLES: dict[str, Sample | list[Sample]] = {
    "entity_spans.entity_sentence": Sample(
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
    "resamples.leads_chart": Sample(
        given=dict(leads=[0.1, 0.2, 0.5], lead=0.2, names=(T, T), marks=(T, T, T), axes=(T, T))
    ),
    "subword_tags.subword_tags_html": Sample(
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
    "tag_distribution.distribution_svg": Sample(
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
}
