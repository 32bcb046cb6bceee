"""What became of one file."""

from dataclasses import dataclass
from typing import Any

from models.evaluation.compare import HEADER
from serve_app.domain.batch import Section
from serve_app.domain.document import Document
from serve_app.domain.errors import DocumentError


@dataclass(frozen=True, slots=True)
class Outcome:
    """The invoices found in a file, or why it could not be read. Seconds are wall time: all of it, and the reader's."""

    sections: list[Section]
    failure: DocumentError | None
    document: Document | None
    seconds: float
    read_seconds: float

    @property
    def values(self) -> dict[str, Any]:
        """The header values of all invoices found; a currency alone is no value."""
        return {
            name: value
            for section in self.sections
            for name in HEADER
            if name != "currency" and (value := getattr(section.extraction, name)) is not None
        }

    @property
    def summary(self) -> str:
        """The outcome in a line."""
        if self.failure is not None:
            return f"{self.failure.code}: {self.failure.message}"
        if len(self.sections) > 1:
            return " ".join(_pages(section) for section in self.sections)
        found = ", ".join(f"{name} {value}" for name, value in self.values.items())
        return found or "no invoice found"


def _pages(section: Section) -> str:
    first, last, read = section.first_page, section.last_page, section.extraction
    return f"[p. {first}{'' if first == last else f'-{last}'}: {read.vendor_name} {read.invoice_number} {read.amount}]"
