"""The sense of a word in the learner's own sentence, cosine by cosine."""

import streamlit as st

from mlm_core.figures.bars import bars_svg
from mlm_core.figures.embeddings.sense_map import sense_groups
from mlm_core.figures.embeddings.sense_map_uses import ListedUse, use_html, uses_html
from mlm_core.number_format import formatted
from pages.parts.word_senses import setting, star
from pages.parts.word_senses.arithmetic import show_arithmetic
from pages.parts.word_senses.setting import Setting
from pages.parts.word_senses.star import OwnUse
from pages.shared.figures.clickable import drawing
from pages.shared.figures.show import show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs

N_LISTED = 5


@part
def show(page: Page) -> None:
    """Compare the word's vector with each sense's, and with each single example's."""
    words, now = page.words, setting.current(page)
    st.markdown(words.section("disambiguate.lead", word=now.word.word))
    st.latex(
        r"v_s = \frac{1}{n}\sum_{i=1}^{n} v_i \qquad"
        r" \mathrm{sense}(t) = \mathop{\mathrm{argmax}}_{s}\; \cos(t, v_s)"
    )
    text = inputs.text(
        words.label("own_use", word=now.word.word),
        words.label(f"try_{now.name}"),
        key=f"word_senses_try_{now.name}",
    )
    own = star.find_use(page, now.word, text, now, key="try") if text.strip() else None
    if own is None:
        if not text.strip():
            st.info(words.section("no_sentence"), icon=":material/edit:")
        return
    _centroids(page, now, own)
    st.divider()
    _examples(page, now, own)
    with st.expander(words.label("no_examples"), icon=":material/help:"):
        n = [len(sense.sentences) for sense in now.word.senses]
        st.markdown(
            words.section(
                "disambiguate.no_examples",
                first=now.word.senses[n.index(max(n))].name,
                n=max(n),
                share=formatted(100 * max(n) / sum(n), ".0f"),
            )
        )
    from mlm_core.embeddings.word_senses import choose_senses, sense_centroids

    show_source(choose_senses, sense_centroids, key="word_senses_try_code")


def _centroids(page: Page, now: Setting, own: OwnUse) -> None:
    from mlm_core.embeddings.word_senses import sense_centroids

    words, senses = page.words, now.word.senses
    choice, vectors, numbers, _ = star.judge(page, now, own, "centroids")
    near = choice.cosines[0].tolist()
    ranked = sorted(range(len(senses)), key=lambda i: -near[i])
    winner = senses[ranked[0]]
    group = sense_groups([sense.name for sense in senses])[ranked[0]]
    drawing(use_html(own.sentence, group, f"({winner.gloss})"), key="word_senses_try_use")
    show_drawing(
        bars_svg(
            [sense.name for sense in senses],
            [max(0.0, cosine) for cosine in near],
            longest=1.0,
            alt=words.plain("bars_alt", winner=winner.name, cosine=formatted(max(near), ".3f")),
        ),
        key="word_senses_try_bars",
        table=Table(
            {
                "sense": [sense.name for sense in senses],
                "meaning": [sense.gloss for sense in senses],
                "cosine": near,
                "examples": [int((numbers == i).sum()) for i in range(len(senses))],
            }
        ),
        source=words.label(
            "source",
            model=page.model_name,
            layer=setting.layer_name(page, now.layer),
            n=len(vectors),
        ),
    )
    st.markdown(
        words.section(
            "disambiguate.winner",
            first=winner.name,
            second=senses[ranked[1]].name,
            near=formatted(near[ranked[0]], ".3f"),
            next=formatted(near[ranked[1]], ".3f"),
            gap=formatted(near[ranked[0]] - near[ranked[1]], ".3f"),
        )
    )
    names = {sense.name: sense.name for sense in senses}
    asked = inputs.choice(
        words.label("arithmetic_of"), names, key="word_senses_arithmetic", default=winner.name
    )
    number = [sense.name for sense in senses].index(asked)
    centroid = sense_centroids(vectors, numbers, len(senses))[number]
    show_arithmetic(page, own.vectors.at(now.layer)[0], centroid, asked)


def _examples(page: Page, now: Setting, own: OwnUse) -> None:
    from mlm_core.embeddings.word_senses import cosines

    words, senses = page.words, now.word.senses
    choice, vectors, numbers, sentences = star.judge(page, now, own, "examples")
    near = cosines(own.vectors.at(now.layer), vectors)[0]
    values, order = near.topk(min(N_LISTED, len(sentences)))
    groups = sense_groups([sense.name for sense in senses])
    listed = [
        ListedUse(
            sentence=sentences[i],
            group=groups[int(numbers[i])],
            number=formatted(cosine, ".3f"),
            is_named=True,
        )
        for i, cosine in zip(order.tolist(), values.tolist(), strict=True)
    ]
    by_examples = int(choice.senses[0])
    by_means = int(star.judge(page, now, own, "centroids")[0].senses[0])
    drawing(uses_html([(words.plain("nearest_examples"), listed)]), key="word_senses_try_nearest")
    st.markdown(
        words.section(
            "disambiguate.agree" if by_examples == by_means else "disambiguate.differ",
            examples=senses[by_examples].name,
            means=senses[by_means].name,
        )
    )
