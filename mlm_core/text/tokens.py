"""Text to subword tokens and back, and three algorithms that learn a vocabulary.

The `tokenizers` library cuts; `tokenize` keeps for each token its word, its characters in the
text and its segment.

Source: SLP3 section 11.1.1; Schuster & Nakajima 2012 (WordPiece), Sennrich et al. 2016 (BPE),
Kudo 2018 (Unigram); the tokenizers library for all three trainers.

Read before this: ../shapes.py; also subword_trainers.py. Read next: cutting.py.
"""

import json
import sys
from bisect import bisect
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import regex
from tokenizers import Tokenizer
from tokenizers.normalizers import BertNormalizer
from tokenizers.processors import TemplateProcessing

from mlm_core.short_repr import short_repr
from mlm_core.text.subword_trainers import ALGORITHMS, SPECIAL_TOKENS, Algorithm, learn_vocabulary

# Letters of a word in learning; longer words are cut. The library's time grows with their square:
# four words of 50,000 letters took 2.8 seconds.
LONGEST_LEARNT = 1_000
# What tokenizer_config.json says of BERT's normalizer, and the normalizer's own name for it.
ASKED = {"do_lower_case": "lowercase", "strip_accents": "strip_accents"}
ASKED["tokenize_chinese_chars"] = "handle_chinese_chars"
# These classes of transformers make that normalizer anew; others take tokenizer.json as it is.
MADE_ANEW = ("Bert", "DistilBert", "Electra", "MPNet", "MobileBert", "LayoutLM", "Funnel")
MADE_ANEW += ("SqueezeBert",)
_CHUNK = regex.compile(r"\P{White_Space}+")


@dataclass(frozen=True, kw_only=True, slots=True)
class Token:
    """One subword token and its origin in the text."""

    text: str  # as the vocabulary writes it: "##ing", "▁the", "ing</w>"
    id: int  # its row in the vocabulary and in the embedding matrix
    start: int  # first character in the text it was cut from
    stop: int  # one past its last character; start == stop for a token that was added
    word: int | None  # which word of its segment, counted from 0; None for an added token
    segment: int  # 0 in the first text, 1 in the second
    is_special: bool  # [CLS], [SEP], [MASK], ..., added or typed


@dataclass(frozen=True, kw_only=True)
class Word:
    """A word of the pre-tokenizer, with its tokens: no token crosses its borders."""

    text: str
    start: int
    stop: int
    segment: int
    positions: tuple[int, ...]  # of its tokens in TokenizedText.tokens


@short_repr("texts")
@dataclass(frozen=True, kw_only=True)
class TokenizedText:
    """A text, or a pair of texts, as the model reads it."""

    text: str
    pair: str | None
    tokens: tuple[Token, ...]
    n_left_out: int  # tokens that did not fit into max_tokens

    @property
    def ids(self) -> list[int]:
        """Return each token's row in the vocabulary."""
        return [token.id for token in self.tokens]

    @property
    def segment_ids(self) -> list[int]:
        """Return 0 for tokens of the first text, 1 for those of the second."""
        return [token.segment for token in self.tokens]

    @property
    def texts(self) -> list[str]:
        """Return the tokens as the vocabulary writes them."""
        return [token.text for token in self.tokens]

    @property
    def words(self) -> tuple[Word, ...]:
        """Return the words in order, each with the positions of its subwords.

        The pre-tokenizer cuts words: BERT's makes every punctuation mark a word, so "don't" is
        three. Where a tokenizer has none that finds the spaces, as Gemma's, they cut.
        """
        subwords: dict[tuple[int, int], list[int]] = {}
        for position, token in enumerate(self.tokens):
            if token.word is not None:
                subwords.setdefault((token.segment, token.word), []).append(position)
        return tuple(self._word(segment, positions) for (segment, _), positions in subwords.items())

    def _word(self, segment: int, positions: list[int]) -> Word:
        start = min(self.tokens[i].start for i in positions)
        stop = max(self.tokens[i].stop for i in positions)
        text = ((self.text if segment == 0 else self.pair) or "")[start:stop]
        return Word(text=text, start=start, stop=stop, segment=segment, positions=tuple(positions))


