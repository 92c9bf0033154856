"""Our batched 80/10/10 corruption against transformers' collator, from the same tensors.

Timed are `choose` and `replace` against `torch_mask_tokens`: no padding, no tokenization, no
table of word shares, which is made once a run. Theirs writes into the ids it is given; the copy
that this takes is left out of its time. Ours also returns which branch each token took.
"""

import time
from collections.abc import Callable
from itertools import product
from typing import get_args

from bench.run import Comparison

ROUNDS = 10  # times the repetitions: a millisecond each
N_TEXTS, N_TOKENS = 512, 128


def measure(repetitions: int) -> list[Comparison]:
    """Return the times of both ways to choose, with both ways to draw random words."""
    import torch
    from transformers import DataCollatorForLanguageModeling, PreTrainedTokenizerFast

    from mlm_core.encoder.model_list import BUNDLED_FOLDER
    from mlm_core.masking.batch import choose, random_word_cdf, replace
    from mlm_core.masking.rule import CorruptionRule, Selection
    from mlm_core.text.tokens import load_tokenizer, special_token_ids

    tokenizer = load_tokenizer(BUNDLED_FOLDER)
    special_ids, n_words = special_token_ids(tokenizer), tokenizer.get_vocab_size()
    mask_id = tokenizer.token_to_id("[MASK]")
    collator = DataCollatorForLanguageModeling(
        PreTrainedTokenizerFast(tokenizer_object=tokenizer, mask_token="[MASK]", pad_token="[PAD]"),
        mlm_probability=0.15,
        seed=0,
    )
    collator.create_rng()
    generator = torch.Generator().manual_seed(0)
    counts = 1_000_000 // torch.arange(1, n_words + 1)  # Zipf's law
    counts[list(special_ids)] = 0
    ids = torch.multinomial(
        counts.double(), N_TEXTS * N_TOKENS, replacement=True, generator=generator
    ).view(N_TEXTS, N_TOKENS)
    ids[:, 0], ids[:, -1] = tokenizer.token_to_id("[CLS]"), tokenizer.token_to_id("[SEP]")
    is_special = torch.isin(ids, torch.tensor(list(special_ids)))
    n_real = torch.full((N_TEXTS,), N_TOKENS)

    def theirs(copy: torch.Tensor):
        return collator.torch_mask_tokens(copy, special_tokens_mask=is_special)

    comparisons = []
    for selection, uniform in product(get_args(Selection), (False, True)):
        rule = CorruptionRule(selection=selection)
        cdf = random_word_cdf(torch.ones_like(counts) if uniform else counts, special_ids)

        def ours(copy: torch.Tensor, rule=rule, cdf=cdf):
            chosen = choose(~is_special, n_real, rule, generator)
            return replace(copy, chosen, rule, generator, mask_id=mask_id, word_cdf=cdf)[:2]

        words = "uniform" if uniform else "unigram"
        comparisons.append(
            _compare(
                f"choose+replace, {selection}, {words}", ours, theirs, ids, ROUNDS * repetitions
            )
        )
    return comparisons


def _compare(what: str, run_ours: Callable, run_theirs: Callable, ids, rounds: int) -> Comparison:
    for run in (run_ours, run_theirs):
        seen, labels = run(ids.clone())
        changed = (seen != ids).double().mean().item()
        # About 14.5 to 15 % are chosen, and 9 in 10 of them change: the work is the same.
        assert 0.12 < changed < 0.14, (what, changed)
        assert labels[seen != ids].equal(ids[seen != ids])
    times = ([], [])
    for round_ in range(rounds):
        sides = [(run_ours, times[0]), (run_theirs, times[1])]
        for run, taken in sides if round_ % 2 else reversed(sides):
            copy = ids.clone()
            started = time.perf_counter()
            run(copy)
            taken.append(1000 * (time.perf_counter() - started))
    return Comparison(
        what=what,
        ours=times[0],
        theirs=times[1],
        than=f"torch_mask_tokens of transformers, {N_TEXTS} x {N_TOKENS} tokens",
        aim="at most 1.0 x",
    )
