"""Opening: how two ways read one query. Which tokens match, and which words join it."""

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np

from mlm_core.figures.bars import bars_svg
from mlm_core.figures.theme import printable
from mlm_core.number_format import formatted
from mlm_core.search.expansion import by_idf
from mlm_core.search.late_interaction import best_matches
from mlm_core.search.reranking import K
from pages.kit.part import Part
from pages.lessons.encoders_today import computed, search_ways

N_WORDS = 12  # of an expansion, that are shown
MOST_TOKENS = 24  # of a query, that are shown


def show(p: Part, query: str, texts: tuple[str, ...], scores: Mapping[str, np.ndarray]) -> None:
    """Draw the matches in the text that late interaction ranks first, and the query's words."""
    p.say("closer")
    if "re_ranked" in scores:
        first = p.plain("way_trained" if search_ways.trained_run(p) else "way_z")
        p.say("pairs", k=min(K, len(texts)), way=first)
    else:
        p.note("no_pairs", icon="block")
    left, right = p.columns(1, 1)
    with left:
        _draw_matches(p, query, texts, int(np.argmax(scores["late"])))
    with right:
        if "expansion" in scores:
            _draw_words(p, query, texts)
        else:
            p.note("no_words", icon="block", name=p.model_name)


def _draw_matches(p: Part, query: str, texts: Sequence[str], found: int) -> None:
    """Draw each token of the query with its best match in one text."""
    asked = p.tokens(query)
    searched = p.tokens(texts[found])
    states = computed.late_states(p.model_name, tuple(texts))[found]
    positions, cosines = best_matches(search_ways.query_states(p.model_name, query), states)
    values = cosines.tolist()[:MOST_TOKENS]
    tokens = [one.text for one in asked.tokens[:MOST_TOKENS]]
    matched = [searched.tokens[i].text for i in positions.tolist()[:MOST_TOKENS]]
    written = [f"{formatted(v, '.2f')} {one}" for v, one in zip(values, matched, strict=True)]
    p.figure(
        "matches",
        partial(bars_svg, tokens, values, longest=1.0, written=written),
        {"token": tokens, "match": matched, "cosine": values},
        is_on_card=False,
        text=printable(texts[found]),
        score=float(cosines.mean()),
    )


def _draw_words(p: Part, query: str, texts: tuple[str, ...]) -> None:
    """Draw the heaviest words of the query's expansion that the query does not have."""
    words = search_ways.query_words(p.model_name, query)
    searched = computed.expanded(p.model_name, texts)
    weighed = by_idf(words, searched, len(p.model.token_embedding))[0]
    own = {one.id for one in p.tokens(query).tokens}
    pairs = zip(words.ids[0].tolist(), weighed.tolist(), strict=True)
    new = sorted(((weight, id_) for id_, weight in pairs if id_ not in own), reverse=True)[:N_WORDS]
    names = [p.tokenizer.id_to_token(id_) or str(id_) for _, id_ in new]
    values = [weight for weight, _ in new]
    written = [formatted(value, ".1f") for value in values]
    p.figure(
        "words",
        partial(bars_svg, names, values, longest=max(values), written=written),
        {"word": names, "weight": values},
        is_on_card=False,
        query=printable(query),
        told=", ".join(names[:3]),
    )
