"""Split text into sentences, by rules.

    . ! ? …     end a sentence, with the quotes and brackets they close, where a space and then
                a letter, a digit or a price follow; a lower-case letter continues the sentence
    。！？ ।     end a sentence without any space (Chinese, Japanese, Hindi)

A full stop that belongs to its word ends no sentence:

    Mr. Dr.            a title
    Co. U.S. J. R.     an abbreviation or initials, unless a frequent first word follows: "in the
                       U.S. Army" is not split, "in the U.S. It rained" is
    No. 7, p. 12       before a number
    12. Juni, im 3.    a German ordinal, before some nouns or after an article
    1. First           a number or a letter that marks an item of a list

Another word with a dot inside is none of these: "It cost 3.5. He paid." is two sentences. "He lived
in the U.S. Nobody knew" is one, which is wrong: "Nobody" is not in the list of first words.

Source: Sadvilkar & Neumann 2020 (pySBD), who collect "golden rules" for each language. Departs:
short lists for some languages together; items of a list on one line are not split. The German
abbreviations are those of Unicode's Common Locale Data Repository (segments/de, suppressions of
sentence breaks) that are no words of other sentences, and some of ours.

Read before this: words.py.
"""

import regex

TITLES = frozenset(
    "Mr Mrs Ms Messrs Dr med Prof Rev Hon Capt Col Gen Lt Maj Sgt Cpl Adm Gov Rep Pres Dipl Ing Hr"
    " Hrn Fr Frl Fam Fa Gebr Mme Mlle MM Sra Srta Dra Ud Uds проф им ул د डॉ".split()
)
ABBREVIATIONS = frozenset(
    "St Ste Mt Ft Jr Sr Sen Co co Corp Inc Ltd Bros Ave Blvd st vs viz cf al ca ed eds trans approx"
    " Esq Eq Ph.D M.Sc B.Sc Jan Feb Mar Apr Jun Jul Aug Sept Sep Oct Nov Dec bzw vgl evtl ggf inkl"
    " exkl sog geb gest Str Tel Abb Gl Jh Mio Mrd Chr EE pág"
    # German ones, but for words such as "Alt." and "am."
    " Abt Adr Allg Ausg Bibl Ca Dez Dim Dir Dtzd Einh Erf Evtl Folg Ges Ggf Hbf Hptst Hrsg Inh"
    " Jahrh Kfm Kl Konv Min Msp Okt Pfd Phys Prot Proz Qu Rel Sek Spezif Std Temp Tägl Urspr Verf"
    " Vgl Wg Ztr allg amtl beil ehem eigtl einschl entspr erw ev frz gedr gek gesch ggfs hpts jew"
    " jhrl kath kfm kgl mtl möbl näml od röm schles schwäb schweiz südd tägl verh verw wg zzgl"
    " österr Anl Anm Aufl Bhf Bsp Einw bspw insb insbes lt u usf zz".split()
)
BEFORE_NUMBERS = frozenset(
    "No no Nos Nr N° Nº nº p pp S c b d fl r Vol vol Fig fig Op op Art Abs Kap Bd ch cap".split()
)
# Sentences often begin with these words, and what belongs to an abbreviation seldom does.
FIRST_WORDS = frozenset(
    "A An The This That These Those There Here I You He She It We They My Your His Her Its Our"
    " Their Who What When Where Why How If As At In On For From With After Before But And Or So"
    " Then Now Not Some Many Most All Both Did Do Does Is Are Was Were Have Has Had Can Will Please"
    " Der Die Das Den Dem Ein Eine Dies Diese Dieser Ich Du Er Sie Es Wir Ihr Man Mein Seine Ihre"
    " Was Wer Wie Wo Wann Warum Wenn Als Da Dann Danach Dort Hier Im Am Auf Bei Mit Nach Aber Und"
    " Oder Doch Nun Auch Nur Kein Keine Viele Alle Alles Jede Jeder Il Elle Je Nous Vous".split()
)
AFTER_ORDINALS = frozenset(
    "Januar Februar März April Mai Juni Juli August September Oktober November Dezember Jahrhundert"
    " Auflage Klasse Stock Platz Tag Mal".split()
)
LONGEST_BEFORE = 20  # characters that are looked at before a full stop

