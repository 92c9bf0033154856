"""Learn vocabularies of a model's size from English and German, mixed by each alpha.

    python -m tools.mixed_vocabularies CORPORA

(re)makes mlm_core/data/mixed_vocabularies.json, in a quarter of an hour on one core. CORPORA is a
folder with en-wiki-00.txt.xz, de-wiki-00.txt.xz and so on: paragraphs as lines, an empty line
between documents. The last file of each language is held out. The vocabularies of the bundled
models are measured on it, too. The texts are not in this
repository, so `make stored` leaves this out.

Read before this: two_languages.py, ../mlm_core/pretraining/mixed_vocabulary.py.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from mlm_core.encoder.model_list import BILINGUAL, BUNDLED, BUNDLED_FOLDER, BUNDLED_FOLDERS
from mlm_core.pretraining.documents import read_documents
from mlm_core.pretraining.mixed_vocabulary import (
    N_ENTRIES,
    N_WORDS,
    NATURAL,
    MixedVocabulary,
    ModelVocabulary,
    count_documents,
    learn_mixture,
    measure_cuts,
)
from mlm_core.stored.two_languages import MIXED_ALPHAS, MIXED_SEEDS, VOCABULARIES_FILE, HeldOutText
from mlm_core.text.cutting import count_words
from mlm_core.text.tokens import load_tokenizer

LANGUAGES = ("en", "de")  # the frequent one first
# Of the words that the bundled models learnt from. mini-bert-de-en met 10.85 million German words
# twice, and 47.54 million English ones once (docs/model_card_de_en.md).
GERMAN = {BUNDLED: 0.0, BILINGUAL: 0.313}
DIGITS = 4  # of a stored number, behind the point


def corpus_files(folder: Path, language: str) -> tuple[list[Path], Path]:
    """Return the files to learn from and the one that is held out, the last by name.

    Raises ValueError if there are fewer than two.
    """
    files = sorted(folder.glob(f"{language}-wiki-*.txt.xz"))
    if len(files) < 2:
        raise ValueError(f"{len(files)} files {language}-wiki-*.txt.xz in {folder}: give 2 or more")
    return files[:-1], files[-1]


def make_vocabularies(
    folder: Path,
    *,
    alphas: Sequence[float] = MIXED_ALPHAS,
    n_words: int = N_WORDS,
    n_entries: int = N_ENTRIES,
    path: Path = VOCABULARIES_FILE,
) -> Iterator[str]:
    """Learn and measure all, and write what there is after each; yield lines for a log."""
    rules = load_tokenizer(BUNDLED_FOLDER)  # all tokenizers of ours split words by the same rules
    files = [corpus_files(folder, language) for language in LANGUAGES]
    counts: list[Counter[str]] = []
    texts = []
    for language, (learnt_from, held_out) in zip(LANGUAGES, files, strict=True):
        lines = [line for document in read_documents([held_out]) for line in document]
        counts.append(count_words(rules, lines))
        text = HeldOutText(
            language=language,
            learnt_from=tuple(one.name for one in learnt_from),
            held_out=held_out.name,
            n_bytes=sum(len(line.encode()) for line in lines),
            n_words=sum(n for word, n in counts[-1].items() if word.isalpha()),
        )
        texts.append(asdict(text))
        yield f"{text.held_out}: {text.n_words:,} words held out"
    found: dict[str, object] = {
        "natural": NATURAL,
        "words": n_words,
        "entries": n_entries,
        "texts": texts,
        "models": [asdict(_measured(name, counts)) for name in BUNDLED_FOLDERS],
    }
    pools = [count_documents(read_documents(learnt_from), rules) for learnt_from, _ in files]
    rows: list[dict[str, object]] = []
    for seed in MIXED_SEEDS:
        for alpha in alphas:
            tokenizer, n_drawn = learn_mixture(
                pools, alpha, seed, n_words=n_words, n_entries=n_entries
            )
            frequent, rare = n_drawn
            row = MixedVocabulary(
                alpha=alpha,
                seed=seed,
                n_words=(frequent, rare),
                subwords_per_word=_rounded(measure_cuts(tokenizer, counts)),
            )
            rows.append(asdict(row))
            _write(found, rows, path)
            yield f"seed {seed}, alpha {alpha}: {row.proportion:.1%}, {row.subwords_per_word}"


def _measured(name: str, held_out: Sequence[Counter[str]]) -> ModelVocabulary:
    cuts = _rounded(measure_cuts(load_tokenizer(BUNDLED_FOLDERS[name]), held_out))
    return ModelVocabulary(name=name, proportion=GERMAN[name], subwords_per_word=cuts)


def _rounded(cuts: Sequence[float]) -> tuple[float, float]:
    frequent, rare = (round(value, DIGITS) for value in cuts)
    return frequent, rare


def _write(found: dict[str, object], rows: Sequence[dict[str, object]], path: Path) -> None:
    """Write JSON with a row a line."""
    about = json.dumps(found, indent=1).removesuffix("\n}")
    lines = ",\n".join(f"  {json.dumps(row)}" for row in rows)
    path.write_text(f'{about},\n "mixed": [\n{lines}\n ]\n}}\n', encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m tools.mixed_vocabularies")
    parser.add_argument("corpora", type=Path, help="folder with *-wiki-*.txt.xz")
    options = parser.parse_args(arguments)
    for line in make_vocabularies(options.corpora):
        print(line, flush=True)


if __name__ == "__main__":
    main()
