"""The learner's own sentence on the map: a star, placed amid its nearest uses."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.embeddings.locating import find_word, regular_forms
from mlm_core.embeddings.senses_data import MarkedSentence, SenseWord
from mlm_core.figures.embeddings.sense_map import MapSign
from mlm_core.number_format import formatted
from pages.parts.word_senses.setting import Setting
from pages.parts.word_senses.uses import Layout
from pages.shared.caches import cache_senses
from pages.shared.frame.page_frame import Page
from pages.shared.link import inputs

if TYPE_CHECKING:
    from mlm_core.embeddings.contextual import WordVectors
    from mlm_core.embeddings.word_senses import SenseChoice

N_NEAREST = 3  # uses that draw the star


@dataclass(frozen=True, kw_only=True)
class OwnUse:
    """The word in a sentence of the learner's."""

    sentence: MarkedSentence
    vectors: "WordVectors"


def ask(page: Page, now: Setting) -> OwnUse | None:
    """Show the field for a sentence of the learner's own; return the use, if it has the word."""
    text = inputs.text(
        page.words.label("star_field", word=now.word.word),
        "",
        key=f"word_senses_star_{now.name}",
    )
    return find_use(page, now.word, text, now, key="star") if text.strip() else None


def find_use(page: Page, word: SenseWord, text: str, now: Setting, *, key: str) -> OwnUse | None:
    """Return the word's use in a text; say so if it is missing, and ask which if there are two."""
    forms = (*word.forms, *(regular_forms(word.word) if word.language == "en" else ()))
    found = find_word(text, word.word, forms)
    if not found.spans:
        st.info(
            page.words.section("word_missing", word=word.word, forms=", ".join(word.forms)),
            icon=":material/edit:",
        )
        return None
    number = 0
    if len(found.spans) > 1:
        places = [text[max(0, a - 20) : b + 20] for a, b in found.spans]
        number = inputs.position(
            page.words.label("which_place"), places, key=f"word_senses_{key}_place", default=0
        )
    sentence = found.marked(number)
    vectors = cache_senses.own_uses(page.model_name, (sentence,), now.pooling)
    if vectors.n_left_out[0]:
        st.warning(
            page.words.section("cut_around", n=vectors.n_left_out[0]),
            icon=":material/content_cut:",
        )
    return OwnUse(sentence=sentence, vectors=vectors)


def signs(
    page: Page, now: Setting, uses: "WordVectors", layout: Layout, own: OwnUse | None
) -> tuple[MapSign, ...]:
    """Return the star for the map, if there is a sentence."""
    if own is None:
        return ()
    from mlm_core.embeddings.maps import project_point

    places = project_point(
        own.vectors.at(now.layer), uses.at(now.layer), layout.places, n_neighbours=N_NEAREST
    )
    x, y = places[0].tolist()
    title = page.words.plain("star")
    return (MapSign(x=x, y=y, shape="star", title=title, legend=title),)


def say(page: Page, now: Setting, own: OwnUse | None) -> None:
    """Say what the model takes the learner's use for, and how the star got its place."""
    if own is None:
        return
    choice = judge(page, now, own)[0]
    senses, near = now.word.senses, choice.cosines[0].tolist()
    ranked = sorted(range(len(senses)), key=lambda i: -near[i])
    st.markdown(
        page.words.section(
            "star.said",
            first=senses[ranked[0]].name,
            second=senses[ranked[1]].name,
            near=formatted(near[ranked[0]], ".3f"),
            next=formatted(near[ranked[1]], ".3f"),
            n=N_NEAREST,
        )
    )


def judge(page: Page, now: Setting, own: OwnUse, method: str | None = None) -> tuple:
    """Return the choice of a sense, the examples' vectors and senses, and their sentences.

    An example with the learner's very sentence is left out, or it would judge itself.
    """
    import torch

    from mlm_core.embeddings.word_senses import choose_senses, sentence_groups
    from pages.parts.word_senses.uses import gather

    uses = gather(page, now.word.sentences, now.pooling)
    groups = sentence_groups([own.sentence, *uses.sentences])
    kept = (groups[1:] != groups[0]).nonzero()[:, 0]
    vectors = uses.at(now.layer)[kept]
    senses = torch.tensor(now.word.sense_numbers)[kept]
    choice: SenseChoice = choose_senses(
        own.vectors.at(now.layer),
        vectors,
        senses,
        len(now.word.senses),
        method=method or now.method,
    )
    return choice, vectors, senses, [uses.sentences[i] for i in kept.tolist()]
