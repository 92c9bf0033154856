"""What a point's colour and shape say: its sense, the model's verdict, or right and wrong."""

from typing import TYPE_CHECKING

from mlm_core.figures.embeddings.sense_map import MapGroup, sense_groups, verdict_groups
from pages.parts.word_senses.setting import Setting
from pages.shared.frame.page_frame import Page
from pages.shared.link import inputs

if TYPE_CHECKING:
    from mlm_core.embeddings.contextual import WordVectors

COLOURS = ("sense", "verdict", "right")


def choose(page: Page, *, key: str) -> str:
    """Show what the colours may stand for."""
    options = {name: page.words.label(f"colour_{name}") for name in COLOURS}
    return inputs.choice(page.words.label("colour"), options, key=key)


def of_stored(
    page: Page, now: Setting, uses: "WordVectors", coloured: str
) -> tuple[tuple[MapGroup, ...], list[int], list[str]]:
    """Return the groups, each point's group, and in words what the model takes it for."""
    import torch

    from mlm_core.embeddings.word_senses import leave_one_out, sentence_groups

    words, senses = page.words, now.word.senses
    truth = torch.tensor(now.word.sense_numbers)
    verdicts = leave_one_out(
        uses.at(now.layer), truth, len(senses), sentence_groups(uses.sentences), method=now.method
    ).senses
    notes = [
        words.plain(
            "taken_right" if chosen == true else "taken_wrong",
            true=senses[true].name,
            chosen=senses[chosen].name,
        )
        for true, chosen in zip(truth.tolist(), verdicts.tolist(), strict=True)
    ]
    if coloured == "right":
        groups = verdict_groups(words.plain("right"), words.plain("wrong"))
        return groups, (verdicts != truth).long().tolist(), notes
    groups = sense_groups([sense.name for sense in senses])
    return groups, (truth if coloured == "sense" else verdicts).tolist(), notes
