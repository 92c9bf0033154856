"""What the lesson shares: the learner's sentence with its one blank."""

from mlm_core.text.tokens import TokenizedText, role_token
from pages.kit.part import Part


def blank_sentence(
    p: Part, name: str, *, needs_head: bool = True
) -> tuple[TokenizedText, int] | None:
    """Show a line for a sentence; return its tokens and the position of its blank.

    None, and the reason, where there is no single blank, or no head that a part needs.
    """
    mask = role_token(p.model.tokenizer, "[MASK]")
    text = p.tokens(p.text(name).replace("[MASK]", mask))
    blanks = [i for i, token in enumerate(text.tokens) if token.text == mask]
    if needs_head and not p.model.has_language_head:
        p.note("no_head", icon="block", model=p.model_name)
    elif len(blanks) != 1:
        p.note("no_blank" if not blanks else "too_many_blanks", icon="edit", n=len(blanks))
    else:
        return text, blanks[0]
    return None


def token_name(p: Part, id_: int) -> str:
    """Return a token as the vocabulary writes it; some models have rows without a token."""
    return p.model.tokenizer.id_to_token(id_) or f"row {id_}"
