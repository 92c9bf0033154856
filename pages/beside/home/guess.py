"""The whole subject in one figure: guess a hidden word, then see what the model guesses, and how.

The first answer shows the model's guesses. From then on they follow each click: another word that
is hidden, a sentence of the learner's own. Below them plays the whole way of the word that was
hidden last.
"""

from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from typing import Any

from mlm_core.figures.bars import bars_svg
from mlm_core.number_format import formatted
from mlm_core.text.tokens import TokenizedText, tokenize
from pages.beside.home import doors
from pages.beside.home.sentence import (
    MOST_BLANKS,
    Piece,
    chips,
    gaps_of,
    last_of_content,
    masked_text,
    pieces_of,
    read_hidden,
    with_one_blank,
    written,
)
from pages.kit.caches import cache_predictions
from pages.kit.part import LONGEST_TEXT, Part, Table, part
from pages.kit.whole_way import FollowedToken, draw_way
from pages.server.course.language import FIRST, IN_LINK, READS

N_GUESSES = 6  # with the learner's word and the hidden one
LETTERS = 12  # of their names
FIELD, WIDEST = 250, 480  # pixels: of the field, and of a blank's bars
MOST_TOKENS = 64
FIRST_HIDDEN = "1"
MINE, HIDDEN_ONE = "→ ", " ✓"  # beside the learner's word and the one that was hidden
# State: the model's guesses are shown; the sentence that guesses and hidden words are about.
REVEALED, ASKED_OF = "revealed", "asked_of"
BY_TURN = attrgetter("turn")


@dataclass(frozen=True, kw_only=True)
class Blank:
    """A blank of the sentence."""

    number: int  # from 1
    piece: int  # its place among the words and marks
    position: int  # of its token
    original: str  # the word that was hidden, if one was
    turn: int  # in which it was hidden; a typed blank is there before

    @property
    def guess(self) -> str:
        """Return the name of the field for the learner's guess, which is about this word."""
        return f"guess_{self.piece}"


@part()
def show(p: Part) -> None:
    """Let the visitor guess hidden words of a sentence, and see the model's guesses."""
    sentence = p.drawn_value("text", p.examples.label("default_sentence"), longest=LONGEST_TEXT)
    sentence = sentence or ""
    pieces = pieces_of(sentence)
    with p.place(css="home_stage"):
        hidden = _hidden(p, sentence, pieces)
        masked = masked_text(sentence, pieces, hidden)
        tokens = tokenize(p.tokenizer, masked, max_tokens=MOST_TOKENS)
        blanks = _blanks(tokens, pieces, hidden)
        words = p.place(css="home_words")
        newest = max(blanks, key=BY_TURN, default=None)
        own = _ask(p, blanks, newest) if newest else None
        with words:
            row = chips(p, pieces, hidden, asks=own is None)
            p.drawing("chips", row, partial(_turn, p, hidden))
        p.say_what_was_left_out(tokens)
        if newest is not None:
            _answer(p, masked, blanks, is_shown=own is not None)
        else:
            p.note("no_blank", icon="touch_app")
    with own or p.place():  # on a phone it is last: drawn earlier, it would move
        p.text("text")
    if own and newest:
        _follow(p, masked, newest)
    doors.show(p, sentence)


def _hidden(p: Part, sentence: str, pieces: list[Piece]) -> list[int]:
    """Return the numbers of the hidden words, the newest last.

    Another sentence begins anew, with its last word of content.
    """
    is_usual = sentence == p.examples.label("default_sentence")
    usual = FIRST_HIDDEN if is_usual else written(last_of_content(pieces))
    if p.state.setdefault(ASKED_OF, sentence) != sentence:
        p.state[ASKED_OF] = sentence
        _forget_guesses(p)
        if not (p.is_fixed("hidden") or p.is_asked("hidden")):
            p.reset("hidden")
    hidden = read_hidden(p.drawn("hidden", usual), pieces)
    p.write_to_link("hidden", written(hidden), usual)
    return hidden


def _turn(p: Part, hidden: list[int], value: str) -> None:
    """Hide the word with this number, or bring it back."""
    number = int(value)
    rest = [one for one in hidden if one != number]
    chosen = rest if number in hidden else [*rest, number][-MOST_BLANKS:]
    p.choose("hidden", written(chosen))


def _blanks(tokens: TokenizedText, pieces: list[Piece], hidden: list[int]) -> list[Blank]:
    positions = [i for i, token in enumerate(tokens.texts) if token == "[MASK]"][:MOST_BLANKS]
    pairs = zip(positions, gaps_of(pieces, hidden), strict=False)
    return [
        Blank(
            number=number,
            piece=piece,
            position=position,
            original="" if pieces[piece].is_blank else pieces[piece].text,
            turn=-1 if pieces[piece].is_blank else hidden.index(piece),
        )
        for number, (position, piece) in enumerate(pairs, 1)
    ]


