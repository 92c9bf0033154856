"""How a text is split into words, and what spans of an older split become."""

from collections.abc import Sequence

from mlm_core.tagging.bio_tags import Span

# Marks that stand before or behind a word in a text, and are words of their own in the data.
OPENING = "\"'([{“‘„‚«»¿¡"
CLOSING = "\"')]}”’“‘»«,.;:!?…"
POSSESSIVES = ("'s", "’s")


def split_words(text: str) -> tuple[str, ...]:
    """Return the words of a text, with the marks around a word as words of their own.

    Words with spaces between are split no further.

    >>> split_words("Ann's dog (Rex) barked.")
    ('Ann', "'s", 'dog', '(', 'Rex', ')', 'barked', '.')
    >>> split_words("„Rex“, rief »Ann«.")
    ('„', 'Rex', '“', ',', 'rief', '»', 'Ann', '«', '.')
    """
    found: list[str] = []
    for chunk in text.split():
        first, end, after = 0, len(chunk), []
        while end - first > 1 and chunk[first] in OPENING:
            if end - first == 2 and chunk[first:end] in POSSESSIVES:
                break
            first += 1
        while end - first > 1 and chunk[end - 1] in CLOSING:
            end -= 1
            after.append(chunk[end])
        while end - first > 2 and chunk.endswith(POSSESSIVES, first, end):
            end -= 2
            after.append(chunk[end : end + 2])
        found += [*chunk[:first], chunk[first:end], *reversed(after)]
    return tuple(found)


def cut_spans(
    spans: tuple[Span, ...], chunks: Sequence[str], words: Sequence[str]
) -> tuple[Span, ...]:
    """Return spans of chunks as spans of the words in them, without the marks around a name.

    >>> cut_spans((Span(start=1, end=2, type="GPE"),), ["in", "Oslo."], ["in", "Oslo", "."])
    (Span(start=1, end=2, type='GPE'),)
    """
    if len(chunks) == len(words):
        return spans
    starts = [0]
    for chunk in chunks:
        starts.append(starts[-1] + len(split_words(chunk)))
    found = []
    for span in spans:
        first, end = starts[span.start], starts[span.end]
        if end > len(words):
            continue
        while end - first > 1 and words[end - 1] in (*CLOSING, *POSSESSIVES):
            end -= 1
        found.append(Span(start=first, end=end, type=span.type))
    return tuple(found)
