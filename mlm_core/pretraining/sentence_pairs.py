"""Pairs of texts for next-sentence prediction, a whole batch at a time.

    [CLS] A [SEP] B [SEP]      half of the B's follow A, half come from another document

Three kinds of example:
    full     A and B are stretches of several sentences that fill the length to the last token,
             so that a batch needs no padding, and the fastest attention can be used
    natural  A and B are one whole sentence each, or A stands alone: what a person types. Padded.
    running  as natural, but B always follows A: for an encoder without the pair task, as RoBERTa.
             No random B is needed, so one document is enough.

Every example starts at a sentence drawn at random, and batch t depends on the corpus and on
step t's generator alone. So a run can be interrupted at any step and resumed.

Source: Devlin et al. 2019, section 3.1 and appendix A.2; create_pretraining_data.py in
google-research/bert; Liu et al. 2019, section 4.2 (running).
Departs: BERT takes the documents in order and makes its pairs once, 10 % of them shorter; a random
B is never from the same document here; a sentence too long to be followed by B is cut in two: if
B were always random there, A would tell the label.

Read before this: ../prediction/masked_words.py; also corpus.py. Read next: objectives.py.
"""

from dataclasses import dataclass
from typing import NamedTuple

import torch
from tokenizers import Tokenizer

from mlm_core.masking.rule import IGNORED_LABEL
from mlm_core.prediction.pair_examples import FOLLOWS, IS_RANDOM
from mlm_core.pretraining.corpus import TokenCorpus
from mlm_core.shapes import Bool, Int, Tensor
from mlm_core.text.tokens import role_id, special_token_ids

LEAST_LENGTH = 8  # tokens of A and of B in a full pair


@dataclass(frozen=True, kw_only=True)
class SpecialIds:
    """The ids of the special tokens, and of the stops that may end a sentence."""

    pad: int
    cls: int
    sep: int
    mask: int
    all: frozenset[int] = frozenset()  # [UNK] too: never chosen, never drawn as random words
    stops: tuple[int, ...] = ()

    @classmethod
    def of(cls, tokenizer: Tokenizer) -> "SpecialIds":
        """Return the ids in a tokenizer's vocabulary."""
        names = {"pad": "[PAD]", "cls": "[CLS]", "sep": "[SEP]", "mask": "[MASK]"}
        stops = (tokenizer.token_to_id(stop) for stop in ".!?")
        return cls(
            **{name: role_id(tokenizer, token) for name, token in names.items()},
            all=special_token_ids(tokenizer),
            stops=tuple(stop for stop in stops if stop is not None),
        )


class Stretches(NamedTuple):
    """Where A and B lie in the corpus, before any token is read."""

    a_start: Int[Tensor, " batch"]
    a_length: Int[Tensor, " batch"]
    b_start: Int[Tensor, " batch"]
    b_length: Int[Tensor, " batch"]  # 0: A stands alone
    pair_label: Int[Tensor, " batch"]  # FOLLOWS, IS_RANDOM, or IGNORED_LABEL for A alone


class Texts(NamedTuple):
    """A batch as the model reads it, before corruption."""

    ids: Int[Tensor, "batch token"]
    segment_ids: Int[Tensor, "batch token"]
    is_text: Bool[Tensor, "batch token"]  # neither special nor padding
    n_real: Int[Tensor, " batch"]  # tokens before the padding
    pair_label: Int[Tensor, " batch"]


