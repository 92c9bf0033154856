"""Does it help to tell senses apart? 1-NN accuracy before and after, word by word."""

import math
from typing import Any

from mlm_core.embeddings.postprocessing import Postprocessing
from mlm_core.figures.charts import DotRow, dots_chart
from mlm_core.shapes import Bool, Tensor
from pages.parts.isotropy import setting
from pages.parts.isotropy.sense_words import measure, sense_words
from pages.shared.caches import cache_senses
from pages.shared.kit.part import Part, part

GUESSES = ("better", "same", "worse")
POINTS = 2.0  # percentage points that count as a change
Right = dict[Postprocessing, Bool[Tensor, " sentence"]]  # which uses, word after word


@part(code=("embeddings.postprocessing:LayerStatistics", "embeddings.word_senses:leave_one_out"))
def show(p: Part) -> None:
    """Take a guess, then compare the choices sentence by sentence."""
    p.say("lead", n=len(sense_words()))
    view = setting.choose(p)
    guess = p.guess("senses", GUESSES)
    if guess is None:
        return
    setting.read_corpus(p, view.corpus)
    right = {name: layers[view.layer] for name, layers in measure(p, view).items()}
    shares = {name: is_right.double().mean().item() for name, is_right in right.items()}
    change = 100 * (shares["z-scored"] - shares["raw"])
    truth = "same" if abs(change) < POINTS else "better" if change > 0 else "worse"
    setting.say_guess(p, "senses", guess, truth)
    _draw(p, view, right)
    by_treatment = setting.by_treatment(shares.values())
    p.say("answer", n=len(right["raw"]), k=view.n_dropped, **by_treatment)
    for name in setting.POSTPROCESSINGS[1:]:
        _compare(p, view, right, name)
    p.say("notice")


def _draw(p: Part, view: setting.View, right: Right) -> None:
    """Draw each word's accuracy under each treatment."""
    names = sense_words()
    sizes = [len(cache_senses.stored_word(name).sentences) for name in names]
    columns = {
        name: [of_word.double().mean().item() for of_word in is_right.split(sizes)]
        for name, is_right in right.items()
    }
    chart = dots_chart(
        [
            DotRow(name=name, values=values)
            for name, *values in zip(names, *columns.values(), strict=True)
        ],
        list(setting.treatment_names(p, view.n_dropped).values()),
        low=min(0.5, *(min(column) for column in columns.values())),
        high=1.0,
        x_title=p.plain("axis_accuracy"),
    )
    table = {"word": list(names), "sentences": sizes} | columns
    told: dict[str, Any] = setting.source_of(p, view) | {"n": len(names)}
    p.figure("senses", chart, table, source="source", **told)


def _compare(p: Part, view: setting.View, right: Right, name: Postprocessing) -> None:
    """Say how many sentences became right and wrong, and what chance alone would do."""
    mended = int((right[name] & ~right["raw"]).sum())
    broken = int((~right[name] & right["raw"]).sum())
    # If either way is as likely, the difference of m + b tosses spreads by sqrt(m + b).
    spread, difference = 2 * math.sqrt(mended + broken), abs(mended - broken)
    p.say(
        "clear" if difference > spread else "chance",
        treatment=setting.treatment_names(p, view.n_dropped)[name],
        mended=mended,
        broken=broken,
        difference=difference,
        spread=spread,
    )
