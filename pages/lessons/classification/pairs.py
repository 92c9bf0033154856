"""Two sentences at once: does the second follow, or say the same? And does their order matter?"""

from functools import partial
from typing import Any

from mlm_core.classification.bag_of_words import fit_bag_of_words, fit_shared_words
from mlm_core.figures.bars import bars_svg
from mlm_core.finetuning.encoded_examples import Reading
from mlm_core.finetuning.fine_tuned import FineTuned
from mlm_core.finetuning.snapshot import FineTuneSnapshot
from pages.kit.caches import cache_finetuning
from pages.kit.part import Part, part
from pages.kit.training import finetune_runs
from pages.lessons.classification.pairs_figures import GRADES, show_accuracy

RELATIONS = ("entailment", "neutral", "contradiction")  # the classes of the entailment data
Samples = tuple[str, dict[str, str]]  # a first sentence, and a second one for each class


@part()
def show(p: Part) -> None:
    """Take two sentences and show the classes in both orders, then the whole test part."""
    p.say("lead")
    data = ("entailment", "paraphrase", "own_classes")
    chosen = finetune_runs.choose(p, data, name="pairs_run")
    if chosen is None:
        return
    title, snapshot = chosen
    finetune_runs.say_if_english(p, snapshot.settings.data)
    if not snapshot.data.has_pairs:
        p.note("no_pairs")
        return
    samples = _samples(p, snapshot)
    first, second = _own_pair(p, samples, snapshot.settings.data == "paraphrase")
    if first.strip() and second.strip():
        _show_pair(p, title, cache_finetuning.model(snapshot), samples, first, second)
    else:
        p.note("empty", icon="edit")
    show_accuracy(p, title, snapshot)
    with p.fold("own_data", "edit_note"):
        p.say("own_data")
    p.code("pairs", Reading._labelled, fit_bag_of_words, fit_shared_words)


def _samples(p: Part, snapshot: FineTuneSnapshot) -> Samples:
    """Return a first sentence of ours, and by class a second one: of test pairs, or written so."""
    if snapshot.settings.data == "paraphrase":
        group = snapshot.data.test[: len(GRADES)]
        return group[0].text, {one.label: one.pair or "" for one in group}
    return p.plain("sample"), {name: p.plain(f"sample_{name}") for name in RELATIONS}


def _own_pair(p: Part, samples: Samples, is_paraphrase: bool) -> tuple[str, str]:
    names = ("pairs_first", "pairs_second")
    if is_paraphrase:
        names = ("pairs_first_paraphrase", "pairs_second_paraphrase")
    sample, seconds = samples

    def put(name: str) -> None:
        for key, text in zip(names, (sample, seconds[name]), strict=True):
            p.choose(key, text)

    texts = []
    for key, start, column in zip(
        names, (sample, next(iter(seconds.values()))), p.columns(gap="small"), strict=True
    ):
        with column:
            texts.append(p.text(key, start))
    with p.row("top"):
        for name in seconds:
            p.button(f"pairs_put_{name}", put, name)
    first, second = texts
    return first, second


def _show_pair(
    p: Part, title: str, model: FineTuned, samples: Samples, first: str, second: str
) -> None:
    """Draw the classes as written and swapped, and say which ones should change."""
    text = model.read(first, second)
    if {token.segment for token in text.tokens if token.start < token.stop} != {0, 1}:
        p.note("empty", icon="edit")
        return
    p.say_what_was_left_out(text)
    asks_what_follows = "entailment" in samples[1]
    orders = {"as_written": (first, second), "swapped": (second, first)}
    likeliest = []
    for (name, texts), column in zip(orders.items(), p.columns(), strict=True):
        values = model.class_log_probabilities(*texts).exp().tolist()
        best = max(range(len(values)), key=values.__getitem__)
        likeliest.append((model.classes[best], values[best]))
        with column:
            p.say(name if asks_what_follows else f"{name}_paraphrase")
            bars = partial(bars_svg, model.classes, values, longest=1.0)
            table = {"class": list(model.classes), "probability": values}
            about: dict[str, Any] = {"run": title, "model": model.settings.model}
            about |= {"said": model.classes[best], "p": values[best]}
            p.figure(f"pairs_{name}", bars, table, source="source", **about)
    (said, probability), (swapped, p_swapped) = likeliest
    left, right = p.columns()
    with left:
        kind = "same" if said == swapped else "changed"
        p.say(kind, said=said, p=probability, swapped=swapped, p_swapped=p_swapped)
    with right:
        _say_what_is_right(p, model, samples, (first, second), said)


def _say_what_is_right(
    p: Part, model: FineTuned, samples: Samples, pair: tuple[str, str], said: str
) -> None:
    """Say which class should change when swapped, and what we wrote a pair of ours as."""
    sample, seconds = samples
    if set(model.classes) != set(seconds):
        return
    p.say("logic" if "entailment" in seconds else "logic_paraphrase")
    written = [name for name, text in seconds.items() if pair == (sample, text)]
    if written:
        p.say("sample_right" if written[0] == said else "sample_wrong", right=written[0])
