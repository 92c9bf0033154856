"""Our encoder's forward pass against transformers', with the same weights and threads."""

import tempfile
import time
from pathlib import Path

from bench.run import Comparison

ROUNDS_OF_BATCH = {1: 5, 32: 2}  # times the repetitions: short passes need more of them
N_TOKENS = 64
SIZES = {
    "vocabulary_size": 16_000,
    "hidden_size": 256,
    "n_layers": 4,
    "n_heads": 4,
    "intermediate_size": 1024,
    "n_positions": N_TOKENS,
}


def measure(repetitions: int) -> list[Comparison]:
    """Return the times of the encoder alone and with the masked-language head at every token."""
    import torch
    from transformers import BertForMaskedLM
    from transformers.utils import logging

    from mlm_core.encoder.bert import Bert, BertConfig
    from mlm_core.encoder.checkpoints import load_bert, save_bert
    from mlm_core.encoder.model_list import BUNDLED_FOLDER
    from mlm_core.text.tokens import load_tokenizer

    logging.set_verbosity_error()
    logging.disable_progress_bar()
    with tempfile.TemporaryDirectory() as folder:
        save_bert(Bert(BertConfig(**SIZES)), load_tokenizer(BUNDLED_FOLDER), Path(folder))
        ours = load_bert(Path(folder))
        theirs = BertForMaskedLM.from_pretrained(folder).eval().requires_grad_(False)
    generator = torch.Generator().manual_seed(0)
    comparisons = []
    for batch_size, rounds in ROUNDS_OF_BATCH.items():
        ids = torch.randint(
            5, ours.config.vocabulary_size, (batch_size, N_TOKENS), generator=generator
        )
        segments = torch.zeros_like(ids)
        not_padding = torch.arange(N_TOKENS) < torch.randint(
            N_TOKENS // 2, N_TOKENS, (batch_size, 1), generator=generator
        )
        tasks = {
            "encoder": (
                lambda i=ids, s=segments: ours.last_states(i, s),
                lambda i=ids, s=segments: theirs.bert(i, token_type_ids=s).last_hidden_state,
            ),
            "encoder, padding": (
                lambda i=ids, s=segments, r=not_padding: ours.last_states(i, s, r),
                lambda i=ids, s=segments, r=not_padding: (
                    theirs.bert(i, token_type_ids=s, attention_mask=r.long()).last_hidden_state
                ),
            ),
            "encoder and head": (
                lambda i=ids, s=segments: ours.masked_language_logits(ours.last_states(i, s)),
                lambda i=ids, s=segments: theirs(i, token_type_ids=s).logits,
            ),
        }
        for task, (run_ours, run_theirs) in tasks.items():
            comparisons.append(
                _compare(
                    f"{task}, batch {batch_size} x {N_TOKENS}",
                    run_ours,
                    run_theirs,
                    rounds * repetitions,
                )
            )
    return comparisons


def _compare(what: str, run_ours, run_theirs, rounds: int) -> Comparison:
    import torch

    times = ([], [])
    with torch.inference_mode():
        torch.testing.assert_close(run_ours(), run_theirs(), rtol=1e-3, atol=1e-3)
        for round_ in range(rounds):
            sides = [(run_ours, times[0]), (run_theirs, times[1])]
            for run, taken in sides if round_ % 2 else reversed(sides):
                started = time.perf_counter()
                run()
                taken.append(1000 * (time.perf_counter() - started))
    return Comparison(
        what=what, ours=times[0], theirs=times[1], than="transformers", aim="at most 1.0 x"
    )