def load_tokenizer(folder: Path) -> Tokenizer:
    """Return the tokenizer in a folder's tokenizer.json, as its tokenizer_config.json asks.

    Raises ValueError if tokenizer.json is missing, or one of the two is damaged.
    """
    path = folder / "tokenizer.json"
    if not path.is_file():
        raise ValueError(
            f"no tokenizer.json in {folder.name}: save the tokenizer there with save_pretrained()"
        )
    try:
        tokenizer = Tokenizer.from_str(path.read_text(encoding="utf-8"))
    except Exception as error:  # the library raises bare Exception for every kind of damage
        raise ValueError(f"{folder.name}/tokenizer.json is damaged: {error}") from error
    # The caller limits the length: tokenize(max_tokens=...).
    tokenizer.no_truncation()
    tokenizer.no_padding()
    _normalize_as_asked(tokenizer, folder / "tokenizer_config.json")
    return tokenizer


def _normalize_as_asked(tokenizer: Tokenizer, path: Path) -> None:
    """Let BERT's normalizer do what a tokenizer_config.json says of case and accents.

    AutoTokenizer makes that normalizer again from the config, so it decides where the two files
    differ. Departs: of what the config doesn't say, tokenizer.json decides.
    """
    normalizer = tokenizer.normalizer
    if not isinstance(normalizer, BertNormalizer) or not path.is_file():
        return
    try:
        config = json.loads(path.read_text(encoding="utf-8"))
        kind = str(config.get("tokenizer_class") or "BertTokenizer")
        if kind.removesuffix("Fast").removesuffix("Tokenizer") not in MADE_ANEW:
            return
        for name in ASKED.keys() & config.keys():
            setattr(normalizer, ASKED[name], config[name])
    except (ValueError, AttributeError, TypeError) as error:
        raise ValueError(
            f"{path.parent.name}/{path.name} is damaged ({error}): copy the file again"
        ) from error
    tokenizer.normalizer = normalizer


