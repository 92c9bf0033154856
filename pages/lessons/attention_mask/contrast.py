"""Opening: the same word in two sentences, with the causal switch on and off."""

from collections.abc import Sequence
from functools import partial

from mlm_core.encoder.comparison import SharedWord, WordComparison, compare_word, shared_words
from mlm_core.figures.chips import chip_row
from mlm_core.figures.matrix import wrapped_row_svg
from mlm_core.number_format import formatted
from mlm_core.text.tokens import TokenizedText, Word, rarest
from pages.kit.part import Part, as_text, part

VOTES = ("same", "different")
EQUAL = 1e-4  # the largest difference of numbers that were computed in two sentences


@part(code=("encoder.comparison:compare_word",))
def show(p: Part) -> None:
    """Compare one word's vectors in two sentences that differ after it."""
    is_causal = _is_causal(p)
    figures = p.place()
    # Folded: they have a start, and on a phone they would hide the figure.
    fold = p.fold("sentences", "edit")
    with fold:
        first, second = p.text("first"), p.text("second")
    tokens_1, encoding_1 = p.encoding(first, is_causal)
    tokens_2, encoding_2 = p.encoding(second, is_causal)
    p.say_what_was_left_out(tokens_1, tokens_2)
    shared = {word.text: word for word in shared_words(tokens_1, tokens_2)}
    if not shared:
        p.note("no_shared_word", icon="search")
        return
    tokenizer = p.tokenizer
    name = rarest(tokenizer, (word.first for word in shared.values())).text
    if len(shared) > 1:
        with fold:
            words = {word: as_text(word) for word in shared}
            name = p.choice("word", words, start=name, on_change=p.draw_whole_page)
    word = shared.pop(name)
    others = shared.values()
    with figures:
        _show_chips(p, "chips_1", tokens_1, [word.first, *(w.first for w in others)], is_causal)
        _show_chips(p, "chips_2", tokens_2, [word.second, *(w.second for w in others)], is_causal)
        asked, about = "same_causal" if is_causal else "same_bidirectional", (first, second, name)
        if p.vote(asked, VOTES, about=(p.model_name, *about), word=name):
            comparison = compare_word(encoding_1, encoding_2, word)
            is_same = comparison.largest_differences[-1] < EQUAL
            p.tell_right(asked, "same" if is_same else "different")
            _show_vectors(p, comparison, word, is_causal)


def _is_causal(p: Part) -> bool:
    """Show the causal switch; return whether it is on. Not every model has one."""
    if p.model.bert is None:
        p.note("no_switch", model=p.model_name)
        return False
    return p.choice("switch") == "causal"


def _show_chips(
    p: Part, name: str, text: TokenizedText, words: Sequence[Word], is_causal: bool
) -> None:
    """Show a sentence's chips: the first word ringed, what it may not look at hatched.

    A click on another of the words lets it be compared.
    """
    hidden = range(words[0].positions[-1] + 1, len(text.tokens)) if is_causal else ()
    word_at = {str(i): word.text for word in words for i in word.positions}
    chips = chip_row(
        text.tokens,
        selected=words[0].positions,
        blocked=hidden,
        clickable=[*map(int, word_at)] if len(words) > 1 else False,
        label=text.text,
    )
    p.drawing(name, chips, lambda value: p.choose("word", word_at[value], on_whole_page=True))


def _show_vectors(p: Part, comparison: WordComparison, word: SharedWord, is_causal: bool) -> None:
    """Show the cosine of the word's two vectors, at the end and on the way through the layers."""
    cosines = comparison.cosines
    states = [p.label("state_0"), *(p.label("state", layer=i) for i in range(1, len(cosines)))]
    left, right = p.columns(1, 2, gap="small")
    with left:
        p.metric("metric", formatted(cosines[-1], ".3f"), word=word.text)
        if is_causal:
            p.say("causal_same" if word.same_before else "causal_different", word=word.text)
        else:
            p.say("bidirectional", word=word.text)
    with right:
        p.figure(
            "contrast",
            partial(wrapped_row_svg, cosines, p.label("cosine"), states),
            {
                "state": states,
                "cosine": cosines,
                "largest_difference": comparison.largest_differences,
            },
            cosine=cosines[-1],
            mask=p.label("mask_causal" if is_causal else "mask_bidirectional"),
            word=word.text,
        )
