"""Xero: bills, as its import of purchases takes them from CSV. Lines of one number are one bill."""

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
    *("*ContactName", "EmailAddress", "POAddressLine1", "POAddressLine2", "POAddressLine3", "POAddressLine4"),
    *("POCity", "PORegion", "POPostalCode", "POCountry", "*InvoiceNumber", "*InvoiceDate", "*DueDate", "Total"),
    *("InventoryItemCode", "Description", "*Quantity", "*UnitAmount", "*AccountCode", "*TaxType", "TaxAmount"),
    *("TrackingName1", "TrackingOption1", "TrackingName2", "TrackingOption2", "Currency"),
)
_LONGEST_NAME, _LONGEST_NUMBER, _LONGEST_TEXT = 255, 255, 4000
_DATES = {"day_first": "%d/%m/%Y", "month_first": "%m/%d/%Y"}


class XeroSettings(LedgerSettings):
    """`dates` follow the country of the organisation. `tax_codes` are names of tax rates there. Import the amounts as
    tax exclusive. `tracking_name` is the tracking category of cost centres."""

    dates: Literal["day_first", "month_first"] = "day_first"
    tracking_name: str = ""


def _check(bill: Bill, _: XeroSettings) -> str | None:
    if not all(posting.coding.account for posting in bill.postings):
        return "it needs an account"
    if not all(posting.coding.tax_code for posting in bill.postings):
        return "its tax rate needs a code"
    return None


def _write(bills: Sequence[Bill], settings: XeroSettings, _: datetime, notes: Notes) -> bytes:
    return csv_bytes(COLUMNS, (row for bill in bills for row in _rows(bill, settings, notes)))


def _rows(bill: Bill, settings: XeroSettings, notes: Notes) -> Iterator[list[Value]]:
    about, sign, pattern = describe(bill), -1 if bill.is_credit else 1, _DATES[settings.dates]
    for posting in bill.postings:
        cost_centre = posting.coding.cost_centre if settings.tracking_name else ""
        row: dict[str, Value] = {
            "*ContactName": fitted(bill.vendor, _LONGEST_NAME, f"The vendor {about}", notes),
            "*InvoiceNumber": fitted(bill.number, _LONGEST_NUMBER, f"The number {about}", notes),
            "*InvoiceDate": bill.issued_at.strftime(pattern),
            "*DueDate": (bill.due_at or bill.issued_at).strftime(pattern),
            "Total": bill.total * sign,
            "Description": fitted(text_of(bill, posting.text), _LONGEST_TEXT, f"The text {about}", notes),
            "*Quantity": 1,
            "*UnitAmount": posting.net * sign,
            "*AccountCode": posting.coding.account,
            "*TaxType": posting.coding.tax_code,
            "TaxAmount": posting.tax * sign,
            "TrackingName1": settings.tracking_name if cost_centre else "",
            "TrackingOption1": cost_centre,
            "Currency": bill.currency,
        }
        yield [row.get(name) for name in COLUMNS]


FORMAT = Format("Xero bills (CSV)", "xero_bills", "csv", "text/csv", XeroSettings, _check, _write)
NAME = ExportFormat.XERO