class DocumentTable:
    """The documents that are long enough for one kind of example, and draws from them.

    Raises ValueError if fewer than two have `least_tokens` and `least_sentences`: a random B must
    come from another document.
    """

    def __init__(self, corpus: TokenCorpus, *, least_tokens: int, least_sentences: int) -> None:
        starts = corpus.document_starts
        bounds = corpus.sentence_starts[starts]
        is_long = bounds.diff() >= least_tokens
        is_long &= starts.diff() >= least_sentences
        n_long = int(is_long.sum())
        if n_long < 2:
            raise ValueError(
                f"{n_long} of {corpus.n_documents} documents have {least_tokens} tokens in"
                f" {least_sentences} sentences: next-sentence pairs need two; use shorter texts"
                " or more documents"
            )
        self.first_sentence = starts[:-1][is_long]
        self.token_stop = bounds[1:][is_long]
        # The last sentence of a document has no next one, so it is not drawn.
        n_starts = starts.diff()[is_long] - 1 if least_sentences > 1 else starts.diff()[is_long]
        self.ends = n_starts.cumsum(0)  # draws below ends[d] belong to document d or earlier
        self.begins = self.ends - n_starts
        self.n_draws = int(self.ends[-1])

    def draw(
        self, n: int, generator: torch.Generator, other_than: Int[Tensor, " batch"] | None = None
    ) -> tuple[Int[Tensor, " batch"], Int[Tensor, " batch"]]:
        """Return random sentences and their documents, all sentences equally likely.

        `other_than` is a document for each draw, from which it does not come.
        """
        device = self.ends.device
        # float64, because float32 has too few steps for a corpus of millions of sentences.
        proportion = torch.rand(n, generator=generator, device=device, dtype=torch.float64)
        if other_than is None:
            index = (proportion * self.n_draws).long()
        else:
            begin, end = self.begins[other_than], self.ends[other_than]
            index = (proportion * (self.n_draws - (end - begin))).long()
            index = torch.where(index >= begin, index + (end - begin), index)
        document = torch.searchsorted(self.ends, index, right=True)
        return self.first_sentence[document] + index - self.begins[document], document


