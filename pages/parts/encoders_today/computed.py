"""What this lesson works out and keeps, and the numbers of its summary."""

from collections.abc import Mapping

from mlm_core.evaluation.published import sized_results
from mlm_core.stored.search_results import read_results
from pages.shared.kit.remember import read_words


def in_short() -> Mapping[str, object]:
    """Return how well a search finds the right sentence; then two results on SQuAD 2.0.

    The results are a small fine-tuned encoder's and a prompted language model's.
    """
    found = read_results()
    gain = found.gain["mean_reciprocal_rank"]
    rank_of = {way: measures["mean_reciprocal_rank"] for way, measures in found.scores.items()}
    rows = {row.model: row for row in sized_results()}
    small, large = rows["ELECTRA-base"], rows["Llama 3.1 8B"]
    return {
        "n_candidates": found.n_candidates,
        "bag": rank_of["tf_idf"].value,
        "best": read_words("encoders_today").plain(f"scores_way_{found.best_untrained}"),
        "before": rank_of[found.best_untrained].value,
        "trained": rank_of["labelled"].value,
        "gain": gain.value,
        "low": gain.low,
        "high": gain.high,
        "small": round(small.n_parameters / 1e6),
        "tuned": small.value,
        "large": round(large.n_parameters / 1e9),
        "prompted": large.value,
    }
