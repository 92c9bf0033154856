"""Accuracy layer by layer with its margin; then all uses of one text judged together."""

from functools import partial

import torch

from mlm_core.embeddings.locating import find_word
from mlm_core.embeddings.senses_data import MarkedSentence
from mlm_core.embeddings.word_senses import (
    LayerScore,
    Method,
    SenseChoice,
    one_sense_per_discourse,
)
from mlm_core.evaluation.bootstrap import paired_lead
from mlm_core.evaluation.seeds import standard_error
from mlm_core.figures.charts import by_layer_axis, lines_chart, percent_axis
from mlm_core.figures.curves import Curve, Level
from mlm_core.figures.embeddings.sense_map import sense_groups
from mlm_core.figures.embeddings.sense_map_uses import ListedUse, uses_html
from mlm_core.number_format import formatted
from mlm_core.text.sentences import split_sentences
from pages.kit.caches import cache_senses
from pages.kit.part import Part, Text, part
from pages.lessons.word_senses.own_use import judge, own_use
from pages.lessons.word_senses.setting import Setting, layer_name, with_layer

Scores = tuple[LayerScore, ...]  # by layer
OTHER: dict[Method, Method] = {"centroids": "examples", "examples": "centroids"}
LONGEST, MOST_USES = 3_000, 30  # characters of a text; uses that are judged
TEXTS_OF = ("bank", "bank_de")  # words that begin with a text
FEWEST_USES = 2  # one alone always has the text's vote


@part(
    code=(
        "embeddings.word_senses:scores_by_layer",
        "embeddings.word_senses:leave_one_out",
        "evaluation.bootstrap:paired_lead",
        "embeddings.word_senses:one_sense_per_discourse",
    )
)
def show(p: Part) -> None:
    """Draw the accuracy over the layers; a layer that is clicked goes to the map."""
    p.say("lead")
    with p.row():
        now = with_layer(p)
        scopes = {one: p.label(f"scope_{one}", word=now.word.word) for one in ("one", "all")}
        is_one = p.choice("scope", scopes) == "one"
    names = [now.name] if is_one else list(cache_senses.stored_names("en"))
    scored = {name: _scores(p, now, name, now.method) for name in p.progress("scoring", names)}
    means = _means(scored)
    words = [cache_senses.stored_word(name) for name in names]
    n = sum(len(word.sentences) for word in words)
    baseline = sum(word.most_frequent_accuracy for word in words) / len(words)
    _draw(p, now, scored, means, baseline, n)
    _say_best(p, scored, means, baseline, n)
    others = _means({name: _scores(p, now, name, OTHER[now.method]) for name in names})
    p.say(
        "methods",
        method=p.plain(f"method_{now.method}"),
        other=p.plain(f"method_{OTHER[now.method]}"),
        accuracy=means[-1][0],
        other_accuracy=others[-1][0],
    )
    with p.fold("discourse", "notes"):
        _discourse(p, now)


def _scores(p: Part, now: Setting, name: str, method: Method) -> Scores:
    return cache_senses.sense_layer_scores(p.model_name, name, now.pooling, method)


def _means(scored: dict[str, Scores]) -> list[tuple[float, float]]:
    """Return the mean accuracy and macro-F1 over the words, by layer."""
    n = len(scored)
    return [
        (sum(one.accuracy for one in layer) / n, sum(one.macro_f1 for one in layer) / n)
        for layer in zip(*scored.values(), strict=True)
    ]


def _draw(
    p: Part,
    now: Setting,
    scored: dict[str, Scores],
    means: list[tuple[float, float]],
    baseline: float,
    n: int,
) -> None:
    """Draw the means over the words, with each word's accuracy behind them."""
    accuracies, f1s = zip(*means, strict=True)
    lines = [
        Curve(
            name=p.plain("accuracy"),
            points=list(enumerate(accuracies)),
            pen=0,
            dots=True,
            errors=[standard_error(accuracy, n) for accuracy in accuracies],
        ),
        Curve(name=p.plain("macro_f1"), points=list(enumerate(f1s)), pen=1, dots=True),
    ]
    if len(scored) > 1:
        each = [
            Curve(
                name=name,
                points=[(i, one.accuracy) for i, one in enumerate(scores)],
                pen=0,
                faint=True,
                grey=True,
            )
            for name, scores in scored.items()
        ]
        lines = [*each, *lines]
    level = Level(name=p.plain("most_frequent"), value=baseline, shown=formatted(baseline, ".0%"))
    p.figure(
        "layers",
        lines_chart(
            lines,
            levels=[level],
            x_title=p.plain("layer_axis"),
            y_title="",
            x_axis=by_layer_axis(len(means)),
            y_axis=percent_axis(),
            marks=[Level(name="", value=now.layer)] if isinstance(now.layer, int) else (),
        ),
        [
            {"word": name, "layer": i, "accuracy": one.accuracy, "macro_f1": one.macro_f1}
            for name, scores in scored.items()
            for i, one in enumerate(scores)
        ],
        on_click=partial(_go_to_layer, p),
        first=accuracies[0],
        last=accuracies[-1],
        n=n,
        method=p.plain(f"method_{now.method}"),
    )