def draw_full(
    corpus: TokenCorpus,
    table: DocumentTable,
    n: int,
    n_tokens: int,
    generator: torch.Generator,
) -> Stretches:
    """Return `n` pairs of `n_tokens` tokens in all, without special tokens.

    The boundary of A and B is a random sentence boundary with at least LEAST_LENGTH tokens on
    both sides. Where there is none, it is in the middle of a sentence, and then a random B starts
    in the middle of one, too. A random B begins its document only if no later sentence there
    is long enough; a true B never does.
    """
    starts = corpus.sentence_starts
    sentence, document = table.draw(n, generator)
    # Near its document's end, A must start earlier for `n_tokens` to fit.
    a_start = _sentence_at_or_before(
        starts, torch.minimum(starts[sentence], table.token_stop[document] - n_tokens)
    )
    first = torch.searchsorted(starts, a_start + LEAST_LENGTH)
    last = torch.searchsorted(starts, a_start + n_tokens - LEAST_LENGTH, right=True) - 1
    has_boundary = last >= first
    proportion = torch.rand(n, generator=generator, device=starts.device)
    pick = first + (proportion * (last - first + 1).clamp(min=1)).long()
    boundary = starts[pick.clamp(max=len(starts) - 1)]
    middle = torch.where(has_boundary, boundary, a_start + n_tokens // 2)
    a_length = middle - a_start
    b_length = n_tokens - a_length
    elsewhere, other_document = table.draw(n, generator, other_than=document)
    latest = table.token_stop[other_document] - b_length
    at_sentence = _sentence_at_or_before(starts, torch.minimum(starts[elsewhere], latest))
    # No true B begins its document, so a random one that did would tell the label.
    second = starts[table.first_sentence[other_document] + 1]
    at_sentence = torch.where(second <= latest, torch.maximum(at_sentence, second), at_sentence)
    in_sentence = torch.minimum(at_sentence + n_tokens // 2, latest)
    random_start = torch.where(has_boundary, at_sentence, in_sentence)
    is_random = torch.rand(n, generator=generator, device=starts.device) < 0.5
    return Stretches(
        a_start=a_start,
        a_length=a_length,
        b_start=torch.where(is_random, random_start, middle),
        b_length=b_length,
        pair_label=torch.where(is_random, IS_RANDOM, FOLLOWS),
    )


def draw_natural(
    corpus: TokenCorpus,
    table: DocumentTable,
    n: int,
    length: int,
    generator: torch.Generator,
    *,
    single_rate: float,
) -> Stretches:
    """Return `n` examples of whole sentences: A and B, or (`single_rate`) A alone.

    The longer sentence loses its end if both don't fit. The documents of `table` must have two
    sentences, so that each drawn one has a next.
    """
    starts = corpus.sentence_starts
    sentence, document = table.draw(n, generator)
    elsewhere, _ = table.draw(n, generator, other_than=document)
    draw = torch.rand(n, generator=generator, device=starts.device)
    is_single = draw < single_rate
    is_random = draw >= single_rate + (1 - single_rate) / 2
    # True B's are never the first sentence of a document; neither are random ones.
    second = torch.where(is_random, elsewhere, sentence) + 1
    label = torch.where(is_random, IS_RANDOM, FOLLOWS).masked_fill(is_single, IGNORED_LABEL)
    return _whole_sentences(starts, sentence, second, is_single, label, length)


def draw_running(
    corpus: TokenCorpus,
    n: int,
    length: int,
    generator: torch.Generator,
    *,
    single_rate: float,
) -> Stretches:
    """Return `n` random sentences, all but `single_rate` of them with the next one."""
    device = corpus.sentence_starts.device
    # float64, because float32 has too few steps for a corpus of millions of sentences.
    proportion = torch.rand(n, generator=generator, device=device, dtype=torch.float64)
    has_second = torch.rand(n, generator=generator, device=device) >= single_rate
    return running_stretches(corpus, (proportion * corpus.n_sentences).long(), has_second, length)


def running_stretches(
    corpus: TokenCorpus,
    sentence: Int[Tensor, " batch"],
    has_second: Bool[Tensor, " batch"],
    length: int,
) -> Stretches:
    """Return these sentences, with their document's next one where `has_second`."""
    ends_document = torch.zeros(corpus.n_sentences, dtype=torch.bool, device=sentence.device)
    ends_document[corpus.document_starts[1:] - 1] = True
    is_single = ~has_second | ends_document[sentence]
    second = torch.where(is_single, sentence, sentence + 1)
    label = torch.full_like(sentence, IGNORED_LABEL)
    return _whole_sentences(corpus.sentence_starts, sentence, second, is_single, label, length)


def _whole_sentences(
    starts: Int[Tensor, " sentence_and_end"],
    first: Int[Tensor, " batch"],
    second: Int[Tensor, " batch"],
    is_single: Bool[Tensor, " batch"],
    label: Int[Tensor, " batch"],
    length: int,
) -> Stretches:
    """Return the sentences as A and B; the longer one loses its end to fit `length`."""
    a_length = starts[first + 1] - starts[first]
    b_length = (starts[second + 1] - starts[second]).masked_fill(is_single, 0)
    available = torch.where(is_single, length - 2, length - 3)
    b_kept = torch.minimum(b_length, torch.maximum(available // 2, available - a_length))
    return Stretches(
        a_start=starts[first],
        a_length=torch.minimum(a_length, available - b_kept),
        b_start=starts[second],
        b_length=b_kept,
        pair_label=label,
    )


def drop_final_stops(
    corpus: TokenCorpus,
    stretches: Stretches,
    stop_ids: Int[Tensor, " stop"],
    rate: float,
    generator: torch.Generator,
) -> Stretches:
    """Return the stretches with A's final stop left out in `rate` of the single texts.

    People forget it. A model that never saw this would fill the last blank with a stop.
    """
    a_last = stretches.a_start + stretches.a_length - 1
    ends_in_stop = torch.isin(corpus.tokens[a_last].long(), stop_ids)
    drawn = torch.rand(len(a_last), generator=generator, device=a_last.device) < rate
    dropped = drawn & ends_in_stop & (stretches.b_length == 0) & (stretches.a_length > 1)
    return stretches._replace(a_length=stretches.a_length - dropped.long())


def read_texts(
    corpus: TokenCorpus, stretches: Stretches, length: int, special: SpecialIds
) -> Texts:
    """Return the stretches' tokens with [CLS], [SEP] and padding up to `length`."""
    a_length, b_length = stretches.a_length.unsqueeze(1), stretches.b_length.unsqueeze(1)
    position = torch.arange(length, device=a_length.device).unsqueeze(0)
    in_a = (position >= 1) & (position <= a_length)
    in_b = (position >= a_length + 2) & (position < a_length + 2 + b_length)
    n_real = a_length + 2 + torch.where(b_length > 0, b_length + 1, 0)
    is_sep = (position == a_length + 1) | (position == n_real - 1)
    source = torch.where(
        in_a,
        stretches.a_start.unsqueeze(1) + position - 1,
        stretches.b_start.unsqueeze(1) + position - a_length - 2,
    )
    is_text = in_a | in_b
    ids = corpus.tokens[source.masked_fill(~is_text, 0)].long()
    ids = torch.where(is_text, ids, special.pad).masked_fill(is_sep, special.sep)
    ids[:, 0] = special.cls
    segment_ids = ((position >= a_length + 2) & (position < n_real)).long()
    return Texts(ids, segment_ids, is_text, n_real.squeeze(1), stretches.pair_label)


def _sentence_at_or_before(
    starts: Int[Tensor, " sentence_and_end"], token: Int[Tensor, " batch"]
) -> Int[Tensor, " batch"]:
    return starts[torch.searchsorted(starts, token, right=True) - 1]
