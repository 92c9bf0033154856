"""The sense inventory of the stored words, a sentence mapped to it, and what has no example."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.embeddings.locating import find_word
from mlm_core.number_format import formatted
from pages.parts.word_senses import inventory_coverage, setting
from pages.parts.word_senses.inventory_examples import SOURCES, Examples, examples_of
from pages.parts.word_senses.setting import Setting
from pages.shared.caches import cache_senses
from pages.shared.figures.show import keep
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs

if TYPE_CHECKING:
    from mlm_core.embeddings.senses_data import MarkedSentence
    from mlm_core.shapes import Tensor

MOST_USES = 12  # of a sentence, that are judged
SCOPES = ("one", "all")


@dataclass(frozen=True, kw_only=True)
class Use:
    """A stored word in the learner's sentence."""

    name: str
    sentence: "MarkedSentence"


@part
def show(page: Page) -> None:
    """List the senses; give each known word of a sentence its sense; measure the fallback."""
    from mlm_core.embeddings.sense_inventory import coverage, nearest_senses
    from mlm_core.embeddings.word_senses import choose_senses

    words, now = page.words, setting.current(page)
    st.markdown(words.section("inventory.lead"))
    scopes = {name: words.label(f"scope_{name}", word=now.word.word) for name in SCOPES}
    scope = inputs.choice(words.label("scope"), scopes, key="word_senses_inventory_scope")
    names = [now.name] if scope == "one" else list(cache_senses.stored_names("en"))
    sources = {name: words.label(f"inventory_from_{name}") for name in SOURCES}
    source = inputs.choice(words.label("inventory_from"), sources, key="word_senses_inventory_from")
    st.markdown(words.section(f"inventory.{source}"))
    found = {name: examples_of(page, now, name, source) for name in names}
    _list_senses(page, now, found)
    st.divider()
    _read_sentence(page, now, source)
    st.divider()
    inventory_coverage.show(page, now, names)
    st.markdown(words.section("inventory.notice"))
    show_source(nearest_senses, choose_senses, coverage, key="word_senses_inventory_code")


def _list_senses(page: Page, now: Setting, found: dict[str, Examples]) -> None:
    """Show a line for each sense: definition, examples, the nearest other sense."""
    import torch

    from mlm_core.embeddings.sense_inventory import nearest_senses
    from mlm_core.embeddings.word_senses import sense_centroids

    words = page.words
    lines, means, places = [], [], {}
    for name, examples in found.items():
        word = cache_senses.stored_word(name)
        centroids = sense_centroids(examples.vectors, examples.senses, len(word.senses))
        counts = torch.bincount(examples.senses, minlength=len(word.senses)).tolist()
        for k, sense in enumerate(word.senses):
            if counts[k]:
                places[len(means)] = f"{word.word}, {sense.name}"
                means.append(centroids[k])
            number = len(means) - 1 if counts[k] else None
            lines.append((word.word, sense.name, sense.gloss, counts[k], number))
    nearest = nearest_senses(torch.stack(means)) if len(means) > 1 else ()
    rows = []
    for word, sense, gloss, n, number in lines:
        near = nearest[number] if number is not None and nearest else None
        rows.append(
            [
                word,
                sense,
                n,
                words.plain("inventory_none") if near is None else places[near.sense],
                "" if near is None else formatted(near.cosine, ".3f"),
                gloss,
            ]
        )
    columns = ["word", "sense", "examples", "nearest_sense", "cosine", "meaning"]
    table = Table(rows, columns)
    table.show()
    keep(
        "word_senses_inventory",
        table=table,
        source=words.label(
            "source",
            model=page.model_name,
            layer=setting.layer_name(page, now.layer),
            n=sum(line[3] for line in lines),
        ),
    )


def _read_sentence(page: Page, now: Setting, source: str) -> None:
    """Give every stored word in the learner's sentence a sense (Fig 11.7)."""
    words = page.words
    st.markdown(words.section("inventory.sentence"))
    text = inputs.text(
        words.label("inventory_text"), words.label("inventory_default"), key="word_senses_all_words"
    )
    uses = _uses_in(text)
    if not uses:
        names = ", ".join(cache_senses.stored_word(n).word for n in cache_senses.stored_names("en"))
        st.info(words.section("inventory.no_word", words=names), icon=":material/edit:")
        return
    if len(uses) > MOST_USES:
        st.caption(words.section("inventory.cut", n=len(uses), most=MOST_USES))
    rows, fallen = [], []
    vectors = cache_senses.own_uses(
        page.model_name, tuple(use.sentence for use in uses[:MOST_USES]), now.pooling
    ).at(now.layer)
    for use, vector in zip(uses, vectors, strict=False):
        row, is_fallback = _judged(page, now, source, use, vector)
        rows.append(row)
        if is_fallback:
            fallen.append(row)
    columns = ["word", "sense", "how", "cosine", "examples", "meaning"]
    table = Table(rows, columns)
    table.show()
    keep(
        "word_senses_all_words_senses",
        table=table,
        source=words.label("inventory_source", examples=words.plain(f"inventory_from_{source}")),
    )
    for word, sense in dict.fromkeys((row[0], row[1]) for row in fallen):
        st.markdown(words.section("inventory.fallback", word=word, sense=sense))


def _uses_in(text: str) -> list[Use]:
    found = []
    for name in cache_senses.stored_names("en"):
        word = cache_senses.stored_word(name)
        in_text = find_word(text, word.word, word.forms)
        found += [Use(name=name, sentence=in_text.marked(k)) for k in range(len(in_text.spans))]
    return sorted(found, key=lambda use: use.sentence.start)


def _judged(page: Page, now: Setting, source: str, use: Use, vector: "Tensor") -> tuple[list, bool]:
    """Return a line for one use, and whether the word has no example."""
    import torch

    from mlm_core.embeddings.word_senses import choose_senses, sentence_groups

    word = cache_senses.stored_word(use.name)
    examples = examples_of(page, now, use.name, source)
    # The learner's own sentence among the examples would judge itself.
    groups = sentence_groups([use.sentence, *examples.sentences])
    kept = groups[1:] != groups[0]
    vectors, senses = examples.vectors[kept], examples.senses[kept]
    choice = choose_senses(vector[None], vectors, senses, len(word.senses), method=now.method)
    k, is_fallback = int(choice.senses[0]), len(senses) == 0
    n = int(torch.bincount(senses, minlength=len(word.senses))[k])
    cosine = "" if is_fallback else formatted(choice.cosines[0, k].item(), ".3f")
    how = page.words.plain("inventory_fallback" if is_fallback else "inventory_nearest")
    sense = word.senses[k]
    return [use.sentence.target, sense.name, how, cosine, n, sense.gloss], is_fallback
