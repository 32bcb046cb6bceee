"""OpenVINO: a network as an ONNX graph, executed on the CPU; in bfloat16 where the processor is made for it."""

from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
import openvino

from models.config import ModelError, Precision
from models.graph import LAYOUT_KEY
from models.runtime import PIXELS, Inputs, Outputs
from models.shape import LONGEST
from models.threads import thread_count

# The width of an input is rounded up to a multiple of this many tokens: OpenVINO prepares, and keeps in memory, a plan
# for each width that it meets.
_STEP = 32
_HINTS = {Precision.FLOAT32: "f32", Precision.BFLOAT16: "bf16"}


class OpenVinoRuntime:
    """Executes the graph in a file whose weights lie beside it, one window at a time: batches are not faster on a CPU,
    and need more memory. It keeps the memory of its largest window: to get it anew for each page takes a fifth of the
    CPU."""

    memory = None

    def __init__(self, graph: Path, precision: Precision = Precision.AUTO, most_tokens: int = LONGEST) -> None:
        # Threads bound to cores would be bound to the same ones as those of the service's other processes.
        settings: dict[str, Any] = {
            "INFERENCE_NUM_THREADS": thread_count(),
            "NUM_STREAMS": 1,
            "ENABLE_CPU_PINNING": False,
        }
        if precision in _HINTS:
            settings["INFERENCE_PRECISION_HINT"] = _HINTS[precision]
        try:
            core = openvino.Core()
            model = core.read_model(graph)
            self.weights_layout = _layout(model)
            self._compiled = core.compile_model(model, "CPU", settings)
        except RuntimeError as error:
            raise ModelError(f"OpenVINO cannot load the model: {' '.join(str(error).split())}") from error
        self._most_tokens = most_tokens
        self._request = self._compiled.create_infer_request()
        # An output may have several names: its own, and those of nodes that were merged into it.
        self._names = [sorted(output.get_names()) for output in self._compiled.outputs]
        self._lock = Lock()

    def run(self, inputs: Inputs) -> Outputs:
        count = len(inputs["attention_mask"])
        rows = [self._window({name: given[row : row + 1] for name, given in inputs.items()}) for row in range(count)]
        return {name: np.concatenate([row[name] for row in rows]) for name in rows[0]}

    def _window(self, inputs: Inputs) -> Outputs:
        width = inputs["attention_mask"].shape[1]
        room = max(1, int(inputs["attention_mask"].sum()))
        room = min(-(-room // _STEP) * _STEP, self._most_tokens)
        # Tokens from `room` on are padding, and so is what is added.
        fitted = {name: given if name == PIXELS else _fitted(given, room) for name, given in inputs.items()}
        outputs: Outputs = {}
        with self._lock:
            self._request.infer(fitted)
            for place, names in enumerate(self._names):
                output = np.array(self._request.get_output_tensor(place).data, np.float32)
                outputs |= dict.fromkeys(names, _fitted(output, width))
        return outputs


def _fitted(values: Any, width: int) -> Any:
    """Cut or padded with zeros to `width` tokens, the second axis."""
    missing = width - values.shape[1]
    if missing <= 0:
        return np.ascontiguousarray(values[:, :width])
    return np.pad(values, [(0, 0), (0, missing), *[(0, 0)] * (values.ndim - 2)])


def _layout(model: Any) -> str:
    """The layout of the weights that the graph was made for; empty if it does not say."""
    path = ["framework", LAYOUT_KEY]
    return str(model.get_rt_info(path).value) if model.has_rt_info(path) else ""
