"""Opening: the head read on every layer's state at the blank, as a film."""

from functools import partial

from mlm_core.figures.inside.lens import DrawnLayer, LensWord, lens_html
from mlm_core.inside.lens import LensRow
from pages.kit.part import Part, part
from pages.lessons.inside_a_prediction import computed
from pages.lessons.inside_a_prediction.setting import blank_sentence, token_name

MOST_DIGITS = 7  # of a token's id


@part(code=("inside.lens:lens",))
def show(p: Part) -> None:
    """Draw the lens of the sentence; a click on a word follows that word's rank."""
    found = blank_sentence(p, "text")
    if found is None:
        return
    read, is_answer = _read(p, found[0].text)
    last, word = len(read.rows) - 1, token_name(p, read.rows[0].followed.id)
    p.figure(
        "lens",
        partial(
            lens_html,
            [_layer(p, i, row, word) for i, row in enumerate(read.rows)],
            read.n_tokens,
            p.film_names,
            layer=p.plain("layer"),
            words=p.plain("words"),
            rank=p.plain("rank"),
            press=p.plain("press"),
            begins=0 if is_answer else last,
        ),
        [
            {
                "layer": i,
                "rank": row.rank,
                "probability": row.followed.probability,
                "words": ", ".join(token_name(p, filler.id) for filler in row.top),
            }
            for i, row in enumerate(read.rows)
        ],
        on_click=lambda value: p.choose("followed", value.partition("-")[2]),
        word=word,
        first=read.ranks[0],
        last=read.ranks[-1],
        layers=last,
    )
    p.say("notice")


def _read(p: Part, text: str) -> tuple[computed.ReadByLayer, bool]:
    """Return the lens for the word that was clicked, else the answer, and whether it is that.

    A word that no row shows, such as one of another sentence, is not followed.
    """
    read = computed.lens(p.model_name, text)
    answer = read.answer.id
    shown = {str(filler.id): filler.id for row in read.rows for filler in row.top}
    followed = shown.get(p.drawn("followed", "", longest=MOST_DIGITS) or "", answer)
    p.write_to_link("followed", "" if followed == answer else str(followed))
    if followed == answer:
        return read, True
    return computed.lens(p.model_name, text, followed), False


def _layer(p: Part, number: int, row: LensRow, word: str) -> DrawnLayer:
    """Return the row of one layer, with its sentence."""
    state = p.plain("state", layer=number) if number else p.plain("state_0")
    best = token_name(p, row.top[0].id)
    return DrawnLayer(
        name=str(number),
        words=[
            LensWord(
                text=token_name(p, filler.id),
                probability=filler.probability,
                is_followed=filler.id == row.followed.id,
                value=f"{number}-{filler.id}",  # a word may be in several layers
            )
            for filler in row.top
        ],
        rank=row.rank,
        said=p.plain("said", state=state, best=best, word=word, rank=row.rank),
    )
