"""The whole test part: how often is the answer right, and what gets as far without an encoder?"""

from mlm_core.answers.words import AnswerScores, different_answers, score_answers
from mlm_core.evaluation.bootstrap import paired_lead
from mlm_core.figures.charts import DotRow, dots_chart
from mlm_core.finetuning.snapshot import FineTuneSnapshot
from pages.kit.caches import cache_finetuning
from pages.kit.part import Part
from pages.lessons.classification import computed

RANDOM = "passages_random"  # a stored run
BOUNDS = (0.1, 0.3, 0.6)  # between the guesses: share of questions answered exactly
LISTENS = 0.9  # different answers a question, from which on the question seems to be read


def show_figures(p: Part, title: str, snapshot: FineTuneSnapshot) -> None:
    """Ask for a guess, then show both measures for this run and what to compare it with."""
    n = len(snapshot.data.test)
    p.say("all", n=n)
    guess = p.guess("answers", [str(i) for i in range(len(BOUNDS) + 1)], n=n)
    if guess is None:
        return
    scores = _scores(snapshot)
    run = scores["run"]
    truth = str(sum(run.exact >= bound for bound in BOUNDS))
    p.tell_right("answers", truth)
    kind = "guess_right" if guess == truth else "guess_wrong"
    p.say(kind, guess=p.plain(f"guess_{guess}"), n_exact=sum(run.right), n=n)
    names = {name: p.plain(f"row_{name}") for name in scores}
    rows = [
        DotRow(name=names[name], values=(one.exact, one.f1), errors=(one.exact_error, one.f1_error))
        for name, one in scores.items()
    ]
    series, axis = (p.plain("exact"), p.plain("f1")), p.plain("axis")
    chart = dots_chart(rows, series, low=0.0, high=1.0, x_title=axis)
    table = {
        "answered_by": list(names.values()),
        "exact_match": [one.exact for one in scores.values()],
        "exact_match_se": [one.exact_error for one in scores.values()],
        "F1": [one.f1 for one in scores.values()],
        "F1_se": [one.f1_error for one in scores.values()],
    }
    figure, said = p.columns(align="center")
    with figure:
        p.figure("answers_figures", chart, table, exact=run.exact, f1=run.f1, run=title, n=n)
    with said:
        _compare(p, scores)
    with p.fold("why_hard", "help"):
        _explain(p, snapshot)


def _scores(snapshot: FineTuneSnapshot) -> dict[str, AnswerScores]:
    """Return the scores of this run, of a random start, and of a rule."""
    questions, random = snapshot.data.test, cache_finetuning.stored(RANDOM)
    return {
        "run": score_answers(questions, snapshot.tested.texts),
        "random": score_answers(random.data.test, random.tested.texts),
        "rule": computed.answered_by_rule(),
    }


def _compare(p: Part, scores: dict[str, AnswerScores]) -> None:
    """Say how weak or strong the run is, next to the rule and a random start."""
    run, rule, random = scores["run"], scores["rule"], scores["random"]
    values = {"f1": run.f1, "exact": run.exact, "rule_f1": rule.f1, "rule_exact": rule.exact}
    p.say("scores", **values)
    lead = paired_lead(run.right, rule.right)
    kind = ("not_apart", "ahead", "behind")[lead.direction]
    p.say(kind, difference=lead.value, low=lead.low, high=lead.high)
    p.say("random", f1=random.f1, exact=random.exact)


def _explain(p: Part, snapshot: FineTuneSnapshot) -> None:
    """Say whether the model uses the question, and why the task is hard."""
    test = snapshot.data.test
    asked, different = different_answers(test, snapshot.tested.texts)
    kind = "same" if different < LISTENS * asked else "listens"
    p.say(kind, asked=asked, different=different)
    p.say("why", n_train=len(snapshot.data.train) - snapshot.n_left_out)
