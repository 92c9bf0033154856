"""Opening: one query, and what each way of comparing sentences finds for it."""

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np

from mlm_core.encoder.model_list import READERS
from mlm_core.figures.embeddings.search_hits import (
    LONGEST_HIT,
    FoundText,
    HitColumn,
    hits_html,
)
from mlm_core.figures.theme import printable
from mlm_core.labelled.tables import texts_of
from mlm_core.search.graded_pairs import GRADES, SearchTask
from mlm_core.search.ranking import right_ranks
from mlm_core.search.reranking import K, as_judged
from mlm_core.search.run import ContrastiveSnapshot
from pages.kit.part import Part, Text, part
from pages.lessons.encoders_today import computed, search_closer, search_run, search_ways
from pages.lessons.encoders_today.search_ways import FEWEST_TEXTS, MOST_TEXTS

N_HITS = 4
LONGEST_TEXTS = 20_000  # characters of the learner's own texts
SHOWN = "trained_shown"  # state: the settings of the finished run that the page has led to
OWN = "own"  # the option of the list of queries that is the learner's own query
HEIGHT = 240  # of the field, in pixels


@part(
    code=(
        *("search.vectors:sentence_vectors", "search.tf_idf:tf_idf_cosines"),
        *("search.late_interaction:max_sim", "search.expansion:word_weights"),
        "search.reranking:rerank",
    )
)
def show(p: Part) -> None:
    """Let the learner choose a query, or write query and texts; show what each way ranks first."""
    task = computed.task(language=p.language)
    left, right = p.columns(5, 4, align="bottom")
    with left:
        query, own_texts = _choose(p, task.queries)
    with right:
        search_run.offer_run(p)
    texts = own_texts or task.candidates
    if len(texts) < FEWEST_TEXTS:
        p.note("few_texts", icon="edit")
        return
    run, figure = search_ways.trained_run(p), p.place()
    ways = p.choice("ways")  # below the figure, which stays in the first screen
    scores = search_ways.scores(p, query, texts, run)
    if ways == "closer":
        scores = search_ways.closer_scores(p, query, texts, scores)
    search_ways.say_cut(p, own_texts, scores)
    grades = {} if own_texts else _grades(task, query)
    columns = [_column(p, way, found, texts, grades) for way, found in scores.items()]
    with figure:
        p.figure(
            "hits",
            partial(
                hits_html,
                query,
                columns,
                [p.plain(f"grade_{name}") for name in GRADES],
                more=p.plain("more_hits"),
            ),
            _table(p, scores, texts, grades),
            source=_source(ways, is_own=bool(own_texts)),
            query=printable(query, LONGEST_HIT),
            n=len(texts),
            k=min(K, len(texts)),
            of_trained="" if run is None else p.plain("of_trained", layer=search_ways.layer(run)),
            told="; ".join(f"{column.name}: {_first(column)}" for column in columns),
        )
    if ways == "closer":
        search_closer.show(p, query, texts, scores)
    else:
        _say_of_vectors(p, run, is_own=bool(own_texts))


def _source(ways: str, *, is_own: bool) -> str:
    """Return which label says where the hits come from."""
    name = "closer_source" if ways == "closer" else "hits_source"
    return f"own_{name}" if is_own else name


def _say_of_vectors(p: Part, run: ContrastiveSnapshot | None, *, is_own: bool) -> None:
    """Lead to a run that was just finished; say what the columns are, and what training did."""
    if run is not None and run.step == run.n_steps and p.state.get(SHOWN) != run.settings:
        p.state[SHOWN] = run.settings
        p.scroll_to(p.key("hits"))
    recipe = computed.recipe(p.model_name)
    if recipe is not None:
        search_ways.say_recipe(p, recipe)
    if run is None:
        if not is_own and p.model_name == READERS[p.language]:
            found = computed.results(p.language)
            p.say("won", n=found.n_queries, higher=found.n_higher, lower=found.n_lower)
        if recipe is None:
            p.say("poor")
    elif run.weights is not None:
        is_better = run.weights.step > 0
        p.say("after" if is_better else "no_better", step=run.weights.step, n=run.n_steps)


