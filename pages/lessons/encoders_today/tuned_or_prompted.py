"""Encoder or language model: sizes to scale, and what each kind reaches on one task."""

from functools import partial

from mlm_core.encoder.cost import fine_tuning_bytes, operations, weight_bytes
from mlm_core.evaluation.published import SizedResult, sized_results
from mlm_core.figures.encoder.sizes import Sized, sizes_svg
from mlm_core.figures.theme import significant
from mlm_core.number_format import formatted
from pages.kit.part import Part, Table, part

GPU_BYTES = 80e9  # of the H100 that Llama 3.1 was trained on: its model card
N_TOKENS = 300  # of a passage with its question


@part(
    code=(
        "encoder.cost:weight_bytes",
        "encoder.cost:fine_tuning_bytes",
        "encoder.cost:operations",
    )
)
def show(p: Part) -> None:
    """Draw what the models take in memory, and list what they reach on SQuAD 2.0."""
    p.say("lead")
    purpose = p.choice("memory_for")
    rows = sized_results()
    needed = [_bytes(row, purpose) for row in rows]
    squares = [
        Sized(
            name=p.plain("square", model=row.model, memory=_written(size)),
            size=size,
            is_first=row.is_fine_tuned,
        )
        for row, size in zip(rows, needed, strict=True)
    ]
    limit = Sized(name=p.plain("limit", memory=_written(GPU_BYTES)), size=GPU_BYTES, is_limit=True)
    p.figure(
        "memory",
        partial(sizes_svg, [*squares, limit]),
        {"model": [row.model for row in rows], "bytes": needed},
        smallest=squares[0].name,
        largest=squares[-1].name,
        n=sum(size <= GPU_BYTES for size in needed),
        of=len(rows),
    )
    Table(
        {
            "model": [row.model for row in rows],
            "way": [p.plain("tuned" if row.is_fine_tuned else "prompted") for row in rows],
            "exact_match": [formatted(row.value, ".1f") for row in rows],
            "operations": [
                formatted(operations(row.n_parameters, N_TOKENS) / 1e9, ",.0f") for row in rows
            ],
            "paper": [f"{row.paper}, {row.where}" for row in rows],
        }
    ).show()
    p.say("results", n_tokens=N_TOKENS)
    p.say("needs")
    sizes = [row.n_parameters for row in rows if not row.is_fine_tuned]
    base = next(row.n_parameters for row in rows if row.model == "ELECTRA-base")
    p.say("choice", least=min(sizes) / base, most=max(sizes) / base)


def _bytes(row: SizedResult, purpose: str) -> float:
    """Return the memory for fine-tuning, or for weights of so many bits."""
    if purpose == "fine_tuning":
        return fine_tuning_bytes(row.n_parameters)
    return weight_bytes(row.n_parameters, int(purpose))


def _written(n_bytes: float) -> str:
    """Return bytes as GB with two digits."""
    return significant(n_bytes / 1e9)
