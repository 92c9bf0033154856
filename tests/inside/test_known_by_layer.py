"""Linear probes by layer: the examples, the control labels, and probes of known answers."""

from collections import Counter

import pytest
import torch

from mlm_core.encoder.model_list import READERS
from mlm_core.encoder.pretrained import load
from mlm_core.evaluation.seeds import standard_error
from mlm_core.inside.known_by_layer import (
    CLASSES,
    MOST_OF_A_WORD,
    N_EXAMPLES,
    PROBE_TASKS,
    READ_AT,
    draw_examples,
    fit_probe,
    known_by_layer,
    random_labels,
    read_states,
    sentences_in,
    word_classes,
)
from mlm_core.stored.probes import read_probes
from mlm_core.text.corpora import DATA_FOLDER, name_in
from mlm_core.text.words import fold, words_of
from tests.prediction.small_models import small_model


@pytest.mark.parametrize("language", READERS)
def test_every_word_of_the_list_is_in_our_sentences_and_belongs_to_one_class(language):
    file = DATA_FOLDER / f"{name_in(language, 'probe_words')}.txt"
    lines = file.read_text(encoding="utf-8").splitlines()
    listed = [word for line in lines if line[0] not in "#[" for word in line.split()]
    assert len(listed) == len(set(listed)) == len(word_classes(language))
    assert set(listed) <= {word for one in sentences_in(language) for word in words_of(one)}


@pytest.mark.parametrize("language", READERS)
@pytest.mark.parametrize("task", PROBE_TASKS)
def test_examples_are_balanced_one_a_sentence_and_few_of_a_word(task, language):
    examples, names = draw_examples(task, language=language), list(CLASSES[task])
    half = N_EXAMPLES[language] // 2
    for part in (examples[:half], examples[half:]):
        counts = Counter(one.label for one in part)
        assert set(counts.values()) == {half // len(names)}
    assert len({one.sentence.text for one in examples}) == 2 * half
    assert max(Counter(one.word for one in examples).values()) <= MOST_OF_A_WORD
    sections = word_classes(language)
    for one in examples:
        assert fold(one.sentence.target) == one.word
        assert sections[one.word] in CLASSES[task][names[one.label]]
    with pytest.raises(ValueError, match="draw fewer than 9000"):
        draw_examples(task, 9000, language)


def test_a_german_noun_has_a_capital_and_no_other_word_has_one_inside_a_sentence():
    for one in draw_examples("part_of_speech", language="de"):
        inside = one.sentence.text[: one.sentence.start].strip(" „")
        if one.label == 0 or inside:
            assert one.sentence.target[0].isupper() == (one.label == 0), one


def test_a_random_label_belongs_to_a_word_and_not_to_an_example():
    examples = draw_examples("part_of_speech")
    labels = random_labels(examples, 3).tolist()
    of_word = {}
    for one, label in zip(examples, labels, strict=True):
        assert of_word.setdefault(one.word, label) == label
    # Of the words as of each class's examples, a third has each label.
    assert all(abs(n - len(of_word) / 3) <= 3 for n in Counter(of_word.values()).values())
    both = Counter((one.label, label) for one, label in zip(examples, labels, strict=True))
    assert all(abs(n - len(examples) / 9) < 8 for n in both.values()) and len(both) == 9


def test_a_probe_takes_states_as_they_are_whatever_their_mean_and_scale():
    generator = torch.Generator().manual_seed(1)
    vectors = torch.randn(83, 7, generator=generator)
    labels = (vectors[:, 2] > 0).long()
    scale, shift = torch.linspace(0.1, 30, 7), torch.linspace(-50, 50, 7)
    plain, moved = fit_probe(vectors, labels), fit_probe(vectors * scale + shift, labels)
    assert (plain.predict(vectors) == moved.predict(vectors * scale + shift)).all()
    assert (plain.predict(vectors) == labels).double().mean() > 0.9
    torch.testing.assert_close(plain.weights, moved.weights * scale, rtol=1e-3, atol=1e-5)


def test_any_model_is_probed_at_each_layer_and_progress_goes_to_its_end():
    model, told = small_model(), []
    found = known_by_layer(
        model, "number", "blank", n_examples=28, on_progress=lambda *n: told.append(n)
    )
    assert found.right.shape == found.control_right.shape == (model.n_layers + 1, 14)
    assert told == sorted(told) and told[-1] == (28 + model.n_layers + 1,) * 2
    words = [one.word for one in draw_examples("number", 28)]
    assert found.seen.tolist() == [word in words[:14] for word in words[14:]]
    both = [found.accuracy_of(1, seen=seen) * (found.seen == seen).sum() for seen in (True, False)]
    assert sum(both) / 14 == pytest.approx(found.accuracies[1])
    states = read_states(model, draw_examples("number", 28), "blank")
    probabilities = found.probabilities(states[:, 20])
    assert probabilities.shape == (model.n_layers + 1, 2)
    torch.testing.assert_close(probabilities.sum(dim=1), torch.ones(model.n_layers + 1).double())
    probe = found.probes[1]
    assert probabilities[1].argmax() == probe.predict(states[1, 20:21])[0]
    assert "accuracies=" in repr(found) and "probes" not in repr(found)


@pytest.mark.parametrize("language", READERS)
def test_the_stored_probes_judge_fresh_states_as_it_is_stored(language):
    model, n = load(READERS[language]), 12
    stored = read_probes("number", "blank", language)
    tested = draw_examples("number", language=language)[N_EXAMPLES[language] // 2 :][:n]
    labels = torch.tensor([one.label for one in tested])
    states = read_states(model, tested, "blank")
    again = torch.stack(
        [probe.predict(one) == labels for probe, one in zip(stored.probes, states, strict=True)]
    )
    assert torch.equal(again, stored.right[:, :n])


@pytest.mark.parametrize("language", READERS)
@pytest.mark.parametrize("task", PROBE_TASKS)
def test_what_the_lesson_says_of_the_bundled_models_holds(task, language):
    guess = 1 / len(CLASSES[task])
    blank, word = (read_probes(task, read_at, language) for read_at in READ_AT)
    margin = 3 * standard_error(guess, N_EXAMPLES[language] // 2)
    # Behind [MASK] layer 0 has a position alone, which in German is a hint; the layers above
    # have the context.
    if language == "de":
        assert guess + 0.13 < blank.accuracies[0] < guess + 0.25
    else:
        assert abs(blank.accuracies[0] - guess) < 0.13
    assert min(blank.accuracies[4:]) > guess + 0.25
    assert all(abs(one - guess) < margin for one in blank.control_accuracies)
    # The word itself gives its class away at once, also one that was not learned from; of random
    # labels only those of words that were.
    assert word.accuracies[0] > 0.9
    assert word.accuracy_of(0, seen=False) > (0.9 if language == "en" else 0.87)
    assert word.control_accuracies[0] > guess + margin
    assert word.accuracy_of(0, seen=True, of_control=True) > guess + 2 * margin
    assert word.accuracy_of(0, seen=False, of_control=True) < guess + margin
