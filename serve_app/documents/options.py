"""How documents are read: limits and the choice of OCR."""

from dataclasses import dataclass, field
from pathlib import Path

from serve_app.documents.limits import Limits


@dataclass(frozen=True, slots=True)
class OcrOptions:
    """Which engine reads pictures, and how."""

    engine: str = "rapidocr"
    """A name in `serve_app.documents.ocr.engines`: `rapidocr` or `tesseract`."""
    languages: tuple[str, ...] = ("eng", "deu", "fra", "spa", "ita", "nld", "por", "tur", "pol", "ces")
    """Tesseract's names (ISO 639-2) of the languages that documents may be in; `rapidocr` reads all of its languages at
    once."""
    device: str = "auto"
    """`auto`, `cpu` or `cuda`, for engines that can use a GPU."""

    @property
    def has_gpu(self) -> bool:
        """Whether there is a GPU that may be used."""
        return self.device != "cpu" and Path("/dev/nvidiactl").exists()


@dataclass(frozen=True, slots=True)
class SandboxOptions:
    """The sandbox of the process that reads documents."""

    required: bool = False
    """Whether to refuse to read if the machine lacks part of the sandbox."""
    hidden: tuple[str, ...] = ()
    """Absolute paths of the service's data and keys, which the process may never read."""


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """Everything a reader needs besides the bytes."""

    limits: Limits = field(default_factory=Limits)
    ocr: OcrOptions = field(default_factory=OcrOptions)
    sandbox: SandboxOptions = field(default_factory=SandboxOptions)
    preloads_ocr: bool = True
    """Whether a new process loads the OCR engine before the first document, or with the first picture: 130 MB."""
