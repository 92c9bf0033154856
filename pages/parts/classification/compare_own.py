"""The learner's own fine-tunings as rows beside the stored figures."""

from mlm_core.figures.finetuning.classification_variants import VariantRow
from pages.shared import finetune_runs
from pages.shared.frame import Page


def own_rows(
    page: Page, task: str, n_trials: int | None
) -> tuple[list[VariantRow], list[dict[str, object]]]:
    """Return the learner's runs on a task that were tested: for the drawing, and for its table."""
    from mlm_core.evaluation.seeds import Variant

    rows, table = [], []
    for run in finetune_runs.MINE.all():
        if run.settings.data != task:
            continue
        finetune_runs.MINE.look(run)
        if run.seen is None or not run.seen.tests:
            continue
        test, title = run.seen.tests[-1], finetune_runs.title_of(run, with_data=False)
        share = test.proportion_right if n_trials is not None else test.f1
        variant = Variant(name=title, proportions=(share,))
        rows.append(
            VariantRow(
                name=title,
                values=variant.proportions,
                mean=variant.mean,
                margin=None if n_trials is None else variant.margin(n_trials),
                mark="own",
            )
        )
        table.append(
            {
                "variant": title,
                "seed": run.settings.seed,
                "proportion_right": test.proportion_right,
                "f1": test.f1,
            }
        )
    return rows, table
