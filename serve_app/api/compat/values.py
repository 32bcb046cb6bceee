"""The values of an invoice as the adapters need them: value, level, place and text as printed."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any, NamedTuple

from serve_app.domain.invoice import Citation, Confidence, Detail, Details, Extraction, Field, FieldSource, Invoice
from serve_app.domain.target_precision import TargetPrecision

_DETAILS = "details."
CELL = "[]."
"""Between the name of a table and that of its column."""
_MID = 0.5


class Mapped(NamedTuple):
    """A field of a vendor, and the field of an invoice with the same meaning; None if the service has none.

    `line_items[].total` is a column of a table. `kind` is the type that the vendor gives the field, if it depends on
    the field.
    """

    theirs: str
    ours: str | None = None
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """A value of an invoice. `level` is that of the value as it is now, so what a person has entered is `high`.
    `place` of a cell is its row. `printed` is the text of the page, if it is known."""

    value: Any
    level: Confidence | None = None
    place: Citation | None = None
    printed: str | None = None

    @property
    def text(self) -> str:
        """As printed if that is known."""
        return plain(self.value) if self.printed is None else self.printed


def found(invoice: Extraction, name: str) -> Found | None:
    """The value of a field, such as `amount` or `details.subtotal`; None if there is none."""
    if name == "document_type":
        return _document_type(invoice)
    holder, key = _holder(invoice, name)
    value = None if holder is None else getattr(holder, name.removeprefix(_DETAILS))
    if holder is None or value is None:
        return None
    level = _level(holder, key)
    place = _places(holder, key)
    if not isinstance(place, Citation):
        return Found(value, level)
    return Found(value, level, place, place.text)


def rows(invoice: Extraction, table: str) -> list[dict[str, Found]]:
    """The rows of `line_items` or `details.tax_lines`: the values of each by column, without those that it lacks."""
    holder, key = _holder(invoice, table)
    items = () if holder is None else getattr(holder, table.removeprefix(_DETAILS))
    level = None if holder is None else _level(holder, key)
    listed = None if holder is None else _places(holder, key)
    places: Sequence[Citation | None] = listed if isinstance(listed, list) and len(listed) == len(items) else ()
    return [_row(item, level, places[n] if places else None) for n, item in enumerate(items)]


def column_rows(invoice: Extraction, mapped: Iterable[Mapped]) -> list[dict[str, Found]]:
    """The rows of a vendor's table, by the vendor's names of its columns. Values that the service has only once, such
    as `details.iban`, make one row."""
    columns = [(each.theirs.partition(CELL)[2], each.ours) for each in mapped if each.ours is not None]
    tables = {ours.partition(CELL)[0] for _, ours in columns if CELL in ours}
    if not tables:
        row = {theirs: value for theirs, ours in columns if (value := found(invoice, ours)) is not None}
        return [row] if row else []
    return [
        {theirs: row[name] for theirs, ours in columns if (name := ours.partition(CELL)[2]) in row}
        for row in rows(invoice, tables.pop())
    ]


def share(invoice: Extraction, level: Confidence | None) -> float | None:
    """The least share of right values that the level stands for: that of `high` is the target precision, `mid` begins
    at one half, and `low` promises nothing."""
    if level is None:
        return None
    target = invoice.target_precision or TargetPrecision.STANDARD
    return {Confidence.HIGH: float(target), Confidence.MID: _MID, Confidence.LOW: 0.0}[level]


def plain(value: Any) -> str:
    """A value as a text: a plain decimal, an ISO 8601 date."""
    if isinstance(value, Decimal):
        return f"{value:f}"
    return value.isoformat() if isinstance(value, date) else str(value)


def corners(box: tuple[float, float, float, float]) -> list[tuple[float, float]]:
    """The corners of a box, clockwise from the top left one."""
    left, top, right, bottom = box
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


def page_of_file(invoice: Invoice, place: Citation) -> int:
    """The page of the file (from 1) on which a value of the invoice is printed."""
    return place.page + (0 if invoice.batch is None else invoice.batch.first_page - 1)


def pages_of_file(invoices: Sequence[Invoice]) -> int:
    """How many pages the file has, as far as its invoices show."""
    return max(invoice.batch.last_page if invoice.batch else invoice.pages or 1 for invoice in invoices)


def _holder(invoice: Extraction, name: str) -> tuple[Extraction | Details | None, Field | Detail]:
    if name.startswith(_DETAILS):
        return invoice.details, Detail(name.removeprefix(_DETAILS))
    return invoice, Field("vendor" if name == "vendor_name" else name)


def _document_type(invoice: Extraction) -> Found | None:
    if invoice.document_type is None:
        return None
    is_entered = getattr(invoice, "document_type_source", None) is FieldSource.PERSON
    level = Confidence.HIGH if is_entered else invoice.document_type_confidence
    return Found(invoice.document_type.value, level)


def _level(holder: Any, key: Field | Detail) -> Confidence | None:
    if getattr(holder, "field_source", {}).get(key) is FieldSource.PERSON:
        return Confidence.HIGH
    return (holder.field_confidence or {}).get(key)


def _places(holder: Any, key: Field | Detail) -> Citation | list[Citation] | None:
    if getattr(holder, "field_source", {}).get(key) is FieldSource.PERSON:
        # The page shows another value there.
        return None
    return (holder.citations or {}).get(key)


def _row(item: Any, level: Confidence | None, place: Citation | None) -> dict[str, Found]:
    own = item.model_dump(exclude={"confidence", "custom"}, exclude_none=True)
    known = getattr(item, "confidence", None)
    return {name: Found(value, known or level, place) for name, value in own.items()}
