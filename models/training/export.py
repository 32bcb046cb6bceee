"""A trained run as a checkpoint in transformers format, half precision."""

import hashlib
import shutil
from pathlib import Path

import torch
from safetensors.torch import save
from transformers import PreTrainedModel

from models.training.bases import TOKENIZER_FILES
from models.training.graph import write_graph
from serve_app.domain.clock import utc_now


def export(model: PreTrainedModel, run: Path, target: Path, name: str) -> str:
    """Write `model` and its tokenizer to `target`; return the revision, made of date and content."""
    target.mkdir(parents=True, exist_ok=True)
    state = {key: value.detach().to("cpu", torch.float16).contiguous() for key, value in model.state_dict().items()}
    state = {key: value for key, value in state.items() if not key.endswith("position_ids")}
    data = save(state, metadata={"format": "pt"})
    revision = f"{name}-{utc_now():%Y%m%d}-{hashlib.sha256(data).hexdigest()[:8]}"
    (target / "model.safetensors").write_bytes(data)
    model.config.revision = revision
    model.config.dtype = torch.float16
    model.config.architectures = [type(model).__name__]
    model.config.save_pretrained(target)
    for file in TOKENIZER_FILES:
        shutil.copy(run / file, target / file)
    write_graph(target)
    return revision
