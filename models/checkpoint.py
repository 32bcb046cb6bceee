"""Find a model's files and load them as a network."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from huggingface_hub import snapshot_download
from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError
from safetensors import SafetensorError
from transformers import AutoConfig, PretrainedConfig, PreTrainedModel
from transformers.utils.logging import disable_progress_bar

from models.config import WEIGHTS, ModelConfig, ModelError, Precision, listed

# Only weights stored as plain data: a pickle could run code.
_FILES = ["*.json", "*.txt", "*.model", "*.safetensors"]
_HUB_ID = re.compile(r"^[\w.-]+/[\w.-]+$")


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A model's files on this machine, and the revision under which results name it."""

    folder: Path
    config: PretrainedConfig
    revision: str


def find_checkpoint(config: ModelConfig, bundled: Path = WEIGHTS) -> Checkpoint:
    """The model's files, downloaded from the Hub if `checkpoint` names a repository there; ModelError if there are
    none.

    Relative folders are below `bundled`.
    """
    disable_progress_bar()  # type: ignore[no-untyped-call]
    folder = bundled / config.checkpoint
    if not folder.exists() and _HUB_ID.match(config.checkpoint):
        folder = _fetch(config.checkpoint, config.revision)
        # A snapshot folder is named after its commit.
        return _opened(folder, f"{config.checkpoint}@{folder.name[:12]}")
    if not (folder / "config.json").is_file():
        raise ModelError(f"no model in {folder}: config.json is missing")
    return _opened(folder, config.revision)


def _fetch(repository: str, revision: str | None) -> Path:
    try:
        return Path(snapshot_download(repository, revision=revision, allow_patterns=_FILES))
    except (HfHubHTTPError, LocalEntryNotFoundError, OSError, ValueError) as error:
        reason = str(error).strip().splitlines()[0]
        raise ModelError(
            f"{repository} is not a local model folder, and it could not be downloaded from the Hub at revision "
            f"{revision or 'main'}: "
            f"{reason} (with HF_HUB_OFFLINE=1 only what was fetched before is there)"
        ) from error


def _opened(folder: Path, revision: str | None) -> Checkpoint:
    try:
        config = AutoConfig.from_pretrained(folder, local_files_only=True)
    except (OSError, ValueError, KeyError) as error:
        raise ModelError(f"the model in {folder} is of an unsupported kind: {error}") from error
    return Checkpoint(folder, config, revision or str(getattr(config, "revision", folder.name)))


def load_network(loader: Any, checkpoint: Checkpoint, config: ModelConfig) -> PreTrainedModel:
    """Load a checkpoint with `loader`, an auto class of transformers, on its device.

    Raises ModelError if files are damaged or weights are missing, which would leave part of the network random.
    """
    device = device_of(config.device)
    try:
        model, info = loader.from_pretrained(
            checkpoint.folder,
            dtype=dtype_of(config.precision, device),
            local_files_only=True,
            use_safetensors=True,
            output_loading_info=True,
        )
    except (OSError, ValueError, RuntimeError, KeyError, SafetensorError) as error:
        reason = " ".join(str(error).split())
        raise ModelError(f"the model in {checkpoint.folder} cannot be loaded: {reason}") from error
    missing = sorted(info["missing_keys"])
    if missing:
        raise ModelError(f"the model in {checkpoint.folder} has no weights for {listed(missing)}: is it fine-tuned?")
    network: PreTrainedModel = model.to(device).train(False)
    return network


def device_of(name: str) -> torch.device:
    """The device that `device` in a configuration means; ModelError if it is a GPU and there is none."""
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    if name != "cpu" and not torch.cuda.is_available():
        raise ModelError(f"device {name}: torch finds no usable GPU")
    return torch.device(name)


def dtype_of(precision: Precision, device: torch.device) -> torch.dtype:
    """The number type to compute with on that device."""
    if precision is Precision.AUTO:
        return torch.bfloat16 if device.type == "cuda" else torch.float32
    dtype: torch.dtype = getattr(torch, precision.value)
    return dtype


def class_names(config: PretrainedConfig) -> tuple[str, ...]:
    """The names of the model's classes, in the order of its output."""
    names = config.id2label or {}
    return tuple(name for _, name in sorted((int(index), str(name)) for index, name in names.items()))


# Models whose positions start after the padding token's id.
_OFFSET_POSITIONS = frozenset({"roberta", "xlm-roberta", "camembert", "lilt", "layoutlmv3", "xlm-roberta-xl", "mpnet"})
_LONGEST = 512


def most_tokens(config: PretrainedConfig) -> int:
    """How many tokens the model takes at a time, including its start and end marks; at most 512."""
    positions = int(getattr(config, "max_position_embeddings", None) or _LONGEST)
    if config.model_type in _OFFSET_POSITIONS:
        positions -= (config.pad_token_id or 0) + 1
    return min(positions, _LONGEST)
