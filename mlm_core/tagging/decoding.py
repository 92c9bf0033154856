"""From distributions over tags to one tag a word: greedy and Viterbi.

    y_i = softmax(h_i W_K)          at each word i a distribution over the k tags
    greedy   t_i = argmax_k y_i[k]  each word alone; I-PER may follow O
    Viterbi  the path of the highest sum over i of log y_i[t_i], among the legal ones

    best[0, t] = log y_0[t]                              where t may start
    best[i, t] = log y_i[t] + max over s of best[i-1, s]  where t may follow s
    score      = max over t of best[n-1, t]              where t may end

Each entry stores the s of its maximum, so the path is read backwards from the end. That takes
n k^2 steps; trying every path takes k^n. `viterbi_step` returns one word's row of the table: for
each tag the s, the two summands, and the tag before that is excluded.

Source: SLP3 section 11.5.3, Eq 11.12 and 11.13 (greedy); Viterbi 1967.
Departs: SLP3 refers to a CRF, which learns a score for each transition; here a transition is
legal or not, and nothing is learned.

Read before this: bio_tags.py. Read next: scores.py; also alignment.py.
"""

from dataclasses import dataclass

import torch

from mlm_core.encoder.attention import NEGATIVE_INFINITY
from mlm_core.shapes import Float, Int, Tensor
from mlm_core.tagging.transitions import Transitions


@dataclass(frozen=True, kw_only=True)
class GreedyPath:
    """The most probable tag of each word by itself."""

    path: tuple[int, ...]  # each word's tag, as its index among the tags
    log_probability: float  # of the path, in nats


@dataclass(frozen=True, kw_only=True)
class ViterbiPath:
    """The most probable legal path, with the table it was read from."""

    path: tuple[int, ...]  # each word's tag, as its index among the tags
    log_probability: float  # of the path, in nats; not divided by that of all legal paths
    best: Float[Tensor, "word tag"]  # the best legal path up to here; -inf if there is none
    came_from: Int[Tensor, "word tag"]  # that path's tag at the word before; -1 at the first


def greedy(log_probabilities: Float[Tensor, "word tag"]) -> GreedyPath:
    """Return the tag of highest probability at each word, legal or not.

    >>> greedy(torch.tensor([[0.9, 0.1], [0.2, 0.8]]).log()).path
    (0, 1)
    """
    best = log_probabilities.amax(dim=-1)
    return GreedyPath(
        path=tuple(log_probabilities.argmax(dim=-1).tolist()),
        log_probability=best.double().sum().item(),
    )


def viterbi(log_probabilities: Float[Tensor, "word tag"], transitions: Transitions) -> ViterbiPath:
    """Return the legal path of highest probability; of equal tags, the first.

    Raises ValueError if every legal path has probability 0, or tags and columns differ.
    """
    n_words, n_tags = log_probabilities.shape
    if n_tags != len(transitions.tags):
        raise ValueError(
            f"{n_tags} columns for {len(transitions.tags)} tags: give one column a tag, in the"
            " order of transitions.tags"
        )
    # Word by word, few numbers at a time: slower on a GPU.
    log_probabilities = log_probabilities.cpu()
    best = log_probabilities.new_full((n_words, n_tags), NEGATIVE_INFINITY)
    came_from = torch.full((n_words, n_tags), -1)
    for i in range(n_words):
        if i == 0:
            nothing_yet = log_probabilities.new_zeros(n_tags)
            arriving = nothing_yet.masked_fill(~transitions.may_start, NEGATIVE_INFINITY)
        else:
            steps = best[i - 1, :, None].masked_fill(~transitions.may_follow, NEGATIVE_INFINITY)
            came_from[i] = steps.argmax(dim=0)
            arriving = steps.amax(dim=0)  # max(dim) would use all threads, even for nine numbers
        best[i] = arriving + log_probabilities[i]
    path, score = _read_back(best, came_from, transitions)
    return ViterbiPath(path=path, log_probability=score, best=best, came_from=came_from)


def _read_back(
    best: Float[Tensor, "word tag"], came_from: Int[Tensor, "word tag"], transitions: Transitions
) -> tuple[tuple[int, ...], float]:
    if not len(best):
        return (), 0.0
    ending = best[-1].masked_fill(~transitions.may_end, NEGATIVE_INFINITY)
    score = ending.max().item()
    if score == NEGATIVE_INFINITY:
        raise ValueError(
            f"no legal path through {len(best)} words has a probability above 0: let O be"
            " possible at each word, or decode greedily"
        )
    backwards = [int(ending.argmax())]
    for i in range(len(best) - 1, 0, -1):
        backwards.append(int(came_from[i, backwards[-1]]))
    return tuple(reversed(backwards)), score


@dataclass(frozen=True, kw_only=True)
class StepEntry:
    """How the best legal path to one tag at one word is made."""

    tag: str
    log_probability: float  # of the tag at this word by itself, nats
    came_from: str | None  # the tag before; None at the first word
    best_before: float  # of the path up to there; 0 at the first word
    best: float  # of the path up to here; -inf if none is legal
    excluded: str | None  # a likelier tag before, which this tag may not follow
    is_on_path: bool


def viterbi_step(
    log_probabilities: Float[Tensor, "word tag"],
    found: ViterbiPath,
    transitions: Transitions,
    word: int,
) -> tuple[StepEntry, ...]:
    """Return the entries of one word, tag by tag.

    Raises ValueError if there is no such word.
    """
    if not 0 <= word < len(log_probabilities):
        raise ValueError(
            f"word {word} of {len(log_probabilities)}: words are counted from 0 to"
            f" {len(log_probabilities) - 1}"
        )
    tags = transitions.tags
    unbarred = int(found.best[word - 1].argmax()) if word else -1
    entries = []
    for t, tag in enumerate(tags):
        source = int(found.came_from[word, t]) if word else -1
        best = found.best[word, t].item()
        is_forbidden = word > 0 and not bool(transitions.may_follow[unbarred, t])
        entries.append(
            StepEntry(
                tag=tag,
                log_probability=log_probabilities[word, t].item(),
                came_from=tags[source] if word and best > NEGATIVE_INFINITY else None,
                best_before=found.best[word - 1, source].item() if word else 0.0,
                best=best,
                excluded=tags[unbarred] if is_forbidden else None,
                is_on_path=found.path[word] == t,
            )
        )
    return tuple(entries)
