"""Which model knows German? A test within German, then a word of two languages on one map."""

from dataclasses import replace

from mlm_core.embeddings.senses_data import TWO_LANGUAGES, SenseWord, two_language_names
from mlm_core.embeddings.word_senses import LayerScore
from mlm_core.encoder.model_list import BILINGUAL, BUNDLED
from mlm_core.evaluation.bootstrap import paired_lead
from mlm_core.evaluation.seeds import interval_of_proportion
from mlm_core.figures.charts import layers_chart
from mlm_core.figures.embeddings.sense_map import sense_groups
from pages.kit.caches import cache_senses
from pages.kit.part import Part, part
from pages.lessons.word_senses.board import Board, show_board
from pages.lessons.word_senses.film import play_layers
from pages.lessons.word_senses.setting import Setting, current, layers
from pages.lessons.word_senses.uses import choose_kind, gather, lay_out, stored

MODELS = (BILINGUAL, BUNDLED)  # the first reads both languages, the second English
GERMAN_SENSES = "die_de"  # the stored word whose senses are all of one language
CHART_HEIGHT = 230  # pixels


@part(code=("embeddings.word_senses:scores_by_layer", "evaluation.bootstrap:paired_lead"))
def show(p: Part) -> None:
    """Compare two models on the uses of a German word, then show a map of two languages."""
    german = replace(current(p), name=GERMAN_SENSES)
    p.say("lead", n=len(german.word.sentences))
    scores = {one: _scores(german, one) for one in MODELS}
    left, right = p.columns(3, 2)
    with left:
        _draw_within(p, german.word, scores)
    with right:
        _say_within(p, scores)
    p.line()
    _show_map(p)


def _scores(now: Setting, model_name: str) -> tuple[LayerScore, ...]:
    return cache_senses.sense_layer_scores(model_name, now.name, now.pooling, now.method)


def _draw_within(p: Part, word: SenseWord, scores: dict[str, tuple[LayerScore, ...]]) -> None:
    """Draw the accuracy of each model by layer, next to the most frequent sense."""
    lines = {model: [one.accuracy for one in found] for model, found in scores.items()}
    both, english = lines.values()
    frequent, baseline = p.plain("most_frequent"), word.most_frequent_accuracy
    p.figure(
        "within",
        layers_chart(
            lines | {frequent: [baseline] * len(both)},
            x_title=p.plain("layer_axis"),
            y_title=p.plain("accuracy"),
            undotted=frequent,
            height=CHART_HEIGHT,
        ),
        [
            {"model": model, "layer": i, "accuracy": accuracy}
            for model, line in lines.items()
            for i, accuracy in enumerate(line)
        ],
        word=word.word,
        n=len(word.sentences),
        both=both[-1],
        english=english[-1],
    )


def _say_within(p: Part, scores: dict[str, tuple[LayerScore, ...]]) -> None:
    """Say which model is better at the last layer, use by use."""
    both, english = (found[-1] for found in scores.values())
    lead = paired_lead(both.right, english.right)
    p.say(
        "within" if lead.is_clear else "within_open",
        both=MODELS[0],
        english=MODELS[1],
        accuracy=both.accuracy,
        english_accuracy=english.accuracy,
        n_both=lead.n_first,
        n_english=lead.n_second,
        difference=lead.value,
        low=lead.low,
        high=lead.high,
        p=lead.p_value,
    )
    p.say("clues", both=MODELS[0])


def _show_map(p: Part) -> None:
    """Show a word's uses in both languages, layer by layer, and what their map doesn't show."""
    p.say("map")
    others = [] if p.model_name in MODELS else [p.model_name]
    controls = p.row()
    with controls:
        words = [one.removeprefix(TWO_LANGUAGES) for one in two_language_names()]
        name = TWO_LANGUAGES + p.choice("both_word", words)
        p.model_name = p.choice("both_model", [*others, *MODELS], start=[*others, *MODELS][0])
        now = replace(current(p), name=name)
        layouts = stored(p, name, now.pooling)
        kind = choose_kind(p, "both_kind", has_stored=layouts is not None)
    names = layers(p)
    layer = int(p.played("both_layer", {one: one for one in names}, start=names[-1]))
    film = p.place()
    uses = gather(p, now.word.sentences, now.pooling)
    board = Board(
        names="both_",
        uses=uses,
        layer=layer,
        layout=lay_out(p, uses, layer, kind, layouts),
        groups=sense_groups([p.plain(sense.name.lower()) for sense in now.word.senses]),
        group_of=now.word.sense_numbers,
    )
    with film:
        play_layers(p, board, now)
    left, right = p.columns(3, 2)
    show_board(p, board, controls, left=left, right=right)
    with left:
        _say_map(p, now, layer)


def _say_map(p: Part, now: Setting, layer: int) -> None:
    """Say how certain the accuracy is, and that it doesn't need a model of both languages."""
    n, accuracy = len(now.word.sentences), _scores(now, p.model_name)[layer].accuracy
    low, high = interval_of_proportion(accuracy * n, n)
    p.say(
        "said",
        model=p.model_name,
        layer=layer,
        accuracy=accuracy,
        low=low,
        high=high,
        n=n,
        chance=now.word.most_frequent_accuracy,
    )
    pieces = {one: _tokens_per_word(one, now.name) for one in MODELS}
    both, english = (_scores(now, one) for one in MODELS)
    with p.fold("control", "help"):
        p.say(
            "control",
            both=MODELS[0],
            english=MODELS[1],
            first=both[0].accuracy,
            english_first=english[0].accuracy,
            last=english[-1].accuracy,
            english_in_english=pieces[BUNDLED][0],
            german_in_english=pieces[BUNDLED][1],
            english_in_both=pieces[BILINGUAL][0],
            german_in_both=pieces[BILINGUAL][1],
        )


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
