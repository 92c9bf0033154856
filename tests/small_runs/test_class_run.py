"""A class's encoder: its words, what is wrong in each sentence, and sentences left out."""

import math
from collections.abc import Sequence
from itertools import permutations

import pytest
import torch

from mlm_core.prediction.masked_words import hide, labels_of, predict
from mlm_core.small_runs.class_run import (
    ClassRunSettings,
    ClassSnapshot,
    choose_held_out,
    class_model,
    class_run,
    class_tokenizer,
    guesses_at_blanks,
    steps_for,
)
from mlm_core.small_runs.sentence_test import SentenceResult, SentenceTest
from mlm_core.text.tokens import SPECIAL_TOKENS, tokenize
from tests.hostile import TEXTS

SEA = ("The sea is cold.", "A ship sails.", "The fish swims.", "We row a boat.", "The sea is deep.")


def run(sentences: Sequence[str] = SEA, *, n_steps: int = 4, **settings) -> ClassSnapshot:
    asked = ClassRunSettings(
        sentences=tuple(sentences), n_steps=n_steps, test_every=n_steps, **settings
    )
    *_, last = class_run(asked)
    return last


def told(snapshot: ClassSnapshot) -> tuple:
    """Return all that a run computed."""
    kept = snapshot.checkpoint
    return snapshot.losses, snapshot.tests, snapshot.results, kept and kept.weights


def test_each_word_is_one_entry_and_letters_spell_the_others():
    tokenizer = class_tokenizer(("b ab", "b! ab b"))
    words = sorted(tokenizer.get_vocab(), key=tokenizer.get_vocab().get)
    assert words == [*SPECIAL_TOKENS, "b", "a", "!", "##b", "##a", "##!", "ab"]
    assert tokenizer.encode("aab").tokens == ["[CLS]", "a", "##a", "##b", "[SEP]"]


def test_equal_settings_give_equal_runs_and_nothing_left_out_is_the_whole_run():
    whole = run()
    assert told(run()) == told(run(left_out=())) == told(whole)
    assert told(run(seed=2)) != told(whole) and whole.is_finished


def test_a_sentence_left_out_is_judged_and_not_trained_on():
    whole, without = run(), run(left_out=(1,))
    assert len(without.results) == 5 and without.results[1].n_words == 3
    assert without.n_words == whole.n_words - 3  # "A", "ship", "sails"
    assert without.tokenizer is not None and whole.tokenizer is not None
    assert without.tokenizer.get_vocab() == whole.tokenizer.get_vocab()
    assert told(without) != told(whole)
    # What another sentence says too doesn't matter once it is left out: nothing of it is read.
    other = (*SEA[:1], "sails ship A.", *SEA[2:])
    assert run(other, left_out=(1,)).losses == without.losses


def test_the_results_are_those_of_each_word_masked_by_itself():
    snapshot = run(n_steps=9)
    model = class_model(snapshot)
    for sentence, result in zip(SEA, snapshot.results, strict=True):
        text = tokenize(model.tokenizer, sentence)
        places = [i for i, token in enumerate(text.tokens) if token.text.isalpha()]
        single = [
            predict(model, hide(text, [i], model.tokenizer), labels_of(text.ids, [i]))
            for i in places
        ]
        n_wrong = sum(int(one.logits.argmax()) != one.true_ids[0] for one in single)
        assert (result.n_words, result.n_wrong) == (len(places), n_wrong)
        # The kept weights are rounded to float16.
        loss = sum(one.loss for one in single) / len(places)
        assert result.loss == pytest.approx(loss, abs=0.01)


def sentence_test(sentences: Sequence[str], **settings) -> SentenceTest:
    return SentenceTest(sentences, class_tokenizer(sentences), longest=9, **settings)


def test_a_word_is_learned_when_it_is_right_at_more_than_half_of_its_places():
    test = sentence_test(("x y x", "x z", "z", "y"), left_out=(2,), held_out=(3,))
    right = torch.tensor([True, True, True, False, False, True, False])  # x y x, x z, z, y
    losses = torch.tensor([1.0, 2.0, 3.0, 4.0, 5.0, 60.0, 7.0])
    results, point = test._figures(losses, right, 3)
    assert [(one.n_words, one.n_wrong, one.loss) for one in results] == [
        (3, 0, 2.0),
        (2, 2, 4.5),
        (1, 0, 60.0),
        (1, 1, 7.0),
    ]
    # x is right twice of three times; z only where it was left out.
    assert (point.step, point.loss, point.n_learned) == (3, 3.0, 2)
    assert point.held_out == SentenceResult(n_words=1, n_wrong=1, loss=7.0)


