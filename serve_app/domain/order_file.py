"""Purchase orders in a CSV file: one row a line, rows with the same number are one order."""

import csv
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from io import StringIO

from serve_app.domain.errors import InvalidParameter
from serve_app.domain.plain_text import one_line
from serve_app.domain.purchase_order import (
    MAX_DESCRIPTION,
    MAX_LINES,
    MAX_TEXT,
    MOST,
    OrderDraft,
    OrderLine,
    OrderStatus,
    order_key,
)

MAX_BYTES = 20_000_000
"""Of a file."""
MAX_ERRORS = 100
"""So many are named; a file in another format has one in each line."""
_REQUIRED = ("number", "vendor", "currency", "quantity", "unit_price")
_OPTIONAL = ("date", "status", "position", "description", "sku", "unit", "received_quantity")
COLUMNS = (*_REQUIRED, *_OPTIONAL)
_NUMBERS = ("quantity", "unit_price", "received_quantity")
_PLAIN = {
    ".": re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?", re.ASCII),
    ",": re.compile(r"\d{1,3}(?:\.\d{3})+(?:,\d+)?|\d+(?:,\d+)?", re.ASCII),
}
_GERMAN_DATE = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})", re.ASCII)
_CURRENCY = re.compile(r"[A-Z]{3}", re.ASCII)


@dataclass(frozen=True, slots=True)
class LineError:
    """What is wrong in a line of the file (from 1)."""

    line: int
    message: str


@dataclass(frozen=True, slots=True)
class OrderFile:
    """The orders of a file. With errors, it is not to be imported."""

    drafts: tuple[OrderDraft, ...]
    errors: tuple[LineError, ...] = ()


@dataclass(frozen=True, slots=True)
class _Row:
    line: int
    values: Mapping[str, str]


def parse_orders(data: bytes) -> OrderFile:
    """Read a CSV file with a header, separated by commas, semicolons or tabs. Never raises: what cannot be read is
    among the errors."""
    try:
        rows = _rows(_decoded(data))
        sign = _decimal_sign(rows)
    except _Wrong as error:
        return OrderFile((), (LineError(error.line, error.message),))
    drafts, errors = list[OrderDraft](), list[LineError]()
    for group in _by_number(rows):
        try:
            drafts.append(_draft(group, sign))
        except _Wrong as error:
            errors.append(LineError(error.line, error.message))
    errors.sort(key=lambda error: error.line)
    return OrderFile(tuple(drafts), tuple(errors[:MAX_ERRORS]))


class _Wrong(Exception):
    def __init__(self, line: int, message: str) -> None:
        super().__init__(line, message)
        self.line, self.message = line, message


