"""Follow the answer: one state of another sentence put in its place, layer by layer."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from mlm_core.encoder.model_list import READERS
from mlm_core.figures.inside.patched import DrawnRun, patched_html, three_runs_html
from mlm_core.inside.patching import Followed, Pair, Way
from mlm_core.prediction.fillers import answer_id, only_blank, text_before
from mlm_core.text.tokens import TokenizedText, role_token
from pages.kit.part import Part, Text, part
from pages.lessons.inside_a_prediction import computed
from pages.lessons.inside_a_prediction.setting import token_name

SENTENCES = ("follow_clean", "follow_other")
PLACES = ("word", "blank", "both", "other")  # where the class says that the answer is
MOST = 0.6  # of the gap: more is one place, less at both is two
SOME = 0.3
N_WORDS = 4  # of each run


@part(code=("inside.patching:follow", "inside.patching:patched_logits", "inside.patching:way_of"))
def show(p: Part) -> None:
    """Let a room vote where the answer is in the middle; then show the grid and three runs."""
    p.say("lead")
    mask = role_token(p.model.tokenizer, "[MASK]")
    sentences = [p.text(name).replace("[MASK]", mask) for name in SENTENCES]
    try:
        answers = _typed_answers(p, sentences[0])
        pair, found, way = computed.followed(p.model_name, *sentences, answers)
    except ValueError as error:  # each says what to change
        p.refused(error, "edit", mildly="note")
        return
    layer, word = p.model.n_layers // 2, _word(pair, pair.clean)
    usual = [p.examples.plain(f"default_{name}").replace("[MASK]", mask) for name in SENTENCES]
    # A room votes on the lesson's pair alone: nobody has checked a learner's.
    is_ours = sentences == usual and answers is None
    if is_ours and not p.vote("place", PLACES, word=word, layer=layer):
        return
    if is_ours:
        p.tell_right("place", _place(found.closed[layer].tolist(), pair))
    _grid(p, pair, found, way)
    left, right = p.columns()
    with left:
        _say_of_stored(p)
    with right:
        p.say("limits")


def _typed_answers(p: Part, sentence: str) -> tuple[int, int] | None:
    """Return the ids of two answers for a sentence's blank; None for the likeliest words."""
    typed = p.text("follow_answers", "").split(",")
    answers = [word for one in typed if (word := one.strip())]
    if not answers:
        return None
    if len(answers) != 2:
        raise ValueError(p.plain("two_answers", n=len(answers)))
    text, tokenizer = p.tokens(sentence), p.model.tokenizer
    before = text_before(text, only_blank(text, tokenizer))
    first, second = (answer_id(tokenizer, one, before) for one in answers)
    return first, second


def _word(pair: Pair, of: TokenizedText) -> str:
    """Return the word that differs, as one of the sentences has it."""
    return next(word.text for word in of.words if word.positions == pair.word)


def _place(closed: Sequence[float], pair: Pair) -> str:
    """Return at which of the places the answer is in a layer."""
    at_word, at_blank = max(closed[i] for i in pair.word), closed[pair.blank]
    if max(at_word, at_blank) >= MOST:
        return "word" if at_word > at_blank else "blank"
    return "both" if min(at_word, at_blank) >= SOME else "other"


def _grid(p: Part, pair: Pair, found: Followed, way: Way) -> None:
    """Draw the grid as a film, and below it the words with the chosen state exchanged."""
    closed, tokens = found.closed.tolist(), pair.clean.texts
    answers = [token_name(p, id_) for id_ in found.answers]
    layers = [str(i) for i in range(len(closed))]
    chosen = _chosen(p, pair, len(layers))
    layer, position = chosen or (len(layers) // 2, pair.word[0])
    said = [
        p.plain("said", layer=i, token=tokens[peak], share=row[peak])
        for i, (peak, row) in enumerate(zip(way.peaks, closed, strict=True))
    ]
    names: dict[str, Any] = {
        "first": answers[0],
        "second": answers[1],
        "word": _word(pair, pair.clean),
    }
    p.figure(
        "grid",
        partial(
            patched_html,
            closed,
            [p.plain("layer_name", layer=one) for one in layers],
            tokens,
            said,
            p.film_names,
            selected=(layer, position),
            begins=0 if chosen is None else len(layers) - 1,
        ),
        [
            {"layer": i} | {Text(f"{j} {tokens[j]}"): value for j, value in enumerate(row)}
            for i, row in enumerate(closed)
        ],
        on_click=lambda value: p.choose("follow_state", value.replace(",", "-")),
        layers=len(layers) - 1,
        stays=way.stays,
        arrives=way.arrives,
        clean=found.clean,
        corrupted=found.corrupted,
        **names,
    )
    share = closed[layer][position]
    p.say("patched", layer=layer, token=tokens[position], share=share, **names)
    _runs(p, pair, layer, position)
    between = "direct" if way.is_direct else "via"
    p.say(f"found_{between}", last=len(layers) - 1, stays=way.stays, arrives=way.arrives, **names)


def _chosen(p: Part, pair: Pair, n_layers: int) -> tuple[int, int] | None:
    """Return the layer and position of the clicked state; None if there is no such one."""
    layer, _, position = (p.drawn("follow_state", "") or "").partition("-")
    known = [str(i) for i in range(max(n_layers, len(pair.clean.ids)))]
    is_there = layer in known[:n_layers] and position in known[: len(pair.clean.ids)]
    p.write_to_link("follow_state", f"{layer}-{position}" if is_there else "")
    return (int(layer), int(position)) if is_there else None


def _runs(p: Part, pair: Pair, layer: int, position: int) -> None:
    """Draw the likeliest words of both sentences and of the patched run."""
    found = computed.words_of_runs(p.model_name, pair, layer, position, N_WORDS)
    other = _word(pair, pair.corrupted)
    names = [
        p.plain("run_clean", word=_word(pair, pair.clean)),
        p.plain("run_corrupted", word=other),
        p.plain("run_patched", word=other, layer=layer, token=pair.clean.texts[position]),
    ]
    words = [[token_name(p, one.id) for one in run] for run in found]
    probabilities = [[one.probability for one in run] for run in found]
    drawn = [
        DrawnRun(name=name, words=some, probabilities=each)
        for name, some, each in zip(names, words, probabilities, strict=True)
    ]
    p.figure(
        "runs",
        partial(three_runs_html, drawn),
        [
            {"run": name, "token": token, "probability": probability}
            for name, some, each in zip(names, words, probabilities, strict=True)
            for token, probability in zip(some, each, strict=True)
        ],
        first=words[0][0],
        second=words[1][0],
        patched=words[2][0],
        layer=layer,
    )


def _say_of_stored(p: Part) -> None:
    """Say in how many of our pairs the peak moves, as stored of the model that reads them."""
    pairs = computed.stored_pairs(p.language)
    ways = [one.way for one in pairs]
    earliest, latest = (end(way.arrives for way in ways) for end in (min, max))
    p.say(
        "stored",
        reader=READERS[p.language],
        n=sum(way.moves for way in ways),
        of=len(ways),
        direct=sum(way.moves and way.is_direct for way in ways),
        earliest=earliest,
        latest=latest,
    )
