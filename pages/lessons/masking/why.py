"""Why not always [MASK]? The same model, asked with [MASK], a random word and the word itself."""

from functools import partial

from mlm_core.figures.bars import bars_svg
from mlm_core.figures.matrix import matrix_svg
from mlm_core.masking.steps import why_excluded
from pages.kit.part import Part, part
from pages.lessons.masking import computed, setting
from pages.lessons.masking.setting import Setting

N_GUESSES = 5
BRANCHES = ("mask", "random", "keep")


@part(code=("prediction.fillers:top_fillers",))
def show(p: Part) -> None:
    """Put three things in one place and show what the model says there, and everywhere else."""
    p.say("lead")
    settings = p.row()
    with settings, p.popover("details", "tune"):
        text, number = p.text("part_text"), p.number("why_word", help=p.label("why_word_help"))
    now = setting.of_text(p, text)
    p.say_what_was_left_out(now.text)
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
    for branch, (id_, _) in replaced.items():
        at_place[branch], own[branch], guesses[branch] = computed.with_token(
            p.model_name, now.text.text, len(now.names), at, id_, N_GUESSES
        )
    longest = max(guess[0][1] for guess in guesses.values())
    for branch, column in zip(BRANCHES, p.columns(1, 1, 1), strict=True):
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
    with p.fold("notice", "lightbulb"):
        p.say("notice")
    with p.fold("has_been_tried", "help"):
        p.say("tried")


def _choose_place(p: Part, now: Setting) -> int:
    """Let the learner choose the place, at first a long word; return it."""
    tokens = now.text.tokens
    default = max(
        range(len(tokens)),
        key=lambda i: (not why_excluded(tokens[i]), now.names[i].isalpha(), len(now.names[i])),
    )
    return p.position("why_place", now.names, default=default)


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
