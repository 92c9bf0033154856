"""What this lesson works out and keeps, and the numbers of its summary."""

from collections.abc import Mapping

from mlm_core.masking.rule import CorruptionRule


def in_short() -> Mapping[str, object]:
    """Return what becomes of the tokens by BERT's rule, in proportions of all."""
    rule = CorruptionRule()
    chosen = rule.mlm_probability
    return {
        "chosen": chosen,
        "masked": chosen * rule.mask_rate,
        "random": chosen * rule.random_rate,
        "kept": chosen * rule.keep_rate,
    }
