"""Few labels: what three ways make of 8, 16 or 32 examples of each class.

    fine-tuning        the upper layers and a head are trained       dev chooses the step
    linear head        logistic regression on frozen mean vectors    dev chooses the penalty
    prompt by blank    nothing is trained; "{text} It was [MASK]."   dev chooses the template

A prompt has one word for each class. The score of a class is the logit of its word at the blank,
less its mean over the drawn examples: without that the most frequent word nearly always wins.
A seed draws n examples of each class to learn from, and n others, the dev part, to choose by. The
test part is the same for all, and nothing is chosen by it.

Source: Schick & Schütze 2021 (templates, and a word for each class); Gao, Fisch & Chen 2021,
section 3 (the dev part of a few-shot task is as small as its training part).
Departs: both train with their prompts. Zhao et al. 2021 calibrate by empty inputs, not by examples.

Read before this: ../finetuning/run.py, ../probing/linear_probe.py, ../prediction/fillers.py.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal, get_args

import torch

from mlm_core.encoder.language_model import OwnModel
from mlm_core.evaluation.seeds import Difference, Variant, compare
from mlm_core.finetuning.run import FineTuneRun
from mlm_core.finetuning.settings import (
    Data,
    FineTuneSettings,
    default_settings,
    language_of,
    usual_model,
)
from mlm_core.finetuning.snapshot import RunSnapshot
from mlm_core.finetuning.watched_run import WatchedRun
from mlm_core.labelled.examples import Dataset, LabelledText
from mlm_core.prediction.fillers import answer_id, only_blank
from mlm_core.probing.linear_probe import fit_logistic_regression
from mlm_core.shapes import Bool, Float, Int, Tensor
from mlm_core.text.tokens import TokenizedText, role_token, tokenize
from mlm_core.training.loop import generator_of_step

Way = Literal["tuned", "linear", "blank"]
WAYS: tuple[Way, ...] = get_args(Way)
SIZES, SEEDS = (8, 16, 32), (1, 2, 3)  # examples of each class; what draws them
N_EPOCHS = 20
PENALTIES = (100.0, 10.0, 1.0, 0.1, 0.01)  # of equal ones on dev, the largest
TEXT, BLANK = "{text}", "[MASK]"  # as a template writes them
# By language. Close to those of the papers, and no example chose them. Each word is one token.
TEMPLATES = {
    "en": ("{text} It was [MASK].", "{text} All in all, it was [MASK].", "{text} That is [MASK]."),
    "de": (
        "{text} Es war [MASK].",
        "{text} Alles in allem war es [MASK].",
        "{text} Das ist [MASK].",
    ),
}
WORDS = {"en": ("terrible", "normal", "great"), "de": ("schwer", "normal", "gut")}


@dataclass(frozen=True, kw_only=True)
class FewSettings:
    """What is compared. Equal settings, equal results."""

    model: str
    data: Data = "sentiment"
    own_data: str | None = None
    templates: tuple[str, ...]
    words: tuple[str, ...]  # one for each class, in their order

    def __post_init__(self) -> None:
        """Refuse templates that can't be filled, and words that are alike."""
        for one in self.templates or ("",):
            if one.count(TEXT) != 1 or one.count(BLANK) != 1:
                raise ValueError(f"template {one!r}: write {TEXT} once and {BLANK} once")
        if len({*self.words}) < len(self.words):
            raise ValueError("two classes have the same word: give each a word of its own")

    def tuning(self, seed: int = 1, n_examples: int | None = None) -> FineTuneSettings:
        """Return the settings of a fine-tuning."""
        usual = default_settings(self.model, self.data, "top", own_data=self.own_data)
        return replace(usual, n_epochs=N_EPOCHS, n_examples=n_examples, seed=seed)


def usual_settings(data: Data, model: str | None = None) -> FewSettings:
    """Return the settings for stored sentiment; the bundled model's results are stored."""
    language = language_of(data)
    return FewSettings(
        model=model or usual_model(data),
        data=data,
        templates=TEMPLATES[language],
        words=WORDS[language],
    )


@dataclass(frozen=True, kw_only=True)
class FewScore:
    """What one way gets right of the test part with one draw."""

    way: Way
    n: int  # examples of each class
    seed: int
    chosen: str  # on dev: the step, the penalty, the template
    right: str  # a 1 for each test example that is right, a 0 for each other


@dataclass(frozen=True, eq=False, kw_only=True)
class FewSnapshot(RunSnapshot):
    """How far a comparison is."""

    settings: FewSettings
    scores: tuple[FewScore, ...] = ()


def sizes_of(data: Dataset[LabelledText]) -> tuple[int, ...]:
    """Return the sizes for which there are enough examples. Raises ValueError if there is none."""
    fewest = min(Counter(one.label for one in data.train).values())
    if fewest < 2 * SIZES[0]:
        raise ValueError(
            f"{fewest} training examples of the rarest class: give {2 * SIZES[0]} of each or more"
        )
    return tuple(n for n in SIZES if 2 * n <= fewest)


def draw(data: Dataset[LabelledText], n: int, seed: int) -> Dataset[LabelledText]:
    """Return the data with `n` examples of each class for training and `n` others as dev part."""
    size = n * len(data.classes)
    drawn = data.fewer(2 * size, generator_of_step(seed, "examples", "cpu")).train
    return replace(data, train=drawn[:size], dev=drawn[size:])


def fill(template: str, text: str, model: OwnModel) -> TokenizedText:
    """Return a template's tokens with a text in it, which is cut until the rest has room."""
    mask = role_token(model.tokenizer, BLANK)
    text = text.replace(mask, " ")
    while True:
        filled = template.replace(BLANK, mask).replace(TEXT, text)
        read = tokenize(model.tokenizer, filled, max_tokens=model.max_tokens)
        if not (read.n_left_out and text):
            return read
        text = text[: -read.n_left_out]


