"""Stored runs of BERT's recipe with one change each; `make stored STORED=made_modern` makes them.

Two controls say what an effect comes from: a constant rate of masks, heads set to neighbours. All
have the learning rate that was best for BERT's recipe on a dev part, with another seed than those
that count. So a change that would need another rate is at a disadvantage.

Read before this: ../encoder/modern.py, ../small_runs/schedules.py.
"""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from mlm_core.evaluation.seeds import SeedMean, seed_mean
from mlm_core.small_runs.settings import CHANGES, Change, SmallRunSettings
from mlm_core.text.corpora import DATA_FOLDER, make_row

RESULTS_FILE = DATA_FOLDER / "made_modern.json"
Switch = Change | Literal["no_nsp"]
SWITCHES: tuple[Switch, ...] = (*CHANGES[:3], "no_nsp", *CHANGES[3:])
BASELINE = "baseline"  # the way without a change
WAYS = (BASELINE, *SWITCHES)
# Of BERT's recipe: as many words predicted as with falling masks, and the heads of lesson 6.
CONTROLS: Mapping[str, Mapping[str, float]] = {
    "constant_masks": {"mlm_probability": 0.225},
    "preset_heads": {"preset_heads": True},
}
SEEDS = (1, 2, 3)
RATES = (0.004, 0.008, 0.016)  # peak learning rates tried on dev
N_STEPS, TEST_EVERY = 1_000, 200
N_PAIRS = 1_024  # that a classifier on [CLS] learns from, and as many to be judged
DEV_SEED = 4
ModernMeasure = Literal["loss", "blanks", "pairs", "seconds"]
MEASURES: tuple[ModernMeasure, ...] = get_args(ModernMeasure)


@dataclass(frozen=True, kw_only=True)
class ModernRun:
    """One run: its way, its seed, and what was measured on held-out sentences."""

    way: str
    seed: int
    losses: tuple[float, ...]  # nats a token, at each test; the first is of the untrained encoder
    blanks: float  # proportion of hidden words that are guessed right
    pairs: float  # of pairs that a classifier on the frozen [CLS] gets right
    seconds: float  # of a training step, times those of the baseline

    @property
    def loss(self) -> float:
        """Return the loss after the last step."""
        return self.losses[-1]


@dataclass(frozen=True)
class ModernResults:
    """All that is stored."""

    on_dev: tuple[float, ...]  # loss of BERT's recipe, nats a token, at each of RATES
    runs: tuple[ModernRun, ...]

    @property
    def rate(self) -> float:
        """Return the rate with the lowest loss, which all runs have."""
        return min(zip(self.on_dev, RATES, strict=True))[1]

    def values(self, way: str, measure: ModernMeasure) -> list[float]:
        """Return a measure of one way, seed by seed."""
        return [getattr(run, measure) for run in self.runs if run.way == way]

    def effect(self, way: str, measure: ModernMeasure, over: str = BASELINE) -> SeedMean:
        """Return the mean difference from another way with the same seed, with its interval."""
        pairs = zip(self.values(way, measure), self.values(over, measure), strict=True)
        return seed_mean([changed - usual for changed, usual in pairs])


def read_results() -> ModernResults:
    """Return the stored runs, and by what their rate was chosen."""
    stored = json.loads(RESULTS_FILE.read_text(encoding="utf-8"))
    return ModernResults(
        tuple(stored["on_dev"]), tuple(make_row(row, ModernRun) for row in stored["runs"])
    )


def recipe_settings(switches: Collection[str], seed: int, rate: float) -> SmallRunSettings:
    """Return the settings of BERT's recipe with some changes, which SWITCHES names.

    All heads start at random: heads that are set to look at neighbours need a table of positions.
    """
    return SmallRunSettings(
        objective="mlm" if "no_nsp" in switches else "mlm_nsp",
        changes=tuple(one for one in CHANGES if one in switches),
        preset_heads=False,
        n_steps=N_STEPS,
        evaluate_every=TEST_EVERY,
        peak_learning_rate=rate,
        seed=seed,
    )


def switches_of(settings: SmallRunSettings) -> tuple[Switch, ...]:
    """Return which changes these settings have.

    >>> switches_of(recipe_settings(("no_nsp", "rotary"), 1, 0.008))
    ('rotary', 'no_nsp')
    """
    has_no_nsp = settings.objective == "mlm"
    return tuple(
        one for one in SWITCHES if one in settings.changes or (one == "no_nsp" and has_no_nsp)
    )
