"""A fine-tuned network as a checkpoint that the service takes."""

import hashlib
import shutil
from pathlib import Path

import yaml

from models.config import Adapter
from models.registry.content import PROVENANCE
from models.training.tuning.task import TuningTask
from serve_app.domain.clock import utc_now

CONFIG = "model.yaml"
_BESIDE = ("*.json", "*.txt", "*.model")
_OF_THE_NETWORK = frozenset({"config.json", "generation_config.json", "model.safetensors.index.json", PROVENANCE})


def copy_beside(checkpoint: Path, folder: Path) -> None:
    """Copy tokenizer and image processor of a checkpoint."""
    for pattern in _BESIDE:
        for path in checkpoint.glob(pattern):
            if path.name not in _OF_THE_NETWORK:
                shutil.copy(path, folder / path.name)


def write(task: TuningTask, adapter: Adapter, name: str, folder: Path) -> Path:
    """Write the network with all that belongs to it; return the file with its `user_config`."""
    folder.mkdir(parents=True, exist_ok=True)
    settings = task.write(folder)
    network = task.network
    network.save_pretrained(folder)
    digest = hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()
    network.config.revision = f"{name}-{utc_now():%Y%m%d}-{digest[:8]}"
    network.config.save_pretrained(folder)
    config = folder / CONFIG
    config.write_text(yaml.safe_dump({"adapter": adapter.value, "checkpoint": ".", **settings}, sort_keys=False))
    return config
