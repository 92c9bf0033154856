"""From tags of words to labels of subwords, and back.

    words     Mt.              Sanitas            is
    tags      B-LOC            I-LOC              O
    subwords  [CLS]  Mt     .  San      ##itas    is  [SEP]

    copy_to_all   -  B-LOC  B-LOC  I-LOC  I-LOC    O   -     SLP3: each subword, its word's tag
    all_pieces    -  B-LOC  I-LOC  I-LOC  I-LOC    O   -     the same span in tags of subwords
    first_only    -  B-LOC  -      I-LOC  -        O   -     the other subwords don't count

A dash is the label -100, which the loss leaves out. `copy_to_all` repeats B, which as tags would
be two spans; `all_pieces` continues a B with I (in BIOES, E moves to the last subword, and S
becomes B ... E), so the tags of the subwords are legal and mark the same span.

Back, from the distribution p_j at each subword j of a word to one for the word:

    first     p(t) = p_1(t)                   the other subwords are ignored
    mean      p(t) ~ sum over j of p_j(t_j)
    product   p(t) ~ product over j of p_j(t_j)

t_j is the tag of subword j if the word's tag is t: for `all_pieces` and t = B-LOC, B-LOC at the
first subword and I-LOC at the others; for the other two rules t_j = t. The sign ~ means: divided
by the sum over t.

Source: SLP3 section 11.5.3, Eq 11.14; Devlin et al. 2019, section 5.3, which tags by the first
subword. Departs: SLP3 doesn't say how to combine; mean and product are the simple ways.

Read before this: transitions.py.
"""

from collections.abc import Sequence
from typing import Literal, get_args

import torch

from mlm_core.masking.rule import IGNORED_LABEL
from mlm_core.shapes import Float, Int, Tensor
from mlm_core.tagging.bio_tags import OUTSIDE, Scheme, prefixes, split_tag

Labelling = Literal["copy_to_all", "all_pieces", "first_only"]
LABELLINGS: tuple[Labelling, ...] = get_args(Labelling)
Combination = Literal["first", "mean", "product"]
COMBINATIONS: tuple[Combination, ...] = get_args(Combination)
Bounds = tuple[int, int]  # first character in the text, one past the last


def find_word_of_subword(
    subwords: Sequence[Bounds], words: Sequence[Bounds]
) -> tuple[int | None, ...]:
    """Return the word of which each subword is a part, or None for an added token.

    The tokenizer's words can differ from the annotator's: it splits "Mt." into two. So words are
    found by their characters. An added token, such as [CLS], has none.

    Raises ValueError for a subword that reaches into two words.

    >>> find_word_of_subword([(0, 0), (0, 2), (2, 3), (4, 7), (7, 11), (0, 0)], [(0, 3), (4, 11)])
    (None, 0, 0, 1, 1, None)
    """
    found: list[int | None] = []
    for start, stop in subwords:
        shared = [w for w, (first, end) in enumerate(words) if max(start, first) < min(stop, end)]
        if len(shared) > 1:
            raise ValueError(
                f"the piece at characters {start} to {stop} reaches into words {shared[0]} and"
                f" {shared[1]}: give words between spaces, which no piece crosses"
            )
        found.append(shared[0] if shared else None)
    return tuple(found)


def subwords_of_words(word_of_subword: Sequence[int | None]) -> tuple[tuple[int, ...], ...]:
    """Return the positions of each word's subwords, up to the last word that has one.

    Raises ValueError where a word has no subword or the words are in another order.

    >>> subwords_of_words([None, 0, 0, 1, None])
    ((1, 2), (3,))
    """
    words = [word for word in word_of_subword if word is not None]
    if words != sorted(words):
        raise ValueError(f"pieces of words {words}: give the pieces in the order of the text")
    missing = set(range(max(words, default=-1) + 1)) - set(words)
    if missing:
        raise ValueError(
            f"word {min(missing)} has no piece, so it can have no tag: leave out words of which"
            " the tokenizer keeps nothing"
        )
    return tuple(
        tuple(i for i, word in enumerate(word_of_subword) if word == wanted)
        for wanted in range(len(set(words)))
    )


