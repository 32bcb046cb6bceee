"""Build a ready model from its configuration."""

from models.adapters import ADAPTERS
from models.checkpoint import find_checkpoint
from models.config import WEIGHTS, Adapter, ModelConfig, ModelError, Precision, RuntimeKind
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
    model = ADAPTERS[config.adapter](find_checkpoint(config, WEIGHTS), config)
    self_test(model)
    return model
