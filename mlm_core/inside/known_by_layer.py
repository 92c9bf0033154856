"""What the states of a layer know: a linear probe for part of speech and number, layer by layer.

    sentence  ->  the word, or [MASK] in its place  ->  its state at each layer  ->  probe
    probe     logistic regression on the frozen states of one half, tested on the other
    control   the same probe for random labels, one for each word: what it learns is memory

A probe that is as good for random labels has learned words by heart; it shows nothing about the
layer. Memory helps with a tested word that was also learned from, and with no other: in English
that is half of them for part of speech, 62 % for number; in German 42 and 43 %. So each accuracy
can be had for either kind alone, and true labels of words not learned from are no memory. Behind
[MASK] there is no word to learn: what a probe finds there comes from the context.

What this can't show: how sure an accuracy is. The 780 English examples have 396 different words
for part of speech and 303 for number, the 600 German ones 366 and 355. An interval that takes
them as independent is too narrow.

Source: Hewitt & Liang 2019 (control tasks; their selectivity is accuracy less control accuracy);
Tenney et al. 2019 for the order of the layers. Departs: they train on a treebank; here the words
have one part of speech, by our list, and their sentences are ours. In German a capital letter
shows a noun, but not behind [MASK]. Their random labels are drawn for each word by itself.

Read before this: ../probing/linear_probe.py, ../embeddings/contextual.py, ../labelled/tables.py.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Literal, NamedTuple, get_args

import torch

from mlm_core.embeddings.contextual import all_layers_word_vectors
from mlm_core.embeddings.senses_data import MarkedSentence
from mlm_core.encoder.language_model import MaskedLanguageModel
from mlm_core.labelled.own_parts import PARTS
from mlm_core.labelled.tables import stored_classes, stored_paraphrases
from mlm_core.probing.linear_probe import LogisticRegression, fit_logistic_regression
from mlm_core.shapes import Bool, Float, Int, Tensor
from mlm_core.short_repr import short_repr
from mlm_core.text import corpora
from mlm_core.text.tokens import role_token
from mlm_core.text.words import fold, word_spans

ProbeTask = Literal["part_of_speech", "number"]
PROBE_TASKS: tuple[ProbeTask, ...] = get_args(ProbeTask)
ReadAt = Literal["blank", "word"]
READ_AT: tuple[ReadAt, ...] = get_args(ReadAt)

# The sections of the list that belong to each class.
CLASSES: dict[ProbeTask, dict[str, tuple[str, ...]]] = {
    "part_of_speech": {
        "noun": ("singular", "plural"),
        "verb": ("verb",),
        "adjective": ("adjective",),
    },
    "number": {"singular": ("singular",), "plural": ("plural",)},
}
# Of one task by language, as many of each class; half of them are tested.
N_EXAMPLES = {"en": 780, "de": 600}
MOST_OF_A_WORD = 6  # examples
PENALTY = 200.0  # of the squared weights, on z-scored states: a probe with little room to memorize
SEED = 0  # of the examples and of the random labels


class Example(NamedTuple):
    """A word in its sentence, with the number of its class."""

    sentence: MarkedSentence
    word: str
    label: int


@short_repr("task", "read_at", "accuracies", "control_accuracies")
@dataclass(frozen=True, eq=False, kw_only=True)
class KnownByLayer:
    """What the probes of one task find at each layer, beside those of random labels."""

    task: ProbeTask
    read_at: ReadAt
    right: Bool[Tensor, "layer tested"]  # whether the probe has the class of each tested example
    control_right: Bool[Tensor, "layer tested"]  # the same with random labels
    seen: Bool[Tensor, " tested"]  # whether the word of the example was also learned from
    probes: tuple[LogisticRegression, ...]  # one a layer, for the states as they are

    @property
    def classes(self) -> tuple[str, ...]:
        """Return the names of the classes, by number."""
        return tuple(CLASSES[self.task])

    @property
    def accuracies(self) -> list[float]:
        """Return the accuracy at each layer, 0 to 1."""
        return self.right.double().mean(dim=1).tolist()

    @property
    def control_accuracies(self) -> list[float]:
        """Return the accuracy on random labels at each layer, 0 to 1."""
        return self.control_right.double().mean(dim=1).tolist()

    def accuracy_of(self, layer: int, *, seen: bool, of_control: bool = False) -> float:
        """Return a layer's accuracy on words that were learned from, or on the others, 0 to 1."""
        right = self.control_right if of_control else self.right
        return right[layer, self.seen == seen].double().mean().item()

    def probabilities(self, states: Float[Tensor, "layer hidden"]) -> Float[Tensor, "layer class"]:
        """Return the probability of each class at one position, from its state at each layer."""
        rows = zip(states.double(), self.probes, strict=True)
        return torch.stack([(probe.weights @ row + probe.bias).softmax(0) for row, probe in rows])


def word_classes(language: str = "en") -> dict[str, str]:
    """Return the section of a language's list for each of its words."""
    section, classes = "", {}
    file = corpora.DATA_FOLDER / f"{corpora.name_in(language, 'probe_words')}.txt"
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        elif not line.startswith("#"):
            classes |= dict.fromkeys(line.split(), section)
    return classes


def sentences_in(language: str) -> tuple[str, ...]:
    """Return our sentences of a language. In German they are few, so labelled ones come to them.

    Of three pairs with one first sentence only that one is taken: the others are too like it.
    """
    found = corpora.sentences(language)
    if language == "de":
        opinions = stored_classes("sentiment_de")
        found += tuple(one.text for part in PARTS for one in getattr(opinions, part))
        found += tuple(one.pair.text for one in stored_paraphrases(language))
    return tuple(dict.fromkeys(found))


