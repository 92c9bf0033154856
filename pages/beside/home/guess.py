"""The whole subject in one figure: hide words, guess them, and see what the model guesses."""

import re
from dataclasses import dataclass
from functools import partial
from typing import Any

import regex

from mlm_core.figures.bars import bars_svg
from mlm_core.figures.theme import escaped
from mlm_core.number_format import formatted
from mlm_core.text.tokens import tokenize
from mlm_core.text.words import SEGMENT
from pages.kit.caches import cache_predictions
from pages.kit.part import LONGEST_TEXT, Part, Table, part
from pages.server.course.language import FIRST, IN_LINK, READS

N_GUESSES = 5
MOST_BLANKS = 3  # side by side
COLUMN = 250  # pixels: one and the button in a row beside the menu of a tablet
# Enough for one sentence in any window; the lessons say more about longer texts.
MOST_TOKENS, MOST_WORDS = 64, 40
FIRST_HIDDEN = "1"
MINE, HIDDEN_ONE = "→ ", " ✓"  # beside the learner's word and the one that was hidden
# State: the model's guesses are shown without the learner's; the language it all is in.
REVEALED, GUESSED_IN = "revealed", "guessed_in"
# A blank as a reader may type it, a word with its hyphens, or a mark.
_SEGMENT = rf"(?:{SEGMENT.pattern})"
_WORD = rf"(?=\w){_SEGMENT}"
PIECE = regex.compile(
    rf"(?P<blank>(?i:\[mask\])|_{{2,}})|(?P<word>{_WORD}(?:-{_WORD})*)|(?!\s){_SEGMENT}",
    SEGMENT.flags,
)


@dataclass(frozen=True, kw_only=True)
class Piece:
    """A word, a mark or a blank of the sentence."""

    text: str
    start: int
    end: int
    is_word: bool  # that can be hidden
    is_blank: bool


@part()
def show(p: Part) -> None:
    """Let the visitor hide words of a sentence, guess them, and see the model's guesses."""
    _begin_in(p, p.language)
    sentence = _sentence(p)
    pieces = pieces_of(sentence)
    hidden = read_hidden(p.drawn("hidden", FIRST_HIDDEN), pieces)
    p.write_to_link("hidden", _written(hidden), FIRST_HIDDEN)
    p.drawing("chips", chips(p, pieces, hidden), partial(_turn, p, hidden))
    masked = masked_text(sentence, pieces, hidden)
    tokens = tokenize(p.tokenizer, masked, max_tokens=MOST_TOKENS)
    p.say_what_was_left_out(tokens)
    blanks = [i for i, token in enumerate(tokens.texts) if token == "[MASK]"][:MOST_BLANKS]
    originals = [
        piece.text if n in hidden else ""
        for n, piece in enumerate(pieces)
        if is_gap(n, piece, hidden)
    ]
    if blanks:
        _guess(p, masked, dict(zip(blanks, originals, strict=False)))
    else:
        p.note("no_blank", icon="touch_app")
    p.text("text")


def _turn(p: Part, hidden: list[int], value: str) -> None:
    """Hide the word with this number, or bring it back."""
    number = int(value)
    rest = [one for one in hidden if one != number]
    chosen = rest if number in hidden else [*rest, number][-MOST_BLANKS:]
    p.choose("hidden", _written(chosen))
    _forget_guesses(p)


def _guess(p: Part, masked: str, blanks: dict[int, str]) -> None:
    """Ask for the words of the blanks; next to a guess is what the model says.

    `blanks` has the word that was hidden, if one was, by the position of each blank.
    """
    guesses, rows = [], []
    with p.row("top"):
        columns = [p.place(width=COLUMN) for _ in blanks]
        last = p.place(css="home_last", width="stretch" if len(blanks) == 1 else "content")
    for number, column in enumerate(columns):
        with column:
            guesses.append(_ask(p, number))
    is_revealed = p.state.get(REVEALED, False)
    if is_revealed or not all(guesses):
        with last:
            _reveal_button(p, is_revealed)
    for number, (blank, original) in enumerate(blanks.items()):
        if guesses[number] or is_revealed:
            with columns[number]:
                found, verdict = _blank(p, masked, number, blank, guesses[number], original)
            with last if len(blanks) == 1 else columns[number]:
                p.write(verdict)
            rows += [(number + 1, *pair) for pair in found.items()]
    if rows:
        asked = with_one_blank(masked, list(blanks.values()))
        if asked:
            with last if len(blanks) == 1 else p.place():
                _why(p, asked)
        table = Table(rows, columns=["position", "token", "probability"])
        p.numbers("guesses", table, source="source")


def with_one_blank(masked: str, originals: list[str]) -> str:
    """Return the sentence with one blank, the typed one or the first; "" if several were typed.

    >>> with_one_blank("[MASK] ate [MASK].", ["We", "it"])
    '[MASK] ate it.'
    """
    begin, *others = masked.split("[MASK]")
    typed = [i for i, original in enumerate(originals) if not original]
    if len(typed) > 1 or len(others) > len(originals):
        return ""
    kept = typed[0] if typed else 0
    words = ["[MASK]" if i == kept else original for i, original in enumerate(originals)]
    return begin + "".join(map("".join, zip(words, others, strict=False)))


def _why(p: Part, masked: str) -> None:
    """Lead to the lesson that shows, in the same sentence, which words the guess comes from."""
    slug, spoken = "inside_a_prediction", {READS: p.language, IN_LINK: p.words_language}
    place: dict[str, Any] = {f"{slug}_text": masked}
    place |= spoken if {*spoken.values()} != {FIRST} else {}
    p.link_to(slug, "which_words", p.label("why"), **place)


