"""Predict, then reveal: how many pieces does your surname become?"""

from functools import partial

from mlm_core.figures.text.tokens import cuts_html
from mlm_core.text.tokens import tokenize
from pages.kit.part import Part, part
from pages.lessons.subword_tokens import setting

MOST = 6  # the last choice stands for this many and more


@part()
def show(p: Part) -> None:
    """Ask for a name and a guess; show the cut only when both are there."""
    with p.place(border=True):
        p.say("lead", model=p.model_name)
        left, right = p.columns()
        with left:
            name = p.text("surname", "").strip()
        with right:
            options = {str(n): f"{n}+" if n == MOST else str(n) for n in range(1, MOST + 1)}
            guess = p.guess("surname", options)
        if not name or guess is None:
            p.write_small(p.label("waits"))
            return
        cut = tokenize(p.tokenizer, name)
        n = setting.n_pieces(cut)
        p.say(
            "right" if guess == str(min(n, MOST)) else "wrong",
            name=name,
            n=n,
            guess=options[guess],
            pieces=" ".join(token.text for token in cut.tokens if token.word is not None),
        )
        rows = [(setting.short(p.model_name), cut)]
        size = setting.opening_size(p)
        rows += [(algorithm, tokens) for algorithm, tokens, _ in setting.cut_by_all(p, name, size)]
        p.figure(
            "name_cuts",
            partial(cuts_html, name, rows),
            lambda: setting.table_of(rows),
            alt="cuts_alt",
            source="source",
        )
