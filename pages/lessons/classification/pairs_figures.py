"""How well are pairs classified, and how far does one get without an encoder?"""

from collections.abc import Sequence

from mlm_core.classification.bag_of_words import shared_words
from mlm_core.evaluation.bootstrap import paired_lead
from mlm_core.evaluation.seeds import Variant, best_of, compare
from mlm_core.figures.charts import DotRow, dots_chart
from mlm_core.finetuning.scores import right_examples
from mlm_core.finetuning.snapshot import FineTuneSnapshot
from mlm_core.number_format import formatted
from pages.kit.part import Part, Table
from pages.lessons.classification import computed

GRADES = ("same", "related", "unrelated")  # of the paraphrases: three test pairs in a row
MANY_SHARED = 0.2  # of the words; half of each grade's paraphrases share as many
GUESSES = ("chance", "some", "most")  # of what can be had above chance by the second text alone
SOME, MOST = 0.05, 0.3  # above the most frequent class, as a share of the test part


def show_accuracy(p: Part, title: str, snapshot: FineTuneSnapshot) -> None:
    """Ask for a guess, then show the run's accuracy next to four that need no encoder."""
    is_ours = snapshot.settings.data in ("entailment", "paraphrase")
    balanced = p.section("balanced") if is_ours else ""
    p.write(f"{p.section('figures', n=len(snapshot.data.test))} {balanced}")
    guess = p.guess("pairs", GUESSES)
    if guess is None:
        return
    found = p.helped(lambda: computed.pair_baselines(snapshot), "sklearn")
    if found is None:
        return
    right = {"run": right_examples(snapshot.data.test, snapshot.tested.texts), **found.right}
    shares = {name: sum(of) / len(of) for name, of in right.items()}
    lead = shares["second"] - shares["majority"]
    truth = "most" if lead > MOST else "some" if lead > SOME else "chance"
    p.tell_right("pairs", truth)
    kind = "guess_right" if guess == truth else "guess_wrong"
    verdict = p.section(kind, **(shares | {"guess": p.plain(f"guess_{guess}")}))
    _show_shares(p, title, snapshot, right, verdict)
    is_paraphrase = snapshot.settings.data == "paraphrase"
    with p.fold("betray", "search"):
        if is_paraphrase:
            _show_by_shared(p, snapshot)
        p.say("both", **shares)
        p.say("betray_paraphrase" if is_paraphrase else "betray")
        heaviest = [[name, ", ".join(words)] for name, words in found.heaviest.items()]
        Table(heaviest, [p.plain("class"), p.plain("words")]).show()


def _show_shares(
    p: Part,
    title: str,
    snapshot: FineTuneSnapshot,
    right: dict[str, Sequence[bool]],
    verdict: str,
) -> None:
    """Draw the accuracies, and say whether the lead is more than random variation."""
    n = len(snapshot.data.test)
    shares = {name: sum(of) / n for name, of in right.items()}
    variants = {name: Variant(name=name, proportions=(share,)) for name, share in shares.items()}
    figure, said = p.columns(align="center")
    with figure:
        _draw_accuracies(p, title, variants, n)
    with said:
        p.write(verdict)
        run, *others = variants.values()
        best = best_of(others)
        about = {"run": run.mean, "margin": run.margin(n), "n": n, "share": best.mean}
        p.say("interval", best=p.plain(f"row_{best.name}"), **about)
        found = paired_lead(right["run"], right[best.name])
        kind = ("not_apart", "ahead", "behind")[found.direction]
        p.say(kind, difference=found.value, low=found.low, high=found.high)
        if found.direction > 0 and snapshot.settings.data != "paraphrase":
            p.say("able")


def _show_by_shared(p: Part, snapshot: FineTuneSnapshot) -> None:
    """List where a paraphrase run is right, and say what the control reaches."""
    examples, predicted, rows = snapshot.data.test, snapshot.tested.texts, []
    for grade in GRADES:
        shares: list[str] = []
        for is_many in (True, False):
            right = [
                said == one.label
                for one, said in zip(examples, predicted, strict=True)
                if one.label == grade and (shared_words(one) >= MANY_SHARED) == is_many
            ]
            shares.append(p.plain("right_of", n=sum(right), of=len(right)))
        rows.append([grade, *shares])
    p.say("by_shared", limit=MANY_SHARED)
    Table(rows, [p.plain(name) for name in ("grade", "many_shared", "few_shared")]).show()
    top, exchanged = (computed.variant("paraphrase", name) for name in ("top", "exchanged"))
    lead, means = compare(top, exchanged), {"top": top.mean, "exchanged": exchanged.mean}
    seeds = len(top.proportions)
    p.say("control", n_seeds=seeds, difference=lead.difference, margin=lead.margin, **means)


def _draw_accuracies(p: Part, title: str, variants: dict[str, Variant], n: int) -> None:
    rows = [
        DotRow(name=p.plain(f"row_{name}"), values=(one.mean,), errors=(one.standard_error(n),))
        for name, one in variants.items()
    ]
    chart = dots_chart(rows, (p.plain("accuracy"),), low=0.0, high=1.0, x_title=p.plain("axis"))
    table = {
        "classified_by": [row.name for row in rows],
        "accuracy": [row.values[0] for row in rows],
        "standard_error": [row.errors[0] for row in rows],
    }
    told = ", ".join(f"{row.name} {formatted(row.values[0], '.2f')}" for row in rows)
    p.figure("pairs_figures", chart, table, figures=told, run=title, n=n)
