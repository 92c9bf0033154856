"""The stored figures of a task as dots, with the learner's own runs under them."""

from typing import TYPE_CHECKING

from mlm_core.figures.finetuning.classification_variants import VariantRow, variants_svg
from mlm_core.number_format import formatted
from pages.parts.classification.compare_names import variant_name
from pages.parts.classification.compare_own import own_rows
from pages.shared.frame import Page
from pages.shared.show import show_drawing
from pages.shared.table import Table

if TYPE_CHECKING:
    from mlm_core.classroom.finetune_figures import Figure
    from mlm_core.evaluation.seeds import Variant

BASELINES = ("majority", "by_rule", "bag_of_words")


def draw_variants(
    page: Page,
    task: str,
    by_name: "dict[str, list[Figure]]",
    variants: "dict[str, Variant]",
    n_trials: int | None,
    n: int,
) -> None:
    """Draw the stored figures and the learner's own runs; the table has both measures."""
    from mlm_core.encoder.model_list import BUNDLED

    words = page.words
    own, own_table = own_rows(page, task, n_trials)
    rows = [
        VariantRow(
            name=variant_name(page, task, name),
            values=variant.proportions,
            mean=variant.mean,
            margin=None if n_trials is None else variant.margin(n_trials),
            mark="baseline" if name in BASELINES else "seed",
        )
        for name, variant in variants.items()
    ]
    title = words.plain(f"compare_measure_{task}")
    told = ", ".join(f"{row.name} {formatted(100 * row.mean, '.1f')} %" for row in [*rows, *own])
    show_drawing(
        variants_svg(
            [*rows, *own],
            legend={
                mark: words.plain(f"compare_mark_{mark}") for mark in ("seed", "baseline", "own")
            },
            x_title=title,
            alt=words.plain("compare_alt", measure=title, told=told),
        ),
        key="classification_compare",
        table=Table(
            [
                {
                    "variant": variant_name(page, task, name),
                    "seed": one.seed,
                    "proportion_right": one.proportion_right,
                    "f1": one.f1,
                }
                for name, found in by_name.items()
                for one in found
            ]
            + own_table
        ),
        source=words.label("compare_source", model=BUNDLED, n=n, seeds=_seeds(by_name)),
    )


def _seeds(by_name: "dict[str, list[Figure]]") -> str:
    seeds = {one.seed for found in by_name.values() for one in found if one.seed is not None}
    return ", ".join(map(str, sorted(seeds)))
