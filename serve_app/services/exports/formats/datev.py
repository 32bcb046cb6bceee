"""DATEV: a batch of bookings (EXTF, "Buchungsstapel") in version 13 of its format, with header version 700."""

import re
from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field

from serve_app.domain.export import ExportFormat
from serve_app.domain.plain_text import one_line
from serve_app.services.exports.bill import Bill, Posting
from serve_app.services.exports.formats.base import Format, describe, text_of
from serve_app.services.exports.settings import LedgerSettings
from serve_app.services.exports.text import Notes, encodable, fitted, without_formula

_ENCODING = "cp1252"
_MOST_AMOUNT = Decimal(10) ** 10
_LONGEST_NUMBER, _LONGEST_TEXT, _LONGEST_KOST, _LONGEST_ORDER = 36, 60, 36, 30
_NOT_IN_NUMBERS = re.compile(r"[^0-9A-Za-z$&%*+/-]")
_PAIRS = (
    [f"Beleginfo - {part} {number}" for number in range(1, 9) for part in ("Art", "Inhalt")],
    [f"Zusatzinformation - {part} {number}" for number in range(1, 21) for part in ("Art", "Inhalt")],
)
COLUMNS = (
    *("Umsatz (ohne Soll/Haben-Kz)", "Soll/Haben-Kennzeichen", "WKZ Umsatz", "Kurs", "Basis-Umsatz"),
    *("WKZ Basis-Umsatz", "Konto", "Gegenkonto (ohne BU-Schlüssel)", "BU-Schlüssel", "Belegdatum", "Belegfeld 1"),
    *("Belegfeld 2", "Skonto", "Buchungstext", "Postensperre", "Diverse Adressnummer", "Geschäftspartnerbank"),
    *("Sachverhalt", "Zinssperre", "Beleglink", *_PAIRS[0], "KOST1 - Kostenstelle", "KOST2 - Kostenstelle"),
    *("Kost-Menge", "EU-Land u. UStID (Bestimmung)", "EU-Steuersatz (Bestimmung)", "Abw. Versteuerungsart"),
    *("Sachverhalt L+L", "Funktionsergänzung L+L", "BU 49 Hauptfunktionstyp", "BU 49 Hauptfunktionsnummer"),
    *("BU 49 Funktionsergänzung", *_PAIRS[1], "Stück", "Gewicht", "Zahlweise", "Forderungsart"),
    *("Veranlagungsjahr", "Zugeordnete Fälligkeit", "Skontotyp", "Auftragsnummer", "Buchungstyp"),
    *("USt-Schlüssel (Anzahlungen)", "EU-Land (Anzahlungen)", "Sachverhalt L+L (Anzahlungen)"),
    *("EU-Steuersatz (Anzahlungen)", "Erlöskonto (Anzahlungen)", "Herkunft-Kz", "Buchungs GUID", "KOST-Datum"),
    *("SEPA-Mandatsreferenz", "Skontosperre", "Gesellschaftername", "Beteiligtennummer", "Identifikationsnummer"),
    *("Zeichnernummer", "Postensperre bis", "Bezeichnung SoBil-Sachverhalt", "Kennzeichen SoBil-Buchung"),
    *("Festschreibung", "Leistungsdatum", "Datum Zuord. Steuerperiode", "Fälligkeit", "Generalumkehr (GU)"),
    *("Steuersatz", "Land", "Abrechnungsreferenz", "BVV-Position", "EU-Land u. UStID (Ursprung)"),
    *("EU-Steuersatz (Ursprung)", "Abw. Skontokonto"),
)
"""The 125 columns, in their order."""
# Text columns have quotes, even around nothing. Counted from 1, as the publisher does.
_TEXTS = frozenset(
    (
        *(2, 3, 6, 9, 11, 12, 14, 16, *range(20, 39), 40, 42, *range(48, 88), 91, 95, 96, 98, 102, 103, 105),
        *(107, 109, 110, 112, 118, 120, 121, 123),
    )
)
_PLACES = {name: place for place, name in enumerate(COLUMNS)}


class DatevSettings(LedgerSettings):
    """`consultant` and `client` are the numbers that the tax consultant gave; `fiscal_year_start` is month and day.
    Vendors' accounts have a digit more than `account_length`. `tax_codes` are posting keys (BU), such as 9 for 19 %.
    `is_final`: the bookings cannot be changed in DATEV."""

    consultant: Annotated[int, Field(ge=1001, le=9_999_999)]
    client: Annotated[int, Field(ge=1, le=99_999)]
    fiscal_year_start: Annotated[str, Field(pattern=r"^(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8])$")] = "01-01"
    account_length: Annotated[int, Field(ge=4, le=8)] = 4
    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$")] = "EUR"
    chart: Literal["", "03", "04"] = ""
    is_final: bool = False

    def year_of(self, day: date) -> date:
        """The first day of the fiscal year that the day is in."""
        month, first = (int(part) for part in self.fiscal_year_start.split("-"))
        start = date(day.year, month, first)
        return start if start <= day else date(day.year - 1, month, first)


