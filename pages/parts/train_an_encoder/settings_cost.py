"""How much work a run is, in multiply-adds, so that two runs can be compared before they start."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mlm_core.small_runs.settings import SmallRunSettings

PASSES = 3  # forward, and about twice as much back


def work_of(settings: "SmallRunSettings") -> float:
    """Return the multiply-adds of a run if all its texts filled the window.

    The head for words runs at the chosen positions only, or at all of them for next words.
    """
    from mlm_core.encoder.cost import attention_cost

    config = settings.bert_config()
    cost = attention_cost(settings.length, config)
    layers = settings.n_layers * (cost.quadratic_products + cost.linear_products)
    share = 1.0 if settings.objective == "next_word" else settings.mlm_probability
    of_head = config.hidden_size * (config.hidden_size + config.vocabulary_size)
    a_text = layers + share * settings.length * of_head
    return PASSES * settings.n_steps * settings.batch_size * a_text
