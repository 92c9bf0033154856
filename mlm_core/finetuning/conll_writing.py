"""Sentences with their entities as a file in CoNLL's columns: ../labelled/conll.py the other way.

    Jane B-PER
    spoke O
                  an empty line ends the sentence

Source: Tjong Kim Sang & De Meulder 2003.

Read before this: ../labelled/conll.py. Read next: ../labelled/name_types.py.
"""

from collections.abc import Sequence

from mlm_core.labelled.conll import read_conll
from mlm_core.labelled.examples import TaggedSentence
from mlm_core.tagging.bio_tags import Scheme, encode


def write_conll(sentences: Sequence[TaggedSentence], scheme: Scheme = "BIO") -> str:
    r"""Return sentences in columns: a word, a space and its tag a line.

    >>> from mlm_core.tagging.bio_tags import Span
    >>> one = TaggedSentence(words=("Oslo", "waits"), spans=(Span(start=0, end=1, type="GPE"),))
    >>> write_conll([one])
    'Oslo B-GPE\nwaits O\n\n'
    """
    blocks = []
    for sentence in sentences:
        tags = encode(sentence.spans, len(sentence.words), scheme)
        lines = zip(sentence.words, tags, strict=True)
        blocks.append("".join(f"{word} {tag}\n" for word, tag in lines) + "\n")
    return "".join(blocks)


def check_it_reads_back(sentence: TaggedSentence) -> None:
    """Raise ValueError if a file could not give this sentence back as it is."""
    if read_conll(write_conll([sentence])).sentences != (sentence,):
        raise ValueError(
            f"the sentence that begins with {sentence.words[0][:40]!r} can't be told from the"
            " format's own signs: change its first word"
        )
