"""What learners type: a sentence with [MASK] in it, and a word that fits one blank."""

from mlm_core.prediction.fillers import text_before, word_tokens
from mlm_core.text.tokens import TokenizedText, role_token
from pages.kit.part import Part


def blank_sentence(p: Part, name: str, start: str | None = None) -> TokenizedText:
    """Show a line for a sentence with [MASK] in it, at first the lesson's; return its tokens."""
    typed = p.text(name, start)
    return p.tokens(typed.replace("[MASK]", role_token(p.model.tokenizer, "[MASK]")))


def one_piece(p: Part, word: str, text: TokenizedText, position: int) -> int | None:
    """Return the id of a word in a token's place; None, and the reason, if it is no one token."""
    pieces = word_tokens(p.tokenizer, word, text_before(text, position))
    if len(pieces) == 1 and not pieces[0].is_special:
        return pieces[0].id
    if len(pieces) > 1:
        shown = " ".join(piece.text for piece in pieces[:8])
        about = {"word": word.strip(), "n": len(pieces), "pieces": shown}
        p.note("word.pieces", icon="content_cut", **about)
    else:
        p.note("word.unknown", icon="help", word=word.strip())
    return None
