"""Pack a trained model as a zip for transformers, with a script to check it.

    my-encoder/ or my-model/
        config.json, model.safetensors, tokenizer.json, ...   the model, with its labels if any
        shown.json                       the prediction that the page showed
        fill.py, next_word.py; classify.py, tag.py, answer.py     repeats it with transformers
        mean_model.py           the class of a model that classifies by the mean

The scripts come from data/take_home/; they need torch and transformers, and nothing of this
project. Every file in the zip has the same time, so that equal models give equal zips. A model
that was trained to predict the next word has its own script, because the fill-mask pipeline reads
both sides, which that model never learned.

    head here            class of transformers               its head's name there
    [CLS]                BertForSequenceClassification       bert.pooler.dense, classifier
    mean of all tokens   none: mean_model.py in the zip      mean_classifier
    tags                 BertForTokenClassification          classifier
    answers              BertForQuestionAnswering            qa_outputs

transformers has no BERT that classifies by the mean, so the zip brings the class, which Auto
classes and pipelines take with trust_remote_code=True. A `classifier` of one number keeps
transformers' own heads from loading the file without it: they would answer by chance.

The frozen layers come from the encoder, the trained ones from the run, and those that it doesn't
read stay out. The trained rows of the embedding table are put back into it.

Read before this: ../small_runs/snapshot.py, one_answer.py, ../encoder/checkpoints.py.
"""

import io
import json
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from importlib.metadata import version
from pathlib import Path

import torch

from mlm_core.answers.spans import LONGEST_ANSWER
from mlm_core.encoder.checkpoints import files_of_bert, files_of_tensors
from mlm_core.encoder.language_model import OwnModel
from mlm_core.encoder.parameter_names import name_for_transformers
from mlm_core.finetuning.fine_tuned import FineTuned
from mlm_core.finetuning.one_answer import OneAnswer
from mlm_core.finetuning.upper_layers import UsedEmbeddings
from mlm_core.prediction.fillers import FillStep
from mlm_core.shapes import Float, Tensor
from mlm_core.small_runs.settings import Objective

FILE_TIME = (1980, 1, 1, 0, 0, 0)  # the first that a zip can tell
ENCODER_FOLDER, FINE_TUNED_FOLDER = "my-encoder", "my-model"
SCRIPTS = Path(__file__).parents[1] / "data" / "take_home"
MEAN_CLASS, MEAN_FILE = "BertForMeanClassification", "mean_model.py"
MEAN_HEAD, REFUSED_BY_HEADS = "mean_classifier", "classifier.weight"
SCRIPT_OF_KIND = {"classes": "classify.py", "tags": "tag.py", "answers": "answer.py"}


def pins() -> str:
    """Return what to install for a script, in the versions of this machine.

    >>> pins().split("==")[0]
    'torch'
    """
    numbers = (version(name).split("+")[0] for name in ("torch", "transformers"))
    return "torch=={} transformers=={}".format(*numbers)


def pack_encoder(model: OwnModel, shown: FillStep, objective: Objective, about: str) -> bytes:
    """Return the zip with the result of blank_guesses(), and `about` as its README."""
    filling = {
        "sentence": shown.before.text,
        "guesses": [
            {"token": model.tokenizer.id_to_token(guess.id), "probability": guess.probability}
            for guess in shown.guesses
        ],
    }
    return zipped(
        ENCODER_FOLDER,
        # float32, so that the numbers are those of the page to the last digits.
        files_of_bert(model.bert, model.tokenizer),
        "next_word.py" if objective == "next_word" else "fill.py",
        json.dumps(filling, indent=1),
        about,
    )


def pack_fine_tuned(model: FineTuned, shown: OneAnswer, about: str) -> bytes:
    """Return the zip with the result of ask(), and `about` as its README."""
    tensors = dict(tensors_for_transformers(model))
    # Bundled and trained weights are stored in float16, so half the size loses nothing.
    half = all(torch.equal(tensor.half().float(), tensor) for tensor in tensors.values())
    n_layers = model.upper.n_frozen + len(model.upper.blocks)  # no others are read
    config = replace(model.encoder.bert.config, n_layers=n_layers)
    settings = settings_for_transformers(model)
    files = files_of_tensors(tensors, config, settings, model.encoder.tokenizer, half=half)
    if _is_by_mean(model):
        files[MEAN_FILE] = (SCRIPTS / MEAN_FILE).read_bytes()
    script = SCRIPT_OF_KIND[model.dataset.kind]
    return zipped(FINE_TUNED_FOLDER, files, script, _shown(model, shown), about)


