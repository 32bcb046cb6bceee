"""Free templates: columns with names of one's own, in any order, and the notation that a program wants."""

import csv
import io
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from serve_app.domain.chart import KEY_PATTERN
from serve_app.domain.export import ExportFormat
from serve_app.domain.own_field import NAME_PATTERN
from serve_app.domain.own_values import OF_INVOICE, OF_LINES, own_name
from serve_app.domain.plain_text import one_line
from serve_app.services.csv.cells import text_cell
from serve_app.services.exports.bill import Bill, Line, Posting
from serve_app.services.exports.formats.base import Format, describe, text_of
from serve_app.services.exports.settings import LedgerSettings
from serve_app.services.exports.text import Notes, encodable

_Source = str | Decimal | date | None
_SOURCES: Mapping[str, Callable[[Bill, Posting], _Source]] = {
    "vendor": lambda bill, _: bill.vendor,
    "vendor_account": lambda bill, _: bill.vendor_account,
    "vendor_tax_id": lambda bill, _: bill.tax_id,
    "iban": lambda bill, _: bill.iban,
    "number": lambda bill, _: bill.number,
    "issued_at": lambda bill, _: bill.issued_at,
    "due_at": lambda bill, _: bill.due_at,
    "currency": lambda bill, _: bill.currency,
    "order": lambda bill, _: bill.order,
    "matched_orders": lambda bill, _: bill.matched_orders,
    "order_match": lambda bill, _: bill.order_match,
    "coding_status": lambda bill, _: bill.coding_status,
    "kind": lambda bill, _: "credit_note" if bill.is_credit else "invoice",
    "invoice_id": lambda bill, _: str(bill.invoice_id),
    "file_name": lambda bill, _: bill.file_name,
    "total": lambda bill, _: bill.total * _sign(bill),
    "total_net": lambda bill, _: bill.net * _sign(bill),
    "total_tax": lambda bill, _: bill.tax * _sign(bill),
    "text": lambda bill, posting: text_of(bill, posting.text),
    "net": lambda bill, posting: posting.net * _sign(bill),
    "tax": lambda bill, posting: posting.tax * _sign(bill),
    "gross": lambda bill, posting: posting.gross * _sign(bill),
    "tax_rate": lambda _, posting: posting.rate,
    "account": lambda _, posting: posting.coding.account,
    "tax_code": lambda _, posting: posting.coding.tax_code,
    "cost_centre": lambda _, posting: posting.coding.cost_centre,
    "empty": lambda _, __: None,
}
_OF_LINES: Mapping[str, Callable[[Bill, Line], _Source]] = {
    "line.number": lambda _, line: Decimal(line.number),
    "line.description": lambda _, line: line.description,
    "line.quantity": lambda _, line: line.quantity,
    "line.unit_price": lambda bill, line: _signed(bill, line.unit_price),
    "line.total": lambda bill, line: _signed(bill, line.total),
    "line.tax_rate": lambda _, line: line.tax_rate,
}
SOURCES = (*_SOURCES, *_OF_LINES)
"""What a column can contain, besides codes of dimensions and own fields."""
CODE_OF = "code."
"""Begins the source that is the code of a dimension of the chart, such as `code.project`."""
_CODE_OF_PATTERN = re.escape(CODE_OF) + KEY_PATTERN.removeprefix("^")
_OWN_PATTERN = f"({re.escape(OF_INVOICE)}|{re.escape(OF_LINES)}){NAME_PATTERN.removeprefix('^')}"
_OF_POSTINGS = frozenset({"text", "net", "tax", "gross", "tax_rate", "account", "tax_code", "cost_centre"})
_LINE = "line."
"""Begins the sources that are about lines."""
_NO_LINE = Line(0)
_DATES = {
    "iso": "%Y-%m-%d",
    "dots": "%d.%m.%Y",
    "day_first": "%d/%m/%Y",
    "month_first": "%m/%d/%Y",
    "compact": "%Y%m%d",
}
_SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t", "pipe": "|"}
_LINE_ENDS = {"crlf": "\r\n", "lf": "\n"}


def _checked_source(name: str) -> str:
    if name not in SOURCES and not re.fullmatch(f"{_CODE_OF_PATTERN}|{_OWN_PATTERN}", name):
        others = (
            f"{CODE_OF}KEY for the codes of a dimension of the chart, "
            f"or {OF_INVOICE}NAME or {OF_LINES}NAME for an own field"
        )
        raise ValueError(f"Use one of {', '.join(SOURCES)}, {others}")
    return name


