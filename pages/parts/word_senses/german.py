"""English and German "die" on one map: what the model in use can tell apart, and what not."""

import streamlit as st

from mlm_core.encoder.model_list import BUNDLED
from mlm_core.figures.embeddings.sense_map import sense_groups
from pages.parts.word_senses import setting
from pages.parts.word_senses.board import N_NEIGHBOURS, Board, show_board
from pages.parts.word_senses.uses import choose_kind, gather, lay_out, stored
from pages.shared.caches import cache, cache_senses
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs

NAME, LANGUAGES = "die_en_de", ("die", "die_de")  # the joint map, and the words on it
BY = ("language", "sense")


@part
def show(page: Page) -> None:
    """Draw both languages' uses, and measure how the model reads each language."""
    words, now = page.words, setting.current(page)
    st.markdown(words.section("german.lead"))
    both = [cache_senses.stored_word(name) for name in LANGUAGES]
    sentences = tuple(sentence for word in both for sentence in word.sentences)
    uses = gather(page, sentences, now.pooling)
    layouts = stored(page, NAME, now.pooling)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        kind = choose_kind(page, key="word_senses_die_kind", has_stored=layouts is not None)
        names = {name: words.label(f"die_by_{name}") for name in BY}
        by = inputs.choice(words.label("colour"), names, key="word_senses_die_by")
    language = [i for i, word in enumerate(both) for _ in word.sentences]
    groups = [words.plain("english"), words.plain("german")]
    group_of = language
    if by == "sense":
        groups = [f"{word.language}: {sense.name}" for word in both for sense in word.senses]
        n_english = len(both[0].senses)
        group_of = [
            *both[0].sense_numbers,
            *(n_english + number for number in both[1].sense_numbers),
        ]
    show_board(
        page,
        Board(
            key="word_senses_die",
            uses=uses,
            layer=now.layer,
            layout=lay_out(page, uses, now.layer, kind, layouts),
            groups=sense_groups(groups),
            group_of=group_of,
            source=words.label(
                "source",
                model=page.model_name,
                layer=setting.layer_name(page, now.layer),
                n=len(sentences),
            ),
        ),
    )
    _measure(page, now, uses, language)
    st.markdown(words.section("german.bundled" if page.model_name == BUNDLED else "german.other"))
    from mlm_core.embeddings.trust import trust_map
    from mlm_core.embeddings.word_senses import leave_one_out

    show_source(leave_one_out, trust_map, key="word_senses_die_code")


def _measure(page: Page, now: setting.Setting, uses, language: list[int]) -> None:
    """Say how the tokenizer cuts each language, and how well the senses are told apart."""
    import torch

    from mlm_core.embeddings.word_senses import cosines, leave_one_out, sentence_groups
    from mlm_core.evaluation.metrics import confusion
    from mlm_core.text.tokens import role_token

    model, vectors = cache.model(page.model_name), uses.at(now.layer)
    unknown, rows = role_token(model.tokenizer, "[UNK]"), []
    near = cosines(vectors, vectors).fill_diagonal_(-2).topk(N_NEIGHBOURS, dim=1).indices
    of = torch.tensor(language)
    for i, name in enumerate(LANGUAGES):
        word, mine = cache_senses.stored_word(name), (of == i).nonzero()[:, 0]
        tokens = [t for k in mine.tolist() for t in uses.located[k].text.tokens if not t.is_special]
        n_words = sum(len(sentence.text.split()) for sentence in word.sentences)
        senses = torch.tensor(word.sense_numbers)
        verdicts = leave_one_out(
            vectors[mine],
            senses,
            len(word.senses),
            sentence_groups(word.sentences),
            method=now.method,
        ).senses
        score = confusion(senses.tolist(), verdicts.tolist(), range(len(word.senses)))
        rows.append(
            {
                page.words.plain("die_language"): page.words.plain(("english", "german")[i]),
                page.words.plain("die_tokens"): round(len(tokens) / n_words, 2),
                page.words.plain("die_unknown"): sum(t.text == unknown for t in tokens),
                page.words.plain("die_same"): round(
                    (of[near[mine]] == i).double().mean().item(), 2
                ),
                page.words.plain("die_accuracy"): round(score.accuracy, 2),
                page.words.plain("die_baseline"): round(score.most_frequent_accuracy, 2),
            }
        )
    st.markdown(page.words.section("german.measured"))
    Table(rows).show()
