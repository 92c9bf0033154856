"""All decisions of a corruption: the names of its rows, its table, and which positions count."""

from mlm_core.figures.masking.corruption import PlayNames
from mlm_core.masking.steps import Corruption
from pages.kit.part import Part


def row_names(p: Part, draw: str = "row_draw") -> PlayNames:
    """Return the names of the drawing's rows."""
    return PlayNames(
        token=p.plain("row_token"),
        draw=p.plain(draw),
        die=p.plain("row_die"),
        seen=p.plain("row_seen"),
        label=p.plain("row_label"),
    )


def say_what_counts(p: Part, corruption: Corruption) -> None:
    """Say which positions count in the loss, and what stands at all others."""
    positions = corruption.choice.positions
    shown = ", ".join(map(str, positions)) or "–"
    p.say("what_counts", positions=shown, n=len(positions), of=len(corruption.tokens))


def table_of(p: Part, corruption: Corruption) -> list[dict[str, object]]:
    """Return every decision, one token a line."""
    return [
        {
            "position": i,
            "token": token.text,
            "barred": p.plain(f"excluded_{candidate.excluded}") if candidate.excluded else "",
            "draw": candidate.draw,
            "rank": None if candidate.rank is None else candidate.rank + 1,
            "span": None if candidate.span is None else candidate.span + 1,
            "chosen": candidate.is_chosen,
            "die": new.die if new else None,
            "branch": p.plain(f"branch_{new.branch}") if new else "",
            "encoder sees": new.text if new else token.text,
            "id": id_,
            "label": label,
        }
        for i, (token, candidate, new, id_, label) in enumerate(
            zip(
                corruption.tokens,
                corruption.choice.candidates,
                corruption.replacements,
                corruption.ids,
                corruption.labels,
                strict=True,
            )
        )
    ]
