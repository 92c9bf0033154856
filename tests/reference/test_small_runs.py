"""Our logistic regression against scikit-learn's, and the small losses against torch's."""

import numpy as np
import pytest
import torch

from mlm_core.probing.linear_probe import fit_logistic_regression


@pytest.mark.parametrize("penalty", [0.01, 1.0, 30.0])
@pytest.mark.parametrize("spread", [0.1, 3.0])
def test_logistic_regression_has_the_weights_of_scikit_learn(penalty, spread):
    from sklearn.linear_model import LogisticRegression

    generator = torch.Generator().manual_seed(1)
    vectors = spread * torch.randn(83, 7, generator=generator) + 2
    labels = vectors[:, 0] - vectors[:, 3] + spread * torch.randn(83, generator=generator) > 0.3
    ours = fit_logistic_regression(vectors, labels, penalty=penalty)
    theirs = LogisticRegression(C=1 / penalty, solver="newton-cholesky", tol=1e-12, max_iter=500)
    theirs.fit(vectors.double().numpy(), labels.numpy())
    # Both solve to far below this in float64; with the smallest penalty the answer is steep.
    np.testing.assert_allclose(ours.weights.numpy(), theirs.coef_[0], rtol=1e-5, atol=1e-7)
    assert ours.bias == pytest.approx(theirs.intercept_[0], rel=1e-5, abs=1e-7)
    said = ours.says_yes(vectors).numpy()
    assert (said == theirs.predict(vectors.double().numpy())).all()


def test_labels_that_a_line_divides_have_an_answer_because_of_the_penalty():
    vectors = torch.tensor([[-2.0], [-1.0], [1.0], [2.0]])
    found = fit_logistic_regression(vectors, vectors[:, 0] > 0, penalty=1e-3)
    assert (
        found.weights.isfinite().all()
        and found.says_yes(vectors).tolist() == [False] * 2 + [True] * 2
    )
    assert found.bias == pytest.approx(0.0, abs=1e-9)


def test_one_label_alone_or_no_penalty_is_refused():
    vectors = torch.ones(3, 2)
    with pytest.raises(ValueError, match="give some of both"):
        fit_logistic_regression(vectors, torch.tensor([True, True, True]))
    with pytest.raises(ValueError, match="above 0"):
        fit_logistic_regression(vectors, torch.tensor([True, False, True]), penalty=0.0)
