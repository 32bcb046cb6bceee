"""Token classifiers that are run from their ONNX graph: exported ones, and this project's own without torch and
transformers."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

from models.checkpoint import Checkpoint
from models.config import Adapter, ModelConfig, ModelError, Precision, RuntimeKind
from models.devices import runs_on_cpu
from models.encoding import LayoutEncoder, TextEncoder
from models.graph import GRAPH_FILE, check_layout, has_graph, has_only_graph
from models.label_map import LabelMap
from models.own import is_own
from models.pieces import WordPieces
from models.runtime_openvino import OpenVinoRuntime
from models.shape import shape_of
from models.token_model import TokenClassifier

if TYPE_CHECKING:
    from models.runtime_onnx import OnnxRuntime

_KINDS = {Adapter.LAYOUT_TOKENS: "layoutlmv3", Adapter.TEXT_TOKENS: "bert"}
_PRECISIONS = {
    RuntimeKind.AUTO: (Precision.AUTO, Precision.FLOAT32, Precision.BFLOAT16),
    RuntimeKind.OPENVINO: (Precision.AUTO, Precision.FLOAT32, Precision.BFLOAT16),
    RuntimeKind.ONNX: (Precision.AUTO, Precision.FLOAT32),
}


def runs_from_graph(checkpoint: Checkpoint, config: ModelConfig) -> bool:
    """Whether this configuration is best run from the checkpoint's graph."""
    return (
        config.adapter in _KINDS
        and config.precision in _PRECISIONS.get(config.runtime, ())
        and runs_on_cpu(config.device)
        and (has_only_graph(checkpoint.folder) or (has_graph(checkpoint.folder) and is_own(checkpoint.folder)))
    )


def graph_model(checkpoint: Checkpoint, config: ModelConfig) -> TokenClassifier:
    """The checkpoint's model; raise ModelError if its files do not fit together or the model is of another kind."""
    return _own(checkpoint, config) if is_own(checkpoint.folder) else _exported(checkpoint, config)


def _exported(checkpoint: Checkpoint, config: ModelConfig) -> TokenClassifier:
    """A model of another kind. Its tokenizer needs transformers."""
    # Imported here because the bundled models do without.
    from models.adapters.exported import exported_classifier
    from models.network import open_checkpoint

    files = open_checkpoint(checkpoint)
    runtime = _runtime(files.folder / GRAPH_FILE, config, shape_of(files.config).most_tokens)
    check_layout(files.folder, runtime.weights_layout)
    return exported_classifier(files, config, runtime)


def _own(checkpoint: Checkpoint, config: ModelConfig) -> TokenClassifier:
    folder, settings = checkpoint.folder, _settings(checkpoint.folder)
    if settings.model_type != _KINDS[config.adapter]:
        raise ModelError(f"{config.adapter} cannot run the {settings.model_type} in {folder}")
    shape = shape_of(settings)
    runtime = _runtime(folder / GRAPH_FILE, config, shape.most_tokens)
    check_layout(folder, runtime.weights_layout)
    pieces = WordPieces(folder)
    has_boxes = config.adapter is Adapter.LAYOUT_TOKENS
    return TokenClassifier(
        runtime,
        shape,
        LayoutEncoder(pieces) if has_boxes else TextEncoder(pieces),
        revision=checkpoint.revision or str(getattr(settings, "revision", folder.name)),
        uses_boxes=has_boxes,
        token_budget=config.token_budget,
        labels=LabelMap(shape.classes, config.label_map),
    )


def _runtime(graph: Path, config: ModelConfig, most_tokens: int) -> "OnnxRuntime | OpenVinoRuntime":
    if config.runtime is not RuntimeKind.ONNX:
        return OpenVinoRuntime(graph, config.precision, most_tokens)
    # Imported here because it is 25 MB that few replicas need.
    from models.runtime_onnx import OnnxRuntime

    return OnnxRuntime(graph)


def _settings(folder: Path) -> SimpleNamespace:
    """The checkpoint's configuration, which this project wrote in full."""
    try:
        return SimpleNamespace(**json.loads((folder / "config.json").read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError) as error:
        raise ModelError(f"{folder / 'config.json'} cannot be read: {error}") from error
