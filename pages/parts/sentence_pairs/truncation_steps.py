"""One step of the truncation: in words, and as chips."""

from mlm_core.figures.prediction.sentence_pairs import pair_html
from mlm_core.prediction.pair_examples import Truncation
from mlm_core.text.tokens import Token
from pages.shared.frame import Page
from pages.shared.show import show_drawing
from pages.shared.table import Table


def say_step(
    page: Page, truncation: Truncation, tokens: list[tuple[Token, ...]], step: int, room: int
) -> str:
    """Return in words which token the last step took, and why there."""
    words, removals = page.words, truncation.removals
    if step == 0:
        sizes = {"first": len(tokens[0]), "second": len(tokens[1])}
        return words.section("truncation.start", room=room, n=len(removals), **sizes)
    taken = removals[step - 1]
    left = (taken.n_first, taken.n_second)
    said = words.section(
        f"truncation.step_{'b' if taken.text else 'a'}",
        n=step,
        before=left[taken.text] + 1,
        other=left[1 - taken.text],
        end=words.plain("front" if taken.from_front else "back"),
        token=tokens[taken.text][taken.position].text,
    )
    if step < len(removals):
        return said
    return f"{said} {words.section('truncation.done', first=left[0], second=left[1])}"


def draw_step(
    page: Page, truncation: Truncation, tokens: list[tuple[Token, ...]], step: int
) -> None:
    """Draw what is left after a step; what is gone is hatched."""
    words, (first, second) = page.words, tokens
    taken = truncation.removals[:step]
    gone = {removal.position + removal.text * len(first) for removal in taken}
    n_gone = sum(removal.text == 0 for removal in taken)
    left = {"first": len(first) - n_gone, "second": len(second) - (step - n_gone)}
    show_drawing(
        pair_html(
            (*first, *second),
            (words.plain("segment_a"), words.plain("segment_b")),
            blocked=gone,
            n_first=len(first),
            label=words.plain("truncation_alt", **left),
        ),
        key="sentence_pairs_truncation",
        table=Table(
            [
                {
                    "step": i + 1,
                    "text": "AB"[removal.text],
                    "end": "front" if removal.from_front else "back",
                    "token": tokens[removal.text][removal.position].text,
                    "left_in_a": removal.n_first,
                    "left_in_b": removal.n_second,
                }
                for i, removal in enumerate(truncation.removals)
            ]
        ),
        source=words.label("truncation_alt", **left),
    )
