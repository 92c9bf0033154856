"""Senses, z-scores, maps and trust against scikit-learn and scipy."""

import numpy as np
import pytest
import torch
from scipy.spatial import procrustes
from sklearn.decomposition import PCA
from sklearn.manifold import trustworthiness
from sklearn.metrics.pairwise import cosine_similarity
from sklearn.model_selection import LeaveOneOut, cross_val_predict
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid
from sklearn.preprocessing import StandardScaler, normalize

from mlm_core.embeddings.contextual import all_layers_word_vectors
from mlm_core.embeddings.maps import align, pca_layout
from mlm_core.embeddings.postprocessing import learn_from_corpus
from mlm_core.embeddings.senses_data import stored_word
from mlm_core.embeddings.trust import trust_map
from mlm_core.embeddings.word_senses import choose_senses, cosines, leave_one_out, sense_centroids
from mlm_core.encoder.pretrained import load

NEIGHBOUR = KNeighborsClassifier(n_neighbors=1, metric="cosine", algorithm="brute")


@pytest.fixture(scope="module", params=["bow", "drawn"])
def labelled(request):
    """Give real vectors with their senses, and drawn ones where senses mean little."""
    if request.param == "bow":
        word = stored_word("bow")
        vectors = all_layers_word_vectors(load("mini-bert"), word.sentences).at("mean_last_4")
        return vectors.double(), torch.tensor(word.sense_numbers), len(word.senses)
    generator = torch.Generator().manual_seed(6)
    vectors = torch.randn(83, 9, generator=generator, dtype=torch.float64)
    return vectors, torch.arange(83) % 5, 5


def test_centroids_are_those_of_nearest_centroid(labelled):
    vectors, senses, n = labelled
    theirs = NearestCentroid().fit(vectors.numpy(), senses.numpy()).centroids_
    np.testing.assert_allclose(sense_centroids(vectors, senses, n).numpy(), theirs, atol=1e-12)


def test_cosines_are_those_of_scikit_learn(labelled):
    vectors, _, _ = labelled
    theirs = cosine_similarity(vectors[:20].numpy(), vectors.numpy())
    np.testing.assert_allclose(cosines(vectors[:20], vectors).numpy(), theirs, atol=1e-12)


def test_the_nearest_centroid_by_cosine_is_one_neighbour_among_the_centroids(labelled):
    vectors, senses, n = labelled
    train, test = vectors[::2], vectors[1::2]
    centroids = NearestCentroid().fit(train.numpy(), senses[::2].numpy()).centroids_
    theirs = NEIGHBOUR.fit(centroids, np.arange(n)).predict(test.numpy())
    ours = choose_senses(test, train, senses[::2], n).senses
    assert ours.tolist() == theirs.tolist()


def test_the_nearest_example_is_that_of_one_neighbour_by_cosine(labelled):
    vectors, senses, n = labelled
    fitted = NEIGHBOUR.fit(vectors[::2].numpy(), senses[::2].numpy())
    ours = choose_senses(vectors[1::2], vectors[::2], senses[::2], n, method="examples")
    distances, numbers = fitted.kneighbors(vectors[1::2].numpy())
    assert ours.senses.tolist() == fitted.predict(vectors[1::2].numpy()).tolist()
    assert ours.nearest.tolist() == numbers[:, 0].tolist()
    np.testing.assert_allclose(ours.cosines.max(dim=1)[0], 1 - distances[:, 0], atol=1e-12)


def test_leave_one_out_is_that_of_scikit_learn(labelled):
    vectors, senses, n = labelled
    theirs = cross_val_predict(NEIGHBOUR, vectors.numpy(), senses.numpy(), cv=LeaveOneOut())
    ours = leave_one_out(vectors, senses, n, method="examples").senses
    assert ours.tolist() == theirs.tolist()


def test_leave_one_out_with_centroids_is_fitting_them_anew_each_time(labelled):
    vectors, senses, n = labelled
    ours = leave_one_out(vectors, senses, n).senses
    for train, (test,) in LeaveOneOut().split(vectors):
        centroids = NearestCentroid().fit(vectors[train].numpy(), senses[train].numpy()).centroids_
        theirs = NEIGHBOUR.fit(centroids, np.arange(n)).predict(vectors[[test]].numpy())
        assert ours[test] == theirs[0]


def test_z_scores_are_those_of_the_standard_scaler(labelled):
    vectors, _, _ = labelled
    vectors = torch.cat([vectors, torch.full((len(vectors), 1), 3.0)], dim=1)  # a constant one
    scaler = StandardScaler().fit(vectors[:40].numpy())
    learnt = learn_from_corpus(vectors[:40], torch.arange(40))
    np.testing.assert_allclose(learnt.mean.numpy(), scaler.mean_, atol=1e-12)
    np.testing.assert_allclose(learnt.deviation.numpy() ** 2, scaler.var_, atol=1e-12)
    np.testing.assert_allclose(
        learnt.postprocess(vectors, "z-scored").numpy(),
        scaler.transform(vectors.numpy()),
        atol=1e-9,
    )


def test_the_pca_map_is_that_of_scikit_learn_up_to_the_axes_signs(labelled):
    vectors, _, _ = labelled
    theirs = PCA(2, svd_solver="full").fit_transform(normalize(vectors.numpy()))
    np.testing.assert_allclose(np.abs(pca_layout(vectors).numpy()), np.abs(theirs), atol=1e-9)


@pytest.mark.parametrize("n_neighbours", [1, 5, 12, 40])
def test_trustworthiness_is_that_of_scikit_learn(labelled, n_neighbours):
    vectors, _, _ = labelled
    for layout in (pca_layout(vectors), vectors[:, [4, 7]]):
        theirs = trustworthiness(
            vectors.numpy(), layout.numpy(), n_neighbors=n_neighbours, metric="cosine"
        )
        ours = trust_map(vectors, layout, n_neighbours)
        assert ours.trustworthiness == pytest.approx(theirs, abs=1e-12)


def test_the_turn_onto_another_map_is_that_of_scipy(labelled):
    """Scipy stretches too: what is left over, on maps of size 1, is 1 - (Σ s)² for it."""
    vectors, _, _ = labelled
    layout, target = vectors[:, :2], vectors[:, 2:4]
    _, _, disparity = procrustes(target.numpy(), layout.numpy())
    centred = [x - x.mean(dim=0) for x in (target, align(layout, target))]
    one, other = (x / x.norm() for x in centred)
    overlap = (one * other).sum().item()  # Σ s, once both have size 1
    assert 1 - overlap**2 == pytest.approx(disparity, abs=1e-12)
