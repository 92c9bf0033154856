"""What this lesson works out and keeps, and the numbers of its summary."""

from collections.abc import Mapping

from mlm_core.evaluation.published import sized_results
from mlm_core.stored.search_results import read_results


def in_short() -> Mapping[str, object]:
    """Return how well a search finds the right sentence; then two results on SQuAD 2.0.

    The results are a small fine-tuned encoder's and a prompted language model's.
    """
    found = read_results()
    gain = found.leads["labelled", "mean_layer_8"]["mean_reciprocal_rank"]
    rank_of = {way: measures["mean_reciprocal_rank"] for way, measures in found.scores.items()}
    rows = {row.model: row for row in sized_results()}
    small, large = rows["ELECTRA-base"], rows["Llama 3.1 8B"]
    return {
        "n_candidates": found.n_candidates,
        "bag": rank_of["tf_idf"].value,
        "before": rank_of["mean_layer_8"].value,
        "trained": rank_of["labelled"].value,
        "gain": gain.value,
        "low": gain.low,
        "high": gain.high,
        "small": round(small.n_parameters / 1e6),
        "tuned": small.value,
        "large": round(large.n_parameters / 1e9),
        "prompted": large.value,
    }
