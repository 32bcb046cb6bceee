"""Values of the review screen as they stand in its inputs: written and read in the person's language."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

from serve_app.domain.errors import InvalidParameter
from serve_app.domain.invoice import CustomValue
from serve_app.domain.iso_4217 import CURRENCIES
from serve_app.domain.own_values import own_name
from serve_app.domain.review_answer import ReviewAnswer, ReviewRow, ReviewTaxRow
from serve_app.domain.review_tables import LINE_ITEMS
from serve_app.services.review.change import FieldChange, ReviewChange
from serve_app.web.formats import Formats
from serve_app.web.notation import MAX_LENGTH
from serve_app.web.review.fields import COLUMNS, DETAILS, HEADER, NO_INPUTS, Kind, OwnInputs

_SYMBOLS = {"€": "EUR", "$": "USD", "US$": "USD", "£": "GBP", "¥": "JPY", "₹": "INR", "zł": "PLN"}
_SAMPLE_NUMBER = Decimal("1234.5")
_SAMPLE_DATE = date(2026, 1, 31)


def write_entry(kind: Kind, value: str | None, formats: Formats, currency: str | None = None) -> str:
    """A stored value as an input shows it; empty for None. `read_entry` reads it back as the same value."""
    if value is None:
        return ""
    if kind is Kind.DATE:
        day = date.fromisoformat(value)
        text = formats.day(day)
        return text if formats.notation.read_date(text) == day else value
    if kind in (Kind.MONEY, Kind.NUMBER):
        text = _written(Decimal(value), formats, currency if kind is Kind.MONEY else None)
        return text if formats.notation.read_number(text) == Decimal(value) else value
    return value


def read_entry(kind: Kind, text: str, label: str, formats: Formats) -> str | None:
    """The value of what stands in an input, as it is stored; None if nothing does. Raises InvalidParameter, which names
    the input by `label`."""
    text = text.strip()
    if not text:
        return None
    match kind:
        case Kind.MONEY | Kind.NUMBER:
            return _number(text, label, formats)
        case Kind.DATE:
            return _date(text, label, formats)
        case Kind.CURRENCY:
            return _SYMBOLS.get(text, text.upper())
    return text


def change_of_entries(change: ReviewChange, formats: Formats, own: OwnInputs = NO_INPUTS) -> ReviewChange:
    """A change whose values are the texts of inputs, as one of stored values; `own` are inputs of own fields. Raises
    InvalidParameter."""
    fields = {name: each and _field_of_entry(name, each, formats, own) for name, each in change.fields.items()}
    return replace(change, fields=fields)


def review_entries(review: ReviewAnswer, formats: Formats, own: OwnInputs = NO_INPUTS) -> Mapping[str, Any]:
    """The texts of all inputs: of each field, and of the rows of each table by the names of their cells."""
    currency = review.fields["currency"].value
    kinds = {name: kind for name, (_, kind) in {**HEADER, **DETAILS, **own.fields}.items()}
    fields = {name: write_entry(kind, review.fields[name].value, formats, currency) for name, kind in kinds.items()}
    return {"fields": fields} | {table: table_entries(review, table, formats, own) for table in COLUMNS}


def table_entries(
    review: ReviewAnswer, table: str, formats: Formats, own: OwnInputs = NO_INPUTS
) -> Sequence[Mapping[str, str]]:
    """The same of the rows of one table."""
    currency = review.fields["currency"].value
    return [
        {name: write_entry(kind, _cell(row, name), formats, currency) for name, _, kind in own.tables[table]}
        for row in getattr(review, table).value
    ]


def _cell(row: ReviewRow | ReviewTaxRow, name: str) -> str | None:
    if own := own_name(name):
        return row.custom.get(own, CustomValue()).value if isinstance(row, ReviewRow) else None
    value: str | None = getattr(row, name)
    return value


def _field_of_entry(name: str, change: FieldChange, formats: Formats, own: OwnInputs) -> FieldChange:
    if name in COLUMNS and change.value is not None:
        return FieldChange([read_row(name, number, row, formats, own) for number, row in enumerate(change.value, 1)])
    label, kind = {**HEADER, **DETAILS, **own.fields}.get(name, (name, Kind.TEXT))
    return replace(change, value=read_entry(kind, change.value or "", label, formats))


def read_row(
    table: str, number: int, row: Mapping[str, Any], formats: Formats, own: OwnInputs = NO_INPUTS
) -> dict[str, Any]:
    """The cells of a row, counted from 1, as they are stored. Raises InvalidParameter."""
    cells: dict[str, Any] = {
        name: read_entry(kind, row.get(name) or "", f"{label}, line {number}", formats)
        for name, label, kind in COLUMNS[table]
    }
    custom = dict(_own_cells(table, number, row, formats, own))
    return cells | ({"custom": custom} if custom else {})


def _own_cells(
    table: str, number: int, row: Mapping[str, Any], formats: Formats, own: OwnInputs
) -> Iterator[tuple[str, FieldChange]]:
    """Those that the row has, under their names of inputs or as the API has them."""
    for name, label, kind in own.columns if table == LINE_ITEMS else ():
        given = row.get("custom", {}).get(own_name(name))
        if given is None and name in row:
            given = FieldChange(row[name])
        if given is not None:
            yield (
                own_name(name),
                replace(given, value=read_entry(kind, given.value or "", f"{label}, line {number}", formats)),
            )


def _written(number: Decimal, formats: Formats, currency: str | None) -> str:
    return formats.number(number) if currency not in CURRENCIES else formats.amount(number, str(currency))


def _number(text: str, label: str, formats: Formats) -> str:
    number = formats.notation.read_number(text)
    if number is None:
        raise InvalidParameter(
            f"{label}: “{text[:MAX_LENGTH]}” is not a clear number. Enter it as {formats.number(_SAMPLE_NUMBER)}."
        )
    return format(number, "f")


def _date(text: str, label: str, formats: Formats) -> str:
    day = formats.notation.read_date(text)
    if day is None:
        raise InvalidParameter(
            f"{label}: “{text[:MAX_LENGTH]}” is not a date. Enter it as {formats.day(_SAMPLE_DATE)}."
        )
    return day.isoformat()
