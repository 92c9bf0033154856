"""The everyday calls, for a notebook: each only combines functions of the folders.

    model = mlm_core.load()                                    the bundled BERT
    mlm_core.fill_mask(model, "She sat by the [MASK].")        what may stand in the blank
    mlm_core.encode(model, "She sat by the river.")            all states, all attention weights

`import mlm_core` offers these functions, and imports this module when one of them is used.

Read before this: README.md, for the folders. Read next: prediction/fillers.py, or the source of
any function that is called here.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Literal

import torch

from mlm_core.embeddings import contextual
from mlm_core.embeddings.locating import find_word
from mlm_core.embeddings.senses_data import MarkedSentence, stored_word
from mlm_core.embeddings.word_senses import choose_senses
from mlm_core.encoder.bert import Encoding
from mlm_core.encoder.language_model import MaskedLanguageModel, OwnModel
from mlm_core.finetuning.fine_tuned import FineTuned, fine_tuned
from mlm_core.finetuning.run import FineTuneRun
from mlm_core.finetuning.settings import Data, default_settings
from mlm_core.finetuning.snapshot import FineTuneSnapshot
from mlm_core.inside.attribution import (
    IntegratedGradients,
    attention_of,
    integrated_gradients,
    occlusion,
    words_around,
)
from mlm_core.inside.lens import Lens, lens
from mlm_core.masking import steps
from mlm_core.masking.random_words import random_words
from mlm_core.masking.rule import CorruptionRule
from mlm_core.prediction.fillers import Filler, FillStep, fill_at_once
from mlm_core.short_repr import short_repr
from mlm_core.small_runs.run import SmallRun
from mlm_core.small_runs.settings import SmallRunSettings
from mlm_core.small_runs.snapshot import Snapshot, model_at
from mlm_core.stored.finetunes import read_dataset
from mlm_core.tagging.bio_tags import Span, decode
from mlm_core.tagging.decoding import greedy, viterbi
from mlm_core.tagging.transitions import legal_transitions
from mlm_core.text import tokens
from mlm_core.text.tokens import TokenizedText, role_id, role_token

Decoding = Literal["greedy", "viterbi"]


@dataclass(frozen=True, kw_only=True)
class FilledText:
    """The blanks of a text, each with its likeliest tokens."""

    blanks: tuple[FillStep, ...]

    @property
    def guesses(self) -> tuple[Filler, ...]:
        """Return the likeliest tokens for the first blank, likeliest first."""
        return self.blanks[0].guesses

    def __repr__(self) -> str:
        """Return a table: one line for each guess."""
        lines = [self.blanks[0].before.text]
        for blank in self.blanks:
            lines.append(f"  position {blank.position}")
            lines += [f"    {guess.probability:.3f}  {guess.token}" for guess in blank.guesses]
        return "\n".join(lines)


@short_repr()
@dataclass(frozen=True, eq=False, kw_only=True)
class Trained:
    """A trained model and the record of its training."""

    model: OwnModel | FineTuned
    snapshot: Snapshot | FineTuneSnapshot  # losses, tests, settings


@dataclass(frozen=True, eq=False, kw_only=True)
class Explanation:
    """What is behind the prediction at a blank: by layer, and by word in three ways."""

    text: str
    lens: Lens
    words: tuple[str, ...]
    occlusion: tuple[float, ...]  # nats
    gradients: IntegratedGradients
    attention: tuple[float, ...]
    layer: int  # of the attention

    def __repr__(self) -> str:
        """Return the ranks by layer, and a table with a line for each word."""
        answer = self.lens.answer
        lines = [
            self.text,
            f"  {answer.token} {answer.probability:.2f}, rank by layer"
            f" {' '.join(map(str, self.lens.ranks))}",
            f"  {'':12} occlusion  gradients  attention in layer {self.layer}",
        ]
        columns = self.words, self.occlusion, self.gradients.parts, self.attention
        for word, occluded, part, weight in zip(*columns, strict=True):
            lines.append(f"  {word:12} {occluded:+9.2f}  {part:+9.2f}  {weight:9.2f}")
        return "\n".join(lines)


@short_repr("tags", "spans")
@dataclass(frozen=True, kw_only=True)
class TaggedText:
    """Words with the tag of each, and the entities of these tags."""

    words: tuple[str, ...]
    tags: tuple[str, ...]
    probabilities: tuple[float, ...]  # of each word's tag, 0 to 1
    spans: tuple[Span, ...]


def tokenize(model: MaskedLanguageModel, text: str, pair: str | None = None) -> TokenizedText:
    """Return the tokens of a text (and of a second one) as this model reads them."""
    return tokens.tokenize(model.tokenizer, text, pair, max_tokens=model.max_tokens)


def fill_mask(model: MaskedLanguageModel, text: str, *, n: int = 5) -> FilledText:
    """Return the `n` likeliest tokens for each [MASK] of a text.

    Raises ValueError if there is none.
    """
    mask = role_token(model.tokenizer, "[MASK]")
    blanks = fill_at_once(model, tokenize(model, text), n=n)
    if not blanks:
        raise ValueError(f"no {mask} in {text!r}: write {mask} in place of a word")
    return FilledText(blanks=blanks)


def explain(model: MaskedLanguageModel, text: str, *, layer: int | None = None) -> Explanation:
    """Return why the model predicts its likeliest token at the text's one blank.

    `layer` is that of the attention weights, by default the last.
    Raises ValueError unless there is one blank, or for more than 64 tokens; MissingHeadError if
    the model predicts no words; MissingLensError or MissingWeightsError if its head can't be asked
    about lower layers, or it gives no attention weights.
    """
    read = tokenize(model, text)
    seen, layer = lens(model, read), model.n_layers if layer is None else layer
    token = seen.answer.id
    return Explanation(
        text=text,
        lens=seen,
        words=tuple(word.text for word in words_around(model, read)),
        occlusion=occlusion(model, read, token),
        gradients=integrated_gradients(model, read, token),
        attention=attention_of(model, read, layer),
        layer=layer,
    )


def encode(
    model: MaskedLanguageModel, text: str | TokenizedText, *, causal: bool = False
) -> Encoding:
    """Return the states of all layers for one text, with all attention weights."""
    if isinstance(text, str):
        text = tokenize(model, text)
    return model.encode(text, causal=causal, record=True)


def corrupt(
    model: MaskedLanguageModel,
    text: str | TokenizedText,
    rng: Random,
    rule: CorruptionRule | None = None,
) -> steps.Corruption:
    """Return a text corrupted for training: by default 15 % chosen, then 80/10/10.

    Random replacements are drawn uniformly from the vocabulary.
    """
    read = (tokenize(model, text) if isinstance(text, str) else text).tokens
    mask = role_token(model.tokenizer, "[MASK]")
    return steps.corrupt(
        read,
        steps.roll(len(read), rng),
        rule or CorruptionRule(),
        random_words(model.tokenizer),
        (role_id(model.tokenizer, "[MASK]"), mask),
    )


def word_vectors(
    model: MaskedLanguageModel,
    sentences: Sequence[str | MarkedSentence],
    word: str | None = None,
) -> contextual.WordVectors:
    """Return a word's vector in each sentence, at every layer.

    In a plain string the first occurrence of `word` counts; a marked sentence has its own word.
    Raises ValueError if a sentence doesn't have the word.
    """
    marked = [find_word(s, word or "").marked() if isinstance(s, str) else s for s in sentences]
    return contextual.all_layers_word_vectors(model, marked)


def nearest_sense(
    model: MaskedLanguageModel,
    word: str,
    sentence: str,
    *,
    layer: contextual.Layer = "mean_last_4",
) -> dict[str, float]:
    """Return the word's cosine to each stored sense's centroid, nearest sense first.

    Raises ValueError if no sentences are stored for the word, or the sentence doesn't have it.
    """
    stored = stored_word(word)
    examples = contextual.word_vectors(model, stored.sentences, layer=layer)
    marked = find_word(sentence, word, stored.forms).marked()
    point = contextual.word_vectors(model, [marked], layer=layer)
    senses = torch.tensor(stored.sense_numbers)
    (cosines,) = choose_senses(point, examples, senses, len(stored.senses)).cosines.tolist()
    names = [sense.name for sense in stored.senses]
    return dict(sorted(zip(names, cosines, strict=True), key=lambda pair: -pair[1]))


def train_small_encoder(
    *, on_snapshot: Callable[[Snapshot], None] | None = None, **settings: Any
) -> Trained:
    """Return a small BERT, trained from scratch; `settings` as in SmallRunSettings.

    The model is the run's best by its held-out loss. It takes about 25 ms a step on one core.
    `on_snapshot` gets the state after each piece of work.
    """
    run = SmallRun(SmallRunSettings(**settings))
    _finish(run, on_snapshot)
    model = model_at(run.snapshot, run.snapshot.best_checkpoint)
    return Trained(model=model, snapshot=run.snapshot)


def fine_tune(
    model: OwnModel,
    data: Data = "entities",
    *,
    on_snapshot: Callable[[FineTuneSnapshot], None] | None = None,
    **settings: Any,
) -> Trained:
    """Return the model fine-tuned on stored data; `settings` as in FineTuneSettings.

    By default, the first eight layers of the bundled model are read, and the last four of these
    trained. `data` "own_classes" or "own_tags" takes the examples from the setting `own_data`.
    """
    chosen = default_settings(model.name, data, **settings)
    run = FineTuneRun(chosen, read_dataset(data, chosen.own_data), model)
    _finish(run, on_snapshot)
    return Trained(model=fine_tuned(run.snapshot, model), snapshot=run.snapshot)


def _finish(run: SmallRun | FineTuneRun, on_snapshot: Callable | None) -> None:
    for snapshot in run.go_on():
        if on_snapshot is not None:
            on_snapshot(snapshot)


def tag(
    tagger: FineTuned, text: str | Sequence[str], *, decoding: Decoding = "viterbi"
) -> TaggedText:
    """Return the tags that a fine-tuned tagger gives to a text, or to words.

    A text is cut into words by the tokenizer, each punctuation mark by itself. "viterbi" takes
    the likeliest legal sequence of tags, "greedy" the likeliest tag of each word.
    Raises ValueError if there is no word, or the model is no tagger.
    """
    if tagger.dataset.kind != "tags":
        raise ValueError(f"this model was fine-tuned on {tagger.dataset.kind}: tag with a tagger")
    if isinstance(text, str):
        text = [word.text for word in tagger.read(text).words]
    if not text:
        raise ValueError("no word to tag: write a sentence")
    scheme = tagger.settings.scheme
    read, word_of_subword = tagger.reading.read_words(text)
    of_words = tagger.reading.combine(tagger.tag_log_probabilities(read), word_of_subword)
    legal = legal_transitions(tagger.classes, scheme)
    path = (viterbi(of_words, legal) if decoding == "viterbi" else greedy(of_words)).path
    tags = tuple(tagger.classes[i] for i in path)
    return TaggedText(
        words=tuple(text),
        tags=tags,
        probabilities=tuple(of_words[word, i].exp().item() for word, i in enumerate(path)),
        spans=decode(tags, scheme, "conlleval"),
    )