def linear_heads(
    learned: Float[Tensor, "learned hidden"],
    labels: Int[Tensor, " learned"],
    vectors: Float[Tensor, "example hidden"],
) -> dict[str, Int[Tensor, " example"]]:
    """Return by penalty which class logistic regression predicts for each vector."""
    fitted = {p: fit_logistic_regression(learned, labels, penalty=p) for p in PENALTIES}
    return {f"{penalty:g}": one.predict(vectors) for penalty, one in fitted.items()}


def by_blank(
    learned: Float[Tensor, "learned class"], logits: Float[Tensor, "example class"]
) -> Int[Tensor, " example"]:
    """Return the class whose word is farthest above its mean logit over the learned examples.

    >>> learned = torch.tensor([[5.0, 1.0], [7.0, 3.0]])  # means 6 and 2
    >>> by_blank(learned, torch.tensor([[5.5, 2.5], [6.5, 2.0]])).tolist()
    [1, 0]
    """
    return (logits - learned.mean(dim=0)).argmax(dim=1)


def variant(scores: Sequence[FewScore], way: Way, n: int) -> Variant:
    """Return what a way reaches with `n` examples of each class, a proportion for each seed."""
    found = [one.right for one in scores if (one.way, one.n) == (way, n)]
    proportions = tuple(one.count("1") / len(one) for one in found)
    return Variant(name=way, proportions=proportions, right=tuple(c == "1" for c in found[0]))


def leads(scores: Sequence[FewScore], n: int) -> list[Difference]:
    """Return the lead of each way over each with a lower mean; the first two are the best way's."""
    ways = sorted((variant(scores, way, n) for way in WAYS), key=lambda one: -one.mean)
    return [compare(first, second) for first, second in combinations(ways, 2)]


def score_of(way: Way, n: int, seed: int, chosen: str, right: Bool[Tensor, " test"]) -> FewScore:
    """Return what a way gets right, as it is stored."""
    marks = "".join("01"[one] for one in right.tolist())
    return FewScore(way=way, n=n, seed=seed, chosen=chosen, right=marks)


class FewLabelsRun(WatchedRun[FewSnapshot]):
    """The comparison in small pieces of work: each text is read once, then each draw learned."""

    def __init__(
        self,
        settings: FewSettings,
        data: Dataset[LabelledText],
        model: OwnModel,
    ) -> None:
        """Make a run. Raises ValueError if words or examples don't suit the classes."""
        n_words, n_classes = len(settings.words), len(data.classes)
        if n_words != n_classes:
            raise ValueError(f"{n_words} words for {n_classes} classes: write one word for each")
        self._ids = [answer_id(model.tokenizer, word) for word in settings.words]
        self._draws = {(n, seed): draw(data, n, seed) for seed in SEEDS for n in sizes_of(data)}
        self.settings, self.classes, self.model = settings, data.classes, model
        super().__init__(FewSnapshot(settings=settings))

    def _work(self) -> Iterator[dict]:
        draws, tuning = self._draws, self.settings.tuning
        yield {"n_steps": sum(tuning().n_steps(len(one.train)) for one in draws.values())}
        used = [e for drawn in draws.values() for e in (*drawn.train, *drawn.dev, *drawn.test)]
        number_of = {e: i for i, e in enumerate(dict.fromkeys(used))}
        labels = torch.tensor([self.classes.index(e.label) for e in number_of])
        read: list[tuple[Tensor, Tensor]] = []
        for example in number_of:
            read.append(self._read(example))
            yield {"proportion_read": len(read) / len(number_of)}
        vectors, logits = map(torch.stack, zip(*read, strict=True))
        for (n, seed), drawn in draws.items():
            parts = (drawn.train, drawn.dev, drawn.test)
            train, dev, test = ([number_of[e] for e in part] for part in parts)
            run, done = FineTuneRun(tuning(seed), drawn, self.model), self.snapshot.step
            for one in run.go_on():
                yield {"step": done + one.step}
            said = torch.tensor([self.classes.index(name) for name in run.snapshot.tested.texts])
            blanks = zip(self.settings.templates, logits.unbind(dim=1), strict=True)
            found: dict[Way, dict[str, Tensor]] = {
                "linear": linear_heads(vectors[train], labels[train], vectors),
                "blank": {name: by_blank(one[train], one) for name, one in blanks},
            }
            step = str(run.snapshot.step_of_weights)
            scores = [score_of("tuned", n, seed, step, said == labels[test])]
            for way, predicted in found.items():
                right = {name: of == labels for name, of in predicted.items()}
                best = max(right, key=lambda name: int(right[name][dev].sum()))
                scores.append(score_of(way, n, seed, best, right[best][test]))
            yield {"scores": (*self.snapshot.scores, *scores)}

    @torch.inference_mode()
    def _read(self, example: LabelledText) -> tuple[Tensor, Tensor]:
        """Return an example's mean vector, and by template the logits of the classes' words."""
        model, both = self.model, f"{example.text} {example.pair or ''}".strip()
        read = tokenize(model.tokenizer, example.text, example.pair, max_tokens=model.max_tokens)
        filled = [fill(template, both, model) for template in self.settings.templates]
        blanks = [only_blank(one, model.tokenizer) for one in filled]
        logits = [
            model.vocabulary_logits(one)[blank, self._ids]
            for one, blank in zip(filled, blanks, strict=True)
        ]
        return model.encode(read).last[0].mean(dim=0), torch.stack(logits)
