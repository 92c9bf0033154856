"""Your own pair: guess what the model predicts, then follow each number from [CLS] to the loss."""

from functools import partial
from random import Random

from mlm_core.encoder.bert import NextSentenceHead
from mlm_core.encoder.model_list import READERS
from mlm_core.evaluation.refusal import accuracy_by_confidence
from mlm_core.evaluation.seeds import interval_of_proportion
from mlm_core.figures.matrix import matrix_svg
from mlm_core.figures.prediction.sentence_pairs import HeadStage, head_arithmetic
from mlm_core.number_format import formatted, in_formula
from mlm_core.prediction.masked_words import hide, labels_of, predict
from mlm_core.prediction.next_sentence import NextSentenceSteps, next_sentence_steps, total_loss
from mlm_core.prediction.pair_examples import FOLLOWS, IS_RANDOM
from mlm_core.stored.refusals import StoredRefusal, next_sentence_name, scored_pairs
from mlm_core.text.tokens import TokenizedText
from pages.kit.caches import cache_finetuning
from pages.kit.part import Part, part
from pages.lessons.sentence_pairs import computed
from pages.lessons.sentence_pairs.setting import choose_seed, has_head, judge, own_pair, show_pair

SHOWN_NUMBERS = 10  # of a vector; the table and the file have all of them
CLASSES = ("IsNext", "NotNext")
HIDDEN = 0.15  # proportion of the tokens, as in BERT


@part()
def show(p: Part) -> None:
    """Take a pair and a guess, then show the prediction and where it comes from."""
    p.say("lead")
    if not has_head(p):
        return
    first, second = own_pair(p)
    _offer_changes(p)
    judged = judge(p, first, second)
    if judged is None:
        return
    text, steps = judged
    guess = p.guess("own", ("follows", "random"), about=(p.model_name, first, second))
    if guess is None:
        return
    truth = "follows" if steps.p_follows >= 0.5 else "random"
    p.tell_right("own", truth)
    told = {"guess": p.plain(f"guess_{guess}"), "p": steps.p_follows}
    p.say("right" if guess == truth else "wrong", **told)
    _say_doubt(p, max(steps.p_follows, 1 - steps.p_follows))
    p.say("notice")
    _, without = computed.next_sentence(p.model_name, first, second, True)
    chips, numbered = p.columns(2, 1, gap="small")
    with chips:
        show_pair(p, text, "own_chips")
    with numbered:
        segments = p.choice("segments")
        p.caption("segments", p=steps.p_follows, q=without.p_follows)
    label = _draw(p, steps if segments == "pair" else without, p.label(f"segments_{segments}"))
    with p.fold("total", "add"):
        _show_total(p, text, label)
    label_of_link = p.label("is_cls_a_vector", number=p.number_of("encoders_today"))
    p.link_to("encoders_today", "scores", label_of_link)
    # Not before the guess.
    p.code("own", next_sentence_steps)


def _say_doubt(p: Part, confidence: float) -> None:
    """Say when the head should rather say nothing, with what that gains."""
    language = p.language
    if p.model_name != READERS[language]:
        return  # the threshold was chosen for that head
    refusal = cache_finetuning.refusals()[next_sentence_name(language)]
    told = {
        "threshold": refusal.threshold,
        "wrong_sure": refusal.test.sure_error,
        "wrong_doubtful": refusal.test.doubtful_error,
    }
    if confidence < refusal.threshold:
        p.warn("doubtful", icon="help", confidence=confidence, **told)
    other = refusal.accepted("other_document")
    if other >= 0.5:
        p.caption("hardly", other_document=other)
    with p.fold("threshold", "straighten"):
        p.say("threshold", **_threshold_numbers(refusal), **told)


def _threshold_numbers(refusal: StoredRefusal) -> dict[str, object]:
    """Return what the threshold does on the test pairs, and what it can't mend."""
    dev, test = refusal.dev, refusal.test
    fifths = accuracy_by_confidence(*scored_pairs(refusal.p_next), n_groups=5)
    ends = [interval_of_proportion(share * test.n / 5, test.n / 5) for share in fifths]
    return {
        "most": refusal.most_wrong,
        "n_dev": dev.n,
        "n": test.n,
        "sure": test.n_sure / test.n,
        "swapped": refusal.sure_next("swapped"),
        "same_document": refusal.sure_next("same_document"),
        "fifths": ", ".join(formatted(100 * share, ".0f") for share in fifths),
        "margin": max(50 * (above - below) for below, above in ends),
    }


