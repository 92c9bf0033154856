"""One row of numbers of the next-sentence head, and the arithmetic behind one of them."""

from typing import TYPE_CHECKING

from mlm_core.figures.matrix import matrix_svg
from mlm_core.figures.prediction.sentence_pairs import HeadStage, head_arithmetic
from pages.shared.figures.show import show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.link import inputs

if TYPE_CHECKING:
    from mlm_core.encoder.bert import NextSentenceHead
    from mlm_core.prediction.next_sentence import NextSentenceSteps

STAGE, NUMBER, CLASS = (f"sentence_pairs_{name}" for name in ("stage", "number", "class"))
CLASSES = ("IsNext", "NotNext")


def line_of(
    head: "NextSentenceHead", steps: "NextSentenceSteps", stage: HeadStage, index: int
) -> str:
    """Return the LaTeX of number `index` of a stage."""
    if stage in ("pooled", "logits"):
        layer = head.pooler if stage == "pooled" else head.classifier
        entering = steps.cls if stage == "pooled" else steps.pooled
        return head_arithmetic(
            stage,
            index,
            inputs=entering.tolist(),
            weights=layer.weight[index].tolist(),
            bias=layer.bias[index].item(),
            value=getattr(steps, stage)[index].item(),
        )
    if stage == "probabilities":
        return head_arithmetic(
            stage,
            index,
            inputs=steps.logits.tolist(),
            value=steps.probabilities[index].item(),
        )
    return head_arithmetic(
        "loss", index, inputs=[steps.probabilities[index].item()], value=steps.loss(index)
    )


def show_row(
    page: Page,
    steps: "NextSentenceSteps",
    name: str,
    values: list[float],
    chosen: tuple[int, int] | None,
    segments: str,
) -> None:
    """Draw one row of numbers; a click opens its arithmetic."""
    words = page.words
    is_class = name in ("logits", "probabilities")
    title = words.plain(f"row_{name}")

    def open_cell(value: str) -> None:
        inputs.choose(STAGE, "pooled" if name == "cls" else name)
        inputs.choose(CLASS if is_class else NUMBER, value.partition(",")[2])

    everything = getattr(steps, name).tolist()
    show_drawing(
        matrix_svg(
            [values],
            [title],
            list(CLASSES) if is_class else [str(i) for i in range(len(values))],
            scale="weights" if name == "probabilities" else "signed",
            selected_cell=chosen,
            clickable="cells",
            alt=words.plain("head_alt", stage=title),
        ),
        key=f"sentence_pairs_{name}_row",
        table=Table({title: everything}),
        source=words.label(
            "head_source",
            model=page.model_name,
            shown=len(values),
            hidden=len(everything),
            segments=segments,
        ),
        on_click=open_cell,
    )
