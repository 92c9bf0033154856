"""The learner's text beside one of another style: a guess, then both pseudo-perplexities."""

from pages.lessons.own_style.computed import losses_of

from mlm_core.figures.charts import bars_chart
from mlm_core.number_format import formatted
from mlm_core.prediction.masked_words import perplexity
from pages.kit.part import Part, part


@part(code=("prediction.masked_words:perplexity",))
def show(p: Part) -> None:
    """Ask which text is harder to predict; then draw both."""
    p.say("lead")
    name = p.choice("sample")
    texts = {"own": p.chosen("text"), "sample": p.examples.section(name)}
    if not p.tokens(texts["own"]).words:
        p.note("empty", icon="edit")
        return
    p.say("both", **texts)
    guess = p.guess("harder", ("own", "sample"), about=tuple(texts.values()))
    if guess is None:
        return
    found = {one: perplexity(losses_of(p.model_name, text).mean) for one, text in texts.items()}
    harder = max(found, key=found.__getitem__)
    p.tell_right("harder", harder)
    titles = [p.plain(f"text_{one}") for one in found]
    chart = bars_chart(titles, {"": [*found.values()]}, written=lambda n: formatted(n, ",.1f"))
    p.figure("both", chart, {"own_style_text": titles, "perplexity": [*found.values()]}, **found)
    p.say("right" if guess == harder else "wrong", text=p.plain(f"text_{harder}"))
    p.say("notice")
