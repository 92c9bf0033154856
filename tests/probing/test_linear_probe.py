"""Our logistic regression against scikit-learn's, and at its edges."""

import numpy as np
import pytest
import torch

from mlm_core.probing.linear_probe import fit_logistic_regression


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("penalty", [0.01, 1.0, 30.0])
@pytest.mark.parametrize("spread", [0.1, 3.0])
def test_logistic_regression_has_the_weights_of_scikit_learn(penalty, spread, n_classes):
    from sklearn.linear_model import LogisticRegression

    generator = torch.Generator().manual_seed(1)
    vectors = spread * torch.randn(83, 7, generator=generator) + 2
    scores = vectors[:, :n_classes] + spread * torch.randn(83, n_classes, generator=generator)
    labels = scores.argmax(dim=1)
    ours = fit_logistic_regression(vectors, labels, penalty=penalty)
    # scikit-learn has one row for two classes, w = w_1 - w_0, and so half the penalty.
    theirs = LogisticRegression(
        C=(2 if n_classes == 2 else 1) / penalty, solver="newton-cg", tol=1e-10, max_iter=900
    )
    theirs.fit(vectors.double().numpy(), labels.numpy())
    weights, bias = ours.weights.numpy(), ours.bias.numpy()
    if n_classes == 2:
        weights, bias = weights[1:] - weights[:1], bias[1:] - bias[:1]
    else:
        bias = bias - bias.mean()
    np.testing.assert_allclose(weights, theirs.coef_, rtol=1e-4, atol=1e-5)
    their_bias = theirs.intercept_ - (0 if n_classes == 2 else theirs.intercept_.mean())
    np.testing.assert_allclose(bias, their_bias, rtol=1e-4, atol=1e-5)
    assert (ours.predict(vectors).numpy() == theirs.predict(vectors.double().numpy())).all()


def test_labels_that_a_line_divides_have_an_answer_because_of_the_penalty():
    vectors = torch.tensor([[-2.0], [-1.0], [1.0], [2.0]])
    found = fit_logistic_regression(vectors, (vectors[:, 0] > 0).long(), penalty=1e-3)
    assert found.weights.isfinite().all() and found.predict(vectors).tolist() == [0, 0, 1, 1]
    assert found.bias.abs().max() < 1e-9


def test_one_label_alone_or_no_penalty_is_refused():
    vectors = torch.ones(3, 2)
    with pytest.raises(ValueError, match="all examples have one class"):
        fit_logistic_regression(vectors, torch.tensor([1, 1, 1]))
    with pytest.raises(ValueError, match="above 0"):
        fit_logistic_regression(vectors, torch.tensor([1, 0, 1]), penalty=0.0)


def test_wide_vectors_need_no_matrix_of_all_weights():
    # 6,002 weights: their second derivatives would be 288 MB, and seconds to invert.
    vectors = torch.randn(41, 3_000, generator=torch.Generator().manual_seed(1))
    labels = (vectors[:, 5] > 0).long()
    found = fit_logistic_regression(vectors, labels, penalty=20.0)
    y = (vectors.double() @ found.weights.T + found.bias).softmax(dim=1)
    errors = y - torch.nn.functional.one_hot(labels)
    # At the minimum the loss has no slope.
    torch.testing.assert_close(errors.T @ vectors.double(), -20 * found.weights, atol=1e-6, rtol=0)
    assert errors.sum(dim=0).abs().max() < 1e-6
