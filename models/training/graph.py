"""Writes the ONNX graph of a checkpoint, so that it runs without torch.

Usage: python -m models.training.graph CHECKPOINT
"""

import sys
from pathlib import Path

import onnx
import torch
from onnx import TensorProto, helper
from transformers import AttentionInterface, AttentionMaskInterface, AutoModelForTokenClassification
from transformers.integrations.sdpa_attention import sdpa_attention_forward
from transformers.masking_utils import eager_mask

from models.fused_attention import fuse_attention
from models.graph import GRAPH_FILE, LAYOUT_KEY, WEIGHTS_FILE, layout_of, weight_places, weights_header
from models.onnx_export import WRAPPED, traced
from models.pretrained import load_weights

_OUTPUT = "logits"
# With a mask of booleans, each layer would guard against rows that see nothing. No row of a window does, and without
# the guard OpenVINO computes attention as one operation. It computes the library's "eager" more slowly.
_ATTENTION = "sdpa_with_numeric_mask"
AttentionInterface.register(_ATTENTION, sdpa_attention_forward)
AttentionMaskInterface.register(_ATTENTION, eager_mask)


def write_graph(folder: Path) -> None:
    """Write the graph of the token classifier in a checkpoint folder next to its weights."""
    model = load_weights(AutoModelForTokenClassification, folder, dtype=torch.float32)
    if model.config.model_type == "bert":
        model.set_attn_implementation(_ATTENTION)
    inputs = ["input_ids", "attention_mask", *(["bbox"] if model.config.model_type == "layoutlmv3" else [])]
    # Folding would replace weights by transposed copies. The runtimes fold when they load the graph.
    graph = onnx.load_from_string(traced(fuse_attention(model).train(False), inputs, [_OUTPUT], is_folded=False))
    _refer_to_weights(graph, weight_places(folder))
    header, _ = weights_header(folder)
    helper.set_model_props(graph, {LAYOUT_KEY: layout_of(header)})
    (folder / GRAPH_FILE).write_bytes(graph.SerializeToString())


def _refer_to_weights(model: onnx.ModelProto, places: dict[str, tuple[int, int]]) -> None:
    """Replace each weight by a reference to its bytes in half precision, widened to float32."""
    tensors, casts = [], []
    for tensor in model.graph.initializer:
        place = places.get(tensor.name.removeprefix(WRAPPED))
        if place is None:
            tensors.append(tensor)
            continue
        half = _reference(f"{tensor.name}.half", list(tensor.dims), *place)
        tensors.append(half)
        casts.append(helper.make_node("Cast", [half.name], [tensor.name], to=TensorProto.FLOAT))
    nodes = [*casts, *model.graph.node]
    del model.graph.initializer[:], model.graph.node[:]
    model.graph.initializer.extend(tensors)
    model.graph.node.extend(nodes)


def _reference(name: str, dims: list[int], offset: int, length: int) -> TensorProto:
    """A tensor whose data are bytes of the file with the weights (ONNX: external data)."""
    tensor = TensorProto(name=name, data_type=TensorProto.FLOAT16, dims=dims, data_location=TensorProto.EXTERNAL)
    for key, value in (("location", WEIGHTS_FILE), ("offset", offset), ("length", length)):
        tensor.external_data.add(key=key, value=str(value))
    return tensor


if __name__ == "__main__":
    write_graph(Path(sys.argv[1]))
