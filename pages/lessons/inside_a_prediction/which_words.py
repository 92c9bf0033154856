"""Which words led to the prediction? Three attributions, one below the other."""

from functools import partial
from itertools import combinations
from urllib.parse import parse_qs

from mlm_core.encoder.model_list import MissingWeightsError
from mlm_core.figures.inside.attribution import AttributedText, attribution_html
from mlm_core.inside.attribution import (
    LARGEST_GAP,
    MOST_TOKENS,
    attention_of,
    rank_correlation,
    words_around,
)
from mlm_core.number_format import formatted
from mlm_core.text.tokens import TokenizedText, Word, role_token
from pages.kit.part import Part, part
from pages.lessons.inside_a_prediction import computed
from pages.lessons.inside_a_prediction.setting import blank_sentence, token_name

# Of all lessons only this vote asks what the teacher offered: a room may vote on that sentence.
from pages.server.room import membership


@part(
    code=(
        "inside.attribution:occlusion",
        "inside.attribution:integrated_gradients",
        "inside.attribution:attention_of",
        "inside.attribution:rank_correlation",
    )
)
def show(p: Part) -> None:
    """Let a room vote for the word that matters most; then show the result of three methods."""
    found = blank_sentence(p, "sentence")
    if found is None:
        return
    text, blank = found
    if len(text.tokens) > MOST_TOKENS:
        p.note("too_long", icon="content_cut", n=len(text.tokens), most=MOST_TOKENS)
        return
    answer = computed.answer(p.model_name, text.text)
    words, word = words_around(p.model, text), token_name(p, answer.id)
    p.say("lead", word=word, probability=answer.probability)
    if len(words) < 2:
        p.note("too_few_words", icon="edit")
        return
    if not _is_for_a_room(p, text.text):
        _show_methods(p, text, blank, words, answer.id)
    elif p.vote("most", _options(words), about=(p.model_name, text.text), word=word):
        p.tell_right("most", str(_show_methods(p, text, blank, words, answer.id)))


def _options(words: tuple[Word, ...]) -> dict[str, str]:
    """Return the words by their position; a repeated word has a number."""
    texts = [one.text for one in words]
    times = [texts[: i + 1].count(one) for i, one in enumerate(texts)]
    return {
        str(i): one if n == 1 else f"{one} ({n})"
        for i, (one, n) in enumerate(zip(texts, times, strict=True))
    }


def _is_for_a_room(p: Part, text: str) -> bool:
    """Return whether a room may vote on a sentence: the lesson's own, or the teacher's.

    The teacher's page shows the words that are voted on, and nobody has checked a learner's.
    """
    room = membership.look()
    if room is None:
        return True
    known = [p.examples.label("default_text")]
    if room.offer is not None:
        offered = parse_qs(room.offer.link.partition("?")[2])
        known += [*offered.get(p.key("text"), []), *offered.get(p.key("sentence"), [])]
    mask = role_token(p.model.tokenizer, "[MASK]")
    return text in {one.replace("[MASK]", mask) for one in known}


def _show_methods(
    p: Part, text: TokenizedText, blank: int, words: tuple[Word, ...], token: int
) -> int:
    """Draw the methods' numbers below each other, with the rank correlation of each two.

    Returns which word matters most by occlusion.
    """
    n_layers = p.model.n_layers
    layers = [str(i) for i in range(1, n_layers + 1)]
    figure = p.place()
    with p.popover("change_layer", "tune"):
        layer = int(p.choice("layer", layers, start=layers[2 * n_layers // 3 - 1]))
    methods = _numbers(p, text, token, layer)
    before = sum(one.positions[0] < blank for one in words)
    names = [one.text for one in words]
    lines = [
        AttributedText(
            method=p.plain(name, layer=layer),
            words=[
                *zip(names[:before], values[:before], strict=True),
                (token_name(p, token), None),
                *zip(names[before:], values[before:], strict=True),
            ],
            is_signed=name != "attention",
        )
        for name, values in methods.items()
    ]
    most = max(range(len(words)), key=lambda i: abs(methods["occlusion"][i]))
    with figure:
        p.figure(
            "attribution",
            partial(attribution_html, lines),
            {"word": names} | methods,
            word=token_name(p, token),
            most=names[most],
            layer=layer,
        )
    p.metrics(
        {
            p.label(f"rank_{one}_{other}"): formatted(
                rank_correlation(methods[one], methods[other]), "+.2f"
            )
            for one, other in combinations(methods, 2)
        }
    )
    p.say("notice", n=len(words), chance=(len(words) - 1) ** -0.5)
    return most


def _numbers(p: Part, text: TokenizedText, token: int, layer: int) -> dict[str, tuple[float, ...]]:
    """Return each method's numbers, and say why one is missing or where the sum is not exact."""
    with p.working("working"):
        occlusion = computed.occlusion(p.model_name, text.text, token)
        found = computed.integrated_gradients(p.model_name, text.text, token)
    methods = {"occlusion": occlusion, "gradients": found.parts}
    gap = abs(found.gap)
    if gap >= LARGEST_GAP:
        p.say("gap", steps=found.n_steps, difference=found.difference, gap=gap)
    try:
        methods["attention"] = attention_of(p.model, text, layer)
        p.say("attention", layer=layer, rest=1 - sum(methods["attention"]))
    except MissingWeightsError:
        p.note("no_weights", icon="block", model=p.model_name)
    return methods
