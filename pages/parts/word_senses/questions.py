"""Questions that learners ask about word vectors, each answered by something to try."""

import streamlit as st

from mlm_core.figures.embeddings.sense_map import sense_groups
from mlm_core.figures.embeddings.sense_map_uses import ListedUse, uses_html
from mlm_core.number_format import formatted
from pages.parts.word_senses import setting
from pages.parts.word_senses.setting import POINT, Setting
from pages.parts.word_senses.uses import gather, lay_out, stored
from pages.shared.caches import cache
from pages.shared.figures.clickable import drawing
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.link import inputs, whole_page

QUESTIONS = ("touch", "sum", "pieces")


@part
def show(page: Page) -> None:
    """Let the learner choose a question, and measure its answer on the word of the map."""
    words, now = page.words, setting.current(page)
    options = {name: words.label(f"ask_{name}") for name in QUESTIONS}
    question = inputs.choice(words.label("question_choice"), options, key="word_senses_question")
    {"touch": _touch, "sum": _sum, "pieces": _pieces}[question](page, now)
    st.markdown(words.section(f"questions.{question}"))


def _touch(page: Page, now: Setting) -> None:
    """Show the two points that the map draws closest of those that are far apart in truth."""
    import torch

    from mlm_core.embeddings.word_senses import cosines

    words, sentences = page.words, now.word.sentences
    uses = gather(page, sentences, now.pooling)
    layouts = stored(page, now.name, now.pooling)
    kind = "pca" if layouts is None else "umap"
    layout = lay_out(page, uses, now.layer, kind, layouts)
    vectors = uses.at(now.layer)
    near = cosines(vectors, vectors)
    # A point's rank among the other's neighbours: 1 is the nearest, itself comes first as 0.
    ranks = near.fill_diagonal_(2).argsort(dim=1, descending=True).argsort(dim=1)
    distances = torch.cdist(layout.places, layout.places).fill_diagonal_(float("inf"))
    distances = distances.masked_fill(torch.minimum(ranks, ranks.T) <= len(sentences) // 4, 1e9)
    first, second = divmod(int(distances.argmin()), len(sentences))
    if distances[first, second] >= 1e9:
        st.markdown(words.section("questions.touch_none", word=now.word.word))
        return
    on_map = int(
        (torch.cdist(layout.places, layout.places)[first] < distances[first, second]).sum()
    )
    groups = sense_groups([sense.name for sense in now.word.senses])
    numbers = now.word.sense_numbers
    pair = [
        ListedUse(sentence=sentences[i], group=groups[numbers[i]], number="", is_named=True)
        for i in (first, second)
    ]
    drawing(uses_html([(words.plain("touch_pair"), pair)]), key="word_senses_touch")
    st.markdown(
        words.section(
            "questions.touch_said",
            on_map=on_map,
            rank=int(ranks[first, second]),
            n=len(sentences) - 1,
            cosine=formatted(near[first, second], ".3f"),
        )
    )
    st.button(
        words.label("touch_show"),
        on_click=whole_page.choose,
        args=(POINT, str(first)),
        icon=":material/scatter_plot:",
        key="word_senses_touch_show",
    )


def _sum(page: Page, now: Setting) -> None:
    """Show one use's vector as mean and as sum of the last four: lengths and cosines."""
    from mlm_core.embeddings.word_senses import cosines

    uses = gather(page, now.word.sentences, now.pooling)
    mean, total = uses.at("mean_last_4"), uses.at("sum_last_4")
    st.markdown(
        page.words.section(
            "questions.sum_said",
            mean=formatted(mean[0].norm(), ".2f"),
            total=formatted(total[0].norm(), ".2f"),
            same=formatted(cosines(mean[:1], total[:1]).item(), ".3f"),
            cosine_mean=formatted(cosines(mean[:1], mean[1:2]).item(), ".4f"),
            cosine_sum=formatted(cosines(total[:1], total[1:2]).item(), ".4f"),
        )
    )


def _pieces(page: Page, now: Setting) -> None:
    """Show how many pieces the word has, and the accuracy either way to join them."""
    from mlm_core.embeddings.contextual import POOLINGS

    words, last = page.words, cache.model(page.model_name).n_layers
    uses = gather(page, now.word.sentences, now.pooling)
    cuts: dict[str, int] = {}
    for place in uses.located:
        cut = " ".join(piece.text for piece in place.subwords)
        cuts[cut] = cuts.get(cut, 0) + 1
    Table({words.plain("cut"): list(cuts), words.plain("times"): list(cuts.values())}).show()
    scores = {join: _accuracy(page, now, join) for join in POOLINGS}
    several = sum(len(place.positions) > 1 for place in uses.located)
    st.markdown(
        words.section(
            "questions.pieces_said",
            n=several,
            of=len(uses.located),
            layer=last,
            **{join: formatted(100 * score, ".0f") for join, score in scores.items()},
        )
    )


def _accuracy(page: Page, now: Setting, join: str) -> float:
    from pages.shared.caches.cache_senses import sense_layer_scores

    return sense_layer_scores(page.model_name, now.name, join, now.method)[-1][0]