def _ask(p: Part, blanks: list[Blank], newest: Blank) -> Any:
    """Ask for the word that was hidden last.

    Once the model's guesses are shown, return the place for a sentence of one's own.
    """
    with p.row("bottom", css="home_ask"):
        guess = p.typed(
            newest.guess,
            "your_guess" if len(blanks) == 1 else "your_guess_of",
            longest=40,
            about={"number": newest.number},
            placeholder=p.label("guess_placeholder"),
            width=FIELD,
        )
        if guess.strip():
            p.state[REVEALED] = True
        is_shown = p.state.get(REVEALED, False)
        p.button(
            "reveal",
            partial(_show_or_hide, p),
            label="guess_again" if is_shown else "reveal",
            icon="visibility_off" if is_shown else "bar_chart",
        )
        return p.place(css="home_own") if is_shown else None


def _show_or_hide(p: Part) -> None:
    p.state[REVEALED] = not p.state.get(REVEALED, False)
    if not p.state[REVEALED]:
        _forget_guesses(p)


def _forget_guesses(p: Part) -> None:
    for name in [*p.state]:
        if name.startswith("guess_"):
            p.state[name] = ""


def _answer(p: Part, masked: str, blanks: list[Blank], *, is_shown: bool) -> None:
    """Show the model's guesses for each blank, or where they will be."""
    rows, is_alone, verdict = [], len(blanks) == 1, ""
    with p.row("top", "medium", css="home_guesses"):
        for blank in sorted(blanks, key=BY_TURN):  # so that those drawn before stay in place
            with p.place(css=f"home_bars_{blank.piece}"):
                if not is_shown:
                    none, alt = [""] * N_GUESSES, p.plain("guesses_wait")
                    _draw(p, blank, none, [0.0] * N_GUESSES, alt=alt, written=none)
                    continue
                found, verdict = _guesses(p, masked, blank)
                rows += [(blank.number, *pair) for pair in found.items()]
                # Empty, it takes away at once what an earlier run wrote there.
                p.write("" if is_alone else verdict)
        alone = p.place(css="home_alone") if is_alone else p.place()
    if rows:
        with alone if is_alone else p.place(css=f"home_of_{len(blanks)}"):
            if is_alone:
                p.write(verdict)
            if asked := with_one_blank(masked, [blank.original for blank in blanks]):
                _why(p, asked)
            table = Table(rows, columns=["position", "token", "probability"])
            p.numbers("guesses", table, source="source")


def _why(p: Part, masked: str) -> None:
    """Lead to the lesson that shows, in the same sentence, which words the guess comes from."""
    slug, spoken = "inside_a_prediction", {READS: p.language, IN_LINK: p.words_language}
    place: dict[str, Any] = {f"{slug}_text": masked}
    place |= spoken if {*spoken.values()} != {FIRST} else {}
    p.link_to(slug, "which_words", p.label("why"), **place)


def _guesses(p: Part, masked: str, blank: Blank) -> tuple[dict[str, float], str]:
    """Draw the model's guesses for a blank.

    Returned are the words that are drawn, with their probabilities, and what is said of the
    learner's word and of the hidden one.
    """
    mine, original, tokenizer = p.state.get(blank.guess, "").strip(), blank.original, p.tokenizer
    ranks, more = {}, {}
    for word in filter(None, (mine, original)):
        if (id_ := tokenizer.token_to_id(word)) is not None:
            more[word], ranks[word] = cache_predictions.word_at_blank(
                p.model_name, masked, blank.position, id_
            )
    best = cache_predictions.fillers(p.model_name, masked, blank.position, N_GUESSES)
    others = [pair for pair in best if pair[0] not in more][: N_GUESSES - len(more)]
    found = dict(sorted([*others, *more.items()], key=lambda pair: -pair[1]))
    names = [f"{MINE * (name == mine)}{name}{HIDDEN_ONE * (name == original)}" for name in found]
    said = ", ".join(f"{name} {formatted(share, '.2f')}" for name, share in found.items())
    alt = p.plain("guesses_alt", number=blank.number, guesses=said)
    _draw(p, blank, names, list(found.values()), alt=alt)
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


def _draw(p: Part, blank: Blank, names: list[str], values: list[float], **about: Any) -> None:
    """Draw the bars of a blank: as many each time, so that they move from one click to the next."""
    bars = bars_svg(names, values, longest=1.0, letters=LETTERS, widest=WIDEST, **about)
    p.drawing(f"guesses_{blank.piece}", bars)


def _follow(p: Part, masked: str, blank: Blank) -> None:
    """Play the whole way of a blank, from subwords to probabilities."""
    seen, way = cache_predictions.way_of_token(p.model_name, masked, blank.position)
    true_id = p.tokenizer.token_to_id(blank.original)
    with p.place(css="home_way"):
        p.heading("way")
        followed = FollowedToken(text=seen, seen=seen, way=way, may_be_followed=[], true_id=true_id)
        draw_way(p, followed, lambda _: None)