def save_tokenizer(tokenizer: Tokenizer, folder: Path, *, max_tokens: int) -> None:
    """Write the files of files_of_tokenizer() into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files_of_tokenizer(tokenizer, max_tokens=max_tokens).items():
        (folder / name).write_bytes(content)


def files_of_tokenizer(tokenizer: Tokenizer, *, max_tokens: int) -> dict[str, bytes]:
    """Return tokenizer.json, and the tokenizer_config.json that AutoTokenizer needs."""
    roles = ("pad_token", "unk_token", "cls_token", "sep_token", "mask_token")
    config = {
        # This class uses tokenizer.json unchanged; BertTokenizer would rebuild its rules.
        "tokenizer_class": "PreTrainedTokenizerFast",
        "model_max_length": max_tokens,
        # Without this line AutoTokenizer drops the segment ids of a pair.
        "model_input_names": ["input_ids", "token_type_ids", "attention_mask"],
        **dict(zip(roles, SPECIAL_TOKENS, strict=True)),
    }
    return {
        "tokenizer.json": tokenizer.to_str(pretty=True).encode(),
        "tokenizer_config.json": (json.dumps(config, indent=1) + "\n").encode(),
    }


def tokenize(
    tokenizer: Tokenizer, text: str, pair: str | None = None, *, max_tokens: int | None = None
) -> TokenizedText:
    """Return the tokens of `text` (and of `pair` after it) with the special tokens.

    Tokens that do not fit into `max_tokens` are left out from the end of the longer text and
    counted in `n_left_out`. Half a surrogate pair, which is no character, is read as "?".
    Raises ValueError if max_tokens leaves no room for the special tokens.
    """
    text = _whole_characters(text)
    pair = None if pair is None else _whole_characters(pair)
    encoding = tokenizer.encode(text, pair)
    special_ids = special_token_ids(tokenizer)
    # The encoding makes each list again at every access.
    offsets, words, sequences = encoding.offsets, encoding.word_ids, encoding.sequence_ids
    if len(set(zip(sequences, words, strict=True))) <= len(f"{text} {pair or ''}".split()):
        words = _words_cut_at_spaces(offsets, words, sequences, (text, pair or ""))
    left_out = _positions_left_out(sequences, max_tokens)
    columns = zip(encoding.ids, offsets, words, encoding.type_ids, sequences, strict=True)
    tokens = tuple(
        Token(
            # Not encoding.tokens: there Unigram has an unknown character itself.
            text=sys.intern(entry_of(tokenizer, id_)),
            id=id_,
            start=start,
            stop=stop,
            word=word,
            # RoBERTa's family gives both texts type 0, so the sequence id is used first.
            segment=type_id if sequence is None else sequence,
            is_special=id_ in special_ids,
        )
        for i, (id_, (start, stop), word, type_id, sequence) in enumerate(columns)
        if i not in left_out
    )
    return TokenizedText(text=text, pair=pair, tokens=tokens, n_left_out=len(left_out))


def rarest(tokenizer: Tokenizer, words: Iterable[Word]) -> Word:
    """Return the word that is rarest by the vocabulary, which likely has content.

    A word of more subwords is rarer; of as many, the one with the largest id, since trainers add
    what is frequent first. A capital at the start of a sentence makes no word rarer, and [UNK] is
    an early entry. Raises ValueError if there are no words.
    """

    def rarity(word: Word) -> tuple[int, int]:
        forms = {word.text, word.text.lower()}
        ids = [tokenizer.encode(form, add_special_tokens=False).ids for form in forms]
        return min((len(each), max(each, default=0)) for each in ids)

    return max(words, key=rarity)


def pad(text: TokenizedText, tokenizer: Tokenizer, n_padding: int) -> TokenizedText:
    """Return the text with `n_padding` padding tokens at the end, as in a batch.

    Raises ValueError if the tokenizer has no padding token.
    """
    end = len(text.text)
    padding = Token(
        text=role_token(tokenizer, "[PAD]"),
        id=role_id(tokenizer, "[PAD]"),
        start=end,
        stop=end,
        word=None,
        segment=0,
        is_special=True,
    )
    return replace(text, tokens=text.tokens + (padding,) * n_padding)


def role_token(tokenizer: Tokenizer, bert_name: str) -> str:
    """Return this tokenizer's name of a special token of BERT: RoBERTa has "<mask>".

    Raises ValueError if it has none for that role.
    """
    other = {"[PAD]": "<pad>", "[UNK]": "<unk>", "[CLS]": "<s>", "[SEP]": "</s>"}
    for name in (bert_name, other.get(bert_name, "<mask>")):
        if tokenizer.token_to_id(name) is not None:
            return name
    raise ValueError(f"this tokenizer has no {bert_name} token")


def role_id(tokenizer: Tokenizer, bert_name: str) -> int:
    """Return the id of role_token(). Raises ValueError as that does."""
    id_ = tokenizer.token_to_id(role_token(tokenizer, bert_name))
    assert id_ is not None  # role_token() has found it
    return id_


def entry_of(tokenizer: Tokenizer, id_: int) -> str:
    """Return the vocabulary's entry with this id, which must be one of its ids."""
    entry = tokenizer.id_to_token(id_)
    assert entry is not None, f"no entry {id_}"
    return entry


def special_token_ids(tokenizer: Tokenizer) -> frozenset[int]:
    """Return the ids of the special tokens: [PAD], [UNK], [CLS], [SEP], [MASK], ..."""
    added = tokenizer.get_added_tokens_decoder()
    return frozenset(id_ for id_, token in added.items() if token.special)


