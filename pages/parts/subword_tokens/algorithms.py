"""How each algorithm learns and cuts, written out for one word of the learner's text."""

import streamlit as st

from mlm_core.text.tokens import ALGORITHMS
from pages.parts.subword_tokens import setting, steps
from pages.shared.caches import cache, cache_vocabularies
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.link import inputs

N_MERGES = 12  # shown
LONGEST_WORD = 40  # letters; the drawings have one column a letter


@part
def show(page: Page) -> None:
    """Let the learner choose an algorithm and one of their words; show every step."""
    words, now = page.words, setting.current()
    algorithm = inputs.choice(
        words.label("algorithm"),
        {name: name for name in ALGORITHMS},
        key="subword_tokens_algorithm",
    )
    st.markdown(words.section(f"algorithms.{algorithm.lower()}_learns"))
    if algorithm == "BPE":
        merges = cache_vocabularies.first_merges(N_MERGES, None)
        table = Table(
            {
                words.plain("merge_rank"): range(1, len(merges) + 1),
                words.plain("merge_pair"): [f"{merge.left} + {merge.right}" for merge in merges],
                words.plain("merge_new"): [merge.left + merge.right for merge in merges],
                words.plain("merge_count"): [merge.count for merge in merges],
            }
        )
        table.show()
        st.caption(words.label("merges_source"))
    found = _words_of(now.text)
    if not found:
        setting.say_it_is_empty(page)
        return
    chosen = inputs.position(
        words.label("word"), found, key="subword_tokens_word", default=min(4, len(found) - 1)
    )
    word = found[chosen]
    if len(word) > LONGEST_WORD:
        st.warning(
            words.section("algorithms.long", longest=LONGEST_WORD), icon=":material/content_cut:"
        )
        word = word[:LONGEST_WORD]
    st.markdown(words.section(f"algorithms.{algorithm.lower()}_cuts"))
    draw = {"WordPiece": steps.wordpiece, "BPE": steps.bpe, "Unigram": steps.unigram}
    draw[algorithm](page, word, now.size)


def _words_of(text: str) -> list[str]:
    """Return the words that stand behind a space or at the start, each once."""
    tokenizer = cache.bundled_tokenizer()
    clean, split = tokenizer.normalizer, tokenizer.pre_tokenizer
    cut = (split.pre_tokenize_str(clean.normalize_str(stretch)) for stretch in text.split())
    firsts = [pieces[0][0] for pieces in cut if pieces]
    return list(dict.fromkeys(word for word in firsts if any(map(str.isalnum, word))))
