"""The engines by name."""

from collections.abc import Callable
from functools import cache

from serve_app.documents.ocr.engine import OcrEngine
from serve_app.documents.options import OcrOptions
from serve_app.domain.user_error import UserError


def _tesseract(options: OcrOptions) -> OcrEngine:
    from serve_app.documents.ocr.tesseract import TesseractEngine

    return TesseractEngine(options)


def _rapidocr(options: OcrOptions) -> OcrEngine:
    from serve_app.documents.ocr.pp_ocr import RapidOcrEngine

    return RapidOcrEngine(options)


# Each is imported when it is asked for: a service needs only the one that it is configured for.
_ENGINES: dict[str, Callable[[OcrOptions], OcrEngine]] = {"tesseract": _tesseract, "rapidocr": _rapidocr}


@cache
def engine(options: OcrOptions) -> OcrEngine:
    """The engine that `options` name, loaded once in this process; ValueError where it cannot be had."""
    make = _ENGINES.get(options.engine)
    if make is None:
        raise UserError(f"There is no OCR engine {options.engine!r}; choose one of: {', '.join(_ENGINES)}.")
    try:
        return make(options)
    except ImportError as error:
        raise UserError(f"The OCR engine {options.engine!r} is not installed: {error}") from error


def check_engine(options: OcrOptions) -> None:
    """Load the engine once; ValueError, with what is missing, where it cannot work. For the start of a service."""
    engine(options)
