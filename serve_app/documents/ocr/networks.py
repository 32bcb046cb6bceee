"""The networks of PP-OCR and what executes them: OpenVINO on a CPU, ONNX Runtime on a GPU."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import redirect_stdout
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from serve_app.documents.images.picture import Picture
from serve_app.domain.user_error import UserError

DETECTOR = "PP-OCRv6_det_small.onnx"
RECOGNISER = "PP-OCRv6_rec_small.onnx"
_CUDA = "CUDAExecutionProvider"
_KEPT = {DETECTOR: "1", RECOGNISER: "1000"}
"""How many layers of each kind OpenVINO keeps compiled for sizes that it has seen, instead of 5,000. Each takes address
space, which a reader has little of. The strips of a page have one size, so nothing is gained by keeping others. With
none, it computes in another way. Lines are read at few widths, which are all kept: a thousand layers suffice for 30."""

Values = npt.NDArray[np.float32]


def values_of(picture: Picture) -> Values:
    """What the networks see of a picture: channels (blue, green, red), rows, columns; values from -1 to 1."""
    values = picture.astype(np.float32) / 127.5 - 1
    return np.broadcast_to(values, (3, *values.shape)) if values.ndim == 2 else values[:, :, ::-1].transpose(2, 0, 1)


class Network(Protocol):
    """A network with one input and one output."""

    alphabet: str
    """The characters that a recogniser's classes stand for, one a line; empty for other networks."""

    def run(self, values: Values) -> Iterable[Values]:
        """The output for each item of a batch. It holds until the next one is taken."""
        ...


def check_models() -> None:
    """Raise UserError if the package that brings the models is missing or is another version."""
    for name in (DETECTOR, RECOGNISER):
        if not (models_folder() / name).is_file():
            raise UserError(f"The rapidocr package lacks {name}; install the version that this service pins.")


def check_device(device: str) -> None:
    """Raise UserError if `device` is a GPU that ONNX Runtime cannot use."""
    if device == "cuda" and not _finds_cuda():
        raise UserError(
            "OCR is set to run on CUDA, but the installed onnxruntime does not support CUDA; install onnxruntime-gpu."
        )


def load_network(name: str, device: str) -> Network:
    """One of the networks, on a GPU if `device` is `cuda`, or `auto` and there is one that works. Raises UserError if
    `cuda` cannot be used."""
    return load_on_gpu(name, device) or CpuNetwork(models_folder() / name)


def load_on_gpu(name: str, device: str) -> "CudaNetwork | None":
    """One of the networks on a GPU; None if `device` is `cpu`, or `auto` and there is no GPU that works. Raises
    UserError if `cuda` cannot be used."""
    check_device(device)
    if device == "cpu" or not _finds_cuda():
        return None
    try:
        return CudaNetwork(models_folder() / name)
    except UserError:
        # The package supports CUDA, but this machine does not.
        if device == "cuda":
            raise
        return None


def compiled(model: Any, name: str) -> Any:
    """A model of OpenVINO for a CPU, with a single thread, because the service reads several pages at once. `name` is
    the network's, which it is or is a part of. It computes in bfloat16 on processors that are made for it."""
    import openvino

    # A thread bound to a core would be bound to the same one as that of every other reader.
    threads = {"INFERENCE_NUM_THREADS": 1, "NUM_STREAMS": 1, "ENABLE_CPU_PINNING": False}
    return openvino.Core().compile_model(model, "CPU", {**threads, "CPU_RUNTIME_CACHE_CAPACITY": _KEPT[name]})


class CpuNetwork:
    """OpenVINO. Items of a batch run one by one: as fast, with less memory. Nothing is copied."""

    def __init__(self, path: Path) -> None:
        import openvino

        model = openvino.Core().read_model(path)
        self.alphabet = alphabet_of(model)
        self._request = compiled(model, path.name).create_infer_request()

    def run(self, values: Values) -> Iterator[Values]:
        for index in range(len(values)):
            self._request.infer(values[index : index + 1], share_inputs=True, share_outputs=True)
            yield self._request.get_output_tensor(0).data[0]


def alphabet_of(model: Any) -> str:
    """The characters that the classes of a model stand for, one a line; empty if it does not name them."""
    path = ["framework", "character"]
    return str(model.get_rt_info(path).value) if model.has_rt_info(path) else ""


class CudaNetwork:
    """ONNX Runtime on a GPU."""

    def __init__(self, path: Path) -> None:
        import onnxruntime

        # The libraries of CUDA that packages brought, which no folder of the system has. What it prints if they are
        # missing must not get between the lines of a command's output.
        with redirect_stdout(sys.stderr):
            onnxruntime.preload_dlls(msvc=False)
        settings = onnxruntime.SessionOptions()
        settings.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(str(path), settings, providers=[_CUDA, "CPUExecutionProvider"])
        if _CUDA not in self._session.get_providers():
            raise UserError(
                "OCR is set to run on CUDA, but onnxruntime cannot start it; check that the driver, CUDA and cuDNN are "
                "installed."
            )
        self.alphabet = str(self._session.get_modelmeta().custom_metadata_map.get("character", ""))
        self._input = self._session.get_inputs()[0].name

    def run(self, values: Values) -> Values:
        (output,) = self._session.run(None, {self._input: values})
        return np.asarray(output, np.float32)


def _finds_cuda() -> bool:
    import onnxruntime

    return _CUDA in onnxruntime.get_available_providers()


def models_folder() -> Path:
    """The folder of the package's models. The package itself is never imported."""
    spec = find_spec("rapidocr")
    if spec is None or spec.origin is None:
        raise UserError("The rapidocr package, which brings the models, is not installed.")
    return Path(spec.origin).parent / "models"
