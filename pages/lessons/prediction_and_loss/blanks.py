"""Several blanks: filled independently from one pass or in turn; a word of several subwords."""

from typing import Literal

from mlm_core.figures.chips import chip_row
from mlm_core.figures.prediction.losses import loss_rows_chart
from mlm_core.number_format import formatted
from mlm_core.prediction.fillers import (
    MOST_BLANKS,
    FillStep,
    Order,
    fill_at_once,
    fill_in_turn,
    find_blanks,
    text_before,
    word_tokens,
)
from mlm_core.prediction.masked_words import put_tokens
from mlm_core.prediction.split_words import score_pieces, widen_blank
from mlm_core.text.tokens import Token, TokenizedText, role_token
from mlm_core.text.words import with_blanks
from pages.kit.caches import cache_predictions
from pages.kit.part import Part, Table, part
from pages.lessons.prediction_and_loss import computed
from pages.lessons.prediction_and_loss.setting import PATIENCE_SECONDS, show_bars, token_name
from pages.lessons.prediction_and_loss.typed import blank_sentence

WAYS = ("at_once", "left_to_right", "most_certain_first")
SCORES = ("at_once", "left_to_right", "others_in_sight")  # of a word, fields of PieceScore
N_GUESSES = 5


@part()
def show(p: Part) -> None:
    """Fill the learner's blanks in three ways, and open the steps of one."""
    if p.choice("blanks_kind") == "pieces":
        _show_word(p)
        return
    p.say("lead")
    text = blank_sentence(p, "blanks", with_blanks(p.own_text("text") or "", 2) or None)
    n_blanks = len(find_blanks(text, p.model.tokenizer))
    if 2 <= n_blanks <= MOST_BLANKS:
        _three_ways(p, text)
        _open_steps(p, text)
    else:
        p.note("too_few" if n_blanks < 2 else "too_many", icon="edit", n=n_blanks, most=MOST_BLANKS)
    p.line()
    _count_disagreements(p)
    p.code("blanks", fill_at_once, fill_in_turn)


def _steps(p: Part, text: str, way: Order | Literal["at_once"]) -> tuple[FillStep, ...]:
    return computed.filled(p.model_name, text, None if way == "at_once" else way)


def _show_filled(
    p: Part, name: str, text: TokenizedText, way: str, steps: tuple[FillStep, ...]
) -> None:
    """Show what one way writes into the blanks."""
    chosen = {step.position: step.chosen.id for step in steps}
    done = put_tokens(text, chosen, p.tokenizer)
    p.say(way)
    chips = chip_row(done.tokens, selected=chosen, label=p.plain(f"way_{way}"))
    p.drawing(f"{name}_{way}", chips)


def _three_ways(p: Part, text: TokenizedText) -> None:
    """Show what each way writes into the blanks."""
    ways = {way: _steps(p, text.text, way) for way in WAYS}
    for way, steps in ways.items():
        _show_filled(p, "filled", text, way, steps)
    rows = [
        {
            "way": way,
            "step": number,
            "position": step.position,
            "token": token_name(p, step.chosen.id),
            "probability": step.chosen.probability,
        }
        for way, steps in ways.items()
        for number, step in enumerate(steps, start=1)
    ]
    p.numbers("filled", rows, source="source")
    p.say("agree" if _agree(ways["at_once"], ways["left_to_right"]) else "disagree")


def _agree(at_once: tuple[FillStep, ...], in_turn: tuple[FillStep, ...]) -> bool:
    return [step.chosen.id for step in at_once] == [step.chosen.id for step in in_turn]


def _open_steps(p: Part, text: TokenizedText) -> None:
    """Show the guesses at one blank when all are open, and when it is filled in its turn."""
    steps = _steps(p, text.text, p.choice("way"))
    step = steps[int(p.choice("step", [str(i) for i in range(1, len(steps) + 1)])) - 1]
    alone = next(s for s in _steps(p, text.text, "at_once") if s.position == step.position)
    longest = max(s.chosen.probability for s in (step, alone))
    chips = chip_row(step.before.tokens, selected=[step.position], label=p.plain("before"))
    p.drawing("before", chips)
    both = {"step_alone": alone, "step_in_turn": step}
    for (name, shown), column in zip(both.items(), p.columns(), strict=True):
        with column:
            p.say(name)
            show_bars(
                p,
                name,
                [token_name(p, guess.id) for guess in shown.guesses],
                [guess.probability for guess in shown.guesses],
                longest=longest,
                source="step_source",
                position=step.position,
            )


# How often two blanks disagree: counted live on a few sentences of our own.


