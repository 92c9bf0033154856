"""The denoising family: one switch, the spoilt text and what must be given back."""

from random import Random

from mlm_core.figures.masking.corruption import noised_rows
from mlm_core.masking import noising
from mlm_core.masking.noising import Noised, noise, sentence_positions
from pages.kit.part import Part, part
from pages.lessons.masking import setting

SHOWN_CODE = {
    "masking": noising.mask_tokens,
    "substitution": noising.substitute,
    "deletion": noising.delete,
    "insertion": noising.insert,
    "permutation": noising.permute,
    "infilling": noising.infill,
}
ROWS = ("original", "corrupted", "target")


@part()
def show(p: Part) -> None:
    """Spoil the learner's text in the chosen way."""
    p.say("lead")
    kind, text = p.choice("noise"), p.text("noise_text")
    rate = 30
    if kind != "permutation":
        rate = p.slider("noise_rate", format="%d %%")
    now = setting.of_text(p, text)
    p.say_what_was_left_out(now.text)
    if now.is_empty:
        p.note("empty", icon="edit")
        return
    noised = noise(kind, now.text, rate / 100, Random(now.seed), now.random_words(), now.mask[1])
    if kind == "permutation" and len(sentence_positions(now.text)) < 2:
        p.note("one_sentence", icon="edit")
    _show_rows(p, kind, noised, now.seed)
    p.say(kind)
    p.say("notice")
    p.code("denoising", SHOWN_CODE[kind])


def _show_rows(p: Part, kind: str, noised: Noised, seed: int) -> None:
    """Draw the original, the corrupted text and the target as three rows of chips."""
    target = "target_all" if noised.whole_text else "target_part"
    titles = (p.label("row_original"), p.label("row_corrupted"), p.label(target))
    for name, title, html in zip(ROWS, titles, noised_rows(noised), strict=True):
        p.write(f"**{title}**")
        p.drawing(f"noise_{name}", html)
    rows = (noised.original, noised.corrupted, noised.target)
    table = [
        {"row": title, "place": i, "token": piece.text}
        for title, row in zip(titles, rows, strict=True)
        for i, piece in enumerate(row)
    ]
    p.numbers("noised", table, kind=p.label(f"noise_{kind}"), seed=seed)
