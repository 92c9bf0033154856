"""Static or dynamic masks over many passes, and what a higher rate does to each prediction."""

from functools import partial
from typing import Any

from mlm_core.evaluation.seeds import seed_mean
from mlm_core.figures.bars import bars_svg
from mlm_core.figures.masking.corruption import passes_html
from mlm_core.masking.rule import CorruptionRule, count_to_choose
from mlm_core.masking.steps import Corruption, corrupt
from mlm_core.number_format import formatted
from mlm_core.small_runs.static_masking import N_PASSES as N_PASSES_OF_RUN
from mlm_core.small_runs.static_masking import Way, mask_number
from pages.kit.caches import cache_training
from pages.kit.part import Part, part
from pages.lessons.masking import computed, setting
from pages.lessons.masking.setting import Setting

WAYS: tuple[Way, ...] = ("once", "ten", "anew")
N_PASSES = 12  # shown: two more than the ten masks that take turns
RATES = (0.15, 0.4, 0.6, 0.8, 1.0)  # 0.4 is what Wettig et al. 2023 found best for a large model


@part(
    code=(
        "small_runs.static_masking:RepeatedTask",
        "small_runs.static_masking:mask_number",
        "prediction.fillers:score_among_hidden",
    )
)
def show(p: Part) -> None:
    """Show the masks of each pass, the stored runs' losses, and predictions at higher rates."""
    p.say("lead")
    now = setting.of_part(p)
    way = p.choice("way", WAYS)
    if now.is_empty:
        p.note("empty", icon="edit")
        return
    _show_passes(p, now, way)
    left, right = p.columns(gap="large")
    with left:
        _show_losses(p)
    with right:
        _show_rates(p, now)


def _show_passes(p: Part, now: Setting, way: Way) -> None:
    """Draw what each mask hides, and say how many tokens were predicted at least once."""
    passes_of: dict[int, list[int]] = {}
    for number in range(N_PASSES):
        passes_of.setdefault(mask_number(way, number), []).append(number + 1)
    words, rule = now.random_words(), CorruptionRule()
    # The first is the opening's; each further mask is that of the next seed.
    masks = {
        mask: corrupt(now.text.tokens, now.rolls(mask), rule, words, now.mask) for mask in passes_of
    }
    asked = {at for one in masks.values() for at in one.choice.positions}
    p.figure(
        "passes",
        partial(
            passes_html,
            list(masks.values()),
            [_named(p, numbers) for numbers in passes_of.values()],
            token=p.plain("row_token"),
        ),
        lambda: _table(now, [masks[mask_number(way, number)] for number in range(N_PASSES)]),
        way=p.plain(f"way_{way}"),
        n=N_PASSES,
        first=now.seed,
    )
    about = {"n": len(asked), "of": now.n_free, "passes": N_PASSES}
    p.say("asked", way=p.plain(f"way_{way}"), **about)


def _named(p: Part, numbers: list[int]) -> str:
    """Return the name of the row of a mask: the passes that have it."""
    if numbers == list(range(1, N_PASSES + 1)):
        return p.plain("passes_all", n=N_PASSES)
    return p.plain("pass", n=", ".join(map(str, numbers)))


def _table(now: Setting, passes: list[Corruption]) -> list[dict[str, object]]:
    return [
        {"pass": number, "position": at, "token": now.names[at], "encoder_sees": one.texts[at]}
        for number, one in enumerate(passes, start=1)
        for at in one.choice.positions
    ]


def _show_losses(p: Part) -> None:
    """Draw the held-out loss of the stored runs after all their passes."""
    found = cache_training.masking_runs()
    seeds = sorted({run.seed for run in found})
    last = {(run.way, run.seed): run.held_out[-1] for run in found}
    means = {way: sum(last[way, seed] for seed in seeds) / len(seeds) for way in WAYS}
    ten = seed_mean([last["ten", seed] - last["anew", seed] for seed in seeds])
    p.say("measured", n=N_PASSES_OF_RUN)
    about: dict[str, Any] = {"n": len(seeds), "passes": N_PASSES_OF_RUN}
    p.figure(
        "losses",
        partial(
            bars_svg,
            [p.plain(f"way_{way}") for way in WAYS],
            list(means.values()),
            longest=max(means.values()),
            written=[formatted(mean, ".2f") for mean in means.values()],
        ),
        [
            {"way": p.plain(f"way_{way}"), "seed": seed, "held_out_loss": loss}
            for (way, seed), loss in last.items()
        ],
        **about,
        **means,
    )
    p.say("losses", more=ten.mean, low=ten.mean - ten.margin, high=ten.mean + ten.margin, **about)


def _show_rates(p: Part, now: Setting) -> None:
    """Draw how probable a hidden token is when more and more others are hidden with it."""
    p.say("rate")
    n_free = now.n_free
    hidden = {rate: min(n_free, count_to_choose(n_free, rate)) for rate in RATES}
    means = [
        computed.probability_among_hidden(
            p.model_name, now.text.text, len(now.names), rate, now.seed
        )
        for rate in p.progress("rates_at_work", RATES, patience=1.0)
    ]
    names = [p.plain("rate_row", rate=rate, n=n, of=n_free) for rate, n in hidden.items()]
    p.figure(
        "rates",
        partial(bars_svg, names, means, longest=max(means)),
        {"masking_rate": RATES, "hidden": list(hidden.values()), "probability": means},
        usual=means[0],
        all=means[-1],
    )
    p.say("notice")
