"""The outcome of one file."""

from dataclasses import dataclass
from typing import Any

from models.evaluation.compare import HEADER
from serve_app.domain.batch import Section
from serve_app.domain.document import Document
from serve_app.domain.errors import DocumentError
from serve_app.domain.invoice import Confidence, Extraction


@dataclass(frozen=True, slots=True)
class Outcome:
    """The invoices found in a file, or why it could not be read. Seconds are wall time: in total, and in the reader."""

    sections: list[Section]
    failure: DocumentError | None
    document: Document | None
    seconds: float
    read_seconds: float

    @property
    def values(self) -> dict[str, Any]:
        """The header values of all invoices found; a currency alone does not count."""
        return {
            name: value
            for section in self.sections
            for name in HEADER
            if name != "currency" and (value := getattr(section.extraction, name)) is not None
        }

    @property
    def is_something(self) -> bool:
        """Whether any value was given."""
        return any(section.extraction.field_confidence for section in self.sections)

    @property
    def high(self) -> int:
        """How many values of all invoices found are `high`."""
        levels = (section.extraction.field_confidence or {} for section in self.sections)
        return sum(level is Confidence.HIGH for each in levels for level in each.values())

    def extraction(self, index: int | None) -> Extraction | None:
        """What was read of the invoice at an index among those found; None if it was not found, empty if the file could
        not be read."""
        if self.failure is not None:
            return Extraction()
        return None if index is None else self.sections[index].extraction

    @property
    def summary(self) -> str:
        """The outcome in one line."""
        if self.failure is not None:
            return f"{self.failure.code}: {self.failure.message}"
        if len(self.sections) > 1:
            return " ".join(_pages(section) for section in self.sections)
        found = ", ".join(f"{name} {value}" for name, value in self.values.items())
        return f"{found} ({self.high} high)" if found else "no invoice found"


def _pages(section: Section) -> str:
    first, last, read = section.first_page, section.last_page, section.extraction
    return f"[p. {first}{'' if first == last else f'-{last}'}: {read.vendor_name} {read.invoice_number} {read.amount}]"