def _count_disagreements(p: Part) -> None:
    """Fill both blanks of each sentence in two ways; say how often the results differ."""
    p.button("count_ours_start", p.state.update, {"count_ours": True}, icon="calculate")
    # Seventy passes: only when they are asked for.
    if not p.state.get("count_ours"):
        return
    mask, rows = role_token(p.tokenizer, "[MASK]"), []
    sentences = p.examples.section("blanks.sentences").splitlines()
    for sentence in p.progress("counting", sentences, patience=PATIENCE_SECONDS):
        text = sentence.replace("[MASK]", mask)
        at_once, in_turn = (_steps(p, text, way) for way in WAYS[:2])
        rows.append(
            {
                "sentence": sentence,
                "at once": _written(p, at_once),
                "one after another": _written(p, in_turn),
                "differ": not _agree(at_once, in_turn),
            }
        )
    p.say("count", n=sum(row["differ"] for row in rows), of=len(rows), model=p.model_name)
    with p.fold("count_table", "table_rows"):
        Table(rows).show()


def _written(p: Part, steps: tuple[FillStep, ...]) -> str:
    return " … ".join(token_name(p, step.chosen.id) for step in steps)


# A word of several subwords: one [MASK] can't hold it, and n of them are filled in two ways.


def _show_word(p: Part) -> None:
    """Give the learner's word as many masks as it has subwords, and score it in three ways."""
    model = p.model
    p.say("pieces.lead")
    left, right = p.columns(3, 1)
    with left:
        text = blank_sentence(p, "pieces_sentence")
    with right:
        word = p.text("pieces_word").strip()
    blanks = find_blanks(text, model.tokenizer)
    before = text_before(text, blanks[0]) if blanks else " "
    pieces = word_tokens(model.tokenizer, word, before)
    n = len(pieces)
    if len(blanks) != 1:
        p.note("pieces.one_blank", icon="edit", n=len(blanks))
    elif not word or not pieces or any(piece.is_special for piece in pieces):
        p.note("pieces.none", icon="edit")
    elif n == 1:
        p.note("pieces.one", icon="edit", word=word)
    elif n > MOST_BLANKS or len(text.tokens) + n - 1 > model.max_tokens:
        p.note("pieces.too_many", icon="edit", n=n, most=MOST_BLANKS)
    else:
        _one_mask(p, text, blanks[0], word, pieces)
        _several_masks(p, text, word, n)
        with p.fold("pieces_scored", "functions", word=word):
            _scores(p, text, word)
        p.code("pieces", widen_blank, score_pieces)


def _one_mask(
    p: Part, text: TokenizedText, blank: int, word: str, pieces: tuple[Token, ...]
) -> None:
    """Show what one mask can hold, with the word's first subword among it."""
    p.drawing("pieces_chips", chip_row(pieces, label=p.plain("pieces_chips", word=word)))
    guesses = cache_predictions.fillers(p.model_name, text.text, blank, N_GUESSES)
    first, _ = cache_predictions.word_at_blank(p.model_name, text.text, blank, pieces[0].id)
    p.say(
        "pieces.one_mask",
        word=word,
        n=len(pieces),
        first=pieces[0].text,
        probability=first,
        entries=p.tokenizer.get_vocab_size(),
    )
    rows = zip(*guesses, (pieces[0].text, first), strict=True)
    show_bars(p, "pieces_one", *rows, source="guesses_source", blank=blank)


def _several_masks(p: Part, text: TokenizedText, word: str, n: int) -> None:
    """Show what the model writes into n masks, at once and from left to right."""
    mask = role_token(p.tokenizer, "[MASK]")
    widened = text.text.replace(mask, " ".join([mask] * n))
    p.say("pieces.several", n=n, word=word)
    ways = {way: _steps(p, widened, way) for way in WAYS[:2]}
    for way, steps in ways.items():
        _show_filled(p, "pieces", steps[0].before, way, steps)
    rows = [
        {
            "way": p.plain(f"way_{way}"),
            "position": step.position,
            "token": token_name(p, step.chosen.id),
            "probability": step.chosen.probability,
        }
        for way, steps in ways.items()
        for step in steps
    ]
    p.numbers("pieces_filled", rows, source="source")
    p.say("pieces.agree" if _agree(*ways.values()) else "pieces.disagree")


def _scores(p: Part, text: TokenizedText, word: str) -> None:
    """Draw -log P of each subword in three ways, with the sums."""
    scores = computed.piece_scores(p.model_name, text.text, word, len(text.tokens))
    tokens = [score.token for score in scores]
    log_p = {way: [getattr(score, way) for score in scores] for way in SCORES}
    p.say("pieces.scores")
    p.metrics({p.label(f"pieces_{way}"): formatted(sum(log_p[way]), ".2f") for way in SCORES})
    rows = [(p.plain(f"pieces_short_{way}"), [-x for x in log_p[way]]) for way in SCORES]
    drawn = loss_rows_chart(tokens, rows)
    p.figure("pieces_scores", drawn, {"token": tokens} | log_p, word=word)
    p.say("pieces.notice")
