"""The whole subject in one figure: hide words, guess them, and see what the model guesses."""

import re
from dataclasses import dataclass

import regex
import streamlit as st

from mlm_core.figures.bars import bars_svg
from mlm_core.figures.theme import escaped
from mlm_core.number_format import formatted
from mlm_core.text.tokens import tokenize
from mlm_core.text.words import SEGMENT
from pages.server.caches import cache, cache_predictions
from pages.server.course.language import FIRST, IN_LINK, READS, current, read_on, reader
from pages.server.course.lessons import BY_SLUG, HOME
from pages.server.course.words import Words, read_examples
from pages.server.figures.clickable import drawing
from pages.server.figures.show import keep
from pages.server.figures.table import Table
from pages.server.frame.parts import part
from pages.server.link import inputs
from pages.server.link.controls import part_key
from pages.server.process.streamlit_patches import browser_history

N_GUESSES = 5
MOST_BLANKS = 3  # side by side
COLUMN = 250  # pixels: one and the button in a row beside the menu of a tablet
# Enough for one sentence in any window; the lessons say more about longer texts.
MOST_TOKENS, MOST_WORDS = 64, 40
TEXT, HIDDEN = "home_text", "home_hidden"
FIRST_HIDDEN = "1"
MINE, HIDDEN_ONE = "→ ", " ✓"  # beside the learner's word and the one that was hidden
# Session state: the model's guesses are shown without the learner's; the language it all is in.
REVEALED, GUESSED_IN = "home_revealed", "home_guessed_in"
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


@part
def show(words: Words) -> None:
    """Let the visitor hide words of a sentence, guess them, and see the model's guesses."""
    _begin_in(read_on(HOME))
    sentence = _sentence()
    pieces = pieces_of(sentence)
    hidden = read_hidden(inputs.drawn(words.label("words_alt"), FIRST_HIDDEN, key=HIDDEN), pieces)

    def turn(value: str) -> None:
        number = int(value)
        rest = [one for one in hidden if one != number]
        chosen = rest if number in hidden else [*rest, number][-MOST_BLANKS:]
        inputs.choose(HIDDEN, "-".join(map(str, chosen)) or "none")
        _forget_guesses()

    inputs.keep(HIDDEN, "-".join(map(str, hidden)) or "none", FIRST_HIDDEN)
    drawing(chips(pieces, hidden, words), key="home_chips", on_click=turn)
    masked = masked_text(sentence, pieces, hidden)
    tokens = tokenize(cache.model_tokenizer(reader(HOME)), masked, max_tokens=MOST_TOKENS)
    inputs.say_what_was_left_out(tokens)
    blanks = [i for i, token in enumerate(tokens.texts) if token == "[MASK]"][:MOST_BLANKS]
    originals = [
        p.text if n in hidden else "" for n, p in enumerate(pieces) if is_gap(n, p, hidden)
    ]
    if blanks:
        _guess(words, masked, dict(zip(blanks, originals, strict=False)))
    else:
        st.info(words.section("no_blank"), icon=":material/touch_app:")
    inputs.text(words.label("sentence"), _example(), key=TEXT)


def _guess(words: Words, masked: str, blanks: dict[int, str]) -> None:
    """Ask for the words of the blanks; beside a guess stands what the model says.

    `blanks` has the word that was hidden, if one was, by the position of each blank.
    """
    row, guesses, rows = st.container(horizontal=True), [], []
    with row:
        columns = [st.container(width=COLUMN) for _ in blanks]
        last = st.container(key="home_last", width="stretch" if len(blanks) == 1 else "content")
    for number, column in enumerate(columns):
        with column:
            guesses.append(_ask(words, number))
    is_revealed = st.session_state.get(REVEALED, False)
    if is_revealed or not all(guesses):
        with last:
            _reveal_button(words)
    for number, (blank, original) in enumerate(blanks.items()):
        if guesses[number] or is_revealed:
            with columns[number]:
                about = (words, masked, number, blank, guesses[number], original)
                found, verdict = _blank(*about)
            with last if len(blanks) == 1 else columns[number]:
                st.markdown(verdict)
            rows += [(number + 1, *pair) for pair in found.items()]
    if rows:
        asked = with_one_blank(masked, list(blanks.values()))
        if asked:
            with last if len(blanks) == 1 else st.container():
                _why(words, asked)
        table = Table(rows, columns=["position", "token", "probability"])
        keep("home_guesses", table=table, source=words.label("source", model=reader(HOME)))


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


