"""Few labels: the draws, the linear head and the blank, alone and as one comparison."""

from dataclasses import replace

import pytest
import torch

from mlm_core.classification.few_labels import (
    PENALTIES,
    SEEDS,
    SIZES,
    WAYS,
    FewLabelsRun,
    FewSettings,
    draw,
    fill,
    leads,
    linear_heads,
    sizes_of,
    usual_settings,
    variant,
)
from mlm_core.labelled.examples import LabelledText
from mlm_core.labelled.tables import stored_classes
from mlm_core.stored.finetune_figures import read_few_labels
from mlm_core.text import corpora
from tests.finetuning.small_models import small_data, small_encoder


def few_data(n: int):
    """Return data with `n` training examples of each of three classes, and five to test on."""
    texts = [
        LabelledText(text=line, label=("bad", "good", "odd")[i % 3])
        for i, line in enumerate(list(dict.fromkeys(corpora.sentences()))[: 3 * n + 5])
    ]
    return replace(small_data("classes"), train=tuple(texts[: 3 * n]), test=tuple(texts[3 * n :]))


SETTINGS = FewSettings(
    model="small",
    data="own_classes",
    own_data="given by hand",
    templates=("{text} It was [MASK].", "[MASK]: {text}"),
    words=("the", "a", "of"),
)


def test_a_draw_has_n_of_each_class_twice_and_grows_with_n():
    data = few_data(37)
    small, large = draw(data, 8, 2), draw(data, 16, 2)
    for part in (small.train, small.dev):
        assert [sum(e.label == name for e in part) for name in data.classes] == [8, 8, 8]
    assert not {*small.train} & {*small.dev} and {*small.train} < {*large.train}
    assert small.test == data.test and draw(data, 8, 3).train != small.train
    assert (sizes_of(data), sizes_of(few_data(64))) == ((8, 16), SIZES)


def test_the_linear_head_predicts_as_scikit_learn():
    from sklearn.linear_model import LogisticRegression

    vectors = torch.randn(41, 7, generator=torch.Generator().manual_seed(5))
    labels = torch.arange(23) % 3
    found = linear_heads(vectors[:23], labels, vectors)
    for penalty in PENALTIES:
        theirs = LogisticRegression(C=1 / penalty, tol=1e-8, max_iter=5000)
        theirs.fit(vectors[:23].numpy(), labels.numpy())
        assert found[f"{penalty:g}"].tolist() == theirs.predict(vectors.numpy()).tolist()


def test_a_long_text_and_its_own_blanks_give_way_to_the_templates_blank():
    model = small_encoder()
    read = fill("{text} It was [MASK].", "so [MASK] " * 90, model)
    shown = [token.text for token in read.tokens]
    assert shown.count("[MASK]") == 1 and len(shown) <= model.max_tokens and not read.n_left_out


def test_what_can_not_be_compared_is_refused():
    data, model = few_data(17), small_encoder()
    for changes, message in (
        ({"templates": ("It was [MASK].",)}, "once"),
        ({"templates": ()}, "once"),
        ({"words": ("a", "a", "of")}, "same word"),
        ({"words": ("a", "of")}, "2 words for 3 classes"),
    ):
        with pytest.raises(ValueError, match=message):
            FewLabelsRun(replace(SETTINGS, **changes), data, model)
    with pytest.raises(ValueError, match="15 training examples"):
        FewLabelsRun(SETTINGS, few_data(15), model)


def test_the_labels_of_the_test_part_choose_nothing():
    data, model = few_data(17), small_encoder()
    turned = tuple(replace(e, label={"bad": "good"}.get(e.label, "bad")) for e in data.test)
    runs = [FewLabelsRun(SETTINGS, one, model) for one in (data, replace(data, test=turned))]
    for run in runs:
        steps = [snapshot.step for snapshot in run.go_on()]
        assert steps == sorted(steps) and steps[-1] == run.snapshot.n_steps
    first, second = (run.snapshot.scores for run in runs)
    assert [one.chosen for one in first] == [one.chosen for one in second]
    assert [one.right for one in first] != [one.right for one in second]
    assert {(one.way, one.n, one.seed) for one in first} == {(w, 8, s) for w in WAYS for s in SEEDS}


@pytest.mark.parametrize("task", ["sentiment", "sentiment_de"])
def test_the_stored_comparison_is_of_the_usual_settings(task):
    scores, data = read_few_labels(task), stored_classes(task)
    assert {one.chosen for one in scores if one.way == "blank"} <= {*usual_settings(task).templates}
    assert {len(one.right) for one in scores} == {len(data.test)}
    for n in SIZES:
        means = sorted((variant(scores, way, n).mean for way in WAYS), reverse=True)
        differences = [one.difference for one in leads(scores, n)]
        by_hand = [means[0] - means[1], means[0] - means[2], means[1] - means[2]]
        assert differences == pytest.approx(by_hand)
