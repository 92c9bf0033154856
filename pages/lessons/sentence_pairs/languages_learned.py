"""A vocabulary learned from six languages: their proportions under alpha, and a sentence split."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from functools import partial
from typing import Any

from mlm_core.figures.charts import bars_chart, percent, percent_axis
from mlm_core.figures.text.tokens import cuts_html
from mlm_core.number_format import formatted
from mlm_core.text.language_sampling import read_languages, sampling_probabilities
from mlm_core.text.tokens import tokenize
from pages.kit.part import Part
from pages.lessons.sentence_pairs import computed
from pages.lessons.sentence_pairs.setting import choose_seed

ALGORITHMS = ("BPE", "Unigram")
SIZES = ("500", "800", "1200")


def show_vocabulary(p: Part, controls: AbstractContextManager) -> None:
    """Draw shares under alpha, then learn the vocabulary that follows from them."""
    with controls, p.row():
        alpha = p.slider("alpha")
        with p.popover("settings", "tune"):
            counted = p.choice("counted")
            algorithm = p.choice("algorithm", ALGORITHMS)
            size = int(p.choice("vocabulary", {size: formatted(int(size), ",") for size in SIZES}))
            seed = choose_seed(p)
    languages = read_languages()
    names = [p.plain(f"language_{language.code}") for language in languages]
    _draw_shares(p, names, [getattr(one, counted) for one in languages], alpha, counted)
    mixture = {"algorithm": algorithm, "size": size, "counted": counted, "seed": seed}
    p.say("vocabulary")
    _show_cuts(p, names, alpha, mixture)


def _draw_shares(p: Part, names: list[str], counts: list[int], alpha: float, counted: str) -> None:
    """Draw each language's share before and after; write out the rarest one's."""
    before, after = sampling_probabilities(counts, 1.0), sampling_probabilities(counts, alpha)
    rare = counts.index(min(counts))
    p_rare, q_rare = before[rare], after[rare]
    p.figure(
        "shares",
        bars_chart(names, {"p": before, "q": after}, written=percent, x_axis=percent_axis()),
        {
            "language": names,
            "words": counts,
            "p": before,
            "q": after,
            "alpha": [alpha] * len(counts),
        },
        rare=names[rare],
        before=p_rare,
        after=q_rare,
        counted=p.plain(f"count_source_{counted}"),
    )
    p.say("notice", rare=names[rare], p=p_rare, q=q_rare)


def _show_cuts(p: Part, names: list[str], alpha: float, mixture: Mapping[str, Any]) -> None:
    """Cut the learner's sentence with the vocabulary of alpha and with that of alpha 1."""
    sentence = p.text("sentence")
    cuts = []
    with p.working("learning", is_timed=False):
        for each in (alpha, 1.0):
            tokenizer, _ = computed.mixed_vocabulary(alpha=each, **mixture)
            cuts.append((p.plain("cuts_row", alpha=each), tokenize(tokenizer, sentence)))
        uses = computed.mixed_uses(alpha=alpha, **mixture)
    if not sentence.strip():
        p.note("empty", icon="edit")
        return
    p.figure(
        "cuts",
        partial(cuts_html, sentence, cuts),
        {
            p.plain("use_language"): names,
            p.plain("use_drawn"): [use.n_drawn for use in uses],
            p.plain("use_share"): [use.vocabulary_proportion for use in uses],
            p.plain("use_alone"): [use.n_alone for use in uses],
            p.plain("use_words"): [use.tokens_per_word for use in uses],
        },
        alpha=alpha,
        **mixture,
    )
