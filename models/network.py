"""Load a checkpoint as a torch network."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from transformers import PretrainedConfig, PreTrainedModel

from models.checkpoint import Checkpoint
from models.config import ModelConfig, ModelError, Precision, listed
from models.pretrained import load_config, load_weights


@dataclass(frozen=True, slots=True)
class NetworkFiles:
    """A checkpoint whose configuration has been read; `revision` is the name of the model in results."""

    folder: Path
    config: PretrainedConfig
    revision: str


def open_checkpoint(checkpoint: Checkpoint) -> NetworkFiles:
    """Read the configuration; ModelError if transformers does not know the model's kind."""
    config = load_config(checkpoint.folder)
    revision = checkpoint.revision or str(getattr(config, "revision", checkpoint.folder.name))
    return NetworkFiles(checkpoint.folder, config, revision)


def load_network(loader: Any, checkpoint: NetworkFiles, config: ModelConfig) -> PreTrainedModel:
    """Load a checkpoint with `loader`, an auto class of transformers, on its device.

    Raises ModelError if files are damaged or weights are missing, which would leave part of the network random.
    """
    device = device_of(config.device)
    dtype = dtype_of(config.precision, device)
    model, info = load_weights(loader, checkpoint.folder, dtype=dtype, output_loading_info=True)
    missing = sorted(info["missing_keys"])
    if missing:
        raise ModelError(f"the model in {checkpoint.folder} has no weights for {listed(missing)}: is it fine-tuned?")
    network: PreTrainedModel = model.to(device).train(False)
    if device.type == "cuda":
        # cuDNN makes a plan for every new shape of a batch, which takes ten times as long as the batch (ADR 0106).
        torch.backends.cuda.enable_cudnn_sdp(False)
    return network


def device_of(name: str) -> torch.device:
    """The device that `device` in a configuration means; ModelError if it is a GPU and there is none."""
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    if name != "cpu" and not torch.cuda.is_available():
        raise ModelError(f"device {name}: torch finds no usable GPU")
    return torch.device(name)


def keep_to_share(device: torch.device, share: float) -> None:
    """Take at most this share of a GPU's memory: models of other processes have the rest."""
    if device.type == "cuda":
        torch.cuda.set_per_process_memory_fraction(
            share, torch.cuda.current_device() if device.index is None else device
        )


def dtype_of(precision: Precision, device: torch.device) -> torch.dtype:
    """The number type to compute with on that device."""
    if precision is Precision.AUTO:
        return torch.float16 if device.type == "cuda" else torch.float32
    dtype: torch.dtype = getattr(torch, precision.value)
    return dtype


def rounding_of(config: ModelConfig) -> float:
    """The relative error of the numbers that the configured network computes with."""
    return torch.finfo(dtype_of(config.precision, device_of(config.device))).eps
