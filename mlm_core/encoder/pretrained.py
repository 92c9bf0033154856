"""How a chosen model becomes ready to use, wherever it comes from.

A BERT goes into our own encoder, so that the causal switch and every step of
attention are open; any other masked language model runs through transformers.

A model that can't be had raises ModelUnavailableError with what to do; nothing stands in silently.

Read before this: checkpoints.py, model_list.py. This is the last file of part 2.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import torch
from tokenizers import Tokenizer

from mlm_core.encoder.bert import Bert, Encoding
from mlm_core.encoder.checkpoints import CheckpointError, load_bert, read_json
from mlm_core.encoder.model_list import allowed_models
from mlm_core.shapes import Bool, Float, Tensor
from mlm_core.text.tokens import TokenizedText, load_tokenizer, tokenize

if TYPE_CHECKING:
    from transformers import PreTrainedModel

# The only files ever fetched: no pickles, no code.
HUB_FILES = ("config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json")
# ModernBERT's window is 8,192 tokens; attention over that many fits no shared small server.
LONGEST_WINDOW = 512
# Weights are read once from the file and once copied into place, and activations need room.
MEMORY_HEADROOM = 1.5


class ModelUnavailableError(ValueError):
    """A model that can't be used here and now; the message says why and what to do."""


@runtime_checkable
class MaskedLanguageModel(Protocol):
    """What a lesson may ask of any model, whichever library runs it."""

    name: str
    tokenizer: Tokenizer
    architecture: str  # "bert", "roberta", ...
    n_layers: int
    n_heads: int
    hidden_size: int  # numbers a token
    max_tokens: int  # the model's window
    n_parameters: int
    bert: Bert | None  # our encoder, if it runs this model

    def encode(
        self,
        text: TokenizedText,
        *,
        causal: bool = False,
        may_attend: Bool[Tensor, "query key"] | None = None,
        record: bool = False,
    ) -> Encoding:
        """Return the states of one text (batch of 1). Masks need `bert`."""
        ...

    def vocabulary_logits(
        self,
        text: TokenizedText,
        *,
        causal: bool = False,
        may_attend: Bool[Tensor, "query key"] | None = None,
    ) -> Float[Tensor, "token vocabulary"]:
        """Return the masked-language logits at every position of one text."""
        ...


class OwnModel:
    """A BERT in our encoder."""

    def __init__(self, name: str, bert: Bert, tokenizer: Tokenizer) -> None:
        self.name, self.bert, self.tokenizer = name, bert, tokenizer
        self.architecture = "bert"
        self.n_layers, self.n_heads = bert.config.n_layers, bert.config.n_heads
        self.hidden_size, self.max_tokens = bert.config.hidden_size, bert.config.n_positions
        self.n_parameters = sum(parameter.numel() for parameter in bert.parameters())

    @torch.inference_mode()
    def encode(
        self,
        text: TokenizedText,
        *,
        causal: bool = False,
        may_attend: Bool[Tensor, "query key"] | None = None,
        record: bool = False,
    ) -> Encoding:
        """Return the states of one text (batch of 1), under any mask."""
        return self.bert.encode(
            torch.tensor([text.ids]),
            torch.tensor([text.segment_ids]),
            causal=causal,
            may_attend=may_attend,
            record=record,
        )

    @torch.inference_mode()
    def vocabulary_logits(
        self,
        text: TokenizedText,
        *,
        causal: bool = False,
        may_attend: Bool[Tensor, "query key"] | None = None,
    ) -> Float[Tensor, "token vocabulary"]:
        """Return the masked-language logits at every position of one text, under any mask."""
        states = self.encode(text, causal=causal, may_attend=may_attend).last[0]
        return self.bert.masked_language_logits(states)


