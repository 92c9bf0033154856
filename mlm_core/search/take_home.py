"""Pack a trained sentence encoder as a folder that sentence-transformers reads.

    my-sentence-encoder/
        config.json, model.safetensors, tokenizer.json, ...   the encoder, as transformers reads it
        modules.json                     first the encoder, then the pooling
        1_Pooling/config.json            mean over real tokens, or [CLS]
        sentence_bert_config.json        the window; the encoder comes without BERT's pooler
        config_sentence_transformers.json     vectors are compared by their cosine
        shown.json, search.py            the search that the page showed, and what repeats it

The names of the modules' classes and the settings of the pooling are those that all versions of
sentence-transformers read since the second; from 5.4 on it writes newer ones.

Source: sentence-transformers, base/model.py and modules/pooling.py. Its vectors are ours, to 1e-5
(tested with transformers; compared once with sentence-transformers 6.2).

Read before this: run.py, ../finetuning/take_home.py.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

import torch

from mlm_core.encoder.checkpoints import files_of_bert
from mlm_core.encoder.language_model import OwnModel
from mlm_core.finetuning.heads import Pooling
from mlm_core.finetuning.take_home import zipped
from mlm_core.search.recipe import LIBRARY
from mlm_core.search.vectors import search
from mlm_core.shapes import Float, Tensor

SENTENCE_FOLDER = "my-sentence-encoder"


@dataclass(frozen=True, kw_only=True)
class ShownSearch:
    """One search that a page showed."""

    pooling: Pooling
    query: str
    texts: tuple[str, ...]  # that were found, the nearest first
    cosines: tuple[float, ...]


def search_texts(
    query: str,
    texts: Sequence[str],
    n: int,
    *,
    query_vector: Float[Tensor, " hidden"],
    text_vectors: Float[Tensor, "text hidden"],
    pooling: Pooling,
) -> ShownSearch:
    """Return the `n` texts that are nearest to the query, by vectors of this pooling."""
    hits = search(query_vector, text_vectors, n)
    return ShownSearch(
        pooling=pooling,
        query=query,
        texts=tuple(texts[hit.number] for hit in hits),
        cosines=tuple(hit.cosine for hit in hits),
    )


def pack_sentence_encoder(model: OwnModel, shown: ShownSearch, about: str) -> bytes:
    """Return the zip with the result of search_texts(), and `about` as its README."""
    weights = model.bert.state_dict().values()
    # Bundled and trained weights are stored in float16, so half the size loses nothing.
    half = all(torch.equal(tensor.half().float(), tensor) for tensor in weights)
    files = files_of_bert(model.bert, model.tokenizer, half=half)
    for name, content in sentence_settings(model, shown.pooling).items():
        files[name] = (json.dumps(content, indent=1) + "\n").encode()
    return zipped(SENTENCE_FOLDER, files, "search.py", json.dumps(asdict(shown), indent=1), about)


def sentence_settings(model: OwnModel, pooling: Pooling) -> dict[str, object]:
    """Return the files of sentence-transformers beside those of transformers, by their names."""
    modules = (("", "Transformer"), ("1_Pooling", "Pooling"))
    return {
        "modules.json": [
            {"idx": i, "name": str(i), "path": path, "type": f"{LIBRARY}.models.{name}"}
            for i, (path, name) in enumerate(modules)
        ],
        "1_Pooling/config.json": {
            "word_embedding_dimension": model.hidden_size,
            "pooling_mode_cls_token": pooling == "cls",
            "pooling_mode_mean_tokens": pooling == "mean",
            "include_prompt": True,
        },
        "sentence_bert_config.json": {
            "max_seq_length": model.max_tokens,
            "do_lower_case": False,
            "model_args": {"add_pooling_layer": False},
        },
        f"config_{LIBRARY}.json": {"prompts": {}, "similarity_fn_name": "cosine"},
    }