def _decoded(data: bytes) -> str:
    if len(data) > MAX_BYTES:
        raise _Wrong(1, f"The file is larger than {MAX_BYTES // 1_000_000} MB. Split it.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise _Wrong(line, "The file is not in UTF-8. Save it as “CSV UTF-8”.") from None


def _rows(text: str) -> list[_Row]:
    header = text.split("\n", 1)[0]
    reader = csv.reader(StringIO(text, newline=""), delimiter=max(",;\t", key=header.count), strict=True)
    try:
        columns = _columns(next(reader, []))
        return [_row(columns, cells, reader.line_num) for cells in reader if any(cell.strip() for cell in cells)]
    except csv.Error as error:
        raise _Wrong(reader.line_num, f"The line is not CSV: {error}.") from None


def _columns(header: Sequence[str]) -> list[str]:
    columns = [name.strip().lower().replace(" ", "_") for name in header]
    missing = [name for name in _REQUIRED if name not in columns]
    if missing:
        raise _Wrong(1, f"The header lacks the column {missing[0]}. Columns: {', '.join(COLUMNS)}.")
    unknown = [name for name in columns if name not in COLUMNS]
    if unknown or len(set(columns)) < len(columns):
        wrong = unknown[0] if unknown else next(name for name in columns if columns.count(name) > 1)
        raise _Wrong(1, f"The column {wrong!r} is {'unknown' if unknown else 'there twice'}: {', '.join(COLUMNS)}.")
    return columns


def _row(columns: Sequence[str], cells: Sequence[str], line: int) -> _Row:
    if len(cells) != len(columns):
        raise _Wrong(line, f"The line has {len(cells)} values, the header {len(columns)} columns.")
    return _Row(line, {name: cell.strip() for name, cell in zip(columns, cells, strict=True)})


def _decimal_sign(rows: Iterable[_Row]) -> str:
    """The sign before decimals, which all numbers of the file agree on. Raises _Wrong if a number means another one
    with either sign, and no other number decides."""
    fits, unclear = {".": True, ",": True}, None
    for row in rows:
        for name in _NUMBERS:
            text = _bare(row.values.get(name, ""))
            can = {sign: bool(form.fullmatch(text)) for sign, form in _PLAIN.items()}
            if not any(can.values()):
                # Named with its line, where it is read.
                continue
            fits = {sign: fits[sign] and can[sign] for sign in fits}
            if unclear is None and all(can.values()) and ("." in text or "," in text):
                unclear = (row.line, text)
    if all(fits.values()) and unclear is not None:
        line, text = unclear
        raise _Wrong(line, f"{text} can be read in two ways. Write it with other decimals, such as {text}00.")
    return "," if fits[","] and not fits["."] else "."


def _bare(text: str) -> str:
    return re.sub(r"[\s'\u2019]", "", text).removeprefix("+")


def _by_number(rows: Iterable[_Row]) -> list[list[_Row]]:
    groups: dict[str, list[_Row]] = {}
    for row in rows:
        groups.setdefault(order_key(row.values["number"]), []).append(row)
    return list(groups.values())


def _draft(rows: Sequence[_Row], sign: str) -> OrderDraft:
    first = rows[0]
    if len(rows) > MAX_LINES:
        raise _Wrong(first.line, f"An order has at most {MAX_LINES} lines.")
    lines = tuple(_line(row, number, sign) for number, row in enumerate(rows, 1))
    for name in ("vendor", "currency", "date", "status"):
        for row in rows:
            if row.values.get(name, "") not in {"", first.values.get(name, "")}:
                raise _Wrong(row.line, f"The {name} differs from that in line {first.line} of the same order.")
    draft = OrderDraft(
        number=_text(first, "number"),
        vendor=_text(first, "vendor"),
        currency=_currency(first),
        ordered_on=_date(first),
        status=_status(first),
        lines=lines,
    )
    try:
        draft.check()
    except InvalidParameter as error:
        raise _Wrong(first.line, error.message) from None
    return draft


def _line(row: _Row, number: int, sign: str) -> OrderLine:
    return OrderLine(
        position=_position(row, number),
        description=_text(row, "description", MAX_DESCRIPTION),
        sku=_text(row, "sku") or None,
        quantity=_number(row, "quantity", sign),
        unit=_text(row, "unit") or None,
        unit_price=_number(row, "unit_price", sign),
        received_quantity=_number(row, "received_quantity", sign) if row.values.get("received_quantity") else None,
    )


def _text(row: _Row, name: str, longest: int = MAX_TEXT) -> str:
    text = one_line(row.values.get(name, ""))
    if len(text) > longest:
        raise _Wrong(row.line, f"The {name} is longer than {longest} characters.")
    return text


def _position(row: _Row, number: int) -> int:
    text = row.values.get("position", "")
    if text and (not text.isascii() or not text.isdecimal() or not 1 <= int(text[:9]) <= MAX_LINES * 1000):
        raise _Wrong(row.line, f"The position {text!r} is not a whole number from 1.")
    return int(text) if text else number


def _number(row: _Row, name: str, sign: str) -> Decimal:
    text = _bare(row.values[name])
    if not _PLAIN[sign].fullmatch(text):
        raise _Wrong(row.line, f"The {name} {row.values[name]!r} is not a number.")
    number = Decimal(text.replace("," if sign == "." else ".", "").replace(",", "."))
    if number > MOST:
        raise _Wrong(row.line, f"The {name} is too large.")
    return number


def _currency(row: _Row) -> str:
    text = row.values["currency"].upper()
    if not _CURRENCY.fullmatch(text):
        raise _Wrong(row.line, f"The currency {text!r} is not a code of three letters, such as EUR.")
    return text


def _date(row: _Row) -> date | None:
    text = row.values.get("date", "")
    if not text:
        return None
    german = _GERMAN_DATE.fullmatch(text)
    try:
        return date(*(int(part) for part in german.groups()[::-1])) if german else date.fromisoformat(text)
    except ValueError:
        raise _Wrong(row.line, f"The date {text!r} is not one such as 2026-01-31 or 31.01.2026.") from None


def _status(row: _Row) -> OrderStatus:
    text = row.values.get("status", "").lower()
    try:
        return OrderStatus(text or OrderStatus.OPEN)
    except ValueError:
        raise _Wrong(row.line, f"The status {text!r} is neither open nor closed.") from None
