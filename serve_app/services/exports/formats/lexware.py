"""Lexware, sevDesk and others that import vouchers from CSV with German columns: semicolons, decimal commas, a line for
each rate of tax."""

import csv
import io
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Literal

from serve_app.domain.export import ExportFormat
from serve_app.services.csv.cells import text_cell
from serve_app.services.exports.bill import Bill
from serve_app.services.exports.formats.base import Format, describe, text_of
from serve_app.services.exports.settings import LedgerSettings
from serve_app.services.exports.text import Notes, encodable

COLUMNS = (
    *("Belegdatum", "Belegnummer", "Lieferant", "Kreditor", "Buchungstext", "Belegart", "Nettobetrag", "Steuersatz"),
    *("Steuerbetrag", "Bruttobetrag", "Währung", "Fälligkeit", "Konto", "Steuerschlüssel", "Kostenstelle"),
)


class LexwareSettings(LedgerSettings):
    """`encoding` is the encoding of the file; programs on Windows often want `cp1252`."""

    encoding: Literal["utf-8-sig", "cp1252"] = "cp1252"


def _check(bill: Bill, _: LexwareSettings) -> str | None:
    return None if all(posting.coding.account for posting in bill.postings) else "it needs an account"


def _write(bills: Sequence[Bill], settings: LexwareSettings, _: datetime, notes: Notes) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=";", lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for bill in bills:
        writer.writerows(_rows(bill, settings, notes))
    return text.getvalue().encode(settings.encoding)


def _rows(bill: Bill, settings: LexwareSettings, notes: Notes) -> Iterator[list[str]]:
    def text(value: str) -> str:
        # Spelled first, because that can make a sign the beginning of a formula.
        return text_cell(encodable(value, settings.encoding, f"A text {describe(bill)}", notes))

    sign = -1 if bill.is_credit else 1
    for posting in bill.postings:
        amounts = [f"{value:.2f}".replace(".", ",") for value in (posting.net * sign, posting.rate)]
        amounts += [f"{value * sign:.2f}".replace(".", ",") for value in (posting.tax, posting.gross)]
        yield [
            f"{bill.issued_at:%d.%m.%Y}",
            *(text(each) for each in (bill.number, bill.vendor)),
            text(bill.vendor_account),
            text(text_of(bill, posting.text)),
            "Gutschrift" if bill.is_credit else "Rechnung",
            *amounts,
            bill.currency,
            f"{bill.due_at:%d.%m.%Y}" if bill.due_at else "",
            text(posting.coding.account),
            text(posting.coding.tax_code),
            text(posting.coding.cost_centre),
        ]


FORMAT = Format("Lexware and sevDesk (CSV)", "belege", "csv", "text/csv", LexwareSettings, _check, _write)
NAME = ExportFormat.LEXWARE
