"""English and German "die" on one map: what the model in use can tell apart, and what not."""

import streamlit as st

from mlm_core.embeddings.contextual import WordVectors
from mlm_core.embeddings.word_senses import cosines, leave_one_out, sentence_groups
from mlm_core.encoder.model_list import BUNDLED
from mlm_core.evaluation.metrics import confusion
from mlm_core.figures.embeddings.sense_map import sense_groups
from mlm_core.text.tokens import role_token
from pages.parts.word_senses.board import N_NEIGHBOURS, Board, show_board
from pages.parts.word_senses.setting import Setting, current
from pages.parts.word_senses.uses import choose_kind, gather, lay_out, stored
from pages.shared.caches import cache, cache_senses
from pages.shared.figures.table import Table
from pages.shared.kit.part import Part, part

NAME, WORDS = "die_en_de", {"english": "die", "german": "die_de"}  # the joint map; what is on it


@part(code=("embeddings.word_senses:leave_one_out", "embeddings.trust:trust_map"))
def show(p: Part) -> None:
    """Draw both languages' uses, and measure how the model reads each language."""
    now = current(p)
    p.say("lead")
    both = [cache_senses.stored_word(name) for name in WORDS.values()]
    uses = gather(p, tuple(use for word in both for use in word.sentences), now.pooling)
    layouts = stored(p, NAME, now.pooling)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        kind = choose_kind(p, "die_kind", has_stored=layouts is not None)
        by = p.choice("die_by")
    language = [i for i, word in enumerate(both) for _ in word.sentences]
    groups, group_of = [p.plain(name) for name in WORDS], language
    if by == "sense":
        groups = [f"{word.language}: {sense.name}" for word in both for sense in word.senses]
        first = (0, len(both[0].senses))  # number of each language's first sense
        group_of = [first[i] + n for i, word in enumerate(both) for n in word.sense_numbers]
    board = Board(
        names="die_",
        uses=uses,
        layer=now.layer,
        layout=lay_out(p, uses, now.layer, kind, layouts),
        groups=sense_groups(groups),
        group_of=group_of,
    )
    show_board(p, board)
    _measure(p, now, uses, language)
    p.say("bundled" if p.model_name == BUNDLED else "other")


def _measure(p: Part, now: Setting, uses: WordVectors, language: list[int]) -> None:
    """Say how the tokenizer cuts each language, and how well the senses are told apart."""
    import torch

    vectors, of = uses.at(now.layer), torch.tensor(language)
    unknown, rows = role_token(cache.model(p.model_name).tokenizer, "[UNK]"), []
    near = cosines(vectors, vectors).fill_diagonal_(-2).topk(N_NEIGHBOURS, dim=1).indices
    for i, (name, stored_name) in enumerate(WORDS.items()):
        word, mine = cache_senses.stored_word(stored_name), (of == i).nonzero()[:, 0]
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
        row = {
            "language": p.plain(name),
            "tokens": round(len(tokens) / n_words, 2),
            "unknown": sum(t.text == unknown for t in tokens),
            "same": round((of[near[mine]] == i).double().mean().item(), 2),
            "accuracy": round(score.accuracy, 2),
            "baseline": round(score.most_frequent_accuracy, 2),
        }
        rows.append({p.plain(f"die_{column}"): value for column, value in row.items()})
    p.say("measured")
    Table(rows).show()
