"""Why not always [MASK]? The same model, asked with [MASK], a random word and the word itself."""

import dataclasses

import streamlit as st

from mlm_core.figures.bars import bars_svg
from mlm_core.figures.matrix import matrix_svg
from mlm_core.figures.theme import significant
from mlm_core.masking.steps import why_excluded
from mlm_core.prediction.fillers import top_fillers
from pages.parts.masking import setting
from pages.parts.masking.setting import Setting
from pages.shared.caches import cache
from pages.shared.figures.show import show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs

N_GUESSES = 5
BRANCHES = ("mask", "random", "keep")


@part
def show(page: Page) -> None:
    """Put three things in one place and show what the model says there, and everywhere else."""
    words, now = page.words, setting.current(page)
    st.markdown(words.section("why.lead"))
    if now.is_empty:
        setting.say_it_is_empty(page)
        return
    at, new = _widgets(page, now)
    token = now.text.tokens[at]
    if why_excluded(token):
        st.info(words.section("why.special", token=token.text), icon=":material/edit:")
        return
    replaced = {"mask": now.mask, "random": new, "keep": (token.id, token.text)}
    at_place, own, guesses = {}, {}, {}
    for branch in BRANCHES:
        at_place[branch], own[branch], guesses[branch] = _ask(page, now, at, *replaced[branch])
    longest = max(guess[0][1] for guess in guesses.values())
    for branch, column in zip(BRANCHES, st.columns(3, gap="medium"), strict=True):
        with column:
            st.markdown(words.section(f"why.{branch}", token=token.text, new=replaced[branch][1]))
            show_drawing(
                bars_svg(
                    [name for name, _ in guesses[branch]],
                    [probability for _, probability in guesses[branch]],
                    longest=longest,
                    alt=words.plain("why_alt", seen=replaced[branch][1]),
                ),
                key=f"masking_why_{branch}",
                table=Table(guesses[branch], columns=["token", "probability"]),
                source=words.label(
                    "why_source", model=page.model_name, at=at, seen=replaced[branch][1]
                ),
            )
    st.markdown(
        words.section(
            "why.found",
            token=token.text,
            new=new[1],
            **{branch: significant(own[branch][at], 3) for branch in BRANCHES},
            stranger=significant(at_place["random"], 3),
        )
    )
    _show_everywhere(page, now, at, own)
    st.markdown(words.section("why.notice"))
    st.markdown(words.section("why.tried"))
    show_source(top_fillers, key="masking_why_code")


def _widgets(page: Page, now: Setting) -> tuple[int, tuple[int, str]]:
    """Let the learner choose the place and the random word; return both."""
    words, tokens = page.words, now.text.tokens
    default = max(
        range(len(tokens)),
        key=lambda i: (not why_excluded(tokens[i]), now.names[i].isalpha(), len(now.names[i])),
    )
    left, right = st.columns(2, gap="medium")
    with left:
        at = inputs.position(
            words.label("why_place"), now.names, key="masking_why_place", default=default
        )
    with right:
        number = inputs.number(
            words.label("why_word"),
            0,
            999,
            1,
            key="masking_why_word",
            help=words.label("why_word_help"),
        )
    # A well-spread number for each word: the seed's golden-ratio sequence.
    roll = (now.seed * 0.754877666 + number * 0.618033989) % 1
    return at, now.random_words().draw(roll)


def _ask(
    page: Page, now: Setting, at: int, id_: int, text: str
) -> tuple[float, list[float], list[tuple[str, float]]]:
    """Return what the model gives to the token put in, to each original, and its top guesses."""
    import torch

    tokens = list(now.text.tokens)
    tokens[at] = dataclasses.replace(tokens[at], id=id_, text=text)
    seen = dataclasses.replace(now.text, tokens=tuple(tokens))
    logits = cache.model(page.model_name).vocabulary_logits(seen)
    probabilities = torch.softmax(logits, dim=-1)
    originals = probabilities[range(len(tokens)), now.text.ids].tolist()
    name = now.tokenizer.id_to_token
    guesses = [
        (name(each.id) or f"row {each.id}", each.probability)
        for each in top_fillers(logits[at], N_GUESSES)
    ]
    return probabilities[at, id_].item(), originals, guesses


# What the model gives to the original token at every place, also where nothing was done.


def _show_everywhere(page: Page, now: Setting, at: int, own: dict[str, list[float]]) -> None:
    """Show the probability of the original at every place, also where nothing was done."""
    words = page.words
    st.markdown(words.section("why.everywhere"))
    real = [i for i, token in enumerate(now.text.tokens) if why_excluded(token) is None]
    columns = [f"{now.names[i]}" for i in real]
    svg = matrix_svg(
        [[own[branch][i] for i in real] for branch in BRANCHES],
        [words.plain(f"branch_{branch}") for branch in BRANCHES],
        columns,
        alt=words.plain("everywhere_alt", at=at),
    )
    given = {branch: [own[branch][i] for i in real] for branch in BRANCHES}
    table = Table({"position": real, "token": columns} | given)
    show_drawing(
        svg,
        key="masking_everywhere",
        table=table,
        source=words.label("everywhere_source", model=page.model_name, at=at),
    )
    others = [own["keep"][i] for i in real if i != at]
    if others:
        st.markdown(words.section("why.copies", n=sum(p > 0.5 for p in others), of=len(others)))
