"""Limits on reading a document."""

from dataclasses import dataclass

MIB = 1024**2


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits for one document.

    A document over the pages, pixels or words fails as `document_too_large`; a reader process that needs more seconds
    or memory is killed.
    """

    max_pages: int = 200
    max_pixels: int = 100_000_000
    """Pixels per picture or rendered page."""
    max_words: int = 400_000
    """Words in the whole document."""
    page_seconds: float = 120.0
    """Wall time of a page, or of any other step between two progress reports (`serve_app.documents.progress`)."""
    max_seconds: float = 900.0
    """Wall time of a document, all tries together."""
    max_memory_bytes: int = 3072 * MIB
    """Address space of the reader process, and of each of its child processes."""
    max_temporary_bytes: int = 512 * MIB
    """Largest temporary file that a reader process may write."""
    max_answer_bytes: int = 64 * MIB
    """Largest answer of a reader process: a document's words, encoded, or the bytes of a part."""
