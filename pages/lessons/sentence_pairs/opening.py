"""Opening: one A with the sentence that followed it, and with one from elsewhere."""

from functools import partial
from typing import Any

from mlm_core.figures.prediction.sentence_pairs import scored_html
from pages.kit.part import Part, part
from pages.lessons.sentence_pairs.setting import has_head, judge, show_pair

FIELDS = ("first", "next", "random")


@part(code=("prediction.next_sentence:next_sentence_steps",))
def show(p: Part) -> None:
    """Score both pairs and draw each B on its probability, over the fields of all sentences."""
    if not has_head(p):
        return
    figure = p.place()
    texts = {}
    for name, column in zip(FIELDS, p.columns(1, 1, 1, gap="small"), strict=True):
        with column:
            texts[name] = p.text(f"opening_{name}")
    _offer_random_ones(p)
    judged = {name: judge(p, texts["first"], texts[name]) for name in FIELDS[1:]}
    scored = {name: one for name, one in judged.items() if one is not None}
    if len(scored) < len(judged):
        return
    p_follows: dict[str, Any] = {name: steps.p_follows for name, (_, steps) in scored.items()}
    values = list(p_follows.values())
    with figure:
        p.say("p_next")
        seconds = [(p.plain(name), texts[name], value) for name, value in p_follows.items()]
        p.figure(
            "opening",
            partial(scored_html, texts["first"], seconds),
            {
                "pair": list(p_follows),
                "a": [texts["first"]] * len(p_follows),
                "b": [texts[name] for name in p_follows],
                "p_is_next": values,
            },
            source="source",
            **p_follows,
        )
    p.say(_verdict(p_follows["next"], p_follows["random"]))
    with p.fold("tokens", "view_week"):
        for name, (text, _) in scored.items():
            show_pair(p, text, f"chips_{name}")


def _verdict(of_next: float, of_random: float) -> str:
    """Return the section that says how the model judges the two pairs."""
    if of_next <= of_random:
        return "wrong_way"
    return "notice" if of_next >= 0.5 > of_random else "not_apart"


def _offer_random_ones(p: Part) -> None:
    """Show a random B of another topic, and one that has words of A."""
    texts = {
        "other_topic": p.examples.label("default_opening_random"),
        "same_words": p.examples.label("opening_with_words"),
    }
    with p.row("top"):
        for name, text in texts.items():
            p.button(
                name,
                p.choose,
                "opening_random",
                text,
                icon="edit",
                changes=["opening_random"],
                type="primary" if name == "same_words" else "secondary",
            )