def _say_best(
    p: Part, scored: dict[str, Scores], means: list[tuple[float, float]], baseline: float, n: int
) -> None:
    """Say how many layers are clearly worse than the best one, sentence by sentence."""
    accuracies = [accuracy for accuracy, _ in means]
    best = accuracies.index(max(accuracies))
    right = [
        [is_right for one in layer for is_right in one.right]
        for layer in zip(*scored.values(), strict=True)
    ]
    n_worse = sum(paired_lead(right[best], one).is_clear for one in right)
    p.say(
        "said",
        first=accuracies[0],
        last=accuracies[-1],
        baseline=baseline,
        best=best,
        top=accuracies[best],
        n=n,
        n_worse=n_worse,
        near=len(right) - 1 - n_worse,
    )
    if n_worse < len(right) - 1:
        p.say("open")


def _go_to_layer(p: Part, layer: int) -> None:
    p.choose("mix", "one", on_whole_page=True)  # the map stands outside this part
    for name in ("layer", "own_layer"):
        p.choose(name, str(layer), on_whole_page=True)


# One sense per discourse.


def _discourse(p: Part, now: Setting) -> None:
    """Judge each use in its own sentence, then let the whole text vote."""
    word = now.word.word
    p.say("discourse.lead", word=word)
    text = p.pasted(
        f"discourse_{now.name}",
        "discourse_text",
        longest=LONGEST,
        height=130,
        sample=f"discourse.{now.name}" if now.name in TEXTS_OF else "",
        about={"word": word},
    )
    found = _uses_in(now, text)
    if len(found) < FEWEST_USES:
        p.note("discourse.empty", icon="edit", word=word, forms=", ".join(now.word.forms))
        return
    if len(found) > MOST_USES:
        p.warn("discourse.cut", icon="content_cut", n=len(found), most=MOST_USES)
    _vote(p, now, found[:MOST_USES])
    p.say("discourse.notice")


def _uses_in(now: Setting, text: str) -> list[MarkedSentence]:
    """Return the word's uses, each in the sentence that it stands in."""
    found = []
    for line in text.splitlines():
        for sentence in split_sentences(line):
            places = find_word(sentence, now.word.word, now.word.forms)
            found += [places.marked(i) for i in range(len(places.spans))]
    return found


def _vote(p: Part, now: Setting, found: list[MarkedSentence]) -> None:
    """List the sense of each use alone; say which one the sums of cosines give to all."""
    names = [sense.name for sense in now.word.senses]
    choices = [judge(p, now, own_use(p, now, sentence)).choice for sentence in found]
    near = torch.cat([choice.cosines for choice in choices])
    alone = torch.cat([choice.senses for choice in choices])
    choice = SenseChoice(
        cosines=near, senses=alone, nearest=torch.full_like(alone, -1), method=now.method
    )
    voted = int(one_sense_per_discourse(choice, torch.zeros_like(alone))[0])
    uses = list(zip(found, alone.tolist(), near.tolist(), strict=True))
    groups = sense_groups(names)
    listed = [
        ListedUse(
            sentence=sentence,
            group=groups[sense],
            number=formatted(cosines[sense], ".3f"),
            is_named=True,
        )
        for sentence, sense, cosines in uses
    ]
    p.drawing("discourse_uses", uses_html([(p.plain("each_alone"), listed)]))
    columns = [Text(f"cosine {name}") for name in names]
    p.numbers(
        "discourse",
        [
            {"sentence": sentence.text, "alone": names[sense], "voted": names[voted]}
            | dict(zip(columns, cosines, strict=True))
            for sentence, sense, cosines in uses
        ],
        layer=layer_name(p, now.layer),
    )
    counts = torch.bincount(alone, minlength=len(names)).tolist()
    sums = [formatted(total, ".2f") for total in near.sum(dim=0).tolist()]
    p.say(
        "discourse.said",
        alone=", ".join(f"{name} {n}" for name, n in zip(names, counts, strict=True) if n),
        sums=", ".join(map(" ".join, zip(names, sums, strict=True))),
        voted=names[voted],
        changed=int((alone != voted).sum()),
        n=len(found),
    )
