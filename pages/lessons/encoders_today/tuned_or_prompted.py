"""Encoder or language model: the memory of each, and what each reaches on one task."""

from mlm_core.encoder.cost import fine_tuning_bytes, operations, weight_bytes
from mlm_core.evaluation.published import Result, results
from mlm_core.figures.charts import bars_chart
from mlm_core.figures.theme import BLUE, GREY, ORANGE, significant
from mlm_core.number_format import formatted
from pages.kit.part import Part, part

GPU_BYTES = 80e9  # of the H100 that Llama 3.1 was trained on: its model card
N_TOKENS = 300  # of a passage with its question
GIGABYTES = (-2.5, 5.2)  # powers of ten: from 14 million parameters in 4 bits to 405 billion


@part(
    code=(
        "encoder.cost:weight_bytes",
        "encoder.cost:fine_tuning_bytes",
        "encoder.cost:operations",
    )
)
def show(p: Part) -> None:
    """Draw what the models take in memory, each with its result on SQuAD 2.0."""
    p.say("lead")
    purpose = p.choice("memory_for")
    rows = results()
    needed = [*(_bytes(row, purpose) for row in rows), GPU_BYTES]
    p.figure(
        "memory",
        bars_chart(
            [*(_name(p, row) for row in rows), p.plain("limit")],
            {"": [size / 1e9 for size in needed]},
            written=lambda size: f"{significant(size)} GB",
            x_title=p.plain("gigabytes"),
            x_axis={"type": "log", "dtick": 2, "exponentformat": "none", "range": GIGABYTES},
            colours=[*(BLUE if row.is_fine_tuned else ORANGE for row in rows), GREY],
            hollow=[False] * len(rows) + [True],
        ),
        [
            {
                "model": row.model,
                "way": p.plain("tuned" if row.is_fine_tuned else "prompted"),
                "exact_match": row.value,
                "bytes": size,
                "operations": operations(row.n_parameters, N_TOKENS) / 1e9,
                "paper": f"{row.paper}, {row.where}",
            }
            for row, size in zip(rows, needed, strict=False)
        ],
        n=sum(size <= GPU_BYTES for size in needed[:-1]),
        of=len(rows),
        n_tokens=N_TOKENS,
    )
    p.say("results")
    sizes = [row.n_parameters for row in rows if not row.is_fine_tuned]
    base = next(row.n_parameters for row in rows if row.model == "ELECTRA-base")
    p.say("choice", least=min(sizes) / base, most=max(sizes) / base)


def _name(p: Part, row: Result) -> str:
    way = p.plain("tuned" if row.is_fine_tuned else "prompted")
    return p.plain("row", model=row.model, way=way, value=formatted(row.value, ".1f"))


def _bytes(row: Result, purpose: str) -> float:
    """Return the memory for fine-tuning, or for weights of so many bits."""
    if purpose == "fine_tuning":
        return fine_tuning_bytes(row.n_parameters)
    return weight_bytes(row.n_parameters, int(purpose))
