"""Only 15 % teach: positions with a signal in one pass, under three ways to train."""

from mlm_core.figures.charts import lines_chart, percent_axis
from mlm_core.figures.chips import chip_row
from mlm_core.figures.curves import Curve
from mlm_core.prediction.masked_words import passes_for_as_many, proportion_scored
from pages.parts.prediction_and_loss import marks
from pages.parts.prediction_and_loss.setting import sentence
from pages.shared.course.words import Text
from pages.shared.figures.clickable import drawing
from pages.shared.kit.part import Part, part

RATES = (5, 15, 40, 80)  # per cent
MOST_PASSES = 40
NEARLY_ALL = 0.95


@part(
    code=(
        "prediction.masked_words:passes_for_as_many",
        "prediction.masked_words:proportion_scored",
    )
)
def show(p: Part) -> None:
    """Ring the tokens that give a signal, and count the passes until each was asked once."""
    p.say("lead")
    text = sentence(p)
    places = marks.may_be_chosen(text)
    if not places:
        p.note("empty", icon="edit")
        return
    rate = int(p.choice("rate", {str(rate): f"{rate} %" for rate in RATES}))
    n_chosen = min(len(places), max(1, round(rate / 100 * len(text.tokens))))
    masked = sorted(marks.sample(text, n_chosen, seed=0))
    ringed = {"causal": places, "replaced": places, "masked": masked}
    for name, positions in ringed.items():
        n, of = len(positions), len(places)
        p.say(name, n=n, of=of, share=n / of)
        chips = chip_row(text.tokens, selected=positions, label=p.plain(name))
        drawing(chips, key=p.key(f"signal_{name}"))
    table = {n: [i in where for i in range(len(text.tokens))] for n, where in ringed.items()}
    p.numbers("signal", {"token": text.texts} | table, rate=rate, n=len(text.tokens))
    p.say("passes", n=passes_for_as_many(len(places), n_chosen))
    shares = {
        Text(f"{r} %"): [proportion_scored(r / 100, k) for k in range(MOST_PASSES + 1)]
        for r in dict.fromkeys((rate, 15))
    }
    chart = lines_chart(
        [
            Curve(name=name, points=list(enumerate(values)), pen=pen)
            for pen, (name, values) in enumerate(shares.items())
        ],
        x_title=p.plain("asked_x"),
        y_title=p.plain("asked_y"),
        y_axis=percent_axis(),
    )
    p.figure("asked", chart, {"passes": range(MOST_PASSES + 1)} | shares)
    passes = next(k for k in range(1000) if proportion_scored(rate / 100, k) >= NEARLY_ALL)
    p.say("notice", rate=rate, passes=passes)
