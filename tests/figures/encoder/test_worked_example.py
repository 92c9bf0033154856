"""The worked example: links, arithmetic, and a NumPy script that is run and compared."""

import contextlib
import io

import numpy as np
import pytest
import torch

from mlm_core.encoder.attention import AttentionSteps, attend, bidirectional_mask, causal_mask
from mlm_core.figures.encoder.worked_example import (
    IDENTITY,
    STEPS,
    Cell,
    arithmetic,
    chain_html,
    numpy_script,
    one_picture,
    read_matrix,
    write_matrix,
)

ODD = ((1.0, 0.5, -2.0), (0.0, 3.25, 1.0), (-0.1, 0.0, 2.0))
PROJECTIONS = {
    "query": ((1.0, 0.0, 0.5), (0.0, -1.0, 0.0), (2.0, 0.0, 1.0)),
    "key": IDENTITY,
    "value": ((0.0, 1.0, 0.0), (1.0, 0.0, -3.0), (0.125, 0.0, 1.0)),
}
IDENTITIES = dict.fromkeys(PROJECTIONS, IDENTITY)
TITLES = dict(zip(STEPS, ("QKᵀ", "÷ √3", "masked", "softmax", "× V"), strict=True))


def steps_of(
    embeddings: tuple, projections: dict, *, causal: bool, divide_by_root: bool
) -> AttentionSteps:
    words = torch.tensor(embeddings, dtype=torch.float64)
    query, key, value = (words @ torch.tensor(w, dtype=torch.float64) for w in projections.values())
    mask = causal_mask(3) if causal else bidirectional_mask(3)
    return attend(query, key, value, mask, divide_by_root=divide_by_root)


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("divide_by_root", [False, True])
@pytest.mark.parametrize(
    ("embeddings", "projections"),
    [
        (IDENTITY, IDENTITIES),
        (ODD, PROJECTIONS),
        (((100.0,) * 3, (-100.0,) * 3, (1e-7, 0.0, 99.9)), PROJECTIONS),
    ],
)
def test_the_numpy_script_reproduces_attend(
    embeddings: tuple, projections: dict, causal: bool, divide_by_root: bool
):
    chosen = {"causal": causal, "divide_by_root": divide_by_root}
    made: dict[str, object] = {}
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(numpy_script(embeddings, projections, **chosen), made)
    steps = steps_of(embeddings, projections, **chosen)
    np.testing.assert_allclose(made["weights"], steps.weights.numpy(), atol=1e-12)
    np.testing.assert_allclose(made["output"], steps.output.numpy(), atol=1e-9)
    assert printed.getvalue().count("[") == 8  # two matrices of three rows


def lines_for(step: str, row: int, column: int, **options: object) -> str:
    chosen = {"causal": False, "divide_by_root": True} | options
    steps = steps_of(ODD, PROJECTIONS, **chosen)
    return "\n".join(
        arithmetic(
            steps,
            ODD,
            PROJECTIONS,
            cell=Cell(step=step, row=row, column=column),
            divide_by_root=chosen["divide_by_root"],
        )
    )


def test_a_score_is_written_out_with_its_projections():
    # q_2 = (0, 3.25, 1) W_Q = (2, -3.25, 1); k_1 = (1, 0.5, -2); 2 - 1.625 - 2 = -1.625.
    lines = lines_for("scores", 1, 0)
    assert r"(0,\; 3.25,\; 1)" in lines and r"(2,\; -3.25,\; 1)" in lines
    assert r"2 \cdot 1 + (-3.25) \cdot 0.5 + 1 \cdot (-2) = -1.625" in lines


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("causal", [False, True])
def test_the_last_number_is_the_cells_own(step: str, causal: bool):
    steps = steps_of(ODD, PROJECTIONS, causal=causal, divide_by_root=True)
    for row in range(3):
        for column in range(3):
            value = getattr(steps, step)[row, column].item()
            last = lines_for(step, row, column, causal=causal).split(r"\;")[-1].split("=")[-1]
            shown = float(last.replace(r"\infty", "inf").replace("longrightarrow", ""))
            assert shown == pytest.approx(value, abs=5.1e-5)


def test_large_scores_are_shifted_before_their_exponentials_are_written():
    large = ((100.0, 0.0, 0.0), (0.0, 100.0, 0.0), (0.0, 0.0, 1.0))
    steps = steps_of(large, IDENTITIES, causal=False, divide_by_root=False)
    lines = arithmetic(
        steps, large, IDENTITIES, cell=Cell(step="weights", row=0, column=0), divide_by_root=False
    )
    assert "- 10000" in lines[0] and lines[-1].endswith("= 1")


def test_a_matrix_comes_back_from_its_link():
    assert read_matrix(write_matrix(ODD)) == ODD
    assert write_matrix(IDENTITY) == "1,0,0;0,1,0;0,0,1"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no number"),
        ("1,0,0;0,1,0;0,0,x", "no number"),
        ("<script>", "no number"),
        ("1,0;0,1", "another size"),
        ("1,0,0;0,1,0;0,0,1;0,0,0", "another size"),
        ("1,0,0;0,1,0;0,0,101", "outside that range"),
        ("1,0,0;0,1,0;0,0,nan", "outside that range"),
        ("inf,0,0;0,1,0;0,0,1", "outside that range"),
    ],
)
def test_a_text_that_is_no_matrix_is_refused(text: str, reason: str):
    with pytest.raises(ValueError, match=f"expected 3 rows of 3 numbers.*{reason}"):
        read_matrix(text)


def test_the_chain_is_one_well_formed_picture_for_a_file():
    from xml.etree import ElementTree

    steps = steps_of(ODD, PROJECTIONS, causal=True, divide_by_root=True)
    cell = Cell(step="output", row=2, column=2)
    html = chain_html(steps, ("<b>", "&", "sat"), titles=TITLES, selected=cell, alt='"<')
    picture = ElementTree.fromstring(one_picture(html))
    assert len(picture.findall("{http://www.w3.org/2000/svg}svg")) == 5
