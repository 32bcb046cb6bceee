"""A checkpoint's network as an ONNX graph without weights: `graph.onnx` beside `model.safetensors`.

The graph refers to the weights where they lie in the safetensors file (ONNX: external data), in half precision, and
widens them to float32. So there is one copy of the weights, a graph is valid for any weights of the same layout, and a
replica that runs it needs neither torch nor transformers.

A checkpoint of another kind that was exported (`invoices models export`) has a graph only, which contains its weights.
"""

import hashlib
import json
import struct
from pathlib import Path

from models.config import ModelError

GRAPH_FILE = "graph.onnx"
WEIGHTS_FILE = "model.safetensors"
LAYOUT_KEY = "weights_layout"
"""The graph's metadata entry with the digest of the header of the weights that it was made for."""


INSIDE = "inside"
"""The entry of a graph that contains its weights."""


def has_only_graph(folder: Path) -> bool:
    """Whether the checkpoint was exported: its graph contains the weights."""
    return (folder / GRAPH_FILE).is_file() and not any(folder.glob("*.safetensors"))


def has_graph(folder: Path) -> bool:
    """Whether the checkpoint comes with a graph."""
    return (folder / GRAPH_FILE).is_file() and (folder / WEIGHTS_FILE).is_file()


def weights_header(folder: Path) -> tuple[bytes, int]:
    """The header of a safetensors file (JSON: names, types, shapes and places of the tensors), and where the data
    begins, in bytes. Source: https://github.com/huggingface/safetensors, "Format"."""
    with (folder / WEIGHTS_FILE).open("rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        return file.read(length), 8 + length


def layout_of(header: bytes) -> str:
    """The digest that changes whenever a tensor's name, type, shape or place does."""
    return hashlib.sha256(header).hexdigest()


def weight_places(folder: Path) -> dict[str, tuple[int, int]]:
    """Offset and length in the file, in bytes, of each tensor in half precision."""
    header, start = weights_header(folder)
    tensors = {name: entry for name, entry in json.loads(header).items() if name != "__metadata__"}
    return {
        name: (start + entry["data_offsets"][0], entry["data_offsets"][1] - entry["data_offsets"][0])
        for name, entry in tensors.items()
        if entry["dtype"] == "F16"
    }


def check_layout(folder: Path, made_for: str) -> None:
    """Raise ModelError if the checkpoint's graph was made for weights of another layout."""
    if has_only_graph(folder):
        if made_for != INSIDE:
            raise ModelError(
                f"{folder / GRAPH_FILE} is no graph of `invoices models export`, and has no weights beside it"
            )
        return
    header, _ = weights_header(folder)
    if layout_of(header) != made_for:
        raise ModelError(
            f"{folder / GRAPH_FILE} was made for other weights than {WEIGHTS_FILE}; make it again with"
            f" `python -m models.training.graph {folder}`"
        )
