"""How many numbers a fine-tuning trains, counted before it begins.

    head alone     the head
    last k layers  the head and k layers
    all layers     the head, all layers, positions, segments, a LayerNorm, and one row of the
                   embedding table for each different token of the examples to learn from

Read before this: fine_tuned.py. Read next: run.py, which trains them.
"""

from mlm_core.encoder.pretrained import OwnModel
from mlm_core.finetuning.fine_tuned import head_classes, reading_of
from mlm_core.finetuning.finetune_cost import refuse_foreign
from mlm_core.finetuning.heads import N_ENDS
from mlm_core.finetuning.settings import FineTuneSettings
from mlm_core.labelled.examples import Dataset
from mlm_core.training.loop import generator_of_step


def count_trained(settings: FineTuneSettings, dataset: Dataset, encoder: OwnModel | object) -> int:
    """Return how many numbers a run of these settings trains.

    Raises ValueError if the model can't be fine-tuned here.
    """
    refuse_foreign(encoder)
    bert, width = encoder.bert, encoder.bert.config.hidden_size
    n_layers = settings.n_trained_layers(bert.config.n_layers)
    blocks = list(bert.blocks)[bert.config.n_layers - n_layers :]
    n_outputs = N_ENDS if dataset.kind == "answers" else len(head_classes(dataset, settings))
    total = (width + 1) * n_outputs
    total += sum(parameter.numel() for block in blocks for parameter in block.parameters())
    if dataset.kind == "classes" and settings.pooling == "cls":
        total += (width + 1) * width  # the pooler
    if settings.trained != "all":
        return total
    embeddings = bert.embeddings
    always = (embeddings.position, embeddings.segment, embeddings.norm)
    total += sum(parameter.numel() for one in always for parameter in one.parameters())
    return total + width * _n_used(settings, dataset, encoder)


def _n_used(settings: FineTuneSettings, dataset: Dataset, encoder: OwnModel) -> int:
    """Return how many different tokens the examples to learn from have."""
    if settings.n_examples is not None:
        drawing = generator_of_step(settings.seed, "examples", "cpu")
        dataset = dataset.fewer(settings.n_examples, drawing)
    reading = reading_of(encoder, dataset, settings)
    read = (reading.read(example) for example in dataset.train)
    return len({i for example in read if example is not None for i in example.text.ids})
