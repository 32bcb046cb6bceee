"""What of an invoice a person may correct, and which values are allowed.

Values of corrections are JSON as it is stored: an exact decimal, an ISO date or a text, a list of rows, or None for
"not printed".
"""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any, TypeVar

from serve_app.domain.errors import InvalidParameter
from serve_app.domain.invoice import Citation, Detail, Details, DocumentType, Extraction, Field, LineItem
from serve_app.domain.plain_text import one_line

E = TypeVar("E", bound=Extraction)

LINE_ITEMS = str(Field.LINE_ITEMS)
DOCUMENT_TYPE = "document_type"
MAX_ROWS = 1000
"""Line items of a corrected table."""
_MAX_TEXT = 500
_MAX_AMOUNT = Decimal(10) ** 15
_DECIMALS = 6
_NUMBER = re.compile(r"-?\d{1,15}(\.\d+)?", re.ASCII)
_CURRENCY = re.compile(r"[A-Z]{3}", re.ASCII)

_ATTRIBUTE = {str(Field.VENDOR): "vendor_name"}
_CELLS = ("description", "quantity", "unit_price", "total", "tax_rate")


def normal(name: str, value: Any) -> Any:
    """The value of a field as it is stored. Raises InvalidParameter, which says what is wrong."""
    if name not in CORRECTABLE:
        raise InvalidParameter(f"fields: {name} is no field that can be corrected.")
    if value is None:
        return None
    return _KINDS[name](name, value)


def normal_rows(rows: Any) -> list[dict[str, str | None]]:
    """The line items of a table as they are stored. Raises InvalidParameter."""
    if not isinstance(rows, list | tuple) or not all(isinstance(row, Mapping) for row in rows):
        raise InvalidParameter("line_items: a list of rows.")
    if len(rows) > MAX_ROWS:
        raise InvalidParameter(f"line_items: at most {MAX_ROWS} rows.")
    return [_normal_row(number, row) for number, row in enumerate(rows, 1)]


def _normal_row(number: int, row: Mapping[str, Any]) -> dict[str, str | None]:
    found: dict[str, str | None] = {}
    for cell in _CELLS:
        value, name = row.get(cell), f"line_items, row {number}: {cell}"
        found[cell] = None if value is None else (_text if cell == "description" else _number)(name, value)
    return found


def _text(name: str, value: Any) -> str:
    text = one_line(str(value)).strip()
    if not text:
        raise InvalidParameter(f"{name}: an empty text; send null for a value that is not printed.")
    if len(text) > _MAX_TEXT:
        raise InvalidParameter(f"{name}: at most {_MAX_TEXT} characters.")
    return text


def _compact(name: str, value: Any) -> str:
    return "".join(_text(name, value).split()).upper()


def _number(name: str, value: Any) -> str:
    text = format(value, "f") if isinstance(value, Decimal) else str(value)
    try:
        number = Decimal(text) if _NUMBER.fullmatch(text) else None
    except InvalidOperation:
        number = None
    if number is None or abs(number) >= _MAX_AMOUNT:
        raise InvalidParameter(f"{name}: not a number such as 1234.50.")
    exponent = number.as_tuple().exponent
    if isinstance(exponent, int) and -exponent > _DECIMALS:
        raise InvalidParameter(f"{name}: at most {_DECIMALS} decimals.")
    return format(number, "f")


def _day(name: str, value: Any) -> str:
    try:
        return date.fromisoformat(str(value)).isoformat()
    except ValueError:
        raise InvalidParameter(f"{name}: not a date such as 2026-01-31.") from None


def _currency(name: str, value: Any) -> str:
    text = _text(name, value).upper()
    if not _CURRENCY.fullmatch(text):
        raise InvalidParameter(f"{name}: not a currency such as EUR.")
    return text


def _type(name: str, value: Any) -> str:
    if value not in set(DocumentType):
        raise InvalidParameter(f"{name}: one of {', '.join(DocumentType)}.")
    return str(value)


_KINDS: dict[str, Callable[[str, Any], str]] = {
    Field.VENDOR: _text,
    Field.INVOICE_NUMBER: _text,
    Field.AMOUNT: _number,
    Field.CURRENCY: _currency,
    Field.ISSUED_AT: _day,
    Field.DUE_AT: _day,
    Field.TAX: _number,
    DOCUMENT_TYPE: _type,
    Detail.BUYER_NAME: _text,
    Detail.PURCHASE_ORDER: _text,
    Detail.SUBTOTAL: _number,
    Detail.SHIPPING: _number,
    Detail.DISCOUNT: _number,
    Detail.AMOUNT_DUE: _number,
    Detail.AMOUNT_PAID: _number,
    Detail.VENDOR_TAX_ID: _compact,
    Detail.BUYER_TAX_ID: _compact,
    Detail.IBAN: _compact,
    Detail.PAYMENT_TERMS: _text,
}
CORRECTABLE: tuple[str, ...] = tuple(str(name) for name in _KINDS)
"""The fields with one value that a person may correct, in the order of a screen. Line items are corrected as a
table."""
_OF_DETAILS = frozenset(str(detail) for detail in Detail)


def value_of(invoice: Extraction, name: str) -> Any:
    """The invoice's value of a field, as it is stored."""
    if name == LINE_ITEMS:
        return [_stored_row(item) for item in invoice.line_items]
    holder: Any = (invoice.details or Details()) if name in _OF_DETAILS else invoice
    return _stored(getattr(holder, _ATTRIBUTE.get(name, name)))


def citation_of(invoice: Extraction, name: str) -> Citation | list[Citation] | None:
    """Where the invoice says that the value of a field is printed."""
    if name in _OF_DETAILS:
        details = invoice.details or Details()
        return (details.citations or {}).get(Detail(name))
    return (invoice.citations or {}).get(Field(name)) if name in set(Field) else None


def with_value(invoice: E, name: str, value: Any, citation: Citation | list[Citation] | None) -> E:
    """The invoice with another value of a field, which is printed there."""
    if name in _OF_DETAILS:
        details = invoice.details or Details()
        cited = _with_citation(details.citations, Detail(name), citation)
        changed = details.model_dump() | {name: value, "citations": cited}
        return invoice.model_copy(update={"details": Details.model_validate(changed)})
    update: dict[str, Any] = {_ATTRIBUTE.get(name, name): _parsed(name, value)}
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


def _stored_row(item: LineItem) -> dict[str, str | None]:
    confidence = item.confidence
    row = {cell: _stored(getattr(item, cell)) for cell in _CELLS}
    return row | {"confidence": None if confidence is None else str(confidence)}


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
    if name == LINE_ITEMS:
        return [_comparable_row(row) for row in one or ()] == [_comparable_row(row) for row in other or ()]
    return bool(_comparable(one) == _comparable(other)) if _KINDS[name] is _number else bool(one == other)


def _comparable_row(row: Mapping[str, Any]) -> tuple[Any, ...]:
    return row.get("description"), *(_comparable(row.get(cell)) for cell in _CELLS[1:])


def _comparable(value: str | None) -> Decimal | None:
    return None if value is None else Decimal(value)


def with_confidence_of(rows: Sequence[Mapping[str, Any]], read: Sequence[Mapping[str, Any]] | None) -> list[Any]:
    """The rows of a person, where a row that was read the same keeps the models' word on it."""
    known = {_comparable_row(row): row.get("confidence") for row in read or ()}
    return [{**row, "confidence": known.get(_comparable_row(row))} for row in rows]
