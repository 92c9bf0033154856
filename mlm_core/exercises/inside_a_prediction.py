"""Exercises of the lesson "inside a prediction".

Three give a sentence of ours to look into; their numbers are those of the learner's model. Three
ask for a comparison (tasks/control_tasks.py).

Read before this: exercise.py, ../inside/switches.py, ../inside/lens.py, ../inside/attribution.py.
"""

import re
from random import Random
from typing import TYPE_CHECKING

from mlm_core.exercises.exercise import (
    Exercise,
    Learner,
    NeedsModelError,
    Task,
    Verdict,
    read_pair,
    read_words,
)
from mlm_core.exercises.tasks.control_tasks import memory_aside, random_heads, two_patches
from mlm_core.number_format import formatted
from mlm_core.text.tokens import TokenizedText, entry_of, role_token, tokenize

if TYPE_CHECKING:
    from mlm_core.encoder.language_model import MaskedLanguageModel
    from mlm_core.inside.switches import Head

# Chosen so that the bundled model's word comes first, and stays first, after other layers in each.
SENTENCES = (
    "The train arrived at the [MASK] two hours late.",
    "She put the letter in an envelope and took it to the post [MASK].",
    "The farmer milked the cows before he fed the [MASK].",
    "After the concert the audience clapped for ten [MASK].",
    "The children played football in the [MASK] after school.",
    "The judge sent the thief to [MASK] for three years.",
    "She opened the [MASK] and looked out at the garden.",
    "The team won the [MASK] in the last minute.",
    "The king sat on the [MASK] and spoke to his men.",
    "They lived in a [MASK] near the sea.",
    "The river flows into the [MASK].",
    "They were married in a [MASK] last summer.",
)
N_LAYERS = 2  # in which a head is looked for
AS_NEEDED = 0.02  # nats: of two heads that are so near, either is right
LARGER = 1.5  # times as large: then two numbers differ at a glance
MOST_PAIRS = 0.2  # of the pairs of words may be an answer: more are hit by guessing


def _needed_head(learner: Learner, rng: Random) -> Task:
    """Ask which head of some layers the blank's word depends on most."""
    from mlm_core.encoder.model_list import UnknownHeadsError

    model = learner.model()
    sentence = rng.choice(_sentences(model))
    first = rng.randint(1, max(1, model.n_layers - N_LAYERS + 1))
    name = f"falls without a head from layer {first} of {model.name}: {sentence}"
    try:
        falls = learner.remember(name, lambda: _falls(model, sentence, first))
    except UnknownHeadsError as error:
        raise NeedsModelError("needs_heads") from error
    if not falls:
        raise NeedsModelError("needs_heads")
    needed = max(falls, key=falls.__getitem__)
    layers = sorted({head.layer for head in falls})

    def judge(answer: str) -> Verdict:
        numbers = re.findall(r"\d+", read_words(answer))
        if len(numbers) != 2:
            return Verdict.wrong("two_numbers")
        given = next((head for head in falls if head == tuple(map(int, numbers))), None)
        if given is None:
            return Verdict.wrong("outside")
        if falls[given] < falls[needed] - AS_NEEDED:
            fall = formatted(falls[given], ".2f")
            return Verdict.wrong("other_head", fall=fall)
        return Verdict.right()

    return Task(
        values={
            "sentence": sentence,
            "first": layers[0],
            "last": layers[-1],
            "layer": needed.layer,
            "head": needed.head,
            "largest": formatted(falls[needed], ".2f"),
        },
        judge=judge,
        answer=f"{needed.layer}-{needed.head}",
    )


def _falls(model: "MaskedLanguageModel", sentence: str, first: int) -> "dict[Head, float]":
    """Return by how much log P of the blank's word falls without each head of some layers."""
    from mlm_core.inside.switches import heads_of, switch_off
    from mlm_core.prediction.fillers import only_blank

    text = _read(model, sentence)
    blank = only_blank(text, model.tokenizer)
    whole = model.vocabulary_logits(text)[blank].log_softmax(dim=-1)
    word = int(whole.argmax())
    return {
        head: (
            whole[word]
            - switch_off(model, [head]).vocabulary_logits(text)[blank].log_softmax(dim=-1)[word]
        ).item()
        for head in heads_of(model)
        if first <= head.layer < first + N_LAYERS
    }


