"""Predict, then reveal: your word for a blank, before the model's."""

from mlm_core.prediction.fillers import find_blanks, rank_of, top_fillers
from pages.kit.caches import cache_predictions
from pages.kit.part import Part, part
from pages.lessons.prediction_and_loss.setting import show_bars, token_name
from pages.lessons.prediction_and_loss.typed import blank_sentence, one_piece

N_GUESSES = 6


@part()
def show(p: Part) -> None:
    """Ask for a word; show the model's own, with the typed word's probability and rank."""
    with p.place(border=True):
        lead = p.place()
        with p.row():
            word = p.text("word", "")
            with p.popover("sentence", "edit"):
                text = blank_sentence(p, "cloze")
        with lead:
            p.say("lead", sentence=text.text)
        blanks = find_blanks(text, p.model.tokenizer)
        if not blanks:
            p.note("no_blank", icon="edit")
            return
        about = {"name": "word", "sentence": text.text}
        word = word.strip() or p.answer_of_class("word", "text", **about) or ""
        if not word:
            return
        id_ = one_piece(p, word, text, blanks[0])
        if id_ is None:
            return
        if p.may_show("word", "text", word, **about):
            _reveal(p, text.text, blanks[0], id_)


def _reveal(p: Part, text: str, blank: int, id_: int) -> None:
    """Draw the model's words next to the learner's."""
    guesses = cache_predictions.fillers(p.model_name, text, blank, N_GUESSES)
    probability, rank = cache_predictions.word_at_blank(p.model_name, text, blank, id_)
    name = token_name(p, id_)
    rows = guesses if rank <= N_GUESSES else [*guesses, (name, probability)]
    left, right = p.columns(3, 2, gap="large")
    with left:
        show_bars(p, "guesses", *zip(*rows, strict=True), blank=blank)
    with right:
        one_in = 1 / max(probability, 1e-30)
        p.say("best" if rank == 1 else "other", word=name, rank=rank, one_in=one_in)
    # Not below the part: before the answer there is nothing that it is about.
    p.code("guess", top_fillers, rank_of)
