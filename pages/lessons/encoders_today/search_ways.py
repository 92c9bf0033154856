"""The ways of comparing sentences that the lesson shows, and a query's score with each text."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress

import numpy as np

from mlm_core.embeddings.postprocessing import standardize
from mlm_core.encoder.model_list import BUNDLED, READERS, MissingHeadError, MissingLensError
from mlm_core.figures.theme import printable
from mlm_core.search.expansion import Expansion, expand, expansion_scores
from mlm_core.search.late_interaction import late_scores, token_states
from mlm_core.search.recipe import Recipe
from mlm_core.search.reranking import relevance, rerank
from mlm_core.search.run import ContrastiveSnapshot
from mlm_core.search.settings import ContrastiveSettings
from mlm_core.search.tf_idf import tf_idf_cosines
from mlm_core.shapes import Tensor
from mlm_core.text.tokens import tokenize
from pages.kit.caches import cache_finetuning
from pages.kit.part import Part
from pages.kit.remember import long_work_lock, model, remembered
from pages.kit.training.runs import RunList
from pages.lessons.encoders_today import computed

PAIRS = "paraphrase_top"  # the stored pair model, of the bundled English encoder
MOST_TEXTS, FEWEST_TEXTS = 200, 2  # of the learner's own, one a line
MINE = RunList(
    prefix="encoders_today",
    begin=computed.start,
    settings_type=ContrastiveSettings,
    without_weights={"weights": None},
)


def trained_run(p: Part) -> ContrastiveSnapshot | None:
    """Return the learner's newest run if it has weights for the model and language here."""
    run = MINE.newest()
    view = None if run is None else MINE.look(run)
    snapshot = None if view is None else view.snapshot
    if snapshot is None or snapshot.weights is None:
        return None
    here = p.model_name, p.language
    return snapshot if (snapshot.settings.model, snapshot.settings.language) == here else None


def layer(run: ContrastiveSnapshot) -> int:
    """Return the layer whose vectors a run trains."""
    n_read, _ = run.settings.layers_of(model(run.settings.model).n_layers)
    return n_read


def scores(
    p: Part, query: str, texts: tuple[str, ...], run: ContrastiveSnapshot | None
) -> dict[str, np.ndarray]:
    """Return the query's score with each text, by the name of the way.

    Raises ValueError if no text has a word of two letters.
    """
    found, language = {"tf_idf": tf_idf_cosines([query], texts)[0]}, p.language
    asked = computed.vectors(p.model_name, (query,), language)
    searched = computed.vectors(p.model_name, texts, language)
    both = {name: (asked[name], searched[name]) for name in ("cls", "mean")}
    blocks = computed.corpus_blocks(p.model_name, language)
    for block in p.progress("reading", blocks, patience=1.0):
        computed.block_vectors(p.model_name, block, language)
    mean, deviation = computed.z_numbers(p.model_name, language)
    first, others = both["mean"]
    both["z"] = standardize(first, mean, deviation), standardize(others, mean, deviation)
    recipe = computed.recipe(p.model_name)
    if recipe is not None and not recipe.left_out:
        first = computed.published_vectors(p.model_name, (query,), "query")
        both["published"] = first, computed.published_vectors(p.model_name, texts, "text")
    if run is not None:
        first = computed.trained_vectors(run, (query,))
        both["trained"] = first, computed.trained_vectors(run, texts)
    return found | {name: computed.cosines_of(*pair)[0] for name, pair in both.items()}


@remembered(64)  # some kilobytes each
def query_states(model_name: str, query: str) -> Tensor:
    """Return the last layer's states of a query's tokens [token hidden]."""
    with long_work_lock():
        return token_states(model(model_name), [query])[0]


@remembered(64)  # some kilobytes each
def query_words(model_name: str, query: str) -> Expansion:
    """Return the words that the masked-language head gives a query."""
    with long_work_lock():
        return expand(model(model_name), [query])


def closer_scores(
    p: Part, query: str, texts: tuple[str, ...], by_vectors: Mapping[str, np.ndarray]
) -> dict[str, np.ndarray]:
    """Return the query's score with each text by tokens, by words and by pairs.

    Without the words if the model has no masked-language head, and without the pairs if no stored
    pair model reads as it does. Pairs are read of what the vectors found first.
    """
    name, read = p.model_name, model(p.model_name)
    with p.working("reading_tokens"):
        searched = computed.late_states(name, texts)
        found = {
            "tf_idf": by_vectors["tf_idf"],
            "late": late_scores([query_states(name, query)], searched)[0],
        }
        with suppress(MissingHeadError, MissingLensError):
            words = query_words(name, query), computed.expanded(name, texts)
            found["expansion"] = expansion_scores(*words, len(read.token_embedding))[0]
        if name == READERS[p.language] == BUNDLED:
            first = by_vectors["trained" if "trained" in by_vectors else "z"]
            pairs = cache_finetuning.model(cache_finetuning.stored(PAIRS))
            found["re_ranked"] = rerank(
                first[None], lambda _, some: relevance(pairs, query, [texts[i] for i in some])
            )[0]
    return found


def window(recipe: Recipe, most: int) -> int:
    """Return how many tokens the published way reads: the model's window, or less if it asks."""
    return min(recipe.max_tokens or most, most)


def say_cut(p: Part, texts: Sequence[str], ways: Collection[str]) -> None:
    """Say how many texts are read up to the model's window only, or the published way's."""
    most, recipe = model(p.model_name).max_tokens, computed.recipe(p.model_name)
    if n := _n_cut(p, texts, most):
        p.warn("cut_texts", icon="content_cut", n=n, window=most)
    if "published" not in ways or recipe is None or (own := window(recipe, most)) == most:
        return
    if n := _n_cut(p, [recipe.text_prompt + one for one in texts], own):
        way = p.plain("way_published")
        p.warn("cut_published", icon="content_cut", n=n, window=own, way=way)


def _n_cut(p: Part, texts: Sequence[str], window: int) -> int:
    read = (tokenize(p.tokenizer, one, max_tokens=window) for one in texts)
    return sum(one.n_left_out > 0 for one in read)


def say_recipe(p: Part, recipe: Recipe) -> None:
    """Say what the model's files say of its vectors, or what of it is not applied here."""
    if recipe.left_out:
        p.say("recipe_left_out", names=", ".join(recipe.left_out))
        return
    prompts = {"query": recipe.query_prompt, "text": recipe.text_prompt}
    said = [
        *(p.plain(f"recipe_{role}", prompt=printable(one)) for role, one in prompts.items() if one),
        *([p.plain("recipe_lower")] if recipe.is_lower_case else []),
        p.plain("recipe_window", n=window(recipe, model(p.model_name).max_tokens)),
        p.plain("recipe_pooling", poolings=" + ".join(recipe.poolings)),
        *(name for name, _ in recipe.layers),
    ]
    if recipe.similarity != "cosine":
        said.append(p.plain("recipe_similarity", name=printable(recipe.similarity)))
    p.say("recipe", way=p.plain("way_published"), recipe=", ".join(said))
