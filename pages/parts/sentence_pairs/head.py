"""From [CLS] to a verdict: segment numbers, pooler, W_NSP, softmax, loss, number by number."""

from functools import partial
from random import Random

import streamlit as st

from mlm_core.encoder.bert import NextSentenceHead
from mlm_core.figures.matrix import matrix_svg
from mlm_core.figures.prediction.sentence_pairs import HeadStage, head_arithmetic
from mlm_core.number_format import formatted, in_formula
from mlm_core.prediction.next_sentence import NextSentenceSteps, next_sentence_steps, total_loss
from mlm_core.prediction.pair_examples import FOLLOWS, IS_RANDOM
from mlm_core.text.tokens import TokenizedText
from pages.parts.sentence_pairs.setting import choose_seed, has_head, judge, own_pair, show_pair
from pages.shared.caches import cache, cache_predictions
from pages.shared.figures.show import show_metrics
from pages.shared.kit.part import Part, part
from pages.shared.link import inputs

SHOWN_NUMBERS = 10  # of a vector; the table and the file have all of them
CLASSES = ("IsNext", "NotNext")
HIDDEN = 0.15  # proportion of the tokens, as in BERT


@part(code=("prediction.next_sentence:next_sentence_steps",))
def show(p: Part) -> None:
    """Show what the segments change, then every number of the head, then the whole loss."""
    from torch.nn.functional import cosine_similarity

    p.say("lead")
    if not has_head(p):
        return
    first, second = own_pair(p)
    judged = judge(p, first, second)
    if judged is None:
        return
    text, steps = judged
    show_pair(p, text, "head_chips")
    p.say("segments")
    _, without = cache_predictions.next_sentence(p.model_name, first, second, True)
    cosine = cosine_similarity(steps.cls, without.cls, dim=0).item()
    values = {"cosine_cls": cosine, "p_two": steps.p_follows, "p_one": without.p_follows}
    show_metrics({p.label(name): formatted(value, ".3f") for name, value in values.items()})
    segments = p.choice("segments")
    _show_chain(p, steps if segments == "pair" else without, p.label(f"segments_{segments}"))
    p.say("textbook")
    _show_total(p, text)


def _show_chain(p: Part, steps: NextSentenceSteps, segments: str) -> None:
    """Draw the four rows of numbers; write out the chosen one."""
    bert = cache.model(p.model_name).bert
    assert bert is not None and bert.next_sentence_head is not None  # else the opening says so
    head = bert.next_sentence_head
    p.say("click")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        stage = p.choice("stage")
        if stage == "pooled":
            shown = min(SHOWN_NUMBERS, len(steps.pooled))
            index = int(p.choice("number", [str(i) for i in range(shown)]))
        else:
            # Of the loss the same classes are asked for by another question.
            question = p.label("truth" if stage == "loss" else "class")
            classes = {"0": p.label("is_next"), "1": p.label("not_next")}
            index = int(inputs.choice(question, classes, key=p.key("class")))
    st.latex(_arithmetic(head, steps, stage, index))
    # Of the pooled vector a number is chosen, not a class.
    named = {} if stage == "pooled" else {"class": CLASSES[index]}
    p.say(stage, index=index, **named)
    hidden, left, right = st.container(), *st.columns(2)
    boxes = {"cls": hidden, "pooled": hidden, "logits": left, "probabilities": right}
    for name, box in boxes.items():
        with box:
            _show_row(p, steps, name, (0, index) if name == stage else None, segments)


def _arithmetic(
    head: NextSentenceHead, steps: NextSentenceSteps, stage: HeadStage, index: int
) -> str:
    """Return the LaTeX of number `index` of a stage."""
    if stage == "loss":
        value = steps.loss(index)
        return head_arithmetic(
            stage, index, inputs=[steps.probabilities[index].item()], value=value
        )
    value = getattr(steps, stage)[index].item()
    if stage == "probabilities":
        return head_arithmetic(stage, index, inputs=steps.logits.tolist(), value=value)
    layer = head.pooler if stage == "pooled" else head.classifier
    return head_arithmetic(
        stage,
        index,
        inputs=(steps.cls if stage == "pooled" else steps.pooled).tolist(),
        weights=layer.weight[index].tolist(),
        bias=layer.bias[index].item(),
        value=value,
    )


def _show_row(
    p: Part, steps: NextSentenceSteps, name: str, chosen: tuple[int, int] | None, segments: str
) -> None:
    """Draw one row of numbers; a click opens its arithmetic."""
    is_class = name in ("logits", "probabilities")
    title, everything = p.plain(f"row_{name}"), getattr(steps, name).tolist()
    values = everything[:SHOWN_NUMBERS]

    def open_cell(value: str) -> None:
        inputs.choose(p.key("stage"), "pooled" if name == "cls" else name)
        inputs.choose(p.key("class" if is_class else "number"), value.partition(",")[2])

    p.figure(
        f"{name}_row",
        partial(
            matrix_svg,
            [values],
            [title],
            list(CLASSES) if is_class else [str(i) for i in range(len(values))],
            scale="weights" if name == "probabilities" else "signed",
            selected_cell=chosen,
            clickable="cells",
        ),
        {title: everything},
        alt="alt",
        source="source",
        on_click=open_cell,
        stage=title,
        shown=len(values),
        hidden=len(everything),
        segments=segments,
    )


def _show_total(p: Part, text: TokenizedText) -> None:
    """Hide some tokens of the pair, and add the two losses of what the model then sees."""
    from mlm_core.prediction.masked_words import labels_of, predict, put_tokens
    from mlm_core.text.tokens import role_id

    model = cache.model(p.model_name)
    p.say("total")
    own = [i for i, token in enumerate(text.tokens) if not token.is_special]
    if not own:
        p.note("no_total", icon="edit")
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        rng = Random(choose_seed(p))
        label = IS_RANDOM if p.choice("truth") == "1" else FOLLOWS
    n_chosen = min(len(own), max(1, round(HIDDEN * len(text.tokens))))
    chosen = rng.sample(own, n_chosen)
    mask_id = role_id(model.tokenizer, "[MASK]")
    seen = put_tokens(text, dict.fromkeys(chosen, mask_id), model.tokenizer, special=True)
    show_pair(p, seen, "hidden_chips")
    hidden = predict(model, seen, labels_of(text.ids, chosen)).loss
    assert model.bert is not None
    verdict = next_sentence_steps(model.bert, model.encode(seen).last[0]).loss(label)
    losses = {"mlm": hidden, "nsp": verdict, "sum": total_loss(hidden, verdict)}
    shown = [in_formula(loss, ".3f") for loss in losses.values()]
    st.latex(f"{shown[0]} + {shown[1]} = {shown[2]}")
    show_metrics(
        {p.label(f"total_{x}", n=n_chosen): formatted(loss, ".3f") for x, loss in losses.items()}
    )