def train_tokenizer(algorithm: Algorithm, lines: Iterable[str], vocabulary_size: int) -> Tokenizer:
    """Learn a cased vocabulary of about `vocabulary_size` subwords from `lines`.

    WordPiece cuts by the longest match from the left. BPE applies its merges in the order it
    learned them, with "</w>" at a word's end. Unigram takes the likeliest cut, with "▁" for the
    space before a word. The vocabulary is smaller if the text has no more to learn, and larger if
    the text has more distinct characters. The same text gives the same vocabulary (tested).

    Departs: see learn_vocabulary() in subword_trainers.py.
    Raises ValueError for an unknown algorithm, a text without letters, or no room to learn.
    """
    if algorithm not in ALGORITHMS:
        raise ValueError(f"algorithm {algorithm!r}: choose one of {', '.join(ALGORITHMS)}")
    if vocabulary_size <= len(SPECIAL_TOKENS):
        raise ValueError(
            f"vocabulary_size is {vocabulary_size}, but the special tokens alone are"
            f" {len(SPECIAL_TOKENS)}: ask for more"
        )
    lines = [learnable(line) for line in lines]
    if not any(line.strip() for line in lines):
        raise ValueError("nothing to learn from: the text has no words")
    tokenizer = learn_vocabulary(algorithm, lines, vocabulary_size)
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[(name, tokenizer.token_to_id(name)) for name in ("[CLS]", "[SEP]")],
    )
    return tokenizer


def _words_cut_at_spaces(
    offsets: list[tuple[int, int]],
    words: list[int | None],
    sequences: list[int | None],
    texts: tuple[str, str],
) -> list[int | None]:
    """Return each token's word, which also ends at a space; a space belongs to what follows it.

    They stay as the tokenizer has them where none of its words has a space inside.
    """
    spans: dict[tuple[int, int], tuple[int, int]] = {}
    places = [
        None if word is None or sequence is None else (sequence, word)
        for sequence, word in zip(sequences, words, strict=True)
    ]
    for place, (start, stop) in zip(places, offsets, strict=True):
        if place is not None:
            spans[place] = spans.get(place, (start, stop))[0], stop
    if not any(" " in texts[of][slice(*span)].strip() for (of, _), span in spans.items()):
        return words
    starts = [[chunk.start() for chunk in _CHUNK.finditer(text)] for text in texts]
    seen: tuple[dict[tuple[int, int], int], ...] = ({}, {})  # of each text: word and chunk
    cut: list[int | None] = []
    for place, (start, _) in zip(places, offsets, strict=True):
        if place is None:
            cut.append(None)
            continue
        of, word = place
        found = _CHUNK.search(texts[of], start)
        chunk = bisect(starts[of], found.start()) if found else len(starts[of]) + 1
        cut.append(seen[of].setdefault((word, chunk), len(seen[of])))
    return cut


def _positions_left_out(sequence_ids: list[int | None], max_tokens: int | None) -> set[int]:
    """Return the positions to leave out, so that `max_tokens` remain."""
    if max_tokens is None or len(sequence_ids) <= max_tokens:
        return set()
    first, second = ([i for i, of in enumerate(sequence_ids) if of == text] for text in (0, 1))
    n_special = len(sequence_ids) - len(first) - len(second)
    room = max_tokens - n_special
    if room < 0:
        raise ValueError(f"max_tokens is {max_tokens}, but {n_special} special tokens come first")
    # From the longer text first, so that both keep about half. Of an odd number of tokens the
    # longer text keeps the odd one, of equal texts the second, as in transformers.
    half = (room + (len(second) >= len(first))) // 2
    kept_second = min(len(second), max(half, room - len(first)))
    return {*first[room - kept_second :], *second[kept_second:]}


def learnable(line: str) -> str:
    """Return a line for the library's trainers: whole characters, long words cut.

    >>> learnable("ab " + "c" * 1_001).split()[2:]
    ['c']
    """
    line = _whole_characters(line)
    words = line.split()
    if max(map(len, words), default=0) <= LONGEST_LEARNT:
        return line
    starts = ((word, start) for word in words for start in range(0, len(word), LONGEST_LEARNT))
    return " ".join(word[start : start + LONGEST_LEARNT] for word, start in starts)


def _whole_characters(text: str) -> str:
    return text.encode("utf-8", errors="replace").decode("utf-8")
