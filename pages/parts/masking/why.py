"""Why not always [MASK]? The same model, asked with [MASK], a random word and the word itself."""

import dataclasses
from functools import partial

import streamlit as st

from mlm_core.figures.bars import bars_svg
from mlm_core.figures.matrix import matrix_svg
from mlm_core.masking.steps import why_excluded
from mlm_core.prediction.fillers import top_fillers
from pages.parts.masking import setting
from pages.parts.masking.setting import Setting
from pages.shared.caches import cache
from pages.shared.kit.part import Part, part
from pages.shared.link import inputs

N_GUESSES = 5
BRANCHES = ("mask", "random", "keep")


@part(code=("prediction.fillers:top_fillers",))
def show(p: Part) -> None:
    """Put three things in one place and show what the model says there, and everywhere else."""
    p.say("lead")
    settings = st.container(horizontal=True, vertical_alignment="bottom")
    with settings, st.popover(p.label("details"), icon=":material/tune:"):
        text, number = p.text("part_text"), p.number("why_word", help=p.label("why_word_help"))
    now = setting.of_text(p, text)
    inputs.say_what_was_left_out(now.text)
    if now.is_empty:
        p.note("empty", icon="edit")
        return
    with settings:
        at = _choose_place(p, now)
    # A well-spread number for each word: the seed's golden-ratio sequence.
    new = now.random_words().draw((now.seed * 0.754877666 + number * 0.618033989) % 1)
    token = now.text.tokens[at]
    if why_excluded(token):
        p.note("special", icon="edit", token=token.text)
        return
    replaced = {"mask": now.mask, "random": new, "keep": (token.id, token.text)}
    at_place, own, guesses = {}, {}, {}
    for branch in BRANCHES:
        at_place[branch], own[branch], guesses[branch] = _ask(p, now, at, *replaced[branch])
    longest = max(guess[0][1] for guess in guesses.values())
    for branch, column in zip(BRANCHES, st.columns(3, gap="medium"), strict=True):
        with column:
            p.say(branch, token=token.text, new=replaced[branch][1])
            names, probabilities = map(list, zip(*guesses[branch], strict=True))
            p.figure(
                f"why_{branch}",
                partial(bars_svg, names, probabilities, longest=longest),
                {"token": names, "probability": probabilities},
                alt="alt",
                source="source",
                at=at,
                seen=replaced[branch][1],
            )
    found = {branch: own[branch][at] for branch in BRANCHES}
    p.say("found", token=token.text, new=new[1], stranger=at_place["random"], **found)
    _show_everywhere(p, now, at, own)
    p.say("notice")
    with st.expander(p.label("has_been_tried"), icon=":material/help:"):
        p.say("tried")


def _choose_place(p: Part, now: Setting) -> int:
    """Let the learner choose the place, at first a long word; return it."""
    tokens = now.text.tokens
    default = max(
        range(len(tokens)),
        key=lambda i: (not why_excluded(tokens[i]), now.names[i].isalpha(), len(now.names[i])),
    )
    return p.position("why_place", now.names, default=default)


def _ask(
    p: Part, now: Setting, at: int, id_: int, text: str
) -> tuple[float, list[float], list[tuple[str, float]]]:
    """Return what the model gives to the token put in, to each original, and its top guesses."""
    import torch

    tokens = list(now.text.tokens)
    tokens[at] = dataclasses.replace(tokens[at], id=id_, text=text)
    seen = dataclasses.replace(now.text, tokens=tuple(tokens))
    logits = cache.model(p.model_name).vocabulary_logits(seen)
    probabilities = torch.softmax(logits, dim=-1)
    originals = probabilities[range(len(tokens)), now.text.ids].tolist()
    name = now.tokenizer.id_to_token
    guesses = [
        (name(each.id) or f"row {each.id}", each.probability)
        for each in top_fillers(logits[at], N_GUESSES)
    ]
    return probabilities[at, id_].item(), originals, guesses


def _show_everywhere(p: Part, now: Setting, at: int, own: dict[str, list[float]]) -> None:
    """Show the probability of the original at every place, also where nothing was done."""
    p.say("everywhere")
    real = [i for i, token in enumerate(now.text.tokens) if why_excluded(token) is None]
    columns = [now.names[i] for i in real]
    given = {branch: [own[branch][i] for i in real] for branch in BRANCHES}
    rows = [p.plain(f"branch_{branch}") for branch in BRANCHES]
    matrix = partial(matrix_svg, list(given.values()), rows, columns)
    p.figure("everywhere", matrix, {"position": real, "token": columns} | given, at=at)
    others = [own["keep"][i] for i in real if i != at]
    if others:
        p.say("copies", n=sum(each > 0.5 for each in others), of=len(others))