class TransformersModel:
    """Any other masked language model, run by transformers, which keeps Q, K and V to itself."""

    bert = None

    def __init__(self, name: str, model: "PreTrainedModel", tokenizer: Tokenizer) -> None:
        config = model.config
        self.name, self.model, self.tokenizer = name, model, tokenizer
        self.architecture = config.model_type
        self.n_layers, self.n_heads = config.num_hidden_layers, config.num_attention_heads
        self.hidden_size = config.hidden_size
        self.max_tokens = min(
            config.max_position_embeddings - _n_lost_positions(model), LONGEST_WINDOW
        )
        self.n_parameters = model.num_parameters()
        self._takes_segments = getattr(config, "type_vocab_size", 0) > 1

    @torch.inference_mode()
    def _run(self, text: TokenizedText, **options: bool) -> dict:
        if len(text.tokens) > self.max_tokens:
            raise ValueError(
                f"{len(text.tokens)} tokens, but this model has positions for"
                f" {self.max_tokens}: shorten the text"
            )
        inputs = {"input_ids": torch.tensor([text.ids])}
        if self._takes_segments:
            inputs["token_type_ids"] = torch.tensor([text.segment_ids])
        return self.model(**inputs, **options)

    def encode(
        self,
        text: TokenizedText,
        *,
        causal: bool = False,
        may_attend: Bool[Tensor, "query key"] | None = None,
        record: bool = False,
    ) -> Encoding:
        """Return the states of one text (batch of 1) and the weights if recorded.

        Raises ModelUnavailableError if a mask is asked for, ValueError if the text is too long.
        """
        self._refuse_masks(causal, may_attend)
        output = self._run(text, output_hidden_states=True, output_attentions=record)
        return Encoding(
            states=tuple(output["hidden_states"]),
            weights=tuple(output["attentions"]) if record else (),
        )

    def vocabulary_logits(
        self,
        text: TokenizedText,
        *,
        causal: bool = False,
        may_attend: Bool[Tensor, "query key"] | None = None,
    ) -> Float[Tensor, "token vocabulary"]:
        """Return the masked-language logits at every position of one text.

        Raises ModelUnavailableError if a mask is asked for.
        """
        self._refuse_masks(causal, may_attend)
        return self._run(text)["logits"][0]

    def _refuse_masks(self, causal: bool, may_attend: Bool[Tensor, "query key"] | None) -> None:
        if causal or may_attend is not None:
            raise ModelUnavailableError(
                f"{self.name} runs through transformers, which has no mask switch for it:"
                " choose a model of BERT's own architecture, such as the bundled one"
            )


def load(name: str, environment: Mapping[str, str] = os.environ) -> MaskedLanguageModel:
    """Return the model of that name, ready to encode.

    Raises ModelUnavailableError if the name isn't on the host's list, the hub can't be reached, a
    file is missing or damaged, or the weights don't fit into memory.
    """
    choices = allowed_models(environment)
    if name not in choices:
        raise ModelUnavailableError(
            f"{name!r} is not on this server's list: choose one of {', '.join(choices)}"
        )
    choice = choices[name]
    folder = choice.folder or _fetch(name)
    if not folder.is_dir():
        raise ModelUnavailableError(f"the folder of {name} is not there: ask the host of this app")
    try:
        _refuse_too_large(name, sum(float32_bytes(file) for file in _weight_files(folder)))
        tokenizer = load_tokenizer(folder)
        config = read_json(folder / "config.json")
        if config.get("model_type") == "bert":
            bert = load_bert(folder)
            _refuse_foreign_tokenizer(name, tokenizer, bert.config.vocabulary_size)
            return OwnModel(name, bert, tokenizer)
        other = _load_with_transformers(folder)
        _refuse_foreign_tokenizer(name, tokenizer, other.config.vocab_size)
        return _tried_out(name, other, tokenizer)
    except ModelUnavailableError:
        raise
    except ValueError as error:
        raise ModelUnavailableError(f"{name} can't be loaded: {error}") from error


def _weight_files(folder: Path) -> list[Path]:
    """Return the file of weights, or the several that a large model's are cut into."""
    whole = folder / "model.safetensors"
    return [whole] if whole.is_file() else sorted(folder.glob("model-*-of-*.safetensors"))


