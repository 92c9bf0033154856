"""One sense per discourse: every use of a word in a text judged alone, then by vote."""

import streamlit as st

from mlm_core.embeddings.locating import find_word
from mlm_core.embeddings.senses_data import MarkedSentence
from mlm_core.figures.embeddings.sense_map import sense_groups
from mlm_core.figures.embeddings.sense_map_uses import ListedUse, uses_html
from mlm_core.number_format import formatted
from mlm_core.text.sentences import split_sentences
from pages.parts.word_senses import setting
from pages.parts.word_senses.setting import Setting
from pages.parts.word_senses.star import OwnUse, judge
from pages.shared.caches import cache_senses
from pages.shared.figures.clickable import drawing
from pages.shared.figures.show import keep
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source

LONGEST, MOST_USES = 3_000, 30  # characters; uses that are judged
FEWEST_USES = 2  # one alone always has the text's vote


@part
def show(page: Page) -> None:
    """Judge each use in its own sentence, then let the whole text vote."""
    words, now = page.words, setting.current(page)
    st.markdown(words.section("discourse.lead", word=now.word.word))
    default = words.section("discourse.text") if now.name == "bank" else ""
    text = st.text_area(
        words.label("discourse_text", word=now.word.word),
        default,
        height=170,
        max_chars=LONGEST,
        key=f"word_senses_discourse_{now.name}",
        persist_state="session",
    )
    found = _find(now, (text or "")[:LONGEST])
    if len(found) < FEWEST_USES:
        st.info(
            words.section("discourse.empty", word=now.word.word, forms=", ".join(now.word.forms)),
            icon=":material/edit:",
        )
        return
    if len(found) > MOST_USES:
        st.warning(
            words.section("discourse.cut", n=len(found), most=MOST_USES),
            icon=":material/content_cut:",
        )
    _vote(page, now, found[:MOST_USES])
    st.markdown(words.section("discourse.notice"))
    from mlm_core.embeddings.word_senses import one_sense_per_discourse

    show_source(one_sense_per_discourse, key="word_senses_discourse_code")


def _find(now: Setting, text: str) -> list[MarkedSentence]:
    """Return the word's uses, each in the sentence that it stands in."""
    found = []
    for line in text.splitlines():
        for sentence in split_sentences(line):
            places = find_word(sentence, now.word.word, now.word.forms)
            found += [places.marked(i) for i in range(len(places.spans))]
    return found


def _vote(page: Page, now: Setting, found: list[MarkedSentence]) -> None:
    import torch

    from mlm_core.embeddings.word_senses import SenseChoice, one_sense_per_discourse

    words, senses = page.words, now.word.senses
    choices = [
        judge(
            page,
            now,
            OwnUse(
                sentence=sentence,
                vectors=cache_senses.own_uses(page.model_name, (sentence,), now.pooling),
            ),
        )[0]
        for sentence in found
    ]
    near = torch.cat([choice.cosines for choice in choices])
    alone = torch.cat([choice.senses for choice in choices])
    choice = SenseChoice(
        cosines=near, senses=alone, nearest=torch.full_like(alone, -1), method=now.method
    )
    voted = int(one_sense_per_discourse(choice, torch.zeros_like(alone))[0])
    groups = sense_groups([sense.name for sense in senses])
    listed = [
        ListedUse(
            sentence=sentence,
            group=groups[number],
            number=formatted(row[number], ".3f"),
            is_named=True,
        )
        for sentence, number, row in zip(found, alone.tolist(), near.tolist(), strict=True)
    ]
    drawing(uses_html([(words.plain("each_alone"), listed)]), key="word_senses_discourse_uses")
    keep(
        "word_senses_discourse",
        table=Table(
            [
                {
                    "sentence": sentence.text,
                    "alone": senses[number].name,
                    "voted": senses[voted].name,
                    **dict(zip((f"cosine {s.name}" for s in senses), row, strict=True)),
                }
                for sentence, number, row in zip(found, alone.tolist(), near.tolist(), strict=True)
            ]
        ),
        source=words.label(
            "discourse_source", model=page.model_name, layer=setting.layer_name(page, now.layer)
        ),
    )
    counts = torch.bincount(alone, minlength=len(senses)).tolist()
    sums = near.sum(dim=0).tolist()
    alone_said = ", ".join(
        f"{sense.name} {n}" for sense, n in zip(senses, counts, strict=True) if n
    )
    sums_predicted = ", ".join(
        f"{sense.name} {formatted(total, '.2f')}" for sense, total in zip(senses, sums, strict=True)
    )
    st.markdown(
        words.section(
            "discourse.said",
            alone=alone_said,
            sums=sums_predicted,
            voted=senses[voted].name,
            changed=int((alone != voted).sum()),
            n=len(found),
        )
    )
