"""A sample of each figure of mlm_core/figures/text: tests/figures/test_every_figure.py."""

from mlm_core.text.cutting import Attempt, MergeStep, Segmentation
from mlm_core.text.tokens import TokenizedText
from tests.figures.sample import Sample, T, token

CUT = TokenizedText(
    text=T + "sat",
    pair=None,
    tokens=(token("[CLS]", None), token(T), token("sat", 1, len(T))),
    n_left_out=0,
)

SAMPLES: dict[str, Sample | list[Sample]] = {
    "cutting.attempts_svg": Sample(
        given=dict(
            word=T,
            attempts=[
                Attempt(subword=T, start=0, stop=len(T), found=False),
                Attempt(subword=T[:2], start=0, stop=2, found=True),
            ],
        ),
        says="✕ ✓",
    ),
    "cutting.merges_svg": Sample(
        given=dict(
            steps=[
                MergeStep(subwords=(*T, "[UNK]"), merged=None, rank=None),
                MergeStep(subwords=(T, "[UNK]"), merged=(T[:1], T[1:]), rank=1233),
            ]
        ),
        says="? ? 1,234",
        can_be_empty=False,
    ),
    "cutting.segmentations_svg": Sample(
        given=dict(cuts=[Segmentation(subwords=(T,), log_probs=(-3.25,))]),
        says="−3.250",
        can_be_empty=False,
    ),
    "tokens.cuts_html": Sample(
        given=dict(text=T + "sat", rows=[(T, CUT), ("two", CUT)]), says="17 sat 17 sat two sat"
    ),
    "tokens.word_map_html": Sample(
        given=dict(tokenized=CUT, selected=2, no_word="added"),
        says="added [CLS] 17 sat 17",
        clicks="0 1 2",
        pressed="2",
    ),
}
