"""Viterbi's table word by word: each entry is made of what the decoder says it is made of."""

import pytest
import torch

from mlm_core.tagging.decoding import viterbi, viterbi_step
from mlm_core.tagging.transitions import legal_transitions

TAGS = ("O", "B-PER", "I-PER")
LEGAL = legal_transitions(TAGS, "BIO")


def test_by_hand_the_inside_tag_gives_way_to_the_rule():
    # Word 0: O is likelier than B-PER; word 1: I-PER is, which may not follow O.
    said = torch.tensor([[0.6, 0.3, 0.1], [0.3, 0.1, 0.6]], dtype=torch.float64).log()
    found = viterbi(said, LEGAL)
    first, second = (viterbi_step(said, found, LEGAL, word) for word in (0, 1))
    assert [entry.best for entry in first[:2]] == pytest.approx(said[0, :2].tolist())
    assert first[2].best == float("-inf") and first[2].came_from is None
    inside = second[2]
    assert (inside.came_from, inside.excluded, inside.is_on_path) == ("B-PER", "O", False)
    assert inside.best_before == pytest.approx(said[0, 1].item())
    assert [entry.is_on_path for entry in second] == [True, False, False]  # .6 x .3 twice: first
    assert second[0].excluded is None and second[0].came_from == "O"


def test_every_entry_is_the_sum_of_its_parts_and_one_tag_a_word_is_on_the_path():
    said = torch.randn(5, 3, generator=torch.Generator().manual_seed(4)).log_softmax(dim=-1)
    found = viterbi(said, LEGAL)
    for word in range(5):
        entries = viterbi_step(said, found, LEGAL, word)
        assert sum(entry.is_on_path for entry in entries) == 1
        for entry in entries:
            if entry.best > float("-inf"):
                total = entry.best_before + entry.log_probability
                assert entry.best == pytest.approx(total, abs=1e-5)


def test_a_word_that_is_not_there_is_refused():
    said = torch.zeros(2, 3)
    with pytest.raises(ValueError, match="word 2 of 2: words are counted from 0 to 1"):
        viterbi_step(said, viterbi(said, LEGAL), LEGAL, 2)
