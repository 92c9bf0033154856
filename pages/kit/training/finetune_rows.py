"""The rows of the panel of fine-tuning: each of its controls, for the lesson.py of both lessons.

It begins with what is good for the data and the trained layers (defaults.py). What is good differs
with what is trained, so epochs, rate and layers have a control for each way. The panel that draws
them is finetune_panel.py.
"""

from typing import Any, Literal

from mlm_core.finetuning.defaults import (
    BATCH_SIZES,
    EPOCHS,
    RANDOM_EPOCHS,
    RANDOM_RATE,
    RATES,
    READ,
    STARTS,
    TRAINED,
    USUAL_LAYERS,
)
from pages.kit.rows import Control, Options, choice, slider, step

OF_PANEL = {"at": "train", "words": "finetune_runs"}
ALL_LAYERS = 12  # of a bundled model
SOME_EXAMPLES = ("10", "100")
SOME_EPOCHS = ("1", "2", "3", "5", "8", "10", "15", "20", "30", "40")
FEW_EPOCHS = 20  # where the examples are few, each is seen more often
BATCHES = ("2", "4", "8", "16", "32", "64")
SOME_RATES = (
    *("0.00002", "0.00005", "0.0001", "0.0002", "0.0005", "0.001", "0.002", "0.005"),
    *("0.01", "0.02", "0.05", "0.1", "1"),
)


def panel_rows(
    kind: Literal["classes", "tags"], data: Options, **of_data: Any
) -> tuple[Control, ...]:
    """Return the rows of the panel for one kind of data; `of_data` is more of the row of data."""
    of_curves = {"share": f"measure_share_{kind}", "f1": f"measure_f1_{kind}"}
    reading = {
        "classes": (choice("set_pooling", {"mean": "mean", "cls": "cls"}, **OF_PANEL),),
        "tags": (
            _numbers("choice", "set_scheme", ("IO", "BIO", "BIOES"), "BIO"),
            choice("set_labelling", ("first_only", "all_pieces", "copy_to_all"), **OF_PANEL),
        ),
    }
    short, long = (str(BATCH_SIZES["top"][is_short]) for is_short in (True, False))
    when_long = {"set_data": "passages"}
    return (
        choice(
            "curves_measure",
            of_curves | {"loss": "measure_loss"},
            label="measure",
            start="f1" if kind == "tags" else "share",
            **OF_PANEL,
        ),
        choice("set_data", data, **OF_PANEL, **of_data),
        choice("set_start", STARTS, **OF_PANEL),
        choice("set_trained", TRAINED, start="top", **OF_PANEL),
        step("set_k", start=str(USUAL_LAYERS), **OF_PANEL),
        *reading[kind],
        choice("set_examples", ("all",), plain_options=SOME_EXAMPLES, **OF_PANEL),
        *_rows_of("top", READ, EPOCHS["top"], RATES["top"], {}),
        _numbers("step", "set_batch_short", BATCHES, short),
        slider("set_seed", 1, 100, 1, **OF_PANEL),
        *_rows_of("all", ALL_LAYERS, EPOCHS["all"], RATES["all"], {"set_trained": "all"}),
        *_rows_of("head", ALL_LAYERS, EPOCHS["head"], RATES["head"], {"set_trained": "head"}),
        *_rows_of("random", None, RANDOM_EPOCHS, RANDOM_RATE, {"set_start": "random"}),
        *([_numbers("step", "set_batch_long", BATCHES, long, when_long)] * ("passages" in data)),
    )


def _rows_of(
    way: str, read: int | None, n_epochs: int, rate: float, when: dict[str, str]
) -> list[Control]:
    """Return the rows for one way to train: layers, epochs, epochs for few examples, rate."""
    few = when | {"set_examples": "100"}
    rows = [
        _numbers("step", f"set_epochs_{way}", SOME_EPOCHS, str(n_epochs), when),
        _numbers("step", f"set_epochs_{way}_few", SOME_EPOCHS, str(FEW_EPOCHS), few),
        _numbers("step", f"set_rate_{way}", SOME_RATES, f"{rate:g}", when),
    ]
    if read is not None:  # how many there are depends on the model
        rows.insert(0, _numbers("step", f"set_read_{way}", (), str(read), when))
    return rows


def _numbers(
    kind: Literal["choice", "step"],
    name: str,
    options: tuple[str, ...],
    start: str,
    when: dict[str, str] | None = None,
) -> Control:
    """Return a row whose options are called as they are, its start among the numbers."""
    ordered = options if start in options else tuple(sorted({*options, start}, key=float))
    make = {"choice": choice, "step": step}[kind]
    label = "_".join(name.split("_")[:2])
    return make(
        name,
        label=label,
        plain_options=ordered if options else (),
        start=start,
        when=when or {},
        **OF_PANEL,
    )
