"""An exercise on two paths through a table of probabilities: greedy and Viterbi.

Read before this: tag_tasks.py, ../../tagging/decoding.py.
"""

from collections.abc import Sequence
from itertools import product
from random import Random

from mlm_core.exercises.exercise import Learner, Task, Verdict, read_pair
from mlm_core.exercises.tasks.tag_tasks import in_a_row, split_row
from mlm_core.number_format import formatted

PATH_TAGS = ("O", "B-PER", "I-PER")
N_WORDS = 3
N_STEPS = 20  # all probabilities are twentieths


def draw_two_paths(learner: Learner, rng: Random) -> Task:
    """Ask for the greedy path and the most probable legal one."""
    import torch

    from mlm_core.tagging.decoding import greedy, viterbi
    from mlm_core.tagging.transitions import faults_in, legal_transitions, repair

    transitions = legal_transitions(PATH_TAGS, "BIO")
    while True:
        table = [_distribution(rng) for _ in range(N_WORDS)]
        logs = torch.tensor(table, dtype=torch.float64).log()
        each = [PATH_TAGS[i] for i in greedy(logs).path]
        best = [PATH_TAGS[i] for i in viterbi(logs, transitions).path]
        mended = list(repair(each, "BIO", "conlleval"))
        is_plain = all(sorted(row)[-1] > sorted(row)[-2] for row in table)
        if is_plain and faults_in(each, "BIO") and best != mended and _is_ahead(table, best):
            break
    values: dict[str, object] = {
        "greedy": in_a_row(each),
        "viterbi": in_a_row(best),
        "mended": in_a_row(mended),
        "fault": faults_in(each, "BIO")[0].reason,
        "p_greedy": formatted(_probability(table, each), ".4g"),
        "p_viterbi": formatted(_probability(table, best), ".4g"),
        "p_mended": formatted(_probability(table, mended), ".4g"),
    }
    for i, row in enumerate(table):
        for name, p in zip("obi", row, strict=True):
            values[f"{name}_{i + 1}"] = formatted(p, ".2f")

    def judge(answer: str) -> Verdict:
        paths = [[_whole(tag) for tag in split_row(line)] for line in read_pair(answer)]
        if any(len(path) != N_WORDS or not {*path} <= {*PATH_TAGS} for path in paths):
            return Verdict(outcome="wrong", hint="no_path")
        if paths[0] != each:
            return Verdict(outcome="wrong", hint="other_greedy")
        if paths[1] == best:
            return Verdict(outcome="right")
        faults = faults_in(paths[1], "BIO")
        if faults:
            predicted = {"reason": faults[0].reason}
            return Verdict(outcome="wrong", hint="not_legal", values=predicted)
        hint = "only_mended" if paths[1] == mended else "less_likely"
        predicted = {"p": formatted(_probability(table, paths[1]), ".4g")}
        return Verdict(outcome="wrong", hint=hint, values=predicted)

    return Task(values=values, judge=judge, answer="\n".join(map(" ".join, (each, best))))


def _whole(tag: str) -> str:
    """Return a tag with its type, which may be omitted, since there is only one."""
    return f"{tag}-PER" if tag in ("B", "I") else tag


def _distribution(rng: Random) -> list[float]:
    first, second = sorted(rng.sample(range(1, N_STEPS), len(PATH_TAGS) - 1))
    return [first / N_STEPS, (second - first) / N_STEPS, (N_STEPS - second) / N_STEPS]


def _probability(table: Sequence[Sequence[float]], path: Sequence[str]) -> float:
    product = 1.0
    for row, tag in zip(table, path, strict=True):
        product *= row[PATH_TAGS.index(tag)]
    return product


def _is_ahead(table: Sequence[Sequence[float]], best: Sequence[str]) -> bool:
    """Return whether every other legal path is clearly less probable."""
    from mlm_core.tagging.transitions import faults_in

    legal = [path for path in product(PATH_TAGS, repeat=len(table)) if not faults_in(path, "BIO")]
    ranked = sorted((_probability(table, path) for path in legal), reverse=True)
    return ranked[0] - ranked[1] > 0.005 and _probability(table, best) == ranked[0]
