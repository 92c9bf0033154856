"""One sense per discourse: every use of a word in a text judged alone, then by vote."""

import streamlit as st

from mlm_core.embeddings.locating import find_word
from mlm_core.embeddings.senses_data import MarkedSentence
from mlm_core.embeddings.word_senses import SenseChoice, one_sense_per_discourse
from mlm_core.figures.embeddings.sense_map import sense_groups
from mlm_core.figures.embeddings.sense_map_uses import ListedUse, uses_html
from mlm_core.number_format import formatted
from mlm_core.text.sentences import split_sentences
from pages.parts.word_senses.own_use import judge, own_use
from pages.parts.word_senses.setting import Setting, current, layer_name
from pages.shared.course.words import Text
from pages.shared.figures.clickable import drawing
from pages.shared.kit.part import Part, part

LONGEST, MOST_USES = 3_000, 30  # characters; uses that are judged
FEWEST_USES = 2  # one alone always has the text's vote


@part(code=("embeddings.word_senses:one_sense_per_discourse",))
def show(p: Part) -> None:
    """Judge each use in its own sentence, then let the whole text vote."""
    now = current(p)
    word = now.word.word
    p.say("lead", word=word)
    text = st.text_area(
        p.label("text", word=word),
        p.section("text") if now.name == "bank" else "",
        height=170,
        max_chars=LONGEST,
        key=p.key(f"discourse_{now.name}"),
        persist_state="session",
    )
    found = _find(now, (text or "")[:LONGEST])
    if len(found) < FEWEST_USES:
        p.note("empty", icon="edit", word=word, forms=", ".join(now.word.forms))
        return
    if len(found) > MOST_USES:
        p.warn("cut", icon="content_cut", n=len(found), most=MOST_USES)
    _vote(p, now, found[:MOST_USES])
    p.say("notice")


def _find(now: Setting, text: str) -> list[MarkedSentence]:
    """Return the word's uses, each in the sentence that it stands in."""
    found = []
    for line in text.splitlines():
        for sentence in split_sentences(line):
            places = find_word(sentence, now.word.word, now.word.forms)
            found += [places.marked(i) for i in range(len(places.spans))]
    return found


def _vote(p: Part, now: Setting, found: list[MarkedSentence]) -> None:
    """List the sense of each use alone; say which one the sums of cosines give to all."""
    import torch

    names = [sense.name for sense in now.word.senses]
    choices = [judge(p, now, own_use(p, now, sentence)).choice for sentence in found]
    near = torch.cat([choice.cosines for choice in choices])
    alone = torch.cat([choice.senses for choice in choices])
    choice = SenseChoice(
        cosines=near, senses=alone, nearest=torch.full_like(alone, -1), method=now.method
    )
    voted = int(one_sense_per_discourse(choice, torch.zeros_like(alone))[0])
    uses = list(zip(found, alone.tolist(), near.tolist(), strict=True))
    groups = sense_groups(names)
    listed = [
        ListedUse(
            sentence=sentence,
            group=groups[sense],
            number=formatted(cosines[sense], ".3f"),
            is_named=True,
        )
        for sentence, sense, cosines in uses
    ]
    drawing(uses_html([(p.plain("each_alone"), listed)]), key=p.key("discourse_uses"))
    columns = [Text(f"cosine {name}") for name in names]
    p.numbers(
        "discourse",
        [
            {"sentence": sentence.text, "alone": names[sense], "voted": names[voted]}
            | dict(zip(columns, cosines, strict=True))
            for sentence, sense, cosines in uses
        ],
        layer=layer_name(p, now.layer),
    )
    counts = torch.bincount(alone, minlength=len(names)).tolist()
    sums = [formatted(total, ".2f") for total in near.sum(dim=0).tolist()]
    p.say(
        "said",
        alone=", ".join(f"{name} {n}" for name, n in zip(names, counts, strict=True) if n),
        sums=", ".join(map(" ".join, zip(names, sums, strict=True))),
        voted=names[voted],
        changed=int((alone != voted).sum()),
        n=len(found),
    )