def zipped(
    name: str, model_files: Mapping[str, bytes], script: str, shown: str, about: str
) -> bytes:
    """Return the zip, made in memory, since its words and labels may be a learner's."""
    files = {
        **model_files,
        "shown.json": shown.encode(),
        "README.md": about.encode(),
        script: (SCRIPTS / script).read_bytes(),
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as zipped:
        for file_name, content in sorted(files.items()):
            entry = zipfile.ZipInfo(f"{name}/{file_name}", date_time=FILE_TIME)
            # Weights hardly get smaller, and trying takes seconds.
            is_weights = file_name.endswith(".safetensors")
            entry.compress_type = zipfile.ZIP_STORED if is_weights else zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            zipped.writestr(entry, content)
    return packed.getvalue()


def architecture(model: FineTuned) -> str:
    """Return the class of transformers, or of the zip, that has this model's head."""
    if model.dataset.kind == "answers":
        return "BertForQuestionAnswering"
    if _is_by_mean(model):
        return MEAN_CLASS
    is_of_tokens = model.dataset.kind == "tags"
    return "BertForTokenClassification" if is_of_tokens else "BertForSequenceClassification"


def _is_by_mean(model: FineTuned) -> bool:
    return model.dataset.kind == "classes" and model.settings.pooling == "mean"


def settings_for_transformers(model: FineTuned) -> dict[str, object]:
    """Return the entries of config.json beside the sizes; labels are numbered from 0."""
    settings: dict[str, object] = {"architectures": [architecture(model)]}
    if _is_by_mean(model):
        path = f"{Path(MEAN_FILE).stem}.{MEAN_CLASS}"
        settings["auto_map"] = {"AutoModelForSequenceClassification": path}
    if model.dataset.kind != "answers":
        settings["id2label"] = {str(i): label for i, label in enumerate(model.classes)}
        settings["label2id"] = {label: i for i, label in enumerate(model.classes)}
    if model.dataset.kind == "classes":
        settings["problem_type"] = "single_label_classification"
    return settings


def tensors_for_transformers(model: FineTuned) -> Iterator[tuple[str, Float[Tensor, "..."]]]:
    """Yield every weight of the whole model under the name that transformers gives it."""
    bert, upper = model.encoder.bert, model.upper
    if upper.embeddings is None:
        for name, tensor in bert.embeddings.state_dict().items():
            yield name_for_transformers(f"embeddings.{name}"), tensor
    else:
        yield from _embeddings(upper.embeddings)
    for number, block in enumerate([*bert.blocks[: upper.n_frozen], *upper.blocks]):
        for name, tensor in block.state_dict().items():
            yield name_for_transformers(f"blocks.{number}.{name}"), tensor
    scores = "qa_outputs" if model.dataset.kind == "answers" else "classifier"
    if _is_by_mean(model):
        scores = MEAN_HEAD
        yield REFUSED_BY_HEADS, torch.zeros(1, 1)
    theirs = {"pooler": "bert.pooler.dense", "classifier": scores}
    for name, tensor in upper.head.state_dict().items():
        module, _, kind = name.partition(".")
        yield f"{theirs[module]}.{kind}", tensor


def _embeddings(embeddings: UsedEmbeddings) -> Iterator[tuple[str, Float[Tensor, "..."]]]:
    table = embeddings.table.clone()
    table[embeddings.used_ids] = embeddings.rows.detach()
    yield name_for_transformers("embeddings.token.weight"), table
    yield name_for_transformers("embeddings.position.weight"), embeddings.position.detach()
    yield name_for_transformers("embeddings.segment.weight"), embeddings.segment.detach()
    for name, tensor in embeddings.norm.state_dict().items():
        yield name_for_transformers(f"embeddings.norm.{name}"), tensor


def _shown(model: FineTuned, shown: OneAnswer) -> str:
    """Return the prediction as JSON, with the settings that the script needs."""
    content = asdict(shown)
    if shown.kind == "answers":
        content["longest_answer"] = LONGEST_ANSWER
    return json.dumps(content, indent=1)