def test_word_counts_guess_the_most_frequent_word_with_one_added_to_each_count():
    # Trained: x three times, y and z once each; v only where it is held out, w where left out.
    test = sentence_test(("x y x", "x z", "z x v", "w"), held_out=(2,), left_out=(3,))
    found = test.by_word_counts()
    loss = -(math.log(2 / 10) + math.log(4 / 10) + math.log(1 / 10)) / 3
    assert found is not None and found.loss == pytest.approx(loss)
    assert (found.n_words, found.n_wrong) == (3, 2)
    assert sentence_test(("x y x", "x z")).by_word_counts() is None
    assert sentence_test(("x y", "?!"), held_out=(1,)).by_word_counts() is None


def test_word_counts_know_no_order_and_are_uniform_where_all_words_are_equally_frequent():
    for order in permutations(("x y z", "z x y", "y z x")):
        found = sentence_test(order, held_out=(0,)).by_word_counts()
        assert found is not None and found.loss == pytest.approx(math.log(3))


def test_what_is_held_out_is_no_word_of_the_training_and_the_same_in_every_run():
    whole, without = run(held_out=(1,)), run(held_out=(1,), left_out=(3,))
    other = (*SEA[:1], "sails ship A.", *SEA[2:])
    assert run(other, held_out=(1,)).losses == whole.losses
    for one in (whole, without):
        held_out, result = one.tests[-1].held_out, one.results[1]
        assert (held_out.n_words, held_out.n_wrong) == (result.n_words, result.n_wrong) == (3, 3)
        assert held_out.loss == pytest.approx(result.loss)
    assert whole.baseline is not None and whole.baseline.n_words == 3
    assert without.losses != whole.losses and run().tests[-1].held_out is None


def test_one_sentence_of_ten_is_held_out_with_its_copies_and_never_all():
    sentences = [f"Word {number}." for number in range(40)]
    drawn = choose_held_out(sentences, seed=1)
    assert len(drawn) == 4 and drawn == choose_held_out(sentences, seed=1) == tuple(sorted(drawn))
    assert len({choose_held_out(sentences, seed=seed) for seed in range(9)}) == 9
    equal = [*sentences[:20], *(one.upper() for one in sentences[:20])]
    for seed in range(9):
        drawn = choose_held_out(equal, seed=seed)
        assert len(drawn) == 4 and {one % 20 for one in drawn} == {one for one in drawn if one < 20}
    assert [len(choose_held_out(SEA[:n], seed=2)) for n in range(5)] == [0, 0, 1, 1, 1]
    assert choose_held_out(["A ship."] * 30, seed=1) == ()


def test_it_learns_a_few_sentences_in_seventy_steps_and_not_the_one_left_out():
    learned = run(SEA[:4], n_steps=70, left_out=(1,))
    assert [one.n_wrong for one in learned.results] == [0, 3, 0, 0]
    model = class_model(learned)
    first, none, second = guesses_at_blanks(
        model, ["The sea [MASK] cold.", "No blank.", "We row a [MASK]."], 2
    )
    assert (first[0].token, none, second[0].token) == ("is", (), "boat")
    assert learned.tests[-1].n_learned == learned.n_words == 10


def test_blanks_guessed_together_are_guessed_as_one_by_one():
    model, blanks = class_model(run()), ["The [MASK]", "We row a boat on the [MASK] sea.", "[MASK]"]
    together = guesses_at_blanks(model, blanks, 3)
    for one, alone in zip(together, blanks, strict=True):
        (by_itself,) = guesses_at_blanks(model, [alone], 3)
        assert [guess.id for guess in one] == [guess.id for guess in by_itself]


@pytest.mark.parametrize(
    ("sentences", "left_out", "message"),
    [
        ((), (), "0 of 0 sentences"),
        (SEA[:2], (0, 1), "0 of 2 sentences"),
        (("A ship.",) * 301, (), "301 of 301 sentences"),
        (SEA, (5,), "count from 0"),
        (("[MASK]", "?!"), (), "no words"),
        (("[MASK]", "A ship."), (1,), "no words"),
    ],
)
def test_what_cannot_be_trained_is_refused(sentences, left_out, message):
    with pytest.raises(ValueError, match=message):
        run(sentences, left_out=left_out)


def test_hostile_sentences_are_learned_from_like_any_others():
    hostile = [" ".join(text.split())[:120] for text in TEXTS.values()]
    snapshot = run([one for one in hostile if any(map(str.isalnum, one))], n_steps=1)
    assert snapshot.is_finished and steps_for(len(snapshot.results)) == 300