def _begin_in(p: Part, language: str) -> None:
    """Ask for guesses again where the sentence is in another language than before."""
    if p.state.setdefault(GUESSED_IN, language) != language:
        p.state[GUESSED_IN], p.state[REVEALED] = language, False
        _forget_guesses(p)


def _forget_guesses(p: Part) -> None:
    for blank in range(MOST_BLANKS):
        p.state[f"guess_{blank}"] = ""


def _sentence(p: Part) -> str:
    """Return the text of the field, which is drawn below its words."""
    usual = p.examples.label("default_sentence")
    return p.drawn_value("text", usual, longest=LONGEST_TEXT) or ""


def pieces_of(sentence: str) -> list[Piece]:
    """Return the words, marks and blanks of a sentence, each with its place."""
    return [
        Piece(
            text=found[0],
            start=found.start(),
            end=found.end(),
            is_word=found["word"] is not None,
            is_blank=found["blank"] is not None,
        )
        for found in PIECE.finditer(sentence)
    ][:MOST_WORDS]


def read_hidden(link: str | None, pieces: list[Piece]) -> list[int]:
    """Return the numbers in a link such as "1-4" that are words of the sentence."""
    asked = [int(one) for one in re.findall(r"(?<!\d)\d{1,3}(?!\d)", link or "", re.ASCII)[:9]]
    known = [one for one in dict.fromkeys(asked) if one < len(pieces) and pieces[one].is_word]
    return known[:MOST_BLANKS]


def _written(hidden: list[int]) -> str:
    """Return the numbers of hidden words as the link has them."""
    return "-".join(map(str, hidden)) or "none"


def is_gap(number: int, piece: Piece, hidden: list[int]) -> bool:
    """Return whether the model reads [MASK] in place of a piece."""
    return piece.is_blank or number in hidden


def masked_text(sentence: str, pieces: list[Piece], hidden: list[int]) -> str:
    """Return the sentence as the model reads it.

    >>> masked_text("We ate.", pieces_of("We ate."), [1])
    'We [MASK].'
    """
    parts, end = [], 0
    for number, piece in enumerate(pieces):
        if is_gap(number, piece, hidden):
            parts += [sentence[end : piece.start], "[MASK]"]
            end = piece.end
    return "".join([*parts, sentence[end:]])


def chips(p: Part, pieces: list[Piece], hidden: list[int]) -> str:
    """Return the sentence as a row of words to click on; hidden ones are numbered blanks."""
    parts, n_blanks = [], 0
    for number, piece in enumerate(pieces):
        if not is_gap(number, piece, hidden):
            name = escaped(p.plain("hide", word=piece.text))
            parts.append(
                f'<button type="button" class="chip" data-value="{number}" title="{name}">'
                f"{escaped(piece.text, 24)}</button>"
                if piece.is_word
                else f"<span>{escaped(piece.text)}</span>"
            )
            continue
        n_blanks += 1
        shown = escaped(p.plain("blank", number=n_blanks))
        if piece.is_blank:
            parts.append(f'<span class="chip mask">{shown}</span>')
        else:
            name = escaped(p.plain("bring_back", word=piece.text))
            parts.append(
                f'<button type="button" class="chip mask" data-value="{number}" title="{name}"'
                f' aria-pressed="true">{shown}</button>'
            )
    label = escaped(p.plain("words_alt"))
    return f'<div class="chips sentence" role="group" aria-label="{label}">{"".join(parts)}</div>'


def _ask(p: Part, number: int) -> str:
    """Ask for the word of a blank; return it, empty where there is none yet."""
    about, placeholder = {"number": number + 1}, p.label("guess_placeholder")
    return p.typed(
        f"guess_{number}",
        "your_guess",
        longest=40,
        stays=False,
        about=about,
        placeholder=placeholder,
    ).strip()


def _blank(
    p: Part, masked: str, number: int, blank: int, mine: str, original: str
) -> tuple[dict[str, float], str]:
    """Draw the model's guesses for a blank.

    Returned are the words that are drawn, with their probabilities, and what is said of the
    learner's word and of the hidden one.
    """
    found = dict(cache_predictions.fillers(p.model_name, masked, blank, N_GUESSES))
    tokenizer, ranks = p.tokenizer, {}
    for word in filter(None, (mine, original)):
        id_ = tokenizer.token_to_id(word)
        if id_ is not None:
            found[word], ranks[word] = cache_predictions.word_at_blank(
                p.model_name, masked, blank, id_
            )
    names = [f"{MINE * (name == mine)}{name}{HIDDEN_ONE * (name == original)}" for name in found]
    said = ", ".join(f"{name} {formatted(share, '.2f')}" for name, share in found.items())
    alt = p.plain("guesses_alt", number=number + 1, guesses=said)
    bars = bars_svg(names, list(found.values()), longest=1.0, alt=alt, grows=True)
    p.drawing(f"guesses_{number}", bars)
    verdict = []
    if mine and ranks.get(mine) == 1:
        verdict = [p.section("agree", word=mine)]
    elif mine:
        said = "your_rank" if mine in ranks else "no_token"
        verdict = [p.section(said, word=mine, rank=ranks.get(mine, 0))]
    if original and original != mine and original in ranks:
        n = tokenizer.get_vocab_size()
        verdict += [p.section("hidden_rank", word=original, rank=ranks[original], n=n)]
    return found, "\n\n".join(verdict)


def _reveal_button(p: Part, is_revealed: bool) -> None:
    p.button(
        "reveal",
        partial(p.state.__setitem__, REVEALED, not is_revealed),
        label="guess_again" if is_revealed else "reveal",
        type="tertiary" if is_revealed else "primary",
        icon="visibility_off" if is_revealed else "bar_chart",
    )
