"""Exercises with stored runs: nearest words, the effect of NSP.

Source: the BERT manual, section 9: nearest neighbours of what a small encoder learned
(exercise 2), with and without next-sentence prediction (3).

Read before this: ../exercise.py, ../../stored/runs.py, ../../probing/neighbours.py,
../../stored/nsp_pairs.py.
"""

import math
from collections import Counter
from random import Random
from typing import TYPE_CHECKING

from mlm_core.evaluation.bootstrap import paired_lead
from mlm_core.exercises.exercise import Learner, Task, choice_task
from mlm_core.number_format import formatted
from mlm_core.stored.nsp_pairs import N_PAIRS, SEEDS, read_right
from mlm_core.text.words import words_of

if TYPE_CHECKING:
    from mlm_core.encoder.language_model import OwnModel
    from mlm_core.small_runs.text import PreparedText

FEWEST_USES = 5  # in the held-out text, of a word that an exercise is about
SHORTEST_WORD = 3  # letters
FEWEST_BEHIND = 0.2  # cosine by which the other options are behind the nearest
N_FAR = 40  # words that these are drawn from
N_TOP = 5
LETTERS = ("a", "b", "c", "d")
BETTER = ("a", "b", "no_difference")
FEW_PAIRS = 64  # with fewer, the rule of two standard errors errs too often


def draw_nearest_token(learner: Learner, rng: Random) -> Task:
    """Ask which of four words has the nearest embedding in the default run."""
    from mlm_core.probing.neighbours import nearest_tokens

    model, text = _model(learner, "default"), _text(learner)
    uses = _uses(learner, text)
    while True:
        word = rng.choice(sorted(uses))
        id_ = model.tokenizer.token_to_id(word)
        assert id_ is not None  # word_uses() has only words of one token
        found = nearest_tokens(model, id_, model.tokenizer.get_vocab_size())
        best = next(t for t in found if t.text.isalpha() and len(t.text) >= SHORTEST_WORD)
        limit = best.cosine - FEWEST_BEHIND
        far = [token for token in found if token.text in uses and token.cosine < limit]
        if len(far) >= N_FAR:
            break
    # From the next nearest ones, so that they tempt.
    options = [best, *rng.sample(far[:N_FAR], len(LETTERS) - 1)]
    rng.shuffle(options)
    values: dict[str, object] = {
        "word": word,
        "nearest": ", ".join(
            f"{token.text} ({formatted(token.cosine, '.2f')})" for token in found[:N_TOP]
        ),
        "sentence": rng.choice([s for s in text.held_out_sentences if word in words_of(s)]),
        "best": best.text,
    }
    for letter, token in zip(LETTERS, options, strict=True):
        values[f"word_{letter}"], values[f"cosine_{letter}"] = (
            token.text,
            formatted(token.cosine, ".2f"),
        )
    return choice_task(LETTERS, right=LETTERS[options.index(best)], values=values)


def draw_nsp_ablation(learner: Learner, rng: Random) -> Task:
    """Ask whether one of two runs, one with NSP training, tells true pairs from random ones better.

    Each of the three answers is drawn as often.
    """
    right, answer = rng.choice(BETTER), None
    while answer != right:
        seed, variant = rng.choice(SEEDS), rng.choice(("from_cls", "from_mean"))
        # So few that a large lead alone counts.
        n_judged, names = rng.choice((N_PAIRS, FEW_PAIRS, FEW_PAIRS)), rng.sample("ab", 2)
        drawn = rng.sample(range(N_PAIRS), n_judged)
        verdicts = {
            name: [is_right[i] for i in drawn]
            for name, is_right in zip(names, read_right(seed, variant), strict=True)
        }
        lead = paired_lead(verdicts["a"], verdicts["b"])
        difference, n_apart = lead.n_first - lead.n_second, lead.n_first + lead.n_second
        is_clear = abs(difference) > 2 * math.sqrt(n_apart)
        answer = ("a" if difference > 0 else "b") if is_clear else "no_difference"
    return choice_task(
        BETTER,
        right=right,
        values={
            "draw": seed,
            "n": formatted(N_PAIRS, ","),
            "n_judged": formatted(n_judged, ","),
            "right_a": sum(verdicts["a"]),
            "right_b": sum(verdicts["b"]),
            "only_a": lead.n_first,
            "only_b": lead.n_second,
            "with_nsp": names[0].upper(),
            "n_apart": n_apart,
            "difference": formatted(difference, "+d"),
            "twice_error": formatted(2 * math.sqrt(n_apart), ".1f"),
        },
        variant=variant,
    )


def word_uses(text: "PreparedText") -> dict[str, int]:
    """Return the words of one token, with their counts in the held-out text."""
    counts = Counter(word for sentence in text.held_out_sentences for word in words_of(sentence))
    return {
        word: n
        for word, n in counts.items()
        if n >= FEWEST_USES
        and len(word) >= SHORTEST_WORD
        and text.tokenizer.token_to_id(word) is not None
    }


def _uses(learner: Learner, text: "PreparedText") -> dict[str, int]:
    return learner.remember("words of the stored runs", lambda: word_uses(text))


def _text(learner: Learner) -> "PreparedText":
    """Return the text of the stored runs, tokenized."""
    from mlm_core.small_runs.settings import SmallRunSettings
    from mlm_core.small_runs.text import prepare_at_once

    def make() -> "PreparedText":
        return prepare_at_once(SmallRunSettings())

    return learner.remember("text of the stored runs", make)


def _model(learner: Learner, run: str) -> "OwnModel":
    """Return a stored run's encoder as it was at the end."""
    from mlm_core.small_runs.snapshot import model_at
    from mlm_core.stored.runs import read_stored

    return learner.remember(f"encoder of the run {run}", lambda: model_at(read_stored(run)))
