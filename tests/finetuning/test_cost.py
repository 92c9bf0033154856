"""What a run holds in memory, beside what it really trains, and what can't be trained."""

import pytest

from mlm_core.encoder.model_list import BUNDLED
from mlm_core.finetuning.cost import _n_tokens, kept_bytes, run_bytes
from mlm_core.finetuning.fine_tuned import make_upper
from mlm_core.finetuning.settings import READ, FineTuneSettings, default_settings
from mlm_core.finetuning.snapshot import keep_trained
from mlm_core.labelled.examples import LabelledText
from mlm_core.stored.finetunes import read_dataset
from mlm_core.text.tokens import tokenize
from pages.server.trainer.jobs import ServiceLimits


def test_more_trained_layers_cost_more_and_all_of_them_fit_the_trainer(bundled):
    for data in ("sentiment", "entailment", "paraphrase", "passages", "entities"):
        examples = read_dataset(data)
        head, top, every = (
            run_bytes(default_settings(BUNDLED, data, trained), examples, bundled)
            for trained in ("head", "top", "all")
        )
        assert head < top < every <= ServiceLimits().most_bytes


def test_what_is_kept_is_what_was_counted(bundled):
    settings = default_settings(BUNDLED, "sentiment", "top")
    upper = make_upper(bundled.bert, read_dataset("sentiment"), settings, None)
    kept = len(keep_trained(upper, 0).numbers)
    assert 0 <= kept_bytes(settings, bundled) - kept <= 600_000


def test_a_model_of_another_architecture_is_refused():
    class Other:
        bert = None

    settings = default_settings("other", "sentiment")
    with pytest.raises(ValueError, match="choose another model"):
        run_bytes(settings, read_dataset("sentiment"), Other())


@pytest.mark.parametrize(
    "text", ["!?" * 60, "…" * 119, "深层学习" * 30, "ßüö " * 30, "word. " * 20]
)
def test_no_text_takes_many_more_tokens_than_its_cost_says(text, bundled):
    # 1,990 texts of marks alone would take three times the memory that letters promise.
    example = LabelledText(text=text, label="any")
    assert 1.25 * _n_tokens(example) >= len(tokenize(bundled.tokenizer, text).tokens)


def test_fewer_layers_are_read_by_default_of_the_bundled_model_with_few_of_them_trained():
    for data in ("sentiment", "passages", "own_tags"):
        own = {"own_data": "a O"} if data == "own_tags" else {}
        assert default_settings(BUNDLED, data, **own).n_read(12) == READ
        assert default_settings(BUNDLED, data, n_top_layers=2, **own).n_read(12) == READ
        assert default_settings(BUNDLED, data, n_top_layers=12, **own).n_trained_layers(12) == 12
        assert default_settings("other", data, **own).n_read_layers is None
    assert default_settings(BUNDLED, "sentiment", "head").n_read_layers is None
    assert FineTuneSettings(model="other", n_read_layers=2).n_trained_layers(12) == 2
    for wrong in (0, 101, True):
        with pytest.raises(ValueError, match="n_read_layers"):
            FineTuneSettings(model="other", n_read_layers=wrong)
