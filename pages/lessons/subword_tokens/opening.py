"""The opening: one sentence cut four ways, over the same characters."""

from functools import partial
from typing import Any

from mlm_core.figures.text.tokens import cuts_html
from mlm_core.text.tokens import tokenize
from pages.kit.part import Part, part
from pages.lessons.subword_tokens import setting

MARKS = ("split", "unknown", "space")


@part(code=("text.tokens:train_tokenizer", "text.subword_trainers:learn_vocabulary"))
def show(p: Part) -> None:
    """Show the cuts of all three trained tokenizers and of the chosen model's own."""
    text, size = setting.opening_text(p), setting.opening_size(p)
    if not text.strip():
        p.note("empty", icon="edit")
        return
    with p.working("training", is_timed=False, size=size):
        trained = setting.cut_by_all(p, text, size)
    own = tokenize(p.tokenizer, text)
    rows = [(name, cut) for name, cut, _ in trained]
    rows.append((setting.short(p.model_name), own))
    p.say_what_was_left_out(own)
    sizes: dict[str, Any] = {name.lower(): size for name, _, size in trained}
    p.figure(
        "cuts",
        partial(cuts_html, text, rows, legend=[p.plain(f"legend_{name}") for name in MARKS]),
        lambda: setting.table_of(rows),
        cuts="; ".join(
            f"{name}: {' '.join(token.text for token in cut.tokens if token.word is not None)}"
            for name, cut in rows
        ),
        **setting.of_corpus(p),
        **sizes,
    )
    p.say("notice")
