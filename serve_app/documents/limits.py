"""How much of a document is read."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Caps of one document; over them it fails as `document_too_large`."""

    max_pages: int = 200
