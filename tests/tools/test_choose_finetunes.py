"""The settings of fine-tunings are chosen: from a complete table, the best on the dev parts."""

from mlm_core.stored.finetune_choices import dev_scores, read_choices
from mlm_core.stored.finetunes import TASKS, variants
from tools.choose_finetunes import CANDIDATES, candidates


def test_the_default_rates_and_layers_read_are_the_best_on_the_dev_parts():
    rows = read_choices()
    for way in CANDIDATES:
        chosen = {
            (one.n_read(12), one.n_trained_layers(12), one.peak_learning_rate)
            for one in (variants(task)[way] for task in TASKS)
        }
        n_trained = {layers for _, layers, _ in chosen}
        by_task = [scores for task in TASKS if (scores := dev_scores(task, way, rows))]
        tried = {
            candidate: sum(scores[candidate] for scores in by_task)
            for candidate in by_task[0]
            # A random start's number of layers is chosen, too.
            if candidate[1] in n_trained or way == "random"
        }
        assert {max(tried, key=tried.get)} == chosen, (way, tried)


def test_every_candidate_is_in_the_table_of_choices():
    rows = read_choices()
    for task in TASKS:
        for way in CANDIDATES:
            found = [
                (row.n_read_layers, row.n_top_layers, row.peak_learning_rate, row.seed)
                for row in rows
                if (row.task, row.way) == (task, way)
            ]
            wanted = [
                (one.n_read(12), one.n_trained_layers(12), one.peak_learning_rate, one.seed)
                for one in candidates(task, way)
            ]
            assert sorted(found) == sorted(wanted)
