"""Token classifiers of any kind around a runtime: exported ones, and those that are being exported."""

from models.adapters.layout_tokens import layout_inputs
from models.adapters.text_tokens import text_inputs
from models.config import Adapter, ModelConfig
from models.label_map import LabelMap
from models.network import NetworkFiles
from models.runtime import Runtime
from models.shape import shape_of
from models.token_inputs import TokenInputs
from models.token_model import TokenClassifier


def inputs_of(checkpoint: NetworkFiles, config: ModelConfig) -> TokenInputs:
    """What the model is shown; raise ModelError if the adapter cannot run a model of this kind."""
    return layout_inputs(checkpoint) if config.adapter is Adapter.LAYOUT_TOKENS else text_inputs(checkpoint)


def exported_classifier(checkpoint: NetworkFiles, config: ModelConfig, runtime: Runtime) -> TokenClassifier:
    """The model of a checkpoint, run by this runtime; raise ModelError if the adapter cannot run it."""
    inputs, shape = inputs_of(checkpoint, config), shape_of(checkpoint.config)
    return TokenClassifier(
        runtime,
        shape,
        inputs.encoder,
        revision=checkpoint.revision,
        uses_boxes=config.adapter is Adapter.LAYOUT_TOKENS,
        token_budget=config.token_budget,
        labels=LabelMap(shape.classes, config.label_map),
        pixels=inputs.pixels,
    )
