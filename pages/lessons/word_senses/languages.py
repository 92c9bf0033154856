"""A word that two languages spell alike: two colours on one map, and its purity by layer."""

import torch

from mlm_core.embeddings.clusters import purity_by_chance
from mlm_core.embeddings.senses_data import TWO_LANGUAGES, SenseWord, two_language_names
from mlm_core.encoder.model_list import BILINGUAL, BUNDLED
from mlm_core.figures.charts import by_layer_axis, lines_chart, percent_axis
from mlm_core.figures.curves import Curve, Level
from mlm_core.figures.embeddings.sense_map import sense_groups
from mlm_core.masking.goodness_of_fit import interval_of_proportion
from mlm_core.number_format import formatted
from pages.kit.caches import cache_senses
from pages.kit.part import Part, part
from pages.lessons.word_senses import computed
from pages.lessons.word_senses.board import Board, show_board
from pages.lessons.word_senses.film import play_layers
from pages.lessons.word_senses.setting import Setting, current, layers
from pages.lessons.word_senses.uses import choose_kind, gather, lay_out, stored

MODELS = (BILINGUAL, BUNDLED)  # the first reads both languages, the second English
GERMAN_SENSES = "die_de"  # the stored word whose senses are all of one language
CHART_HEIGHT = 210  # pixels; it stands below the map, beside the list of neighbours


@part(code=("embeddings.clusters:neighbour_purity",))
def show(p: Part) -> None:
    """Show the word's uses in both languages, layer by layer; say what their purity shows."""
    p.say("lead")
    now = current(p)
    others = [] if p.model_name in MODELS else [p.model_name]
    with p.row():
        words = [one.removeprefix(TWO_LANGUAGES) for one in two_language_names()]
        name = TWO_LANGUAGES + p.choice("both_word", words)
        p.model_name = p.choice("both_model", [*others, *MODELS], start=[*others, *MODELS][0])
        layouts = stored(p, name, now.pooling)
        kind = choose_kind(p, "both_kind", has_stored=layouts is not None)
    word, names = cache_senses.stored_word(name), layers(p)
    layer = int(p.played("both_layer", {one: one for one in names}, start=names[-1]))
    purities = {one: computed.language_purity(one, name, now.pooling) for one in (*MODELS, *others)}
    film = p.place()
    uses = gather(p, word.sentences, now.pooling)
    board = Board(
        names="both_",
        uses=uses,
        layer=layer,
        layout=lay_out(p, uses, layer, kind, layouts),
        groups=sense_groups([p.plain(sense.name.lower()) for sense in word.senses]),
        group_of=word.sense_numbers,
    )
    with film:
        said = [
            p.plain("stop" if i else "stop_first", layer=i, last=len(names) - 1, purity=purity)
            for i, purity in enumerate(purities[p.model_name])
        ]
        play_layers(p, board, said)
    left, right = p.columns(3, 2)
    show_board(p, board, left=left, right=right)
    with left:
        _draw(p, word, layer, purities)
    _say(p, now, name, layer, purities)


def _draw(p: Part, word: SenseWord, layer: int, purities: dict[str, tuple[float, ...]]) -> None:
    """Draw the purity by layer of each model; a layer that is clicked goes to the map."""
    chance = _chance(word)
    p.figure(
        "purity",
        lines_chart(
            [
                Curve(name=model, points=list(enumerate(by_layer)), pen=pen, dots=True)
                for pen, (model, by_layer) in enumerate(purities.items())
            ],
            levels=[Level(name=p.plain("chance"), value=chance, shown=formatted(chance, ".0%"))],
            x_title=p.plain("layer_axis"),
            y_title="",
            x_axis=by_layer_axis(max(map(len, purities.values()))),
            y_axis=percent_axis(),
            marks=[Level(name="", value=layer)],
            height=CHART_HEIGHT,
        ),
        [
            {"model": model, "layer": i, "purity": purity}
            | dict(
                zip(
                    ("interval_low", "interval_high"),
                    _interval(len(word.sentences), purity),
                    strict=True,
                )
            )
            for model, by_layer in purities.items()
            for i, purity in enumerate(by_layer)
        ],
        on_click=lambda at: p.choose("both_layer", str(at)),
        word=word.word,
        first=purities[p.model_name][0],
        last=purities[p.model_name][-1],
        n=len(word.sentences),
    )


def _say(
    p: Part, now: Setting, name: str, layer: int, purities: dict[str, tuple[float, ...]]
) -> None:
    """Say how certain the purity is, what it doesn't show, and what a fairer test does."""
    word = cache_senses.stored_word(name)
    purity = purities[p.model_name][layer]
    low, high = _interval(len(word.sentences), purity)
    p.say(
        "said",
        model=p.model_name,
        layer=layer,
        purity=purity,
        low=low,
        high=high,
        n=len(word.sentences),
        chance=_chance(word),
    )
    (both, english), pieces = MODELS, {one: _tokens_per_word(one, name) for one in MODELS}
    p.say(
        "control",
        both=both,
        english=english,
        last=purities[english][-1],
        english_in_english=pieces[english][0],
        german_in_english=pieces[english][1],
        english_in_both=pieces[both][0],
        german_in_both=pieces[both][1],
    )
    box = p.box("fairer", "balance")
    if not box.open:
        return
    with box:
        p.say(
            "layer_0",
            both=both,
            english=english,
            first=purities[both][0],
            english_first=purities[english][0],
            chance=_chance(word),
        )
        _say_fairer(p, now)


def _say_fairer(p: Part, now: Setting) -> None:
    """Say how well each model tells the senses of a word of one language apart."""
    senses = cache_senses.stored_word(GERMAN_SENSES)
    n, sizes = len(senses.sentences), [len(sense.sentences) for sense in senses.senses]
    accuracy, of_english = (
        cache_senses.sense_layer_scores(one, GERMAN_SENSES, now.pooling, now.method)[-1][0]
        for one in MODELS
    )
    low, high = _interval(n, accuracy)
    english_low, english_high = _interval(n, of_english)
    p.say(
        "fairer",
        both=MODELS[0],
        english=MODELS[1],
        n=n,
        accuracy=accuracy,
        low=low,
        high=high,
        english_accuracy=of_english,
        english_low=english_low,
        english_high=english_high,
        baseline=max(sizes) / n,
    )


def _interval(n: int, proportion: float) -> tuple[float, float]:
    return interval_of_proportion(proportion * n, n)


def _chance(word: SenseWord) -> float:
    return purity_by_chance(torch.tensor(word.sense_numbers))


def _tokens_per_word(model_name: str, name: str) -> list[float]:
    """Return into how many tokens a model cuts a word of each language, on average."""
    word, counts = cache_senses.stored_word(name), [0, 0]
    located = cache_senses.stored_uses(model_name, name).located
    for use, language in zip(located, word.sense_numbers, strict=True):
        counts[language] += sum(not token.is_special for token in use.text.tokens)
    return [
        count / sum(len(sentence.text.split()) for sentence in language.sentences)
        for count, language in zip(counts, word.senses, strict=True)
    ]
