"""The check of a masking generator: right ones pass, and each mistake is found.

The generators are written here as learners write them, without the code of mlm_core/masking.
"""

from random import Random

import pytest

from mlm_core.masking.generator_check import check_generator

VOCABULARY = [f"word{n}" for n in range(900)]


def texts(n=280, longest=23):
    """Return texts of several lengths, padded as a batch: some 4,200 ordinary tokens."""
    rng = Random(5)
    words = [rng.choices(VOCABULARY, k=rng.randint(7, longest)) for _ in range(n)]
    return [["[CLS]", *one, "[SEP]"] + ["[PAD]"] * (longest - len(one)) for one in words]


def generate(tokens, rng, *, rate=0.15, specials=("[CLS]", "[SEP]", "[PAD]"), rates=(0.8, 0.1)):
    inputs, labels = [*tokens], [None] * len(tokens)
    for i, token in enumerate(tokens):
        if token not in specials and rng.random() < rate:
            draw, labels[i] = rng.random(), token
            if draw < sum(rates):
                inputs[i] = "[MASK]" if draw < rates[0] else rng.choice(VOCABULARY)
    return tokens, inputs, labels


def relabelled(label):
    """Return a right generator whose labels are made otherwise, from token, input and label."""

    def generator(tokens, rng):
        columns = generate(tokens, rng)
        return *columns[:2], [label(*place) for place in zip(*columns, strict=True)]

    return generator


def wrong(generator, seed=3):
    """Return the checks that find something wrong in a generator's output."""
    rng = Random(seed)
    found = check_generator(generator(one, rng) for one in texts())
    faults = {name for name in ("special", "labels", "unchosen") if found[name]}
    return faults | {name for name in ("rate", "branches") if found[name] < 0.001}


@pytest.mark.parametrize("seed", range(4))
def test_a_right_generator_is_not_called_wrong(seed):
    # p < 0.001 in two tests: four outputs give a false alarm in 1 % of cases; seeds are fixed.
    assert not wrong(generate, seed)


# A generator, and the checks that find its mistake.
WRONG = {
    "labels are inputs": (relabelled(lambda _, seen, old: old and seen), {"labels"}),
    "labels everywhere": (relabelled(lambda token, *_: token), {"special", "rate", "branches"}),
    "labels only at [MASK]": (
        relabelled(lambda token, seen, _: token if seen == "[MASK]" else None),
        {"unchosen", "rate", "branches"},
    ),
    "[SEP] is chosen": (lambda *a: generate(*a, specials=("[CLS]", "[PAD]")), {"special"}),
    "80 % of the text": (lambda *a: generate(*a, rate=0.8), {"rate"}),
    "a second draw of 10 %": (lambda *a: generate(*a, rates=(0.8, 0.02)), {"branches"}),
}


@pytest.mark.parametrize(("generator", "checks"), WRONG.values(), ids=WRONG)
def test_a_mistake_is_found_and_nothing_else(generator, checks):
    assert wrong(generator) == checks


def test_faults_are_counted_by_hand():
    texts = [("[CLS] a b".split(), "[MASK] x c".split(), [None, None, "c"])]
    found = check_generator([*texts, (["d"], ["[MASK]"], ["d"])])
    assert [found[name] for name in ("special", "labels", "unchosen")] == [1, 1, 1]


def test_an_output_without_labels_is_refused():
    with pytest.raises(ValueError, match="no ordinary token has a label"):
        check_generator([(["[CLS]", "a"], ["[CLS]", "a"], [None, None])])
