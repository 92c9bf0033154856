"""Patch each state of our pairs of sentences in the bundled models.

    make stored STORED=patched_pairs    mlm_core/data/patched_pairs.json, in a minute

Read before this: ../mlm_core/inside/patching.py.
"""

import json
from collections.abc import Iterator

from mlm_core.encoder.model_list import READERS
from mlm_core.encoder.pretrained import load
from mlm_core.inside.patching import follow, pair_of, way_of
from mlm_core.stored.patched_pairs import PAIRS_FILE, PatchedPair, read_sentences
from mlm_core.text.tokens import entry_of, tokenize


def make_pairs() -> Iterator[str]:
    """Patch and write what was found of each language; yield lines for a log."""
    of_languages = []
    for language, name in READERS.items():
        model, rows = load(name), []
        for row in read_sentences(language):
            clean, corrupted = (tokenize(model.tokenizer, row[n]) for n in ("clean", "corrupted"))
            pair = pair_of(model.tokenizer, clean, corrupted)
            followed = follow(model, pair)
            answers = [entry_of(model.tokenizer, id_) for id_ in followed.answers]
            way = way_of(followed.closed, pair.word, pair.blank)
            rows.append(PatchedPair(row["kind"], row["clean"], row["corrupted"], answers, way))
            yield f"{row['clean']} {answers}: {way}"
        written = ",\n".join(json.dumps(one, ensure_ascii=False) for one in rows)
        of_languages.append(f'"{language}": [\n{written}\n]')
        n = sum(one.way.moves for one in rows)
        yield f"{name}: the peak moves in {n} of {len(rows)}"
    PAIRS_FILE.write_text("{" + ",\n".join(of_languages) + "}\n", encoding="utf-8")
