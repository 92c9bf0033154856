"""Measure the bundled models' heads: the loss without each, and without more and more of them.

    make stored STORED=heads_off    mlm_core/data/heads_off.json, in two or three minutes

Each model reads the sentences of its language.

Read before this: ../mlm_core/inside/switches.py.
"""

import json
from collections.abc import Iterator

from mlm_core.encoder.model_list import READERS
from mlm_core.encoder.pretrained import load
from mlm_core.inside.switches import Head, heads_of, loss_on, switch_off
from mlm_core.stored.heads_off import HEADS_FILE
from mlm_core.text.tokens import tokenize
from pages.server.course.words import read_words


def make_losses() -> Iterator[str]:
    """Measure and write the losses of each model; yield lines for a log."""
    of_models = []
    for language, name in READERS.items():
        sentences, losses = _losses(name, language)
        rows = ",\n".join(json.dumps({"off": off, "loss": one}) for off, one in losses.items())
        named = json.dumps(sentences, indent=1, ensure_ascii=False)
        of_models.append(f'"{name}": {{"sentences": {named},\n"losses": [\n{rows}\n]}}')
        *_, last = losses.values()
        yield f"{name}: {losses[()]:.3f}, without the last head {last:.3f}"
    HEADS_FILE.write_text("{" + ",\n".join(of_models) + "}\n", encoding="utf-8")


def _losses(name: str, language: str) -> tuple[list[str], dict[tuple[Head, ...], float]]:
    model, words = load(name), read_words("inside_a_prediction", language)
    sentences = words.section("break_it.sentences").splitlines()
    texts = [tokenize(model.tokenizer, each, max_tokens=model.max_tokens) for each in sentences]

    def loss(*off: Head) -> float:
        return loss_on(switch_off(model, off), texts)

    losses = {(): loss()} | {(head,): loss(head) for head in heads_of(model)}
    order = sorted(heads_of(model), key=lambda head: losses[(head,)])
    for n in range(2, len(order) + 1):
        off = tuple(sorted(order[:n]))
        losses[off] = loss(*off)
    return sentences, losses
