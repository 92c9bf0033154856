"""A sample of each figure of mlm_core/figures/embeddings: tests/figures/test_every_figure.py."""

from mlm_core.embeddings.senses_data import MarkedSentence
from mlm_core.figures.embeddings.search_hits import FoundText, HitColumn
from mlm_core.figures.embeddings.sense_map import Frame, MapPoint, MapSign, sense_groups
from mlm_core.figures.embeddings.sense_map_uses import ListedUse
from tests.figures.sample import Sample, T

USE, OTHER = (MarkedSentence(text=f"{word} here", start=0, end=len(word)) for word in (T, "bank"))
GROUPS = sense_groups([T, "river"])

SAMPLES: dict[str, Sample | list[Sample]] = {
    "isotropy_shares.shares_svg": Sample(
        given=dict(names=[T, "7"], proportions=[0.5, 0.125], rest=(T, 0.375), n_dropped=1),
        says="50.0 % 7: 12.5 % 37.5 %",
        sized=[0.5, 0.125, 0.375],
        clicks="0,0 0,1",
        pressed="0,0",
        can_be_empty=False,
        odd=[dict(proportions=[1.4, -0.1])],  # a dimension can lower the mean cosine
    ),
    "search_hits.hits_html": Sample(
        given=dict(
            query=T,
            columns=[
                HitColumn(
                    name=T,
                    hits=[FoundText(text=T, score=0.5, grade=2), FoundText(text="b", score=0)],
                    rank=2.5,
                    n=4,
                    place=T,
                ),
                HitColumn(name="mean", hits=[FoundText(text="c", score=1, grade=0)], foot=T),
            ],
            grades=(T, "related", "same"),
        ),
        says="2.5 1 4 ✓",
    ),
    "sense_map.sense_map_chart": Sample(
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
    "sense_map.mark_svg": Sample(given=dict(group=GROUPS[0]), has_words=False),
    "sense_map_uses.marked_html": Sample(given=dict(sentence=USE)),
    "sense_map_uses.use_html": Sample(given=dict(sentence=USE, group=GROUPS[0], note=T)),
    "sense_map_uses.uses_html": Sample(
        given=dict(
            lists=[
                (T, [ListedUse(sentence=USE, group=GROUPS[0], number=T, is_true=False, value="7")]),
                ("more", [ListedUse(sentence=OTHER, group=GROUPS[1], number="1")]),
            ]
        ),
        says="✗ more 1 bank",
        clicks="7",
    ),
}
