"""QuickBooks Online: bills, as its import takes them from CSV. Lines of one number are one bill; amounts exclude
tax. It imports no credit notes."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Literal

from serve_app.domain.export import ExportFormat
from serve_app.services.csv.cells import Value
from serve_app.services.exports.bill import Bill
from serve_app.services.exports.formats.base import Format, describe, text_of
from serve_app.services.exports.formats.spreadsheet import csv_bytes
from serve_app.services.exports.settings import LedgerSettings
from serve_app.services.exports.text import Notes, fitted

COLUMNS = (
    *("Bill No.", "Supplier", "Bill Date", "Due Date", "Terms", "Location", "Memo", "Account", "Line Description"),
    *("Line Amount", "Line Tax Code", "Line Tax Amount", "Currency"),
)
_LONGEST_NUMBER, _LONGEST_NAME, _LONGEST_TEXT = 21, 100, 4000
_DATES = {"day_first": "%d/%m/%Y", "month_first": "%m/%d/%Y"}


class QuickBooksSettings(LedgerSettings):
    """`dates` are in the order that is chosen during the import. `tax_codes` are names of tax rates there."""

    dates: Literal["day_first", "month_first"] = "month_first"


def _check(bill: Bill, _: QuickBooksSettings) -> str | None:
    if bill.is_credit:
        return "QuickBooks Online imports no credit notes"
    if not all(posting.coding.account for posting in bill.postings):
        return "it needs an account"
    if not all(posting.coding.tax_code for posting in bill.postings if posting.tax):
        return "its tax rate needs a code"
    return "its number is longer than 21 characters" if len(bill.number) > _LONGEST_NUMBER else None


def _write(bills: Sequence[Bill], settings: QuickBooksSettings, _: datetime, notes: Notes) -> bytes:
    return csv_bytes(COLUMNS, (row for bill in bills for row in _rows(bill, settings, notes)))


def _rows(bill: Bill, settings: QuickBooksSettings, notes: Notes) -> Iterator[list[Value]]:
    about, pattern = describe(bill), _DATES[settings.dates]
    for posting in bill.postings:
        row: dict[str, Value] = {
            "Bill No.": bill.number,
            "Supplier": fitted(bill.vendor, _LONGEST_NAME, f"The vendor {about}", notes),
            "Bill Date": bill.issued_at.strftime(pattern),
            "Due Date": (bill.due_at or bill.issued_at).strftime(pattern),
            "Memo": bill.order,
            "Account": posting.coding.account,
            "Line Description": fitted(text_of(bill, posting.text), _LONGEST_TEXT, f"The text {about}", notes),
            "Line Amount": posting.net,
            "Line Tax Code": posting.coding.tax_code,
            "Line Tax Amount": posting.tax,
            "Currency": bill.currency,
        }
        yield [row.get(name) for name in COLUMNS]


FORMAT = Format(
    "QuickBooks Online bills (CSV)", "quickbooks_bills", "csv", "text/csv", QuickBooksSettings, _check, _write
)
NAME = ExportFormat.QUICKBOOKS
