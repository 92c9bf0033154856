"""How long some words are, in letters and in tokens: one control, one figure."""

from mlm_core.figures.charts import bars_chart
from mlm_core.text.tokens import tokenize
from pages.kit.part import Part, part


@part(code=("text.tokens:tokenize",))
def show(p: Part) -> None:
    """Count the letters or the tokens of the words of the section `examples`."""
    p.say("lead")
    unit = p.choice("unit")
    words = p.section("examples").split()
    if unit == "letters":
        counts = [len(word) for word in words]
    else:
        counts = [len(tokenize(p.tokenizer, word).tokens) - 2 for word in words]  # [CLS], [SEP]
    chart = bars_chart(words, {"": counts}, written=str)
    p.figure(
        "lengths", chart, {"word": words, "new_lesson_length": counts}, unit=p.plain(f"unit_{unit}")
    )