def _check(bill: Bill, settings: DatevSettings) -> str | None:
    account, vendor = re.compile(rf"\d{{1,{settings.account_length}}}"), settings.account_length + 1
    if bill.currency != settings.currency:
        return f"its currency is {bill.currency}, and the batch is in {settings.currency}"
    if not re.fullmatch(rf"[1-9]\d{{{vendor - 1}}}", bill.vendor_account):
        return f"the vendor needs an account of {vendor} digits"
    if not all(account.fullmatch(posting.coding.account) for posting in bill.postings):
        return f"it needs an account of at most {settings.account_length} digits"
    if not all(re.fullmatch(r"\d{0,4}", posting.coding.tax_code) for posting in bill.postings):
        return "its posting key (BU) has at most 4 digits"
    if any(abs(posting.gross) >= _MOST_AMOUNT or posting.gross % Decimal("0.01") for posting in bill.postings):
        return "its amount does not fit"
    return None


def write(bills: Sequence[Bill], settings: DatevSettings, made_at: datetime, notes: Notes) -> bytes:
    """The batch. Raises ValueError if the bills are of several fiscal years, which a batch cannot hold."""
    years = {settings.year_of(bill.issued_at) for bill in bills}
    if len(years) > 1:
        raise ValueError("A DATEV batch contains one fiscal year. Choose a period within one.")
    lines = [_header(bills, settings, made_at, min(years)), ";".join(COLUMNS)]
    lines += [_line(bill, posting, settings, notes) for bill in bills for posting in bill.postings if posting.gross]
    return "".join(f"{line}\r\n" for line in lines).encode(_ENCODING)


def _header(bills: Sequence[Bill], settings: DatevSettings, made_at: datetime, year: date) -> str:
    days = [bill.issued_at for bill in bills]
    stamp = f"{made_at:%Y%m%d%H%M%S}{made_at.microsecond // 1000:03}"
    fields = (
        *('"EXTF"', "700", "21", '"Buchungsstapel"', "13", stamp, "", '"RE"', '""', '""'),
        *(str(settings.consultant), str(settings.client), f"{year:%Y%m%d}", str(settings.account_length)),
        *(f"{min(days):%Y%m%d}", f"{max(days):%Y%m%d}", '"Rechnungseingang"', '""', "1", "0"),
        *(str(int(settings.is_final)), f'"{settings.currency}"', "", '""', "", "", f'"{settings.chart}"', "", "", ""),
        '""',
    )
    return ";".join(fields)


def _line(bill: Bill, posting: Posting, settings: DatevSettings, notes: Notes) -> str:
    about = describe(bill)
    is_debit = bill.is_credit == (posting.gross < 0)
    values = {
        "Umsatz (ohne Soll/Haben-Kz)": f"{abs(posting.gross):.2f}".replace(".", ","),
        "Soll/Haben-Kennzeichen": "S" if is_debit else "H",
        "WKZ Umsatz": bill.currency,
        "Konto": posting.coding.account,
        "Gegenkonto (ohne BU-Schlüssel)": bill.vendor_account,
        "BU-Schlüssel": posting.coding.tax_code,
        "Belegdatum": f"{bill.issued_at:%d%m}",
        "Belegfeld 1": _number(bill, notes),
        "Buchungstext": _text(text_of(bill, posting.text), _LONGEST_TEXT, f"The text {about}", notes),
        "Beleglink": f'BEDI "{bill.invoice_id}"',
        "KOST1 - Kostenstelle": _text(posting.coding.cost_centre, _LONGEST_KOST, f"The cost centre {about}", notes),
        "Auftragsnummer": _text(bill.order, _LONGEST_ORDER, f"The order {about}", notes),
        "Festschreibung": str(int(settings.is_final)),
        "Fälligkeit": f"{bill.due_at:%d%m%Y}" if bill.due_at else "",
    }
    cells = [""] * len(COLUMNS)
    for name, value in values.items():
        cells[_PLACES[name]] = value
    return ";".join(_quoted(value) if place in _TEXTS else value for place, value in enumerate(cells, 1))


def _number(bill: Bill, notes: Notes) -> str:
    """The invoice number in the characters that the field takes."""
    plain = without_formula(bill.number, f"The number {describe(bill)}", notes)
    allowed = _NOT_IN_NUMBERS.sub("", encodable(plain, "ascii", f"The number {describe(bill)}", notes))
    if allowed != plain:
        notes.add(f"The number {describe(bill)} was written as {allowed!r}: the field takes letters, digits, $&%*+-/.")
    return fitted(allowed, _LONGEST_NUMBER, f"The number {describe(bill)}", notes)


def _text(text: str, length: int, what: str, notes: Notes) -> str:
    """Spelled first, because that can make a letter two, or a sign the beginning of a formula."""
    spelled = encodable(one_line(text), _ENCODING, what, notes)
    return fitted(without_formula(spelled, what, notes), length, what, notes)


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


FORMAT = Format("DATEV (EXTF)", "EXTF_Buchungsstapel", "csv", "text/csv", DatevSettings, _check, write)
NAME = ExportFormat.DATEV
