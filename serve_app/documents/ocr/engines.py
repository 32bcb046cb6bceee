"""The engines by name."""

from collections.abc import Callable, Sequence
from functools import cache

from serve_app.documents.images.picture import Picture
from serve_app.documents.ocr.engine import OcrEngine
from serve_app.documents.options import OcrOptions
from serve_app.domain.user_error import UserError


def _tesseract(options: OcrOptions) -> OcrEngine:
    from serve_app.documents.ocr.tesseract import TesseractEngine

    return TesseractEngine(options)


def _rapidocr(options: OcrOptions) -> OcrEngine:
    from serve_app.documents.ocr.pp_ocr import RapidOcrEngine

    return RapidOcrEngine(options)


# Imported on demand: a service needs only the engine that it is configured for.
_ENGINES: dict[str, Callable[[OcrOptions], OcrEngine]] = {"tesseract": _tesseract, "rapidocr": _rapidocr}


@cache
def engine(options: OcrOptions) -> OcrEngine:
    """The engine named in `options`, loaded once per process; raise ValueError if it is not available."""
    make = _ENGINES.get(options.engine)
    if make is None:
        raise UserError(f"There is no OCR engine {options.engine!r}; choose one of: {', '.join(_ENGINES)}.")
    try:
        return make(options)
    except ImportError as error:
        raise UserError(f"The OCR engine {options.engine!r} is not installed: {error}") from error


def check_engine(options: OcrOptions) -> None:
    """Load the engine once, when a service starts; raise ValueError, saying what is missing, if it cannot work."""
    engine(options)


LineReading = Callable[[Sequence[Picture]], list[tuple[str, float]]]
"""As `OcrEngine.read_lines`."""


def line_readers(options: OcrOptions) -> list[LineReading]:
    """What reads lines that were cut out (`OcrEngine.read_lines`): the chosen engine, and Tesseract if it is another
    one and is installed."""
    readers: list[LineReading] = [engine(options).read_lines]
    if options.engine != "tesseract":
        from serve_app.documents.ocr.tesseract import line_reader

        readers += [reader.read_lines for reader in [line_reader()] if reader]
    return readers
