"""Encode labelled examples for a model: token ids and labels.

    classes   [CLS] text [SEP]                    label: the class's index
              [CLS] text [SEP] pair [SEP]         segment 0 is the text, 1 the pair
    answers   [CLS] question [SEP] passage [SEP]  labels: the answer's first and last token
    tags      [CLS] subwords of the words [SEP]   labels: each subword's tag, or -100

Tokens beyond the model's window are cut off. A question whose answer was cut off is not trained on;
words that were cut off get the tag O.

Source: Devlin et al. 2019, Fig 4 (the inputs of each task).

Read before this: ../labelled/examples.py, ../tagging/alignment.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from tokenizers import Tokenizer

from mlm_core.labelled.examples import Example, LabelledText, Question, TaggedSentence
from mlm_core.shapes import Bool, Float, Int, Tensor
from mlm_core.tagging.alignment import (
    Combination,
    Labelling,
    combine_subwords,
    find_word_of_subword,
    subword_labels,
    subword_tags,
)
from mlm_core.tagging.bio_tags import Scheme, encode
from mlm_core.text.tokens import TokenizedText, role_token, tokenize


@dataclass(frozen=True, eq=False, kw_only=True)
class EncodedExample:
    """One example, ready for the model."""

    text: TokenizedText
    labels: Int[Tensor, " label"]  # 1 class; first and last token; or one for each subword
    word_of_subword: tuple[int | None, ...] = ()  # for tags only

    @property
    def may_answer(self) -> Bool[Tensor, " token"]:
        """Return a mask of the tokens where an answer may be: the passage's."""
        return torch.tensor([t.segment == 1 and t.word is not None for t in self.text.tokens])


@dataclass(frozen=True, kw_only=True)
class Reading:
    """The settings by which examples are encoded for one model."""

    tokenizer: Tokenizer
    max_tokens: int  # the model's window
    classes: tuple[str, ...]  # labels, or tags
    scheme: Scheme = "BIO"
    labelling: Labelling = "first_only"

    def read(self, example: Example) -> EncodedExample | None:
        """Return the encoded example, or None if its answer was cut off.

        Raises ValueError for a label that is not among the classes.
        """
        if isinstance(example, LabelledText):
            return self._labelled(example)
        if isinstance(example, Question):
            return self._question(example)
        return self._tagged(example)

    def read_question(self, question: str, passage: str) -> TokenizedText:
        """Tokenize a question and its passage; only the passage is truncated.

        Raises ValueError if the question alone fills the window.
        """
        n_question = len(tokenize(self.tokenizer, question).tokens)
        if n_question + 2 > self.max_tokens:
            raise ValueError(
                f"the question has {n_question - 2} tokens and the model's window"
                f" {self.max_tokens}: shorten it"
            )
        return tokenize(self.tokenizer, question, passage, max_tokens=self.max_tokens)

    def read_words(self, words: Sequence[str]) -> tuple[TokenizedText, tuple[int | None, ...]]:
        """Tokenize words; return also the word of each subword.

        A word of which the tokenizer keeps nothing is read as [UNK]; half a surrogate pair, as in
        tokenize(), as "?".
        """
        shown = [word.encode("utf-8", errors="replace").decode("utf-8") for word in words]
        kept = self.tokenizer.encode_batch([[word] for word in shown], is_pretokenized=True)
        for i, one in enumerate(kept):
            if all(word is None for word in one.word_ids):
                shown[i] = role_token(self.tokenizer, "[UNK]")
        bounds, start = [], 0
        for word in shown:
            bounds.append((start, start + len(word)))
            start += len(word) + 1
        text = tokenize(self.tokenizer, " ".join(shown), max_tokens=self.max_tokens)
        subwords = [(0, 0) if t.word is None else (t.start, t.stop) for t in text.tokens]
        return text, find_word_of_subword(subwords, bounds)

    def combine(
        self,
        log_probabilities: Float[Tensor, "subword tag"],
        word_of_subword: Sequence[int | None],
        combination: Combination = "first",
    ) -> Float[Tensor, "word tag"]:
        """Return log P(tag) of each word inside the window; `classes` are the tags."""
        return combine_subwords(
            log_probabilities,
            word_of_subword,
            self.classes,
            self.scheme,
            labelling=self.labelling,
            combination=combination,
        )

    def _labelled(self, example: LabelledText) -> EncodedExample:
        if example.label not in self.classes:
            raise ValueError(f"class {example.label!r}: the classes are {', '.join(self.classes)}")
        text = tokenize(self.tokenizer, example.text, example.pair, max_tokens=self.max_tokens)
        return EncodedExample(text=text, labels=torch.tensor([self.classes.index(example.label)]))

    def _question(self, example: Question) -> EncodedExample | None:
        text = self.read_question(example.question, example.passage)
        inside = [
            i
            for i, token in enumerate(text.tokens)
            if token.segment == 1
            and token.word is not None
            and token.start < example.stop
            and example.start < token.stop
        ]
        is_whole = inside and text.tokens[inside[-1]].stop >= example.stop
        if not is_whole:
            return None
        return EncodedExample(text=text, labels=torch.tensor([inside[0], inside[-1]]))

    def _tagged(self, example: TaggedSentence) -> EncodedExample:
        text, word_of_subword = self.read_words(example.words)
        tags = encode(example.spans, len(example.words), self.scheme)
        of_subwords = subword_tags(tags, word_of_subword, self.scheme, self.labelling)
        return EncodedExample(
            text=text,
            labels=subword_labels(of_subwords, self.classes),
            word_of_subword=word_of_subword,
        )