def _offer_changes(p: Part) -> None:
    """Show three changes of the pair that are worth a look."""

    def swap() -> None:
        p.state["first"], p.state["second"] = p.state["second"], p.state["first"]

    def same() -> None:
        p.state["second"] = p.state["first"]

    def stranger() -> None:
        p.choose("second", p.examples.plain("own_stranger_text"))

    with p.row("top"):
        for change in (swap, same, stranger):
            p.button(f"own_{change.__name__}", change)


# From [CLS] to the prediction: pooler, W_NSP, softmax and loss, number by number.


def _draw(p: Part, steps: NextSentenceSteps, segments: str) -> int:
    """Draw the vectors, the logits and the prediction; write out the chosen number.

    Returns which class the learner takes for the true one.
    """
    bert = p.model.bert
    assert bert is not None and bert.next_sentence_head is not None  # else the opening says so
    head = bert.next_sentence_head
    p.say("way")
    settings = p.row()
    with settings:
        stage = p.choice("stage")
        label = IS_RANDOM if p.choice("truth") == "1" else FOLLOWS
        index = label
        if stage == "pooled":
            shown = min(SHOWN_NUMBERS, len(steps.pooled))
            index = int(p.choice("number", [str(i) for i in range(shown)]))
    p.formula(_arithmetic(head, steps, stage, index))
    # Of the pooled vector a number is chosen, not a class.
    named = {} if stage == "pooled" else {"class": CLASSES[index]}
    p.say(stage, index=index, **named)
    left, right = p.columns(3, 2)
    with left:
        at = (1, index) if stage == "pooled" else None
        _show_rows(p, steps, ("cls", "pooled"), at, segments)
    with right:
        _show_rows(p, steps, ("logits",), (0, index) if stage == "logits" else None, segments)
    return label


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


def _show_rows(
    p: Part,
    steps: NextSentenceSteps,
    names: tuple[str, ...],
    chosen: tuple[int, int] | None,
    segments: str,
) -> None:
    """Draw rows of numbers, the first few of each; a click opens the arithmetic of one."""
    is_class = names == ("logits",)
    rows = {p.plain(f"row_{name}"): getattr(steps, name).tolist() for name in names}
    shown = [values[:SHOWN_NUMBERS] for values in rows.values()]

    def open_cell(value: str) -> None:
        p.choose("stage", "logits" if is_class else "pooled")
        p.choose("truth" if is_class else "number", value.partition(",")[2])

    p.figure(
        f"{names[-1]}_row",
        partial(
            matrix_svg,
            shown,
            list(rows),
            list(CLASSES) if is_class else [str(i) for i in range(len(shown[0]))],
            scale="signed",
            selected_cell=chosen,
            clickable="cells",
        ),
        rows,
        alt="row_alt",
        source="row_source",
        on_click=open_cell,
        stage=", ".join(rows),
        shown=len(shown[0]),
        hidden=len(next(iter(rows.values()))),
        segments=segments,
    )


# Both losses of pretraining: some tokens of the same pair are hidden too.


def _show_total(p: Part, text: TokenizedText, label: int) -> None:
    """Hide some tokens of the pair, and add the two losses of what the model then sees."""
    model = p.model
    p.say("total")
    own = [i for i, token in enumerate(text.tokens) if not token.is_special]
    if not own:
        p.note("no_total", icon="edit")
        return
    rng = Random(choose_seed(p))
    n_chosen = min(len(own), max(1, round(HIDDEN * len(text.tokens))))
    chosen = rng.sample(own, n_chosen)
    seen = hide(text, chosen, model.tokenizer)
    show_pair(p, seen, "hidden_chips")
    hidden = predict(model, seen, labels_of(text.ids, chosen)).loss
    assert model.bert is not None
    verdict = next_sentence_steps(model.bert, model.encode(seen).last[0]).loss(label)
    losses = {"mlm": hidden, "nsp": verdict, "sum": total_loss(hidden, verdict)}
    shown = [in_formula(loss, ".3f") for loss in losses.values()]
    p.formula(f"{shown[0]} + {shown[1]} = {shown[2]}")
    p.metrics(
        {p.label(f"total_{x}", n=n_chosen): formatted(loss, ".3f") for x, loss in losses.items()}
    )