class Column(BaseModel):
    """A column of the file: its title, and what it contains."""

    model_config = ConfigDict(extra="forbid")

    title: Annotated[str, Field(min_length=1, max_length=100)]
    source: Annotated[str, AfterValidator(_checked_source)]


class TemplateSettings(LedgerSettings):
    """A row for each bill, or for each posting or each line if a column is about one. `is_strict`: the program that
    reads the file takes an apostrophe before a text literally, so none is set against formulas."""

    columns: Annotated[list[Column], Field(min_length=1, max_length=100)]
    has_titles: bool = True
    separator: Literal["comma", "semicolon", "tab", "pipe"] = "comma"
    dates: Literal["iso", "dots", "day_first", "month_first", "compact"] = "iso"
    decimal_sign: Literal["point", "comma"] = "point"
    encoding: Literal["utf-8", "utf-8-sig", "cp1252", "latin-1", "ascii"] = "utf-8-sig"
    line_end: Literal["crlf", "lf"] = "crlf"
    is_strict: bool = False

    @model_validator(mode="after")
    def _check_rows(self) -> Self:
        if self.is_by_line and self.is_by_posting:
            raise ValueError("Columns of lines and of tax rates cannot be in one file")
        return self

    @property
    def is_by_line(self) -> bool:
        """Whether a column is about lines."""
        return any(column.source.startswith(_LINE) for column in self.columns)

    @property
    def is_by_posting(self) -> bool:
        """Whether a column is about postings."""
        return any(column.source in _OF_POSTINGS or column.source.startswith(CODE_OF) for column in self.columns)

    def more_dimensions(self) -> tuple[str, ...]:
        """Those that columns name."""
        keys = (column.source.removeprefix(CODE_OF) for column in self.columns if column.source.startswith(CODE_OF))
        return tuple(dict.fromkeys(keys))


def _check(_: Bill, __: TemplateSettings) -> str | None:
    return None


def _write(bills: Sequence[Bill], settings: TemplateSettings, _: datetime, notes: Notes) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=_SEPARATORS[settings.separator], lineterminator=_LINE_ENDS[settings.line_end])
    if settings.has_titles:
        writer.writerow([_text(column.title, settings, "A title", notes) for column in settings.columns])
    for bill in bills:
        for posting, line in _rows(bill, settings):
            values = (_value(column.source, bill, posting, line) for column in settings.columns)
            writer.writerow([_cell(value, bill, settings, notes) for value in values])
    return text.getvalue().encode(settings.encoding)


def _rows(bill: Bill, settings: TemplateSettings) -> Sequence[tuple[Posting, Line]]:
    """What each row is about. A bill without lines has a row, too."""
    if settings.is_by_line and bill.lines:
        return [(bill.postings[0], line) for line in bill.lines]
    postings = bill.postings if settings.is_by_posting else bill.postings[:1]
    return [(posting, _NO_LINE) for posting in postings]


def _cell(value: _Source, bill: Bill, settings: TemplateSettings, notes: Notes) -> str:
    match value:
        case None:
            return ""
        case Decimal() as number:
            return f"{number:f}".replace(".", "," if settings.decimal_sign == "comma" else ".")
        case date() as day:
            return day.strftime(_DATES[settings.dates])
        case text:
            return _text(text, settings, f"A text {describe(bill)}", notes)


def _value(source: str, bill: Bill, posting: Posting, line: Line) -> _Source:
    if source.startswith(_LINE):
        if line is _NO_LINE:
            return None
        of_line = _OF_LINES.get(source)
        return of_line(bill, line) if of_line else line.own.get(source.removeprefix(OF_LINES))
    if own := own_name(source):
        return bill.own.get(own)
    read = _SOURCES.get(source)
    return read(bill, posting) if read else dict(posting.coding.others)[source.removeprefix(CODE_OF)]


def _text(text: str, settings: TemplateSettings, what: str, notes: Notes) -> str:
    # Spelled first, because that can make a sign the beginning of a formula.
    spelled = encodable(text, settings.encoding, what, notes)
    return one_line(spelled) if settings.is_strict else text_cell(spelled)


def _signed(bill: Bill, amount: Decimal | None) -> Decimal | None:
    return None if amount is None else amount * _sign(bill)


def _sign(bill: Bill) -> int:
    return -1 if bill.is_credit else 1


FORMAT = Format("Own template (CSV)", "invoices", "csv", "text/csv", TemplateSettings, _check, _write)
NAME = ExportFormat.TEMPLATE
