"""Split text into sentences, by rules.

    . ! ? …     end a sentence, with the quotes and brackets they close, where a space and then
                a digit or a letter follow; a lower-case letter continues the sentence
    a full stop of an abbreviation ("Mr."), an initial ("J.") or "U.S." ends none
    。！？       end a sentence without any space (Chinese, Japanese)

"etc. However" is split, "in the U.S. Army" is not, and "He lived in the U.S. He died" is not
either, which is wrong.

Read before this: ../shapes.py.
"""

import re

# A full stop after one of these ends no sentence. "etc." is missing because it can end one.
ABBREVIATIONS = frozenset(
    "Mr Mrs Ms Messrs Mme Mlle Dr Prof Rev Hon Sir St Ste Mt Ft Capt Col Gen Lt Maj Sgt Cpl Adm"
    " Gov Sen Rep Pres Jr Sr vs viz cf al ca c b d fl r No no Nos Vol vol pp p ed eds trans Fig"
    " fig Eq Op op Jan Feb Mar Apr Jun Jul Aug Sept Sep Oct Nov Dec e.g i.e approx Esq".split()
)
LONGEST_ABBREVIATION = 20  # characters that are looked at before a full stop

# The look-behind begins a match at the first mark of a run only, so the time is linear.
_END = re.compile(
    r"""(?<![.!?…؟])[.!?…؟]+["'”’»)\]]*   # the marks, and the quotes and brackets they close
        \s+(?=["'“‘«(\[]*([^\W_]))        # a digit or a letter begins the next sentence
      | [。！？]+["'”’」』）]*\s*""",
    re.VERBOSE,
)
_WORD_BEFORE = re.compile(r"[\w.]+$")
_BLANK_LINES = re.compile(r"\n[ \t]*\n\s*")


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Return the start of each sentence, and the position after its end.

    >>> sentence_spans("It rained. We left.")
    [(0, 10), (11, 19)]
    """
    ends = [end.end() for end in _END.finditer(text) if _is_end(text, end)]
    spans = []
    for start, stop in zip([0, *ends], [*ends, len(text)], strict=True):
        sentence = text[start:stop]
        if sentence.strip():
            start += len(sentence) - len(sentence.lstrip())
            spans.append((start, start + len(sentence.strip())))
    return spans


def split_sentences(text: str) -> list[str]:
    """Return the sentences of a text.

    >>> split_sentences('Mr. J. Smith came in. "Is it 3.5 miles?" he asked. Nobody knew!')
    ['Mr. J. Smith came in.', '"Is it 3.5 miles?" he asked.', 'Nobody knew!']
    """
    return [text[start:stop] for start, stop in sentence_spans(text)]


def split_blocks(text: str) -> list[str]:
    r"""Return the parts of a text between its blank lines.

    >>> split_blocks("one\r\ntwo\n \nthree")
    ['one\ntwo', 'three']
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    return _BLANK_LINES.split(text) if text else []


def split_documents(text: str) -> tuple[tuple[str, ...], ...]:
    r"""Return pasted text as documents, each as its sentences.

    A blank line ends a document, a line break a sentence.

    >>> split_documents('It rained. We stayed in.\n\nSalt is white!')
    (('It rained.', 'We stayed in.'), ('Salt is white!',))
    """
    return tuple(
        tuple(sentence for line in block.splitlines() for sentence in split_sentences(line))
        for block in split_blocks(text)
    )


def _is_end(text: str, end: re.Match[str]) -> bool:
    if end[1] is None:
        return True
    if end[1].islower():
        return False
    return end[0][0] != "." or not _belongs_to_word(text, end.start())


def _belongs_to_word(text: str, stop: int) -> bool:
    word = _WORD_BEFORE.search(text[max(0, stop - LONGEST_ABBREVIATION) : stop])
    if word is None:
        return False
    is_initial = len(word[0]) == 1 and word[0].isupper() and word[0] != "I"
    return is_initial or word[0] in ABBREVIATIONS or "." in word[0].rstrip(".")
