"""Our encoder's forward pass against transformers', with the same weights and threads."""

import time

from bench.run import Comparison

ROUNDS_OF_BATCH = {1: 5, 32: 2}  # times the repetitions: short passes need more of them
N_TOKENS = 64


def measure(repetitions: int) -> list[Comparison]:
    """Return the times of the encoder alone and with the masked-language head at every token."""
    import torch
    from transformers import BertForMaskedLM
    from transformers.utils import logging

    from mlm_core.encoder.checkpoints import load_bert
    from mlm_core.encoder.model_list import BUNDLED_FOLDER

    logging.set_verbosity_error()
    logging.disable_progress_bar()
    ours = load_bert(BUNDLED_FOLDER)
    theirs = BertForMaskedLM.from_pretrained(BUNDLED_FOLDER).eval().requires_grad_(False)
    generator = torch.Generator().manual_seed(0)
    comparisons = []
    for n_texts, rounds in ROUNDS_OF_BATCH.items():
        ids = torch.randint(
            5, ours.config.vocabulary_size, (n_texts, N_TOKENS), generator=generator
        )
        segments = torch.zeros_like(ids)
        is_real = torch.arange(N_TOKENS) < torch.randint(
            N_TOKENS // 2, N_TOKENS, (n_texts, 1), generator=generator
        )
        tasks = {
            "encoder": (
                lambda i=ids, s=segments: ours.encode(i, s).last,
                lambda i=ids, s=segments: theirs.bert(i, token_type_ids=s).last_hidden_state,
            ),
            "encoder, padding": (
                lambda i=ids, s=segments, r=is_real: ours.encode(i, s, r).last,
                lambda i=ids, s=segments, r=is_real: (
                    theirs.bert(i, token_type_ids=s, attention_mask=r.long()).last_hidden_state
                ),
            ),
            "encoder and head": (
                lambda i=ids, s=segments: ours.masked_language_logits(ours.encode(i, s).last),
                lambda i=ids, s=segments: theirs(i, token_type_ids=s).logits,
            ),
        }
        for task, (run_ours, run_theirs) in tasks.items():
            comparisons.append(
                _compare(
                    f"{task}, batch {n_texts} x {N_TOKENS}",
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
