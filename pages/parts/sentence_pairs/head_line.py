"""The line of arithmetic behind one number of the next-sentence head."""

from typing import TYPE_CHECKING

from mlm_core.figures.sentence_pairs import HeadStage, head_arithmetic

if TYPE_CHECKING:
    from mlm_core.encoder.bert import NextSentenceHead
    from mlm_core.pretraining.next_sentence import NextSentenceSteps

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
