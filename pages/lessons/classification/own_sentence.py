"""The learner's own sentence through a fine-tuned model, number by number, and its errors."""

from functools import partial
from typing import Any

from mlm_core.classification.head_steps import ClassSteps
from mlm_core.figures.bars import bars_svg
from mlm_core.figures.chips import chip_row
from mlm_core.figures.finetuning.classification_terms import moves_svg, softmax_tex, strip_svg
from mlm_core.figures.prediction.sentence_pairs import pair_html
from mlm_core.figures.theme import printable
from mlm_core.finetuning.settings import SENTIMENT, Data
from mlm_core.finetuning.snapshot import FineTuneSnapshot
from mlm_core.number_format import formatted
from mlm_core.text.tokens import TokenizedText
from pages.kit.part import LONGEST_TEXT, Part, Table, Text, part
from pages.kit.training import finetune_runs
from pages.lessons.classification import computed
from pages.lessons.classification.errors import show_errors

OTHERS: tuple[Data, ...] = ("entailment", "paraphrase", "own_classes")  # besides sentiment
MOST_WORDS = 40  # that are left out, one after the other: the model reads the text so often
LIKELIEST = "likeliest"


@part(code=("classification.head_steps:class_steps", "classification.occlusion:leave_words_out"))
def show(p: Part) -> None:
    """Read a sentence; show the verdict, which words made it, and the way from tokens to it."""
    p.say("lead")
    data = finetune_runs.read_or_own(p, SENTIMENT, *OTHERS)
    chosen = finetune_runs.choose(p, data, name="own_run", folded=True)
    if chosen is None:
        return
    title, snapshot = chosen
    finetune_runs.say_if_english(p, snapshot.settings.data)
    text, pair = _texts(p, snapshot)
    if not text.strip() or (pair is not None and not pair.strip()):
        p.note("empty", icon="edit")
    else:
        steps = computed.class_steps(snapshot, text, pair)
        p.say_what_was_left_out(steps.text)
        about: dict[str, Any] = {
            "run": title,
            "model": snapshot.settings.model,
            "step": snapshot.step_of_weights,
        }
        left, right = p.columns(gap="large")
        with left:
            _draw_verdict(p, steps, snapshot.data.classes, about)
            _draw_tokens(p, steps.text, pair is not None)
            _draw_vector(p, steps, snapshot.settings.pooling, about)
        with right:
            _draw_words(p, snapshot, steps, about)
        with p.fold("softmax", "calculate"):
            _show_softmax(p, steps, snapshot.data.classes, about)
        p.say("notice")
    with p.fold("errors", "rule"):
        show_errors(p, title, snapshot)


def _texts(p: Part, snapshot: FineTuneSnapshot) -> tuple[str, str | None]:
    """Show one line, or two where the model reads pairs; begin with what suits the run."""
    data, example = snapshot.settings.data, snapshot.data.test[0]
    if data in SENTIMENT.values():
        data = "sentiment"  # the same line in both languages
    # A sentence of their own kind says more than one of ours.
    of_own_data = data == "own_classes"

    def line(name: str, start: str) -> str:
        return p.text(f"{name}_{data}", start[:LONGEST_TEXT] if of_own_data else None)

    if not snapshot.data.has_pairs:
        return line("own_text", example.text), None
    return line("own_pair", example.text), line("own_second", example.pair or "")


def _draw_verdict(
    p: Part, steps: ClassSteps, classes: tuple[str, ...], about: dict[str, Any]
) -> None:
    """Say and draw the probability of each class."""
    probabilities = steps.probabilities.tolist()
    best = probabilities.index(max(probabilities))
    p.say("says", said=classes[best], p=probabilities[best])
    told = ", ".join(
        f"{name} {formatted(y, '.3f')}" for name, y in zip(classes, probabilities, strict=True)
    )
    bars = partial(bars_svg, classes, probabilities, longest=1.0)
    table = {"class": classes, "u": steps.logits.tolist(), "y": probabilities}
    p.figure("own_bars", bars, table, source="source", told=told, **about)


def _draw_words(
    p: Part, snapshot: FineTuneSnapshot, steps: ClassSteps, about: dict[str, Any]
) -> None:
    """Draw by how much each word, left out, moves the logit of a class."""
    p.say("words")
    classes, likeliest = snapshot.data.classes, int(steps.logits.argmax())
    names = {LIKELIEST: p.plain("class_likeliest", name=printable(classes[likeliest], 40))}
    names |= {str(k): name for k, name in enumerate(classes)}
    with p.popover("other_class", "tune"):
        chosen = p.choice("own_class", names)
    k = likeliest if chosen == LIKELIEST else int(chosen)
    found = computed.words_left_out(snapshot, steps.text.text, steps.text.pair, MOST_WORDS)
    if not found:  # of a text of marks that nobody sees
        p.note("empty", icon="edit")
        return
    words, moves = [one.word for one in found], [one.moves[k] for one in found]
    table = Table([(one.word, *one.moves) for one in found], ["word", *map(Text, classes)])
    most = max(range(len(moves)), key=moves.__getitem__)
    told: dict[str, Any] = {"word": words[most], "move": moves[most], "name": classes[k]}
    p.figure("own_words", partial(moves_svg, words, moves), table, source="source", **told, **about)
    if moves[most] > 0:
        p.say("no_sum")
    else:
        p.say("no_word", name=classes[k])
    if len(found) == MOST_WORDS:
        p.caption("first_words", n=MOST_WORDS)


def _draw_tokens(p: Part, text: TokenizedText, has_pair: bool) -> None:
    p.say("tokens")
    if has_pair:
        names = (p.plain("segment_first"), p.plain("segment_second"))
        html = pair_html(text.tokens, names, label=p.plain("tokens_alt"))
    else:
        html = chip_row(text.tokens, label=p.plain("tokens_alt"))
    p.drawing("own_chips", html)


def _draw_vector(p: Part, steps: ClassSteps, pooling: str, about: dict[str, Any]) -> None:
    values = steps.pooled.tolist()
    p.say(f"vector_{pooling}", n=len(values), n_tokens=len(steps.text.tokens))
    about: dict[str, Any] = {"n": len(values), "low": min(values), "high": max(values)} | about
    table = {"number": list(range(len(values))), "h": values}
    p.figure("own_vector", partial(strip_svg, values), table, source="source", **about)


def _show_softmax(
    p: Part, steps: ClassSteps, classes: tuple[str, ...], about: dict[str, Any]
) -> None:
    """Write out u, e^u and their quotient."""
    p.say("softmax", n=len(steps.pooled))
    if steps.shift:
        p.caption("shifted", shift=steps.shift)
    powers, probabilities = steps.powers.tolist(), steps.probabilities.tolist()
    columns = ("class", "u", "e^u", "y")
    rows = list(zip(classes, steps.logits.tolist(), powers, probabilities, strict=True))
    total = (p.plain("total"), None, sum(powers), sum(probabilities))
    short = [[_short(value) for value in row] for row in (*rows, total)]
    best = probabilities.index(max(probabilities))
    left, right = p.columns(gap="large")
    with left:
        Table(short, columns).show()
        p.numbers("own_softmax", Table(rows, columns), source="source", **about)
    with right:
        p.say("quotient", said=classes[best])
        p.formula(softmax_tex(powers, best, probabilities[best]))


def _short(value: object) -> object:
    """Return a number with four significant digits."""
    return float(f"{value:.4g}") if isinstance(value, float) else value