def draw_examples(
    task: ProbeTask, n: int | None = None, language: str = "en"
) -> tuple[Example, ...]:
    """Return `n` words of our sentences, one a sentence, the classes in turn.

    Raises ValueError if our sentences have not so many.
    """
    n = N_EXAMPLES[language] if n is None else n
    sections = word_classes(language)
    label_of = {section: i for i, (_, of) in enumerate(CLASSES[task].items()) for section in of}
    labels = {word: label_of[of] for word, of in sections.items() if of in label_of}
    sentences = list(sentences_in(language))
    Random(SEED).shuffle(sentences)
    left = Counter({label: n // len(CLASSES[task]) for label in label_of.values()})
    seen: Counter[str] = Counter()
    examples = []
    for sentence in sentences:
        found = [
            Example(MarkedSentence(text=sentence, start=start, end=end), word, labels[word])
            for start, end in word_spans(sentence)
            if (word := fold(sentence[start:end])) in labels and seen[word] < MOST_OF_A_WORD
        ]
        # The class that has fewest until now.
        example = max(found, key=lambda one: left[one.label], default=None)
        if example is not None and left[example.label]:
            left[example.label] -= 1
            seen[example.word] += 1
            examples.append(example)
    if left.total():
        raise ValueError(f"our sentences have {len(examples)} examples: draw fewer than {n}")
    by_class = [[one for one in examples if one.label == label] for label in sorted(left)]
    return tuple(one for turn in zip(*by_class, strict=True) for one in turn)


def random_labels(examples: tuple[Example, ...], n_classes: int) -> Int[Tensor, " example"]:
    """Return the labels of the control task: one for each word, drawn once, whatever it means.

    Among words of one class that are about as frequent in the half to learn from, and then in the
    other, each label comes up equally often. So neither a frequent label nor the class is worth
    more than a guess.
    """
    rng, half = Random(SEED), len(examples) // 2
    learned = Counter(one.word for one in examples[:half])
    tested = Counter(one.word for one in examples[half:])
    of_class = {one.word: one.label for one in examples}
    words = sorted(of_class, key=lambda word: (of_class[word], -learned[word], -tested[word], word))
    drawn: dict[str, int] = {}
    for first in range(0, len(words), n_classes):
        labels = rng.sample(range(n_classes), n_classes)
        drawn |= zip(words[first : first + n_classes], labels, strict=False)
    return torch.tensor([drawn[one.word] for one in examples])


def known_by_layer(
    model: MaskedLanguageModel,
    task: ProbeTask,
    read_at: ReadAt,
    *,
    language: str = "en",
    n_examples: int | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> KnownByLayer:
    """Return what a linear probe finds at each layer, and what it finds of random labels.

    The first half of the examples is for learning, the second for testing. `on_progress` is
    called after each batch of sentences and each layer, with the number done and of all.
    """
    examples = draw_examples(task, n_examples, language)
    n_layers, n = model.n_layers + 1, len(examples)

    def told(n_done: int, _: int = 0) -> None:
        if on_progress is not None:
            on_progress(n_done, n + n_layers)

    states = read_states(model, examples, read_at, on_progress=told)
    labels = torch.tensor([one.label for one in examples])
    control = random_labels(examples, len(CLASSES[task]))
    half = n // 2
    learned = {one.word for one in examples[:half]}
    right, control_right, probes = [], [], []
    for layer, vectors in enumerate(states):
        probe = fit_probe(vectors[:half], labels[:half])
        of_control = fit_probe(vectors[:half], control[:half])
        right.append(probe.predict(vectors[half:]) == labels[half:])
        control_right.append(of_control.predict(vectors[half:]) == control[half:])
        probes.append(probe)
        told(n + layer + 1)
    return KnownByLayer(
        task=task,
        read_at=read_at,
        right=torch.stack(right),
        control_right=torch.stack(control_right),
        seen=torch.tensor([one.word in learned for one in examples[half:]]),
        probes=tuple(probes),
    )


def read_states(
    model: MaskedLanguageModel,
    examples: tuple[Example, ...],
    read_at: ReadAt,
    *,
    on_progress: Callable[[int, int], None] | None = None,
) -> Float[Tensor, "layer example hidden"]:
    """Return the states of the words, or of [MASK] in place of each."""
    sentences = [one.sentence for one in examples]
    if read_at == "blank":
        mask = role_token(model.tokenizer, "[MASK]")
        sentences = [_with_blank(sentence, mask) for sentence in sentences]
    return all_layers_word_vectors(model, sentences, on_progress=on_progress).states.cpu()


def fit_probe(
    vectors: Float[Tensor, "example hidden"], labels: Int[Tensor, " example"]
) -> LogisticRegression:
    """Return a probe for the vectors as they are, fitted on their z-scores."""
    mean, deviation = vectors.mean(dim=0), vectors.std(dim=0).clamp(min=1e-6)
    # Z-scores, so that the penalty means the same at every layer.
    found = fit_logistic_regression((vectors - mean) / deviation, labels, penalty=PENALTY)
    weights = found.weights / deviation
    return LogisticRegression(weights=weights, bias=found.bias - weights @ mean.double())


def _with_blank(sentence: MarkedSentence, mask: str) -> MarkedSentence:
    text = sentence.text[: sentence.start] + mask + sentence.text[sentence.end :]
    return MarkedSentence(text=text, start=sentence.start, end=sentence.start + len(mask))
