"""Temperature and entropy."""

import math

import pytest
import torch

from mlm_core.prediction.temperature import at_temperature, entropy


@pytest.mark.parametrize("temperature", [0.3, 1.0, 2.7])
def test_the_temperature_divides_the_logits(temperature):
    logits = torch.tensor([[2.0, -1.0, 0.5], [0.0, 3.0, 1.0]])
    expected = torch.distributions.Categorical(logits=logits / temperature)
    found = at_temperature(logits, temperature)
    assert torch.allclose(found, expected.probs, atol=1e-6)
    assert [entropy(row) for row in found] == pytest.approx(expected.entropy().tolist(), abs=1e-5)
    assert found.argmax(-1).tolist() == logits.argmax(-1).tolist()


def test_the_entropy_rises_with_the_temperature_to_the_logarithm_of_the_vocabulary():
    logits = torch.tensor([2.0, -1.0, 0.5, 0.0, 4.0])
    found = [entropy(at_temperature(logits, t)) for t in (0.05, 0.5, 1.0, 2.0, 1e6)]
    assert found == sorted(found)
    assert found[0] == pytest.approx(0.0, abs=1e-6)
    assert found[-1] == pytest.approx(math.log(5), abs=1e-6)


@pytest.mark.parametrize("temperature", [0.0, -1.0, math.nan, math.inf])
def test_an_impossible_temperature_is_refused(temperature):
    with pytest.raises(ValueError, match="choose one above 0"):
        at_temperature(torch.zeros(3), temperature)
