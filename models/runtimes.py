"""Choose the runtime of a torch network."""

import logging

import torch
from transformers import PreTrainedModel

from models.config import ModelConfig, ModelError, RuntimeKind
from models.onnx_export import export_to_onnx
from models.runtime import Runtime
from models.runtime_torch import TorchRuntime

logger = logging.getLogger(f"serve_app.{__name__}")

# Kinds of model that measured faster in ONNX Runtime than in torch on a CPU (ADR 0016).
FASTER_IN_ONNX = frozenset({"layoutlmv3"})


def runtime_for(
    model: PreTrainedModel, config: ModelConfig, inputs: tuple[str, ...], outputs: tuple[str, ...] = ("logits",)
) -> Runtime:
    """The runtime that the configuration asks for; ModelError if it cannot run the model.

    `auto` is the faster one for the model's kind, and torch if ONNX Runtime cannot run it.
    """
    is_plain = model.device.type == "cpu" and model.dtype == torch.float32 and "pixel_values" not in inputs
    requested = config.runtime
    if requested is RuntimeKind.OPENVINO:
        raise ModelError("runtime openvino needs a checkpoint with a graph.onnx (invoices models export), and a CPU")
    if requested is RuntimeKind.ONNX and not is_plain:
        raise ModelError("runtime onnx is only for float32 models on a CPU that do not use pictures")
    if requested is RuntimeKind.ONNX:
        return export_to_onnx(model, inputs, outputs)
    if requested is RuntimeKind.AUTO and is_plain and model.config.model_type in FASTER_IN_ONNX:
        try:
            return export_to_onnx(model, inputs, outputs)
        except ModelError as error:
            logger.warning("the model runs in torch: %s", error)
    return TorchRuntime(model, outputs)
