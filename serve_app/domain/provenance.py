"""Where the values of an invoice come from, and how far each can be trusted.

Whoever shows a value together with a confidence asks `provenance_of`: it never gives the models' word for a value that
somebody has entered.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from serve_app.domain.einvoice import MIME_TYPE
from serve_app.domain.invoice import (
    Confidence,
    Correction,
    CustomValue,
    Detail,
    Details,
    Field,
    FieldSource,
    Invoice,
    ReviewStatus,
)
from serve_app.domain.own_values import each_own_value, own_name, own_value
from serve_app.domain.plain_text import one_line, shortened

DOCUMENT_TYPE = "document_type"
ATTRIBUTES = {str(Field.VENDOR): "vendor_name"}
"""The attributes of fields that have another name."""
_TABLES = frozenset({str(Field.LINE_ITEMS), str(Detail.TAX_LINES)})
_AUTHOR_LENGTH = 100
_READ_LENGTH = 200

N = TypeVar("N", bound=str)


@dataclass(frozen=True, slots=True)
class Provenance:
    """Of one value. `source` is None if there is no value. `level` is the models' confidence, None for a value that
    they have not read; `correction` tells who has entered it instead."""

    source: FieldSource | None = None
    level: Confidence | None = None
    correction: Correction | None = None


def provenance_of(invoice: Invoice, name: str) -> Provenance:
    """Of the value of a field: a `Field`, a `Detail` or `document_type`."""
    source = _source_of(invoice, name)
    if source is FieldSource.PERSON:
        return Provenance(source, None, invoice.review.corrections.get(name))
    return Provenance(source, confidence_of(invoice, name))


def current_value(invoice: Invoice, name: str) -> Any:
    """The value of a field, however certain; None if there is none."""
    if own_name(name):
        return own_value(invoice, name).value
    holder = (invoice.details or Details()) if name in set(Detail) else invoice
    return getattr(holder, ATTRIBUTES.get(name, name))


def certain_value(invoice: Invoice, name: str) -> Any:
    """The same if it can be relied on without a further look; None otherwise."""
    provenance = provenance_of(invoice, name)
    is_certain = (
        invoice.review.status is ReviewStatus.CONFIRMED
        or provenance.source in {FieldSource.PERSON, FieldSource.EINVOICE}
        or provenance.level is Confidence.HIGH
    )
    return current_value(invoice, name) if is_certain else None


def author_of(correction: Correction) -> str:
    """Who has entered the value, in words: the address of a person, or which API key was used."""
    name = shortened(one_line(correction.by), _AUTHOR_LENGTH)
    if not correction.by_key:
        return name
    return f"API key \N{LEFT DOUBLE QUOTATION MARK}{name}\N{RIGHT DOUBLE QUOTATION MARK}"


def correction_text(name: str, correction: Correction, read: str | None = None) -> str:
    """Who has entered the value of a field, when, and what was read instead; on one line. `read` is what was read as
    people write it; without it, as it is stored."""
    if name in _TABLES:
        read = "other rows"
    else:
        read = shortened(one_line(read or correction.read or ""), _READ_LENGTH) or "nothing"
    return f"{author_of(correction)} entered this value on {correction.at:%Y-%m-%d}. The models read: {read}"


def confidence_of(invoice: Invoice, name: str) -> Confidence | None:
    """What the models said of the value that was read, whatever the value is now."""
    if own_name(name):
        return own_value(invoice, name).confidence
    if name == DOCUMENT_TYPE:
        return invoice.document_type_confidence
    if name in set(Field):
        return (invoice.field_confidence or {}).get(Field(name))
    return (invoice.details or Details()).field_confidence.get(Detail(name))


def with_sources(invoice: Invoice) -> Invoice:
    """The invoice with the source of each value: the review, else the type of its file. Of an XML file, all values are
    the XML's."""
    corrected = frozenset(invoice.review.fields)
    read = FieldSource.EINVOICE if invoice.file.mime_type == MIME_TYPE else FieldSource.MODELS
    update: dict[str, Any] = {
        "field_source": _sources(invoice, Field, corrected, read),
        "document_type_source": _sources(invoice, [DOCUMENT_TYPE], corrected, read).get(DOCUMENT_TYPE),
    }
    if invoice.details is not None:
        sources = _sources(invoice.details, Detail, corrected, read)
        update["details"] = invoice.details.model_copy(update={"field_source": sources})
    return each_own_value(invoice.model_copy(update=update), lambda name, each: _with_source(name, each, corrected))


def _with_source(name: str, value: CustomValue, corrected: frozenset[str]) -> CustomValue:
    found = None if value.value is None else FieldSource.MODELS
    return value.model_copy(update={"source": FieldSource.PERSON if name in corrected else found})


def _sources(
    holder: Invoice | Details, names: Iterable[N], corrected: frozenset[str], read: FieldSource
) -> dict[N, FieldSource]:
    found = {name: FieldSource.PERSON if name in corrected else read for name in names}
    return {name: source for name, source in found.items() if name in corrected or _has_value(holder, name)}


def _has_value(holder: Invoice | Details, name: str) -> bool:
    value = getattr(holder, ATTRIBUTES.get(name, name))
    return value is not None and value != []


def _source_of(invoice: Invoice, name: str) -> FieldSource | None:
    if own_name(name):
        return own_value(invoice, name).source
    if name == DOCUMENT_TYPE:
        return invoice.document_type_source
    if name in set(Field):
        return invoice.field_source.get(Field(name))
    return (invoice.details or Details()).field_source.get(Detail(name))
