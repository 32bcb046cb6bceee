"""Loads models in the process of a test: one of its own takes seconds to start."""

from models.config import ModelConfig
from models.footprint import Tried
from models.loading import load_model


def loaded_here(config: ModelConfig | dict[str, object], *_: object) -> Tried:
    """Stands in for `models.footprint.loaded` and `tried`."""
    model = load_model(ModelConfig.model_validate(config) if isinstance(config, dict) else config)
    return Tried(model.revision, None)