def _why(words: Words, masked: str) -> None:
    """Lead to the lesson that shows, in the same sentence, which words the guess comes from."""
    lesson, spoken = BY_SLUG["inside_a_prediction"], {READS: read_on(HOME), IN_LINK: current()}
    st.page_link(
        lesson.file,
        label=words.label("why"),
        icon=lesson.icon,
        query_params={
            part_key(lesson.slug): "which_words",
            f"{lesson.slug}_text": masked,
            **(spoken if {*spoken.values()} != {FIRST} else {}),
        },
    )


def _begin_in(language: str) -> None:
    """Ask for guesses anew where the sentence is in another language than before."""
    if st.session_state.setdefault(GUESSED_IN, language) != language:
        st.session_state[GUESSED_IN], st.session_state[REVEALED] = language, False
        _forget_guesses()


def _forget_guesses() -> None:
    for blank in range(MOST_BLANKS):
        st.session_state[f"home_guess_{blank}"] = ""


def _sentence() -> str:
    """Return the text of the field, which is drawn below its words."""
    if browser_history.is_back_or_forward():
        inputs.follow_link((TEXT, HIDDEN))
    return inputs.drawn_value(TEXT, _example(), longest=inputs.LONGEST_TEXT) or ""


def _example() -> str:
    return read_examples(HOME).label("default_sentence")


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


def chips(pieces: list[Piece], hidden: list[int], words: Words) -> str:
    """Return the sentence as a row of words to click on; hidden ones are numbered blanks."""
    parts, n_blanks = [], 0
    for number, piece in enumerate(pieces):
        if not is_gap(number, piece, hidden):
            name = escaped(words.plain("hide", word=piece.text))
            parts.append(
                f'<button type="button" class="chip" data-value="{number}" title="{name}">'
                f"{escaped(piece.text, 24)}</button>"
                if piece.is_word
                else f"<span>{escaped(piece.text)}</span>"
            )
            continue
        n_blanks += 1
        shown = escaped(words.plain("blank", number=n_blanks))
        if piece.is_blank:
            parts.append(f'<span class="chip mask">{shown}</span>')
        else:
            name = escaped(words.plain("bring_back", word=piece.text))
            parts.append(
                f'<button type="button" class="chip mask" data-value="{number}" title="{name}"'
                f' aria-pressed="true">{shown}</button>'
            )
    label = escaped(words.plain("words_alt"))
    return f'<div class="chips sentence" role="group" aria-label="{label}">{"".join(parts)}</div>'


def _ask(words: Words, number: int) -> str:
    """Ask for the word of a blank; return it, empty where there is none yet."""
    guess = st.text_input(
        words.label("your_guess", number=number + 1),
        key=f"home_guess_{number}",
        placeholder=words.label("guess_placeholder"),
        max_chars=40,
        autocomplete="off",
    )
    return (guess or "").strip()


def _blank(
    words: Words, masked: str, number: int, blank: int, mine: str, original: str
) -> tuple[dict[str, float], str]:
    """Draw the model's guesses for a blank.

    Returned are the words that are drawn, with their probabilities, and what is said of the
    learner's word and of the hidden one.
    """
    model = reader(HOME)
    found = dict(cache_predictions.fillers(model, masked, blank, N_GUESSES))
    tokenizer, ranks = cache.model_tokenizer(model), {}
    for word in filter(None, (mine, original)):
        id_ = tokenizer.token_to_id(word)
        if id_ is not None:
            found[word], ranks[word] = cache_predictions.word_at_blank(model, masked, blank, id_)
    names = [f"{MINE * (name == mine)}{name}{HIDDEN_ONE * (name == original)}" for name in found]
    said = ", ".join(f"{name} {formatted(p, '.2f')}" for name, p in found.items())
    drawing(
        bars_svg(
            names,
            list(found.values()),
            longest=1.0,
            alt=words.plain("guesses_alt", number=number + 1, guesses=said),
            grows=True,
        ),
        key=f"home_guesses_{number}",
    )
    verdict = []
    if mine and ranks.get(mine) == 1:
        verdict = [words.section("agree", word=mine)]
    elif mine:
        said = "your_rank" if mine in ranks else "no_token"
        verdict = [words.section(said, word=mine, rank=ranks.get(mine, 0))]
    if original and original != mine and original in ranks:
        n = tokenizer.get_vocab_size()
        verdict += [words.section("hidden_rank", word=original, rank=ranks[original], n=n)]
    return found, "\n\n".join(verdict)


def _reveal_button(words: Words) -> None:
    is_revealed = st.session_state.get(REVEALED, False)
    st.button(
        words.label("guess_again" if is_revealed else "reveal"),
        on_click=_reveal,
        args=(not is_revealed,),
        type="tertiary" if is_revealed else "primary",
        icon=":material/visibility_off:" if is_revealed else ":material/bar_chart:",
        key="home_reveal",
    )


def _reveal(is_revealed: bool) -> None:
    st.session_state[REVEALED] = is_revealed
