"""Train the encoders of a frequent and a rare language, for each alpha.

    make stored STORED=languages    mlm_core/data/two_languages.json, in ten minutes

Read before this: static_masking.py, ../mlm_core/small_runs/two_languages.py.
"""

from collections.abc import Iterator
from dataclasses import asdict

from mlm_core.encoder.language_model import OwnModel
from mlm_core.small_runs.run import untrained_bert
from mlm_core.small_runs.settings import SmallRunSettings
from mlm_core.small_runs.two_languages import (
    LanguagesRun,
    TwoLanguages,
    draw_mixture,
    languages_settings,
    make_mixed_task,
    measure_languages,
    two_languages,
)
from mlm_core.stored.two_languages import ALPHAS, LANGUAGES_FILE, SEEDS
from mlm_core.text.mini_world.second_language import Kinship
from mlm_core.training.loop import train
from tools.stored_finetunes import write_rows

DIGITS = 4  # of a stored number, behind the point


def languages_run(
    texts: TwoLanguages, kinship: Kinship, alpha: float, settings: SmallRunSettings
) -> LanguagesRun:
    """Train one encoder on the mixture that alpha gives, and measure it."""
    drawn = draw_mixture(texts, alpha, settings.seed)
    tokenizer, task = make_mixed_task(drawn, settings)
    bert = untrained_bert(settings, tokenizer.get_vocab_size())
    for _ in train(bert, task, settings.training(), seed=settings.seed):
        pass
    model = OwnModel("two languages", bert.eval().requires_grad_(False), tokenizer)
    found = measure_languages(model, texts, drawn)
    return LanguagesRun(kinship=kinship, alpha=alpha, seed=settings.seed, **found)


def make_runs() -> Iterator[str]:
    """Train all runs and write the results so far after each; yield lines for a log."""
    rows = []
    for kinship, alphas in ALPHAS.items():
        texts = two_languages(kinship)
        for alpha in alphas:
            for seed in SEEDS:
                run = languages_run(texts, kinship, alpha, languages_settings(seed))
                rows.append(_rounded(run))
                write_rows(rows, LANGUAGES_FILE)
                yield (
                    f"{kinship}, alpha {alpha}, seed {seed}: loss {run.loss[0]:.2f} and"
                    f" {run.loss[1]:.2f}, accent {run.accent:.0%}"
                )


def _rounded(run: LanguagesRun) -> dict[str, object]:
    row = asdict(run) | {"accent": round(run.accent, DIGITS)}
    for name in ("loss", "subwords_per_word"):
        row[name] = [round(value, DIGITS) for value in row[name]]
    return row
