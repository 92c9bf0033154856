"""Which words made it say so?"""

from mlm_core.figures.chips import chip_row
from pages.parts.inside_a_prediction.setting import blank_sentence
from pages.shared.figures.clickable import drawing
from pages.shared.kit.part import Part, part


@part()
def show(p: Part) -> None:
    """Show the sentence."""
    found = blank_sentence(p, "sentence")
    if found is not None:
        text, blank = found
        chips = chip_row(text.tokens, selected=[blank], label=text.text)
        drawing(chips, key=p.key("sentence_chips"))