def _settled_layer(learner: Learner, rng: Random) -> Task:
    """Ask after which layers the final word is the head's first word: once, and to the end."""
    from mlm_core.encoder.model_list import MissingLensError
    from mlm_core.inside.lens import lens

    model = learner.model()
    sentence = rng.choice(_sentences(model))
    try:
        name = f"lens of {model.name}: {sentence}"
        read = learner.remember(name, lambda: lens(model, _read(model, sentence)))
    except MissingLensError as error:
        raise NeedsModelError("needs_lens") from error
    is_first = [rank == 1 for rank in read.ranks]
    settled = max((i + 1 for i, first in enumerate(is_first) if not first), default=0)
    once = is_first.index(True)

    def judge(answer: str) -> Verdict:
        numbers = tuple(map(int, re.findall(r"\d+", read_words(answer))))
        if len(numbers) != 2:
            return Verdict.wrong("two_layers")
        if numbers == (once, settled):
            return Verdict.right()
        return Verdict.wrong("other_first" if numbers[1] == settled else "not_for_good")

    return Task(
        values={
            "sentence": sentence,
            "word": _entry(model, read.answer.id),
            "once": once,
            "settled": settled,
            "rank_before": formatted(read.ranks[settled - 1], ",") if settled else "–",
        },
        judge=judge,
        answer=f"{once}-{settled}",
    )


def _they_disagree(learner: Learner, rng: Random) -> Task:
    """Ask for two words that attention and occlusion rank the other way round."""
    from mlm_core.inside.attribution import attention_of, words_around

    model = learner.model()
    layers = sorted({1 + (model.n_layers - 1) * k // 3 for k in range(4)})
    places = [(sentence, layer) for sentence in _sentences(model) for layer in layers]
    rng.shuffle(places)
    for sentence, layer in places:
        text = _read(model, sentence)
        words = [word.text for word in words_around(model, text)]
        named = [i for i, word in enumerate(words) if word.isalnum()]
        weights = attention_of(model, text, layer)
        name = f"occlusion by {model.name}: {sentence}"
        falls = learner.remember(name, lambda text=text: _occlusion(model, text))
        pairs = {pair for pair in _disagreeing(weights, falls) if {*pair} <= {*named}}
        by_length = sorted(named, key=lambda i: len(words[i]))
        at_hand = {(some[0], some[-1]) for some in (named, by_length, by_length[::-1])}
        if 0 < len(pairs - at_hand) == len(pairs) <= MOST_PAIRS * len(named) * (len(named) - 1):
            break
    else:
        raise NeedsModelError("needs_clear_answer")

    def judge(answer: str) -> Verdict:
        both = [one.casefold() for one in read_pair(answer)]
        places = [[i for i in named if words[i].casefold() == one] for one in both]
        if not all(places):
            missing = both[0] if not places[0] else both[1]
            return Verdict.wrong("not_there", missing=missing)
        chosen = [(i, j) for i in places[0] for j in places[1]]
        i, j = next((pair for pair in chosen if pair in pairs), chosen[0])
        values = {
            "first": words[i],
            "second": words[j],
            "first_weight": formatted(weights[i], ".3f"),
            "second_weight": formatted(weights[j], ".3f"),
            "first_fall": formatted(falls[i], ".2f"),
            "second_fall": formatted(falls[j], ".2f"),
        }
        if (i, j) in pairs:
            return Verdict.right(**values)
        return Verdict.wrong("they_agree", **values)

    return Task(
        values={"sentence": sentence, "layer": layer, "larger": formatted(LARGER, "g")},
        judge=judge,
    )


def _occlusion(model: "MaskedLanguageModel", text: TokenizedText) -> tuple[float, ...]:
    """Return by how much log P of the blank's word falls without each word."""
    from mlm_core.inside.attribution import occlusion
    from mlm_core.prediction.fillers import only_blank

    blank = only_blank(text, model.tokenizer)
    return occlusion(model, text, int(model.vocabulary_logits(text)[blank].argmax()))


def _disagreeing(weights: tuple[float, ...], falls: tuple[float, ...]) -> set[tuple[int, int]]:
    """Return the pairs of which the first has more weight, and the second matters more.

    >>> _disagreeing((0.3, 0.1), (-0.1, 0.4))
    {(0, 1)}
    """
    places = range(len(weights))
    return {
        (i, j)
        for i in places
        for j in places
        if weights[i] > LARGER * weights[j] and abs(falls[j]) > LARGER * abs(falls[i])
    }


def _sentences(model: "MaskedLanguageModel") -> list[str]:
    """Return the sentences that fit the model's window."""
    fitting = [sentence for sentence in SENTENCES if not _read(model, sentence).n_left_out]
    if not fitting:
        raise NeedsModelError("needs_clear_answer")
    return fitting


def _read(model: "MaskedLanguageModel", sentence: str) -> TokenizedText:
    mask = role_token(model.tokenizer, "[MASK]")
    return tokenize(model.tokenizer, sentence.replace("[MASK]", mask), max_tokens=model.max_tokens)


def _entry(model: "MaskedLanguageModel", id_: int) -> str:
    return entry_of(model.tokenizer, id_).strip("Ġ▁")


EXERCISES = (
    Exercise(id="needed_head", kind="text", ask=_needed_head),
    Exercise(id="settled_layer", kind="text", ask=_settled_layer),
    Exercise(id="they_disagree", kind="pair", ask=_they_disagree),
    Exercise(id="two_patches", kind="number", ask=two_patches),
    Exercise(id="memory_aside", kind="number", ask=memory_aside),
    Exercise(id="random_heads", kind="number", ask=random_heads),
)