def _choose(p: Part, queries: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """Show the queries of the test part and, folded, fields; return query and own texts."""
    with p.row():
        listed = p.place(width=270)
        with p.popover("own_fold", "edit"):
            own = p.text("own_query", "")
            pasted = p.area("own_texts", "", longest=LONGEST_TEXTS, height=HEIGHT)
            lines = texts_of(pasted)
            p.caption("own_help", most=MOST_TEXTS)
            if len(lines) > MOST_TEXTS:
                p.warn("many_texts", icon="content_cut", n=len(lines), most=MOST_TEXTS)
        with listed:
            query = _query(p, queries, own.strip())
    return query, lines[:MOST_TEXTS]


def _query(p: Part, queries: Sequence[str], own: str) -> str:
    """Show the list of queries; return the learner's own if there is one, else the chosen one."""
    named = {str(i): query for i, query in enumerate(queries)}
    if not own:
        return named[p.choice("search_query", named)]
    if p.is_fixed("search_query"):
        p.choice("search_query", named)
        return own
    p.choose("search_query", OWN)
    p.choice("search_query", {OWN: own} | named, on_change=partial(_leave_own, p))
    return own


def _leave_own(p: Part) -> None:
    """Let go of the learner's own query, when another one of the list is chosen."""
    if p.state["search_query"] != OWN:
        p.choose("own_query", "")
        p.draw_whole_page()


def _grades(task: SearchTask, query: str) -> dict[int, int]:
    """Return the grades of a query's candidates, as far as they are known."""
    if query not in task.queries:
        return {}
    number = task.queries.index(query)
    return {candidate: grade for one, candidate, grade in task.pairs if one == number}


def _column(
    p: Part, way: str, scores: np.ndarray, texts: Sequence[str], grades: Mapping[int, int]
) -> HitColumn:
    """Return the best hits of a way, and where the right one is.

    A text that shares no word with the query is no hit of tf-idf.
    """
    order, n, foot = np.argsort(-scores, kind="stable").tolist(), len(texts), ""
    shown = _shown(way, scores)
    if way == "tf_idf":
        order = [i for i in order if scores[i] > 0]
        if len(order) < min(N_HITS, n):
            foot = p.plain("no_word", n=n - len(order), of=n)
    right = next((text for text, grade in grades.items() if grade == 2), None)
    rank, place = None, ""
    if right is not None:
        [rank] = right_ranks(scores[None], [right]).tolist()
        is_shared = np.count_nonzero(scores == scores[right]) > 1
        place = p.plain("place_equal" if is_shared else "place", rank=rank, n=n)
    return HitColumn(
        name=p.plain(f"way_{way}"),
        hits=[
            FoundText(text=texts[i], score=shown[i], grade=grades.get(i)) for i in order[:N_HITS]
        ],
        foot=foot,
        is_new=way == "trained",
        rank=rank,
        n=n,
        place=place,
    )


def _shown(way: str, scores: np.ndarray) -> list[float | None]:
    """Return the numbers that are shown; None for a text that the pair model did not read."""
    judged = as_judged(scores) if way == "re_ranked" else scores
    return [None if np.isnan(one) else float(one) for one in judged]


def _first(column: HitColumn) -> str:
    return printable(column.hits[0].text, LONGEST_HIT) if column.hits else column.foot


def _table(
    p: Part, scores: Mapping[str, np.ndarray], texts: Sequence[str], grades: Mapping[int, int]
) -> list[dict[str, object]]:
    """Return every text with its score by each way, and its grade."""
    names = [p.plain(f"grade_{name}") for name in GRADES]
    ways = {Text(p.plain(f"way_{way}")): _shown(way, found) for way, found in scores.items()}
    return [
        {"sentence": text, "grade": names[grades[i]] if i in grades else ""}
        | {way: found[i] for way, found in ways.items()}
        for i, text in enumerate(texts)
    ]
