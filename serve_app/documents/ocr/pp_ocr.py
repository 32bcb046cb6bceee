"""PP-OCR in ONNX: the models of the rapidocr package, run here so that nothing is ever downloaded."""

from importlib.util import find_spec
from pathlib import Path
from typing import Any, cast

import cv2
import numpy as np
import onnxruntime

from serve_app.documents.images.picture import Picture
from serve_app.documents.ocr.detection import Detector, Quad
from serve_app.documents.ocr.engine import SeenWord
from serve_app.documents.ocr.recognition import Recogniser
from serve_app.documents.ocr.words import words_of_line
from serve_app.documents.options import OcrOptions
from serve_app.domain.user_error import UserError

_DETECTOR = "PP-OCRv6_det_small.onnx"
_RECOGNISER = "PP-OCRv6_rec_small.onnx"
_CUDA = "CUDAExecutionProvider"
_CPU = "CPUExecutionProvider"
_VERTICAL = 2.0
"""A line this many times taller than wide runs from bottom to top or from top to bottom."""


def check(options: OcrOptions) -> None:
    """Raise ValueError if a model or a requested device is missing."""
    for name in (_DETECTOR, _RECOGNISER):
        if not (_models() / name).is_file():
            raise UserError(f"The rapidocr package lacks {name}; install the version that this service pins.")
    _providers(options.device)


def _models() -> Path:
    """The folder of the package's models. The package itself is never imported."""
    spec = find_spec("rapidocr")
    if spec is None or spec.origin is None:
        raise UserError("The rapidocr package, which brings the models, is not installed.")
    return Path(spec.origin).parent / "models"


def _providers(device: str) -> list[str]:
    has_cuda = _CUDA in onnxruntime.get_available_providers()
    if device == "cuda" and not has_cuda:
        raise UserError(
            "OCR is set to run on CUDA, but the installed onnxruntime does not support CUDA; install onnxruntime-gpu."
        )
    return [_CUDA, _CPU] if has_cuda and device != "cpu" else [_CPU]


def _session(name: str, options: OcrOptions) -> Any:
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = 1
    settings.inter_op_num_threads = 1
    # An arena would keep the memory of the largest page forever.
    settings.enable_cpu_mem_arena = False
    settings.log_severity_level = 3
    session = onnxruntime.InferenceSession(str(_models() / name), settings, providers=_providers(options.device))
    if options.device == "cuda" and _CUDA not in session.get_providers():
        raise UserError(
            "OCR is set to run on CUDA, but onnxruntime cannot start it; check that the driver, CUDA and cuDNN are "
            "installed."
        )
    return session


class RapidOcrEngine:
    """Finds lines with one network and reads them with another; knows all languages at once."""

    def __init__(self, options: OcrOptions) -> None:
        check(options)
        self._detector = Detector(_session(_DETECTOR, options))
        self._recogniser = Recogniser(_session(_RECOGNISER, options))

    def read(self, picture: Picture) -> list[SeenWord]:
        coloured = picture if picture.ndim == 3 else cast(Picture, cv2.cvtColor(picture, cv2.COLOR_GRAY2RGB))
        quads = [_reading_direction(quad) for quad in self._detector.lines(coloured)]
        lines = [_cut(coloured, quad) for quad in quads]
        readings = zip(quads, lines, self._recogniser.read(lines), strict=True)
        return [word for quad, line, letters in readings for word in words_of_line(quad, line, letters)]


def _sides(quad: Quad) -> tuple[float, float]:
    """Width and height, in pixels."""
    width = max(np.linalg.norm(quad[0] - quad[1]), np.linalg.norm(quad[2] - quad[3]))
    height = max(np.linalg.norm(quad[0] - quad[3]), np.linalg.norm(quad[1] - quad[2]))
    return float(width), float(height)


def _reading_direction(quad: Quad) -> Quad:
    """A tall line is assumed to run from bottom to top, as in the margin of a form."""
    width, height = _sides(quad)
    return np.roll(quad, 1, axis=0) if height > _VERTICAL * width else quad


def _cut(picture: Picture, quad: Quad) -> Picture:
    width, height = (max(1, round(side)) for side in _sides(quad))
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    matrix = cv2.getPerspectiveTransform(quad, target)
    line = cv2.warpPerspective(picture, matrix, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return cast(Picture, line)
