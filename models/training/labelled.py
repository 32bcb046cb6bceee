"""Training data: a document with a tag for every word."""

from dataclasses import dataclass
from typing import Protocol

from serve_app.domain.document import Document


class Labelled(Protocol):
    """A generated or a real document. `tags` runs parallel to its pages and their words; a word whose tag is
    `serve_app.domain.labels.UNKNOWN` is left out of the loss."""

    @property
    def document(self) -> Document: ...

    @property
    def tags(self) -> tuple[tuple[str, ...], ...]: ...


@dataclass(frozen=True, slots=True)
class LabelledDocument:
    """The simplest implementation of a labelled document."""

    document: Document
    tags: tuple[tuple[str, ...], ...]
