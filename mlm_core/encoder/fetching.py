"""The files of a model: from the hub to this machine, if they fit into its memory.

Four files are fetched, once: the sizes, the weights as safetensors, the tokenizer and its
settings; of a sentence encoder also those that say how its vectors are made. Before weights are
fetched or read, their size is compared with the free memory, because the system kills a process
that takes too much, without a message.

Read before this: checkpoints.py.
"""

import contextlib
import errno
from fnmatch import fnmatch
from pathlib import Path

import torch

from mlm_core.encoder.folders import damaged
from mlm_core.number_format import formatted

HUB_FILES = ("config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json")
# The only files ever fetched, no pickles and no code: the last ones say how a sentence encoder's
# vectors are made.
PATTERNS = [
    *HUB_FILES,
    *("modules.json", "sentence_*_config.json", "config_sentence_transformers.json"),
    *("[1-9]_*/config.json", "[1-9]_*/model.safetensors"),
]
# Reading copies the weights once, and activations need memory.
MEMORY_HEADROOM = 1.5
CONTAINER_FOLDER = Path("/sys/fs/cgroup")  # where Linux keeps a container's limits (cgroup v2)


class ModelUnavailableError(ValueError):
    """A model that can't be used; the message says why and what to do."""


def fetch(name: str) -> Path:
    """Return the local folder of a hub model, downloading what is missing.

    Raises ModelUnavailableError if the name is unknown or the hub can't be reached.
    """
    from huggingface_hub.errors import HfHubHTTPError

    cached = _cached(name)
    if cached is not None:
        return cached
    try:
        return _download(name)
    except HfHubHTTPError as error:
        raise ModelUnavailableError(
            f"the hub refused {name} ({str(error).splitlines()[0]}): check the name on"
            " huggingface.co"
        ) from error
    except ModelUnavailableError:
        raise
    except Exception as error:  # the hub's client passes on its HTTP library's own errors
        if getattr(error, "errno", None) == errno.ENOSPC:
            raise ModelUnavailableError(
                f"{name} could not be downloaded, since the disk of this server is full: go on with"
                " a bundled model"
            ) from error
        raise ModelUnavailableError(
            f"{name} is not on this server yet and the Hugging Face hub can't be reached"
            f" ({type(error).__name__}): try again with a network connection, or go on with a"
            " bundled model"
        ) from error


def _cached(name: str) -> Path | None:
    from huggingface_hub import HfApi, snapshot_download
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

    try:
        folder = Path(snapshot_download(name, allow_patterns=PATTERNS, local_files_only=True))
    except LocalEntryNotFoundError:
        return None
    except HFValidationError as error:
        raise ModelUnavailableError(
            f"{name!r} is no name of the hub ({error}): a name is written owner/model"
        ) from error
    if not all((folder / file).is_file() for file in HUB_FILES[:3]):
        return None
    if not (folder / "modules.json").is_file():  # another program may have left it out
        with contextlib.suppress(Exception):  # without a network the model is what is here
            if "modules.json" in HfApi().list_repo_files(name, revision=folder.name):
                return None
    return folder


def _download(name: str) -> Path:
    from huggingface_hub import HfApi, snapshot_download

    listing = HfApi().model_info(name, files_metadata=True, timeout=10)
    sizes = {file.rfilename: file.size or 0 for file in listing.siblings or ()}
    missing = [file for file in HUB_FILES[:3] if file not in sizes]
    if "adapter_config.json" in sizes and missing:
        raise ModelUnavailableError(
            f"{name} is an adapter on the hub, expected a whole model: load the adapter on its base"
            " with peft, then save the result of merge_and_unload() with save_pretrained()"
        )
    if missing:
        raise ModelUnavailableError(
            f"{name} lacks {', '.join(missing)} on the hub: only models with these files can be"
            " used here"
        )
    weights = (size for file, size in sizes.items() if any(fnmatch(file, one) for one in PATTERNS))
    refuse_too_large(name, sum(weights))
    return Path(snapshot_download(name, allow_patterns=PATTERNS))


def float32_bytes(weights: Path) -> int:
    """Return the size in float32 of a safetensors file, computed from its header."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(weights, framework="pt") as file:
            shapes = [file.get_slice(key).get_shape() for key in file.keys()]
    except (SafetensorError, OSError) as error:
        raise damaged(weights, error) from error
    return 4 * sum(torch.Size(shape).numel() for shape in shapes)


def available_bytes(container_folder: Path = CONTAINER_FOLDER) -> int:
    """Return the free memory for this process: the host's or its container's.

    The inactive file cache counts as free, as in Kubernetes' working set: the files of a model
    that was just downloaded are in it.
    """
    fields = dict(line.split(":", 1) for line in _read_lines(Path("/proc/meminfo")) if ":" in line)
    host = int(fields["MemAvailable"].split()[0]) * 1024 if "MemAvailable" in fields else None
    limit, used, parts = (
        _read_lines(container_folder / name)
        for name in ("memory.max", "memory.current", "memory.stat")
    )
    container = None
    if limit and used and limit[0] != "max":
        cache = int(dict(line.split() for line in parts).get("inactive_file", 0))
        container = int(limit[0]) - max(0, int(used[0]) - cache)
    known = [amount for amount in (host, container) if amount is not None]
    return min(known) if known else 2**63  # not Linux: unknown, so refuse nothing


def _read_lines(path: Path) -> list[str]:
    try:
        return path.read_text().splitlines()
    except OSError:
        return []


def refuse_too_large(name: str, n_bytes: int, headroom: float = MEMORY_HEADROOM) -> None:
    """Raise ModelUnavailableError if `headroom` times `n_bytes` don't fit into the free memory."""
    needed, available = int(n_bytes * headroom), available_bytes()
    if needed > available:
        raise ModelUnavailableError(
            f"{name} needs about {formatted(needed / 1e6, ',.0f')} MB of memory and"
            f" {formatted(available / 1e6, ',.0f')} MB are free here: choose a smaller model, or"
            " a machine with more memory"
        )
