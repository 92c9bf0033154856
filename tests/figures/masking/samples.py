"""A sample of each figure of mlm_core/figures/masking: tests/figures/test_every_figure.py."""

from mlm_core.figures.masking.corruption import PlayNames
from mlm_core.masking.noising import infill
from mlm_core.masking.rule import CorruptionRule
from mlm_core.masking.steps import Candidate, Choice, Corruption, Replacement, play_state
from tests.figures.sample import Sample, T, token

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

SAMPLES: dict[str, Sample | list[Sample]] = {
    "corruption.play_html": Sample(
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
    "corruption.die_svg": Sample(
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
    "corruption.passes_html": Sample(
        given=dict(corruptions=[PLAYED, PLAYED], names=[T, "two"], token=T),
        says="two [MASK] planet",
    ),
    "corruption.noised_rows": Sample(given=dict(noised=infill([token(T), token("b", 1)], [1]))),
}
