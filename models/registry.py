"""Build a ready model from its configuration."""

from models.checkpoint import Checkpoint, find_checkpoint
from models.config import WEIGHTS, Adapter, ModelConfig, ModelError, Precision, RuntimeKind
from models.graph_model import graph_model, runs_from_graph
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
]

EXTRACTOR = ModelConfig(adapter=Adapter.LAYOUT_TOKENS, checkpoint="extractor")
VERIFIER = ModelConfig(adapter=Adapter.TEXT_TOKENS, checkpoint="verifier")


def load_model(config: ModelConfig) -> TokenModel:
    """Load and self-test a model; raise ModelError if it cannot be used."""
    checkpoint = find_checkpoint(config, WEIGHTS)
    model = graph_model(checkpoint, config) if runs_from_graph(checkpoint, config) else _network(checkpoint, config)
    self_test(model)
    return model


def _network(checkpoint: Checkpoint, config: ModelConfig) -> TokenModel:
    # Imported here because this brings torch and transformers: seconds, and 200 MB.
    from models.adapters import ADAPTERS
    from models.network import open_checkpoint

    return ADAPTERS[config.adapter](open_checkpoint(checkpoint), config)
