"""Real documents with labels: the format in which engineers bring their own (docs/how-to/train-models.md).

A folder holds files of one JSON object a line (`*.jsonl`, `*.jsonl.gz`), each a document: pages of words with boxes and
one tag a word. A tag is one of the service's, or `?` if unknown: such words are left out of the loss.
"""

import gzip
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import msgspec

from serve_app.domain.document import Box, Document, Page, TextSource, Word
from serve_app.domain.labels import TAGS, UNKNOWN

Split = Literal["train", "validation"]
_KNOWN_TAGS = frozenset({*TAGS, UNKNOWN})


class RealDataError(ValueError):
    """A folder of real documents that cannot be used; the message names the file, the line and what is wrong."""


@dataclass(frozen=True, slots=True)
class RealDocument:
    """A labelled document. `tags` runs parallel to its pages and their words; `values` holds what is known of the
    invoice (a key that is absent is unknown, `None` is known to be absent); documents of one `issuer` look alike."""

    id: str
    source: str
    issuer: str
    kind: str
    document_type: str
    split: Split
    document: Document
    tags: tuple[tuple[str, ...], ...]
    values: dict[str, Any]


class _Word(msgspec.Struct):
    text: str
    box: tuple[float, float, float, float]
    confidence: float = 1.0


class _Page(msgspec.Struct):
    width: float
    height: float
    words: list[_Word]


class _Line(msgspec.Struct):
    """One line of a file; other keys are informal notes."""

    id: str
    source: str
    kind: str
    doc_type: str
    split: Split
    pages: list[_Page]
    labels: list[list[str]] | None
    values: dict[str, Any] = {}
    issuer: str | None = None


def read_real(folder: Path, split: Split | None = None) -> list[RealDocument]:
    """The labelled documents of a folder, of one split or of both, in the order of file names and lines.

    Raises RealDataError for a folder without documents and for a line that breaks the format.
    """
    found = [
        document for file in real_files(folder) for document in _read_file(file) if split in (None, document.split)
    ]
    if not found:
        raise RealDataError(f"{folder} contains no labelled documents (*.jsonl or *.jsonl.gz)")
    return found


def real_files(folder: Path) -> list[Path]:
    """The files of a folder that hold labelled documents, by name."""
    return sorted([*folder.glob("*.jsonl"), *folder.glob("*.jsonl.gz")])


def few_of_each_issuer(documents: Iterable[RealDocument], most: int) -> Iterator[RealDocument]:
    """The first documents of each issuer in each source, at most so many."""
    taken: Counter[tuple[str, str]] = Counter()
    for document in documents:
        key = document.source, document.issuer
        taken[key] += 1
        if taken[key] <= most:
            yield document


def page_entry(page: Page) -> dict[str, Any]:
    """A page as a line of a file has it."""
    words = [
        {"text": word.text, "box": [round(edge, 5) for edge in (word.box.x0, word.box.y0, word.box.x1, word.box.y1)]}
        for word in page.words
    ]
    return {"width": page.width, "height": page.height, "words": words}


def _read_file(file: Path) -> Iterator[RealDocument]:
    decoder = msgspec.json.Decoder(_Line)
    with gzip.open(file, "rb") if file.suffix == ".gz" else file.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            try:
                entry = decoder.decode(line)
                if entry.labels is not None:
                    yield _document(entry, entry.labels)
            except (msgspec.MsgspecError, RealDataError) as error:
                raise RealDataError(f"{file.name}, line {number}: {error}") from error


def _document(entry: _Line, labels: list[list[str]]) -> RealDocument:
    if [len(tags) for tags in labels] != [len(page.words) for page in entry.pages]:
        raise RealDataError("labels and words differ in number")
    unknown = {tag for tags in labels for tag in tags} - _KNOWN_TAGS
    if unknown:
        raise RealDataError(f"unknown tags {sorted(unknown)}")
    source = TextSource.TEXT_LAYER if entry.kind in ("text-pdf", "html") else TextSource.OCR
    pages = tuple(
        Page(number, page.width, page.height, tuple(_word(word) for word in page.words), source)
        for number, page in enumerate(entry.pages, start=1)
    )
    return RealDocument(
        id=entry.id,
        source=entry.source,
        issuer=entry.issuer or entry.id,
        kind=entry.kind,
        document_type=entry.doc_type,
        split=entry.split,
        document=Document(pages),
        tags=tuple(tuple(tags) for tags in labels),
        values=entry.values,
    )


def _word(word: _Word) -> Word:
    return Word(word.text, Box(*word.box), word.confidence)