MARKS, SURE_MARKS = ".!?…؟", "。！？｡।॥۔။።։"
CLOSERS = r"\"'”’“‘»«›‹)\]」』】）》"
_OPENERS = r"(?:[—–]\s?)?[\"'“‘„‚«»‹›(\[¿¡「『]*\s?"
# The look-behinds begin a match at the first mark of a run only, so the time is linear.
_END = regex.compile(
    rf"""(?<![{MARKS}]) (?P<marks>[{MARKS}]++) (?:\s?»|[{CLOSERS}])*+ (?:\[\d+\])*+
         \s++(?={_OPENERS}(?P<next>[\p{{L}}\p{{N}}\p{{Sc}}]))
      | (?<![{SURE_MARKS}]) [{SURE_MARKS}]++ (?:[{CLOSERS}]++(?!と|って)|(?![{CLOSERS}])) \s*+
      | (?<![!?]) [!?]++ (?=[\p{{Han}}\p{{Hiragana}}\p{{Katakana}}])""",
    regex.VERBOSE,
)
_SMALL = regex.compile(r"(?!\p{Georgian})\p{Ll}")  # Georgian begins sentences with small letters
# What is before the (last) stop of "[...]" and of "and . . . I".
_OMISSION = regex.compile(r"[(\[]$|(?<![.\s])\s\.\s\.\s$")
_BEGIN = r"(?<![\p{L}\p{M}\p{N}'’@/.])"
_WORD_BEFORE = regex.compile(rf"{_BEGIN}[\p{{L}}\p{{M}}°º.]++$")
_LETTERS_BEFORE = regex.compile(rf"{_BEGIN}(?:\p{{L}}\p{{M}}*+\.[\s-]?){{0,9}}\p{{L}}\p{{M}}*+$")
_GERMAN_ORDINAL = regex.compile(
    r"(?<!I )\b(?i:[ai]m|vom|zum|beim|ins|d(?:er|ie|as|e[nms]))\s\d\d?$"
)
_ITEM = regex.compile(r"[(•⁃]?\s?(?:\d{1,3}|\p{L})[.)]")
_SMALL_NUMBER = regex.compile(r"\b\d\d?$")
_NEXT_WORD = regex.compile(r"([\p{L}\p{M}]++)(\.?)")
_BLANK_LINES = regex.compile(r"\n[ \t]*\n\s*")


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Return the start of each sentence, and the position after its end.

    >>> sentence_spans("It rained. We left.")
    [(0, 10), (11, 19)]
    """
    spans = []
    start = len(text) - len(text.lstrip())
    for end in _END.finditer(text):
        if end["next"] is None or _is_end(text, start, end.start(), end.start("next")):
            spans.append((start, start + len(text[start : end.end()].rstrip())))
            start = end.end()
    if start < len(text):
        spans.append((start, len(text.rstrip())))
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


def _is_end(text: str, start: int, stop: int, after: int) -> bool:
    """Return whether the mark at `stop` ends a sentence; at `after` are a letter or a digit."""
    near = max(start, stop - LONGEST_BEFORE)
    if _SMALL.match(text, after) or _OMISSION.search(text, near, stop):
        return False
    is_full_stop = text[stop] == "." and text[stop + 1] not in MARKS
    return not is_full_stop or not _belongs_to_word(text, start, stop, after)


def _belongs_to_word(text: str, start: int, stop: int, after: int) -> bool:
    """Return whether a full stop is part of the word or the number before it."""
    near = max(start, stop - LONGEST_BEFORE)
    before = _WORD_BEFORE.search(text, near, stop)
    word = "" if before is None else before[0]
    letters = _LETTERS_BEFORE.search(text, near, stop)
    is_item = _ITEM.fullmatch(text, start, stop + 1) and _ITEM.match(text[:LONGEST_BEFORE].lstrip())
    if word in TITLES or is_item:
        return True
    follows = _NEXT_WORD.match(text, after)
    if follows is None:  # a number or a sign
        is_short = letters is not None and "." in letters[0]
        return is_short or word in ABBREVIATIONS or word in BEFORE_NUMBERS
    next_word, dot = follows.groups()
    if next_word in FIRST_WORDS and not dot:
        return False
    if letters is not None:
        is_short = "." in letters[0] or letters[0].isupper()
        # The "z" of "z. B.", and the "v" of "v. Chr."
        return is_short or (dot != "" and (len(next_word) == 1 or next_word in ABBREVIATIONS))
    ordinal = _SMALL_NUMBER if next_word in AFTER_ORDINALS else _GERMAN_ORDINAL
    return word in ABBREVIATIONS or ordinal.search(text, near, stop) is not None
