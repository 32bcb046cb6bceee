"""Build a ready model from its configuration."""

from functools import partial
from pathlib import Path

from models.checkpoint import Checkpoint, find_checkpoint
from models.config import (
    EXTRACTOR,
    VERIFIER,
    WEIGHTS,
    Adapter,
    ModelConfig,
    ModelError,
    Precision,
    RuntimeKind,
    parse_model,
)
from models.gate.required_verdict import check_passed
from models.graph import has_only_graph
from models.graph_model import graph_model, runs_from_graph
from models.identity import hash_of
from models.registry.resolve import note_loaded, resolved
from models.self_test import self_test
from models.token_model import TokenModel

__all__ = [
    "EXTRACTOR",
    "VERIFIER",
    "WEIGHTS",
    "Adapter",
    "ModelConfig",
    "ModelError",
    "Precision",
    "RuntimeKind",
    "load_model",
    "note_loaded",
    "parse_model",
]


_OF_EXPORTED = (
    "it runs on a CPU by the adapter that it was exported for, with runtime auto or openvino, or with onnx in float32"
)


def load_model(config: ModelConfig, registry: Path | None = None, gpu_share: float = 1.0) -> TokenModel:
    """Load and self-test a model; raise ModelError if it cannot be used, or has not passed the check it needs.
    `registry` is the folder of the registry; None: as MODEL_REGISTRY says. `gpu_share` is how much of the memory of its
    GPU it may take."""
    config = resolved(config, registry)
    check_passed(config)
    if config.adapter is Adapter.CHAT:
        from models.chat.reader import chat_model

        chat: TokenModel = chat_model(config, partial(load_model, registry=registry, gpu_share=gpu_share))
        chat.sha256 = hash_of(config)
        return chat
    checkpoint = find_checkpoint(config, WEIGHTS)
    model, rounding = _opened(checkpoint, config, gpu_share)
    self_test(model, rounding)
    model.sha256 = hash_of(config, checkpoint)
    return model


def load_untested(config: ModelConfig) -> TokenModel:
    """Load a checkpoint's model, and let it read nothing; raise ModelError if that fails."""
    return _opened(find_checkpoint(config, WEIGHTS), config, gpu_share=1.0)[0]


def _opened(checkpoint: Checkpoint, config: ModelConfig, gpu_share: float) -> tuple[TokenModel, float]:
    """The model, and the relative error of the numbers that it computes with."""
    if runs_from_graph(checkpoint, config):
        return graph_model(checkpoint, config), 0.0
    if has_only_graph(checkpoint.folder):
        raise ModelError(f"the model in {checkpoint.folder} was exported: {_OF_EXPORTED}")
    # Imported here because this brings torch and transformers: seconds, and 200 MB.
    from models.adapters import ADAPTERS
    from models.network import device_of, keep_to_share, open_checkpoint, rounding_of

    keep_to_share(device_of(config.device), gpu_share)
    return ADAPTERS[config.adapter](open_checkpoint(checkpoint), config), rounding_of(config)
