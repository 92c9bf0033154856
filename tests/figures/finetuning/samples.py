"""A sample of each figure of mlm_core/figures/finetuning: tests/figures/test_every_figure.py."""

from mlm_core.answers.words import PassageWord
from mlm_core.figures.finetuning.answer_spans import AnswerNames
from mlm_core.figures.finetuning.classification import ClassRow
from mlm_core.figures.finetuning.classification_variants import VariantRow
from tests.figures.sample import Sample, T


def passage_word(text: str, start: int, p_start: float = 0.0, p_end: float = 0.0) -> PassageWord:
    stop = start + len(text)
    return PassageWord(
        text=text, start=start, stop=stop, subwords=(text,), p_start=p_start, p_end=p_end
    )


SAMPLES: dict[str, Sample | list[Sample]] = {
    "answer_spans.answer_html": Sample(
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
    "classification.class_grid_svg": Sample(
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
    "classification_confusion.confusion_svg": Sample(
        given=dict(
            counts=[[3, 1, 0], [0, 5, 2], [1, 0, 8]], classes=[T, "two", "c"], selected=(1, 2)
        ),
        says="3 1 0 0 5 2 1 0 8",
        sized=[3 / 4, 1 / 4, 0, 0, 5 / 7, 2 / 7, 1 / 9, 0, 8 / 9],
        clicks="0,0 0,1 0,2 1,0 1,1 1,2 2,0 2,1 2,2",
        odd=[dict(counts=[[0] * n] * n, classes=["a long name"] * n) for n in (1, 5, 20)],
        can_be_empty=False,
    ),
    "classification_variants.slopes_chart": Sample(
        given=dict(pairs=[(0.5, 0.75), (0.7, 0.25)], chosen=1, names=(T, T, T, T)),
        says="25% 50% 75%",
        sized=[0.7, 0.25],
        clicks="0 1 0 1 0 1 0 1",
        odd=[dict(pairs=[(0.5, 0.5)], chosen=0)],
        can_be_empty=False,
    ),
    "classification_terms.strip_svg": Sample(
        given=dict(values=[0.5, -1.0, 0.25]),
        sized=[0.5, 1.0, 0.25],
        odd=[dict(values=[0.0] * 33)],
        has_words=False,
    ),
    "classification_terms.moves_svg": Sample(
        given=dict(words=[T, "two"], moves=[2.0, -3.0]),
        says="+2.00 two −3.00",
        sized=[2.0, 3.0],
        odd=[dict(words=["a"], moves=[0.0])],
    ),
    "classification_variants.variants_chart": Sample(
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
}
