"""All decisions of a corruption as a table, and which positions count, in words."""

from mlm_core.masking.steps import Corruption
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page


def what_counts(page: Page, corruption: Corruption) -> str:
    """Say which positions count in the loss, and what stands at all others."""
    positions = corruption.choice.positions
    return page.words.section(
        "what_counts",
        positions=", ".join(map(str, positions)) or "–",
        n=len(positions),
        of=len(corruption.tokens),
    )


def table_of(page: Page, corruption: Corruption) -> Table:
    """Return every decision, one token a line."""
    words = page.words
    return Table(
        [
            {
                "position": i,
                "token": token.text,
                "barred": words.plain(f"excluded_{candidate.excluded}")
                if candidate.excluded
                else "",
                "draw": candidate.draw,
                "rank": None if candidate.rank is None else candidate.rank + 1,
                "span": None if candidate.span is None else candidate.span + 1,
                "chosen": candidate.is_chosen,
                "die": new.die if new else None,
                "branch": words.plain(f"branch_{new.branch}") if new else "",
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
    )
