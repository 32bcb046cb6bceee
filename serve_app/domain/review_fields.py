"""What of an invoice a person may correct, and which values are allowed.

Values of corrections are JSON as it is stored: an exact decimal, an ISO date or a text, the rows of a table, or None
for "not printed".
"""

from collections.abc import Callable, Mapping
from datetime import date
from decimal import Decimal
from typing import Any, TypeVar

from serve_app.domain.errors import InvalidParameter
from serve_app.domain.invoice import Citation, Detail, Details, DocumentType, Extraction, Field, LineItem
from serve_app.domain.own_values import own_name, own_value, with_own_value
from serve_app.domain.provenance import ATTRIBUTES, DOCUMENT_TYPE
from serve_app.domain.review_tables import LINE_ITEMS, TABLES, TAX_LINES, same_rows, stored_rows
from serve_app.domain.review_values import compact_of, currency_of, day_of, number_of, text_of, type_of

E = TypeVar("E", bound=Extraction)


def normal(name: str, value: Any) -> Any:
    """The value of a field as it is stored. Raises InvalidParameter, which says what is wrong."""
    if own_name(name):
        # Its definition says what it may be (`OwnField.normal`).
        return None if value is None else text_of(name, value)
    if name not in CORRECTABLE:
        raise InvalidParameter(f"fields: {name} is not a field that you can correct.", "fields")
    if value is None:
        return None
    return _KINDS[name](name, value)


_KINDS: dict[str, Callable[[str, Any], str]] = {
    Field.VENDOR: text_of,
    Field.INVOICE_NUMBER: text_of,
    Field.AMOUNT: number_of,
    Field.CURRENCY: currency_of,
    Field.ISSUED_AT: day_of,
    Field.DUE_AT: day_of,
    Field.TAX: number_of,
    DOCUMENT_TYPE: type_of,
    Detail.BUYER_NAME: text_of,
    Detail.PURCHASE_ORDER: text_of,
    Detail.SUBTOTAL: number_of,
    Detail.SHIPPING: number_of,
    Detail.DISCOUNT: number_of,
    Detail.AMOUNT_DUE: number_of,
    Detail.AMOUNT_PAID: number_of,
    Detail.VENDOR_TAX_ID: compact_of,
    Detail.BUYER_TAX_ID: compact_of,
    Detail.IBAN: compact_of,
    Detail.PAYMENT_TERMS: text_of,
}
CORRECTABLE: tuple[str, ...] = tuple(str(name) for name in _KINDS)
"""The fields with one value that a person may correct, in the order of a screen. Tables are corrected as a whole."""
_OF_DETAILS = frozenset(str(detail) for detail in Detail)


def value_of(invoice: Extraction, name: str) -> Any:
    """The invoice's value of a field, as it is stored."""
    if own_name(name):
        return own_value(invoice, name).value
    if name == LINE_ITEMS:
        return stored_rows(name, invoice.line_items)
    if name == TAX_LINES:
        return stored_rows(name, (invoice.details or Details()).tax_lines)
    holder: Any = (invoice.details or Details()) if name in _OF_DETAILS else invoice
    return _stored(getattr(holder, ATTRIBUTES.get(name, name)))


def citation_of(invoice: Extraction, name: str) -> Citation | list[Citation] | None:
    """Where the invoice says that the value of a field is printed."""
    if own_name(name):
        return own_value(invoice, name).citation
    if name in _OF_DETAILS:
        details = invoice.details or Details()
        return (details.citations or {}).get(Detail(name))
    return (invoice.citations or {}).get(Field(name)) if name in set(Field) else None


def with_value(invoice: E, name: str, value: Any, citation: Citation | list[Citation] | None) -> E:
    """The invoice with another value of a field, which is printed there."""
    if own_name(name):
        said = own_value(invoice, name).model_copy(update={"value": value, "citation": citation})
        return with_own_value(invoice, name, said)
    if name in _OF_DETAILS:
        details = invoice.details or Details()
        cited = _with_citation(details.citations, Detail(name), citation)
        changed = details.model_dump() | {name: (value or []) if name in TABLES else value, "citations": cited}
        return invoice.model_copy(update={"details": Details.model_validate(changed)})
    update: dict[str, Any] = {ATTRIBUTES.get(name, name): _parsed(name, value)}
    if name in set(Field):
        update["citations"] = _with_citation(invoice.citations, Field(name), citation)
    return invoice.model_copy(update=update)


def _with_citation(citations: Mapping[Any, Any] | None, key: Any, citation: Any) -> dict[Any, Any] | None:
    others = {name: place for name, place in (citations or {}).items() if name != key}
    if not citation:
        return others if citations is not None else None
    return others | {key: citation}


def _stored(value: Any) -> Any:
    if isinstance(value, Decimal):
        return format(value, "f")
    return None if value is None else str(value)


def _parsed(name: str, value: Any) -> Any:
    if name == LINE_ITEMS:
        return [LineItem.model_validate({"confidence": None, **row}) for row in value or ()]
    if value is None:
        return None
    if name in (Field.AMOUNT, Field.TAX):
        return Decimal(value)
    if name in (Field.ISSUED_AT, Field.DUE_AT):
        return date.fromisoformat(value)
    return DocumentType(value) if name == DOCUMENT_TYPE else value


def same(name: str, one: Any, other: Any) -> bool:
    """Whether two stored values are the same: of amounts, 100 and 100.00 are."""
    if name in TABLES:
        return same_rows(name, one, other)
    if own_name(name):
        return bool(one == other)
    return bool(_comparable(one) == _comparable(other)) if _KINDS[name] is number_of else bool(one == other)


def _comparable(value: str | None) -> Decimal | None:
    return None if value is None else Decimal(value)
