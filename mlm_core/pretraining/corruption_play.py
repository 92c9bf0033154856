"""A corruption played in small steps: choose, then roll and replace for each chosen token.

Read before this: ../masking/steps.py. Read next: ../masking/counts.py.
"""

from dataclasses import dataclass
from typing import Literal

from mlm_core.masking.steps import Corruption

Move = Literal["choose", "roll", "replace"]


@dataclass(frozen=True, kw_only=True)
class PlayState:
    """How far a corruption has been played."""

    n_done: int  # moves made, from 0
    n_moves: int  # moves there are
    is_chosen: bool
    rolled: frozenset[int]  # positions whose die has fallen
    replaced: frozenset[int]
    last: tuple[Move, int | None] | None  # the move just made, and where
    next: tuple[Move, int | None] | None  # None at the end


def moves(corruption: Corruption) -> tuple[tuple[Move, int | None], ...]:
    """Return all moves in order. Choosing is one move for the whole text."""
    at_tokens = [(move, i) for i in corruption.choice.positions for move in ("roll", "replace")]
    return (("choose", None), *at_tokens)


def play_state(corruption: Corruption, n_done: int) -> PlayState:
    """Return the state after `n_done` moves, or after all if there are fewer."""
    every = moves(corruption)
    n_done = max(0, min(n_done, len(every)))
    done = every[:n_done]
    return PlayState(
        n_done=n_done,
        n_moves=len(every),
        is_chosen=n_done > 0,
        rolled=frozenset(i for move, i in done if move == "roll" and i is not None),
        replaced=frozenset(i for move, i in done if move == "replace" and i is not None),
        last=done[-1] if done else None,
        next=every[n_done] if n_done < len(every) else None,
    )
