"""Pieces and words: which piece belongs to which word, its id, its neighbours."""

from typing import Literal

from tokenizers import Tokenizer

from mlm_core.figures.chips import chip_row
from mlm_core.figures.text.tokens import word_map_html
from mlm_core.text.cutting import UNKNOWN_TOKENS, neighbours
from mlm_core.text.tokens import (
    ALGORITHMS,
    Algorithm,
    Token,
    TokenizedText,
    special_token_ids,
    tokenize,
)
from pages.kit.part import Part, as_text, part
from pages.lessons.subword_tokens import computed, setting

MOST_SHOWN = 80  # tokens on the page; a longer text is worth no more here


@part(code=("text.tokens:TokenizedText", "text.cutting:neighbours"))
def show(p: Part) -> None:
    """Show words over their pieces; a click opens one piece."""
    p.say("lead")
    names: dict[Algorithm | Literal["model"], str] = {"model": setting.short(p.model_name)}
    names |= {name: name for name in ALGORITHMS}
    settings = p.row()
    with settings, p.popover("settings", "tune"):
        text = p.text("part_text")
        chosen = p.choice("tokenizer", {key: as_text(name) for key, name in names.items()})
        size = None if chosen == "model" else setting.choose_size(p)
    if chosen == "model":
        tokenizer = p.tokenizer
    else:
        assert size is not None  # a trained vocabulary has one
        tokenizer = computed.trained_tokenizer(chosen, size, p.language)
    if not text.strip():
        p.note("empty", icon="edit")
        return
    cut = tokenize(tokenizer, text, max_tokens=MOST_SHOWN)
    if cut.n_left_out:
        p.warn("left_out", icon="content_cut", shown=MOST_SHOWN, left_out=cut.n_left_out)
    with settings:
        position = p.position("position", cut.texts, default=1)
    p.figure(
        "map",
        lambda alt: word_map_html(cut, selected=position, no_word=p.plain("no_word"), label=alt),
        lambda: setting.table_of([(names[chosen], cut)]),
        on_click=lambda value: p.choose("position", value),
        tokenizer=names[chosen],
        size=tokenizer.get_vocab_size(),
    )
    _one_piece(p, tokenizer, cut, position)


def _one_piece(p: Part, tokenizer: Tokenizer, cut: TokenizedText, position: int) -> None:
    """Say in words what is known about one piece, and show its neighbours as chips."""
    token = cut.tokens[position]
    if token.word is None:
        p.say("added", token=token.text, id=token.id)
    else:
        word = next(w for w in cut.words if position in w.positions)
        p.say(
            "one",
            token=token.text,
            id=token.id,
            position=position,
            start=token.start + 1,
            stop=token.stop,
            characters=cut.text[token.start : token.stop],
            word=word.text.strip(),
            nth=word.positions.index(position) + 1,
            of=len(word.positions),
        )
    if token.text in UNKNOWN_TOKENS:
        p.say("unknown")
    around = neighbours(tokenizer, token.id, 4)
    p.say("neighbours")
    special = special_token_ids(tokenizer)
    chips = [
        Token(text=text, id=id_, start=0, stop=0, word=None, segment=0, is_special=id_ in special)
        for id_, text in around
    ]
    at = [id_ for id_, _ in around].index(token.id)
    html = chip_row(chips, selected=(at,), label=p.plain("neighbours_alt"))
    p.drawing("neighbours", html)
    p.write_small(p.label("neighbours_ids", first=around[0][0], last=around[-1][0]))
