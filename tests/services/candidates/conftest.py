"""Stand-ins around candidates among the models."""

import asyncio
from dataclasses import dataclass, field

from serve_app.documents.packing import pack
from serve_app.domain.batch import Interpreted, Section
from serve_app.domain.invoice import Extraction
from serve_app.domain.model_pairs import FIRST
from serve_app.domain.packed import ReadDocument
from serve_app.domain.record import InvoiceRecord
from tests.support import DOCUMENT

FOUND = Extraction(vendor_name="Acme")
OTHER = Extraction(vendor_name="Acne")


def sections_of(*read: Extraction) -> list[Section]:
    return [Section(number, number, each, agreed=frozenset({"vendor"})) for number, each in enumerate(read, 1)]


def document_of(record: InvoiceRecord) -> ReadDocument:
    return ReadDocument(pack(DOCUMENT), record.account_id)


@dataclass
class FakePairs:
    """An Interpreter: what each pair reads. `errors` are raised first, `hold` makes it wait, `broken` pairs let the
    first one read."""

    read: dict[str, list[Extraction]] = field(default_factory=lambda: {FIRST: [FOUND], "new": [OTHER]})
    errors: list[Exception] = field(default_factory=list)
    broken: set[str] = field(default_factory=set)
    hold: asyncio.Event | None = None
    asked: list[str] = field(default_factory=list)

    async def interpret(self, document: ReadDocument, pair: str = FIRST) -> Interpreted:
        self.asked.append(pair)
        if self.hold is not None:
            await self.hold.wait()
        if self.errors:
            raise self.errors.pop(0)
        reads = FIRST if pair in self.broken else pair
        return Interpreted(sections_of(*self.read[reads]), {}, {"extract": 0.5, "verify": 0.25}, reads)
