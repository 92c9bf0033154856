"""Word vectors of 500 sentences against transformers' pipeline, with the same weights and threads.

Theirs is pipeline("feature-extraction"), called sentence by sentence, as it comes: it gives the
last layer's states, of which the word's are then averaged. Ours gives the word's vectors of every
layer. Both begin with the text; the model is loaded beforehand.
"""

import time
from collections.abc import Callable

from bench.run import Comparison

N_SENTENCES = 500
REPETITIONS_A_ROUND = 4  # one round is seconds long, so fewer of them are enough


def measure(repetitions: int) -> list[Comparison]:
    """Return the times of both ways for the stored sentences of the ambiguous words."""
    import torch
    from transformers import AutoModel, AutoTokenizer, pipeline
    from transformers.utils import logging

    from mlm_core.embeddings.contextual import word_vectors
    from mlm_core.embeddings.locating import locate_words
    from mlm_core.embeddings.senses_data import stored_names, stored_word
    from mlm_core.encoder.model_list import BUNDLED, BUNDLED_FOLDER
    from mlm_core.encoder.pretrained import load

    logging.set_verbosity_error()
    logging.disable_progress_bar()
    model = load(BUNDLED)
    extract = pipeline(
        "feature-extraction",
        model=AutoModel.from_pretrained(BUNDLED_FOLDER, dtype=torch.float32),
        tokenizer=AutoTokenizer.from_pretrained(BUNDLED_FOLDER),
        device="cpu",
    )
    words = [stored_word(name) for name in stored_names()]
    sentences = [s for word in words for s in word.sentences if word.language == "en"]
    sentences = sentences[:: len(sentences) // N_SENTENCES][:N_SENTENCES]
    positions = [list(place.positions) for place in locate_words(model, sentences)]

    def theirs() -> torch.Tensor:
        states = (extract(sentence.text, return_tensors=True)[0] for sentence in sentences)
        return torch.stack(
            [state[places].mean(dim=0) for state, places in zip(states, positions, strict=True)]
        )

    def ours() -> torch.Tensor:
        return word_vectors(model, sentences, layer=model.n_layers)

    return [_compare(ours, theirs, max(1, repetitions // REPETITIONS_A_ROUND))]


def _compare(run_ours: Callable, run_theirs: Callable, rounds: int) -> Comparison:
    import torch

    # Both have run once before they are timed, and the work is the same.
    torch.testing.assert_close(run_ours(), run_theirs(), atol=1e-4, rtol=0)
    times = ([], [])
    for round_ in range(rounds):
        sides = [(run_ours, times[0]), (run_theirs, times[1])]
        for run, taken in sides if round_ % 2 else reversed(sides):
            started = time.perf_counter()
            run()
            taken.append(1000 * (time.perf_counter() - started))
    return Comparison(
        what=f"word vectors, {N_SENTENCES} sentences",
        ours=times[0],
        theirs=times[1],
        than="pipeline('feature-extraction') of transformers, sentence by sentence",
        aim="at most 0.2 x",
    )
