"""Split documents into packets of a few pages, small enough for a model to switch documents in between."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from serve_app.documents.isolation.codec import decode_document, encode_document
from serve_app.domain.document import Document, Page
from serve_app.domain.packed import PackedPages

# About eight invoice pages: a second of a model's time on a CPU.
WORDS = 2000


def pack(document: Document) -> tuple[PackedPages, ...]:
    """The pages in packets of up to `WORDS` words, or of one page; the e-invoice is in the first."""
    packed = []
    for number, pages in enumerate(_by_words(document.pages)):
        part = replace(document, pages=tuple(pages))
        data = encode_document(replace(part, einvoice=None, validation=None) if number else part)
        packed.append(PackedPages(tuple(page.number for page in pages), _words(pages), data))
    return tuple(packed)


def grouped(packets: Iterable[PackedPages]) -> list[tuple[PackedPages, ...]]:
    """Merge consecutive packets, up to `WORDS` words: pages that were read one at a time are labelled several at a
    time."""
    groups: list[list[PackedPages]] = []
    for packet in packets:
        if not groups or sum(each.words for each in groups[-1]) + packet.words > WORDS:
            groups.append([])
        groups[-1].append(packet)
    return [tuple(group) for group in groups]


def unpack(packed: Iterable[PackedPages]) -> Document:
    """The document with the pages of all packets, in page order. Raises ValueError for packets that were not packed
    here."""
    parts = [decode_document(each.data) for each in packed]
    pages = sorted((page for part in parts for page in part.pages), key=lambda page: page.number)
    einvoice = next((part.einvoice for part in parts if part.einvoice is not None), None)
    origin = parts[0].origin if parts else None
    validation = next((part.validation for part in parts if part.validation is not None), None)
    return Document(tuple(pages), einvoice, origin, any(part.is_einvoice for part in parts), validation)


def _by_words(pages: Sequence[Page]) -> Iterator[list[Page]]:
    packet: list[Page] = []
    for page in pages:
        if packet and _words(packet) + len(page.words) > WORDS:
            yield packet
            packet = []
        packet.append(page)
    if packet:
        yield packet


def _words(pages: Iterable[Page]) -> int:
    return sum(len(page.words) for page in pages)