def subword_tags(
    tags: Sequence[str],
    word_of_subword: Sequence[int | None],
    scheme: Scheme,
    labelling: Labelling,
) -> tuple[str | None, ...]:
    """Return each subword's tag in training; None for one that doesn't count.

    Words after the last subword, which did not fit into the window, get no tag.

    >>> subword_tags(["B-LOC", "O"], [None, 0, 0, 1, None], "BIO", "all_pieces")
    (None, 'B-LOC', 'I-LOC', 'O', None)
    """
    if labelling not in LABELLINGS:
        raise ValueError(f"labelling {labelling!r}: choose one of {', '.join(LABELLINGS)}")
    subwords = subwords_of_words(word_of_subword)
    if len(subwords) > len(tags):
        raise ValueError(
            f"pieces of {len(subwords)} words but {len(tags)} tags: give one tag a word, O included"
        )
    found: list[str | None] = [None] * len(word_of_subword)
    for tag, positions in zip(tags, subwords, strict=False):
        for number, position in enumerate(positions):
            if number == 0 or labelling != "first_only":
                found[position] = _tag_at(number, len(positions), tag, scheme, labelling)
    return tuple(found)


def subword_labels(
    tags_of_subwords: Sequence[str | None], tags: Sequence[str]
) -> Int[Tensor, " subword"]:
    """Return each subword's class: its tag's index in `tags`, or -100.

    >>> subword_labels([None, "I-LOC", "O"], ["O", "B-LOC", "I-LOC"])
    tensor([-100,    2,    0])
    """
    classes = {tag: i for i, tag in enumerate(tags)}
    unknown = [tag for tag in tags_of_subwords if tag is not None and tag not in classes]
    if unknown:
        raise ValueError(f"tag {unknown[0]!r} has no class: the classes are {', '.join(tags)}")
    return torch.tensor(
        [IGNORED_LABEL if tag is None else classes[tag] for tag in tags_of_subwords]
    )


def combine_subwords(
    log_probabilities: Float[Tensor, "subword tag"],
    word_of_subword: Sequence[int | None],
    tags: Sequence[str],
    scheme: Scheme,
    *,
    labelling: Labelling,
    combination: Combination,
) -> Float[Tensor, "word tag"]:
    """Return log P(tag) of each word from its subwords' distributions.

    `labelling` is how the subwords were labelled in training. After `first_only` the later
    subwords can be combined, too, but were not trained.

    Raises ValueError where a product is 0 for every tag.
    """
    if combination not in COMBINATIONS:
        raise ValueError(f"combination {combination!r}: choose one of {', '.join(COMBINATIONS)}")
    if log_probabilities.shape != (len(word_of_subword), len(tags)):
        raise ValueError(
            f"distributions of shape {tuple(log_probabilities.shape)} for {len(word_of_subword)}"
            f" pieces and {len(tags)} tags: give one row a piece and one column a tag"
        )
    words = []
    for word, positions in enumerate(subwords_of_words(word_of_subword)):
        if combination == "first":
            words.append(log_probabilities[positions[0]])
            continue
        rows = _read_as_word(log_probabilities[list(positions)], tags, scheme, labelling)
        scores = rows.logsumexp(dim=0) if combination == "mean" else rows.sum(dim=0)
        if torch.isneginf(scores).all():
            raise ValueError(
                f"the pieces of word {word} leave no tag possible: combine them by mean or first"
            )
        words.append(torch.log_softmax(scores, dim=-1))
    return torch.stack(words) if words else log_probabilities.new_zeros(0, len(tags))


def _read_as_word(
    rows: Float[Tensor, "subword tag"], tags: Sequence[str], scheme: Scheme, labelling: Labelling
) -> Float[Tensor, "subword tag"]:
    """Return log p_j(t_j) for each subword j and tag t of the word."""
    columns = [
        subword_labels([_tag_at(j, len(rows), tag, scheme, labelling) for tag in tags], tags)
        for j in range(len(rows))
    ]
    return rows.gather(dim=1, index=torch.stack(columns).to(rows.device))


def _tag_at(number: int, n_subwords: int, tag: str, scheme: Scheme, labelling: Labelling) -> str:
    """Return the tag of a word's subword of that number if the word's tag is `tag`."""
    prefix, type_ = split_tag(tag, scheme)
    if tag == OUTSIDE or labelling != "all_pieces" or "B" not in prefixes(scheme):
        return tag
    begins = prefix in "BS" and number == 0
    ends = prefix in "ES" and number == n_subwords - 1
    letter = "S" if begins and ends else "B" if begins else "E" if ends else "I"
    return f"{letter}-{type_}"
