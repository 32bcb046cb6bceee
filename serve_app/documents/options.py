"""How documents are read: caps and the choice of OCR."""

from dataclasses import dataclass, field

from serve_app.documents.limits import Limits


@dataclass(frozen=True, slots=True)
class OcrOptions:
    """Which engine reads pictures, and how."""

    engine: str = "rapidocr"
    """A name that `serve_app.documents.ocr.engines` knows: `rapidocr` or `tesseract`."""
    languages: tuple[str, ...] = ("eng", "deu", "fra", "spa", "ita", "nld", "por", "tur", "pol", "ces")
    """Tesseract's names (ISO 639-2) of the languages that documents may be in; `rapidocr` knows them all at once."""
    device: str = "auto"
    """`auto`, `cpu` or `cuda`, for engines that can use a GPU."""


@dataclass(frozen=True, slots=True)
class SandboxOptions:
    """What holds in the process that reads documents."""

    required: bool = False
    """Whether it refuses to read where the machine lacks some of that."""
    hidden: tuple[str, ...] = ()
    """Absolute paths of the service's data and keys: never among what the process may read."""


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """Everything a reader has to know besides the bytes."""

    limits: Limits = field(default_factory=Limits)
    ocr: OcrOptions = field(default_factory=OcrOptions)
    sandbox: SandboxOptions = field(default_factory=SandboxOptions)
