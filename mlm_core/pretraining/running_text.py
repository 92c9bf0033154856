"""Texts for an encoder that is not asked about pairs: sentences as they follow each other.

    [CLS] A [SEP]  or  [CLS] A [SEP] B [SEP]      B is always the sentence behind A

Without next-sentence prediction nothing calls for a random B, so one document is enough, and
every word stands in a context that its author wrote.

Source: Liu et al. 2019, section 4.2, who drop the random pairs together with the loss.
Departs: one or two sentences instead of windows filled to the brim, so that the model is at
home in what a person types.

Read before this: sentence_pairs.py. Read next: objectives.py.
"""

import torch

from mlm_core.masking.batch import IGNORED_LABEL
from mlm_core.pretraining.corpus import TokenCorpus
from mlm_core.pretraining.sentence_pairs import Stretches
from mlm_core.shapes import Bool, Int, Tensor


def draw_running(
    corpus: TokenCorpus,
    n: int,
    length: int,
    generator: torch.Generator,
    *,
    single_rate: float,
) -> Stretches:
    """Return `n` random sentences, each but `single_rate` of them with the one behind it."""
    device = corpus.sentence_starts.device
    # float64, because float32 has too few steps for a corpus of millions of sentences.
    share = torch.rand(n, generator=generator, device=device, dtype=torch.float64)
    has_second = torch.rand(n, generator=generator, device=device) >= single_rate
    return stretches_at(corpus, (share * corpus.n_sentences).long(), has_second, length)


def stretches_at(
    corpus: TokenCorpus,
    sentence: Int[Tensor, " batch"],
    has_second: Bool[Tensor, " batch"],
    length: int,
) -> Stretches:
    """Return these sentences, with the next one where `has_second` and its document has one.

    What does not fit into `length` is left out from the end of the longer sentence.
    """
    starts = corpus.sentence_starts
    ends_document = torch.zeros(corpus.n_sentences, dtype=torch.bool, device=starts.device)
    ends_document[corpus.document_starts[1:] - 1] = True
    has_second = has_second & ~ends_document[sentence]
    second = torch.where(has_second, sentence + 1, sentence)
    a_length = starts[sentence + 1] - starts[sentence]
    b_length = (starts[second + 1] - starts[second]).masked_fill(~has_second, 0)
    room = torch.where(has_second, length - 3, length - 2)
    b_kept = torch.minimum(b_length, torch.maximum(room // 2, room - a_length))
    return Stretches(
        a_start=starts[sentence],
        a_length=torch.minimum(a_length, room - b_kept),
        b_start=starts[second],
        b_length=b_kept,
        pair_label=torch.full_like(sentence, IGNORED_LABEL),
    )
