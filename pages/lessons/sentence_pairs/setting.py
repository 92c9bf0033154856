"""What several parts of this lesson share: a pair and its verdict, documents, the seed."""

from mlm_core.figures.prediction.sentence_pairs import pair_html
from mlm_core.prediction.next_sentence import NextSentenceSteps
from mlm_core.text.tokens import TokenizedText
from pages.kit.part import Part
from pages.lessons.sentence_pairs import computed

LONGEST_DOCUMENTS = 20_000  # characters; some 250 pairs


def has_head(p: Part) -> bool:
    """Return whether the model can judge pairs; if it can't, say so and offer the bundled one."""
    bert = p.model.bert
    if bert is not None and bert.next_sentence_head is not None:
        return True
    p.note("no_head", model=p.model_name)
    p.button(f"bundled_{p.name}", p.read_with_bundled, label="bundled", icon="swap_horiz")
    return False


def judge(p: Part, first: str, second: str) -> tuple[TokenizedText, NextSentenceSteps] | None:
    """Return a pair's tokens and verdict; say what is missing, and return None, if it is empty."""
    text, steps = computed.next_sentence(p.model_name, first, second)
    if {token.segment for token in text.tokens if token.start < token.stop} != {0, 1}:
        p.note("no_text", icon="edit")
        return None
    p.say_what_was_left_out(text)
    return text, steps


def show_pair(p: Part, text: TokenizedText, name: str) -> None:
    """Show a pair's chips, segment by segment."""
    names = (p.plain("segment_a"), p.plain("segment_b"))
    p.drawing(name, pair_html(text.tokens, names, label=p.plain("pair_alt")))


def own_pair(p: Part) -> tuple[str, str]:
    """Show the two lines of the learner's own pair, the same in every part."""
    left, right = p.columns(gap="small")
    with left:
        first = p.text("first")
    with right:
        second = p.text("second")
    return first, second


def choose_seed(p: Part) -> int:
    """Show the number that all random draws of this lesson come from."""
    return p.slider("seed", start=p.seed_start(1, 1, 100), width=220)


def documents_text(p: Part) -> str | None:
    """Let the learner choose documents; return their own text, or None for ours."""
    if p.choice("documents") == "ours":
        return None
    longest = LONGEST_DOCUMENTS
    text = p.pasted(
        "own",
        "own_documents",
        longest=longest,
        height=180,
        sample="documents.sample",
        reads="text",
    )
    p.caption("documents.help", longest=longest)
    if len(text) == longest:
        p.warn("documents.cut", icon="content_cut", longest=longest)
    return text
