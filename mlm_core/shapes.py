"""The axis words that every signature in this package uses.

A tensor's shape stands in its type: `Float[Tensor, "batch token hidden"]`. The words are
checked against each other in tests (jaxtyping with beartype) and cost nothing at run time.

    batch     one text (or pair of texts) each
    token     positions in a text, special tokens included; N in the textbook
    query     positions that attend; as many as there are tokens
    key       positions that are attended to; another word than query, so that the check
              finds swapped axes of the same length
    head      attention heads of one layer; A in BERT's paper
    hidden    dimensions of a token's vector; d in the textbook, H in BERT's paper
    head_size dimensions of a head, hidden / head; d_k in the textbook
    inner     width of the feed-forward layer
    vocabulary  entries in the vocabulary
    position  some positions of each text
    chosen    the positions at which the model must predict
    layer     states of an encoder, 0 for the embedding output
    sentence  texts of a collection, or uses of a word, one in each
    word      words of a sentence; piece: the tokens they are cut into
    candidate  texts that each query text is compared with
    tag       entries of a tag set; next_tag: the tag that follows it

Read next: text/tokens.py.
"""

from typing import TYPE_CHECKING

from jaxtyping import Bool, Float, Int

if TYPE_CHECKING:
    from torch import Tensor

__all__ = ["Bool", "Float", "Int", "Tensor"]


def __getattr__(name: str) -> type:
    """Import torch for the one name that needs it: modules on numpy arrays do without 200 MB."""
    if name != "Tensor":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from torch import Tensor

    return Tensor