def float32_bytes(weights: Path) -> int:
    """Return the memory a safetensors file's numbers take in float32, read from its header."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(weights, framework="pt") as file:
            shapes = [file.get_slice(key).get_shape() for key in file.keys()]
    except (SafetensorError, OSError) as error:
        raise CheckpointError(
            f"{weights.parent.name}/{weights.name} is damaged ({error}): copy the file again"
        ) from error
    return 4 * sum(torch.Size(shape).numel() for shape in shapes)


def available_bytes() -> int:
    """Return the memory that this process may still take: the host's or its container's."""
    fields = dict(line.split(":", 1) for line in _read_lines(Path("/proc/meminfo")) if ":" in line)
    host = int(fields["MemAvailable"].split()[0]) * 1024 if "MemAvailable" in fields else None
    limit = _read_lines(Path("/sys/fs/cgroup/memory.max"))
    used = _read_lines(Path("/sys/fs/cgroup/memory.current"))
    container = int(limit[0]) - int(used[0]) if limit and used and limit[0] != "max" else None
    known = [amount for amount in (host, container) if amount is not None]
    return min(known) if known else 2**63  # not Linux: nothing to go by, so refuse nothing


def _read_lines(path: Path) -> list[str]:
    try:
        return path.read_text().splitlines()
    except OSError:
        return []


def _refuse_too_large(name: str, n_bytes: int) -> None:
    needed, available = int(n_bytes * MEMORY_HEADROOM), available_bytes()
    if needed > available:
        raise ModelUnavailableError(
            f"{name} needs about {needed / 1e6:,.0f} MB of memory and {available / 1e6:,.0f} MB"
            " are free on this server: choose a smaller model, or run the app on a larger machine"
        )


def _refuse_foreign_tokenizer(name: str, tokenizer: Tokenizer, n_rows: int) -> None:
    largest = max(tokenizer.get_vocab().values(), default=-1)
    if largest >= n_rows:
        raise ModelUnavailableError(
            f"{name} has {n_rows} embedding rows but its tokenizer.json numbers tokens up to"
            f" {largest}: the two files don't belong together, copy both from one model"
        )


def _n_lost_positions(model: "PreTrainedModel") -> int:
    """Return how many position rows no token gets.

    RoBERTa and its relatives number positions from the padding id + 1; one knows them by the
    padding row in their table of positions.
    """
    for name, module in model.named_modules():
        if name.endswith("position_embeddings") and isinstance(module, torch.nn.Embedding):
            return 0 if module.padding_idx is None else module.padding_idx + 1
    return 0


def _tried_out(name: str, other: "PreTrainedModel", tokenizer: Tokenizer) -> TransformersModel:
    """Return the model behind our interface, once one short text has gone through it.

    Raises CheckpointError if it gives something else than a state and weights for each layer.
    """
    text = tokenize(tokenizer, "a")
    n_tokens = len(text.tokens)
    try:
        model = TransformersModel(name, other, tokenizer)
        encoding = model.encode(text, record=True)
        logits = model.vocabulary_logits(text)
        came = [tuple(tensor.shape) for tensor in (*encoding.states, *encoding.weights, logits)]
    except Exception as error:  # each architecture fails in its own way
        raise CheckpointError(_not_drawable(other.config.model_type, str(error))) from error
    expected = [(1, n_tokens, model.hidden_size)] * (model.n_layers + 1)
    expected += [(1, model.n_heads, n_tokens, n_tokens)] * model.n_layers
    expected += [(n_tokens, other.config.vocab_size)]
    if came != expected:
        raise CheckpointError(
            _not_drawable(model.architecture, f"shapes {came}, expected {expected}")
        )
    return model


def _not_drawable(architecture: str, reason: str) -> str:
    return (
        f"the architecture {architecture!r} doesn't give one state and one table of attention"
        f" weights for each layer ({reason}): choose an encoder such as BERT or RoBERTa"
    )


def _fetch(name: str) -> Path:
    """Return the local folder of a hub model, downloading what is missing.

    Raises ModelUnavailableError if the name is unknown or the hub can't be reached.
    """
    from huggingface_hub import HfApi, snapshot_download
    from huggingface_hub.errors import (
        HfHubHTTPError,
        HFValidationError,
        LocalEntryNotFoundError,
    )

    try:
        cached = snapshot_download(name, allow_patterns=HUB_FILES, local_files_only=True)
        if all((Path(cached) / file).is_file() for file in HUB_FILES[:3]):
            return Path(cached)
    except LocalEntryNotFoundError:
        pass
    except HFValidationError as error:
        raise ModelUnavailableError(
            f"{name!r} is no name of the hub ({error}): ask the host of this app to mend the list"
        ) from error
    try:
        listing = HfApi().model_info(name, files_metadata=True, timeout=10)
        sizes = {file.rfilename: file.size or 0 for file in listing.siblings or ()}
        missing = [file for file in HUB_FILES[:3] if file not in sizes]
        if missing:
            raise ModelUnavailableError(
                f"{name} has no {' and no '.join(missing)} on the hub: only such models can be"
                " used here"
            )
        _refuse_too_large(name, sizes["model.safetensors"])
        return Path(snapshot_download(name, allow_patterns=HUB_FILES))
    except HfHubHTTPError as error:
        raise ModelUnavailableError(
            f"the hub refused {name} ({str(error).splitlines()[0]}): check the name on"
            " huggingface.co"
        ) from error
    except ModelUnavailableError:
        raise
    except Exception as error:  # the hub's client passes on its HTTP library's own errors
        raise ModelUnavailableError(
            f"{name} is not on this server yet and the Hugging Face hub can't be reached"
            f" ({type(error).__name__}): try again with a network connection, or go on with the"
            " bundled model"
        ) from error


def _load_with_transformers(folder: Path) -> "PreTrainedModel":
    from transformers import AutoModelForMaskedLM

    try:
        model, report = AutoModelForMaskedLM.from_pretrained(
            folder,
            attn_implementation="eager",  # the fused kernels keep no weights to draw
            use_safetensors=True,
            local_files_only=True,
            trust_remote_code=False,  # left open, transformers would ask at the terminal
            dtype=torch.float32,
            output_loading_info=True,
        )
    except Exception as error:  # damage shows as a dozen unrelated types
        raise CheckpointError(f"transformers can't read {folder.name}: {error}") from error
    if report["missing_keys"]:
        # transformers would fill these with random numbers and go on.
        raise CheckpointError(
            f"{folder.name}/model.safetensors lacks {len(report['missing_keys'])} weights, among"
            f" them {sorted(report['missing_keys'])[0]}: it was saved without its"
            " masked-language head, or is damaged"
        )
    return model.eval().requires_grad_(False)
