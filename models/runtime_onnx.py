"""ONNX Runtime: a network as an ONNX graph, executed on the CPU in float32."""

from pathlib import Path

import onnxruntime

from models.config import ModelError
from models.graph import LAYOUT_KEY
from models.memory import HostMemory
from models.runtime import Inputs, Outputs, is_out_of_memory
from models.threads import thread_count


class OnnxRuntime:
    """Executes a graph: the bytes of a model, or the path of one whose weights lie beside it."""

    def __init__(self, graph: bytes | Path) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = thread_count()
        options.inter_op_num_threads = 1
        # Idle threads sleep: other processes of the service need the cores.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        source = graph if isinstance(graph, bytes) else str(graph)
        try:
            self._session = onnxruntime.InferenceSession(source, options, providers=["CPUExecutionProvider"])
        except Exception as error:
            raise ModelError(f"ONNX Runtime cannot load the model: {' '.join(str(error).split())}") from error
        self._outputs = [output.name for output in self._session.get_outputs()]
        self.memory = HostMemory()

    @property
    def weights_layout(self) -> str:
        """The layout of the weights that the graph was made for; empty if it does not say."""
        return str(self._session.get_modelmeta().custom_metadata_map.get(LAYOUT_KEY, ""))

    def run(self, inputs: Inputs) -> Outputs:
        try:
            values = self._session.run(self._outputs, inputs)
        except RuntimeError as error:
            if is_out_of_memory(error):
                raise MemoryError(str(error)) from error
            raise
        return dict(zip(self._outputs, values, strict=True))
