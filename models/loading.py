"""Build a ready model from its configuration."""

from functools import partial
from pathlib import Path

from models.checkpoint import Checkpoint, find_checkpoint
from models.config import WEIGHTS, Adapter, ModelConfig, ModelError, Precision, RuntimeKind
from models.gate.required_verdict import check_passed
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
]

EXTRACTOR = ModelConfig(adapter=Adapter.LAYOUT_TOKENS, checkpoint="extractor")
VERIFIER = ModelConfig(adapter=Adapter.TEXT_TOKENS, checkpoint="verifier")


def load_model(config: ModelConfig, registry: Path | None = None, gpu_share: float = 1.0) -> TokenModel:
    """Load and self-test a model; raise ModelError if it cannot be used, or has not passed the check it needs.
    `registry` is the folder of the registry; None: as MODEL_REGISTRY says. `gpu_share` is how much of the memory of its
    GPU it may take."""
    config = resolved(config, registry)
    check_passed(config)
    model = _loaded(config, registry, gpu_share)
    model.sha256 = hash_of(config)
    return model


def _loaded(config: ModelConfig, registry: Path | None, gpu_share: float) -> TokenModel:
    if config.adapter is Adapter.CHAT:
        from models.chat.reader import chat_model

        return chat_model(config, partial(load_model, registry=registry, gpu_share=gpu_share))
    checkpoint = find_checkpoint(config, WEIGHTS)
    if runs_from_graph(checkpoint, config):
        model: TokenModel = graph_model(checkpoint, config)
        self_test(model)
        return model
    return _tested_network(checkpoint, config, gpu_share)


def _tested_network(checkpoint: Checkpoint, config: ModelConfig, gpu_share: float) -> TokenModel:
    # Imported here because this brings torch and transformers: seconds, and 200 MB.
    from models.adapters import ADAPTERS
    from models.network import device_of, keep_to_share, open_checkpoint, rounding_of

    keep_to_share(device_of(config.device), gpu_share)
    model = ADAPTERS[config.adapter](open_checkpoint(checkpoint), config)
    self_test(model, rounding_of(config))
    return model
