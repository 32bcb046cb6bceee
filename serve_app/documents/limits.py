"""How much of a document is read."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Caps of one document.

    Over pages, pixels or words it fails as `document_too_large`; a reader process that needs more seconds or memory is
    killed.
    """

    max_pages: int = 200
    max_pixels: int = 100_000_000
    """Pixels of one picture or rendered page."""
    max_words: int = 400_000
    """Words of the whole document."""
    max_seconds: float = 120.0
    """Wall time of a document."""
    max_memory_bytes: int = 2 * 1024**3
    """Address space of the reader process, its child processes each the same."""
