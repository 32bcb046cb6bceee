"""Pages that were read, on their way from the reader to those who need their words."""

from dataclasses import dataclass
from uuid import UUID

from serve_app.domain.reading import Reading
from serve_app.domain.target_precision import TargetPrecision
from serve_app.domain.usage import NOTHING_SPENT, ComputeTime


@dataclass(frozen=True, slots=True)
class PackedPages:
    """Some pages of a document, packed by `serve_app.documents.packing`: whoever only passes them on never decodes
    them. `numbers` are 1-based and ascending; `words` is how many words the pages have."""

    numbers: tuple[int, ...]
    words: int
    data: bytes


@dataclass(frozen=True, slots=True)
class PagesRead:
    """The result of one reader call: some pages of a document that has `count` pages. Reading took `seconds`, of which
    `ocr_seconds` were OCR; getting the bytes took `fetch_seconds`. `spent` is what reading took of the machine."""

    count: int
    packets: tuple[PackedPages, ...]
    seconds: float = 0.0
    ocr_seconds: float = 0.0
    fetch_seconds: float = 0.0
    spent: ComputeTime = NOTHING_SPENT

    @property
    def numbers(self) -> tuple[int, ...]:
        """Which pages these are."""
        return tuple(number for packet in self.packets for number in packet.numbers)


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """All pages of a document of this account, in order. `is_part`: they are known to belong to one invoice, so they
    are not split. `target` is the account's target precision."""

    pages: tuple[PackedPages, ...]
    account_id: UUID
    is_part: bool = False
    target: TargetPrecision = TargetPrecision.STANDARD


@dataclass(frozen=True, slots=True)
class LabelledPages:
    """All pages of a document, in order, with both models' readings of them. `is_part` and `target` are those of the
    ReadDocument."""

    pages: tuple[PackedPages, ...]
    extractor: tuple[Reading, ...]
    verifier: tuple[Reading, ...]
    is_part: bool = False
    target: TargetPrecision = TargetPrecision.STANDARD

    @property
    def words(self) -> int:
        """How many words the document has."""
        return sum(run.words for run in self.pages)
