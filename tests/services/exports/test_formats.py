"""Each format is read back by a reader of its own, also for vendors whose names break careless files."""

import json
import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pytest

from serve_app.domain.export import ExportFormat
from serve_app.domain.invoice import Confidence, CustomValue, DocumentType, Field, Invoice
from serve_app.domain.order_match import MatchedOrder, OrderMatch, OrderMatchStatus
from serve_app.domain.own_field import OwnField, OwnFieldScope, OwnFieldType
from serve_app.services.exports.bill import Bill
from serve_app.services.exports.coders import coder_of
from serve_app.services.exports.formats import template
from serve_app.services.exports.formats.flat_file import HEADER, POSTING, TRAILER
from serve_app.services.exports.formats.registry import FORMATS
from serve_app.services.exports.formats.template import Column, TemplateSettings
from serve_app.services.exports.ready import bill_of
from serve_app.services.exports.settings import LedgerSettings
from serve_app.services.exports.text import Notes
from tests.services.exports.bills import HOSTILE, coded, invoice_of, read_invoice
from tests.services.exports.readers import read_extf, read_fixed, read_table
from tests.support import NOON

LEDGER: dict[str, Any] = {
    "expense_account": "4980",
    "vendor_account": "70001",
    "tax_codes": {"19": "9", "7": "8", "0": "0"},
}
MORE: dict[ExportFormat, dict[str, Any]] = {
    ExportFormat.DATEV: {"consultant": 1001, "client": 1},
    ExportFormat.FLAT_FILE: {"company": "1000"},
    ExportFormat.TEMPLATE: {
        "columns": [{"title": title, "source": title} for title in ("vendor", "number", "gross", "issued_at")]
    },
}
# What a spreadsheet takes for a formula, at the beginning of a cell.
FORMULA = re.compile("^\\s*[=+\\-@\uff1d\uff0b\uff0d\uff20\u2212]")


def bills_of(format: ExportFormat, invoices: Sequence[Invoice], **settings: Any) -> tuple[Any, list[Bill]]:
    chosen = FORMATS[format].settings.model_validate(LEDGER | MORE.get(format, {}) | settings)
    return chosen, [bill_of(invoice, chosen, coder_of(chosen)) for invoice in invoices]


def written(format: ExportFormat, *invoices: Invoice, **settings: Any) -> tuple[bytes, tuple[str, ...]]:
    chosen, bills = bills_of(format, invoices, **settings)
    assert [FORMATS[format].check(bill, chosen) for bill in bills] == [None] * len(bills)
    notes = Notes()
    return FORMATS[format].write(bills, chosen, NOON, notes), notes.all()


def problem(format: ExportFormat, invoice: Invoice, **settings: Any) -> str | None:
    chosen, (bill,) = bills_of(format, [invoice], **settings)
    found: str | None = FORMATS[format].check(bill, chosen)
    return found


def credit_note(**other: Any) -> Invoice:
    return invoice_of(document_type=DocumentType.CREDIT_NOTE, **other)


def apostrophe_off(text: str) -> str:
    return text.removeprefix("'")


class TestDatev:
    def test_a_booking_for_each_rate_of_tax(self) -> None:
        content, notes = written(ExportFormat.DATEV, invoice_of())
        header, bookings = read_extf(content)
        assert header[10:17] == ["1001", "1", "20260101", "4", "20260502", "20260502", "Rechnungseingang"]
        assert [booking.amount for booking in bookings] == [Decimal("119.00"), Decimal("10.70")]
        first = bookings[0].values
        accounts = [first[name] for name in ("Konto", "Gegenkonto (ohne BU-Schlüssel)", "BU-Schlüssel")]
        assert accounts == ["4980", "70001", "9"]
        assert bookings[0].day(2026).isoformat() == "2026-05-02"
        assert (first["Belegfeld 1"], first["Fälligkeit"], first["Auftragsnummer"]) == ("2026-17", "01062026", "PO-7")
        assert first["Buchungstext"] == "Acme GmbH 2026-17"
        assert re.fullmatch(r'BEDI "[0-9a-f-]{36}"', first["Beleglink"])
        assert notes == ()

    def test_a_credit_note_is_on_the_other_side_whatever_its_sign(self) -> None:
        for invoice in (credit_note(), credit_note(amount=Decimal("-129.70"), details=None, tax=Decimal(0))):
            _, bookings = read_extf(written(ExportFormat.DATEV, invoice)[0])
            assert sum(booking.amount for booking in bookings) == Decimal("-129.70")

    def test_a_batch_is_of_one_fiscal_year(self) -> None:
        year = {"fiscal_year_start": "04-01"}
        header, _ = read_extf(written(ExportFormat.DATEV, invoice_of(), **year)[0])
        assert header[12] == "20260401"
        march = invoice_of(issued_at=invoice_of().issued_at.replace(month=3))  # type: ignore[union-attr]
        with pytest.raises(ValueError, match="one fiscal year"):
            written(ExportFormat.DATEV, invoice_of(), march, **year)

    @pytest.mark.parametrize(
        ("other", "settings", "reason"),
        [
            ({"currency": "USD"}, {}, "its currency is USD, and the batch is in EUR"),
            ({}, {"vendor_account": "7000"}, "the vendor needs an account of 5 digits"),
            ({}, {"expense_account": ""}, "it needs an account of at most 4 digits"),
            ({}, {"tax_codes": {"19": "V19", "7": "8"}}, "its posting key (BU) has at most 4 digits"),
        ],
    )
    def test_what_datev_would_refuse_is_not_in_the_file(
        self, other: dict[str, Any], settings: dict[str, Any], reason: str
    ) -> None:
        assert problem(ExportFormat.DATEV, invoice_of(**other), **settings) == reason

    def test_a_number_has_the_characters_that_the_field_takes(self) -> None:
        content, notes = written(ExportFormat.DATEV, invoice_of(number="RÉ 2026_05#17"))
        assert read_extf(content)[1][0].values["Belegfeld 1"] == "RE20260517"
        assert any("RE20260517" in note for note in notes)


class TestSpreadsheets:
    def test_xero(self) -> None:
        rows = read_table(written(ExportFormat.XERO, invoice_of(), credit_note(number="C-1"))[0])
        assert [row["*InvoiceNumber"] for row in rows] == ["2026-17", "2026-17", "C-1", "C-1"]
        assert [row["*UnitAmount"] for row in rows] == ["100.00", "10.00", "-100.00", "-10.00"]
        assert sum(Decimal(row["*UnitAmount"]) + Decimal(row["TaxAmount"]) for row in rows) == 0
        assert (rows[0]["*InvoiceDate"], rows[0]["*DueDate"], rows[0]["Total"]) == (
            "02/05/2026",
            "01/06/2026",
            "129.70",
        )
        assert (rows[0]["*AccountCode"], rows[0]["*TaxType"], rows[0]["*ContactName"]) == ("4980", "9", "Acme GmbH")

    def test_quickbooks(self) -> None:
        rows = read_table(written(ExportFormat.QUICKBOOKS, invoice_of())[0])
        assert [(row["Bill Date"], row["Line Amount"], row["Line Tax Amount"]) for row in rows] == [
            ("05/02/2026", "100.00", "19.00"),
            ("05/02/2026", "10.00", "0.70"),
        ]
        assert problem(ExportFormat.QUICKBOOKS, credit_note()) == "QuickBooks Online imports no credit notes"
        assert problem(ExportFormat.QUICKBOOKS, invoice_of(number="1" * 22)) is not None

    def test_lexware(self) -> None:
        rows = read_table(written(ExportFormat.LEXWARE, invoice_of())[0], "cp1252", ";")
        assert [(row["Nettobetrag"], row["Steuersatz"], row["Bruttobetrag"]) for row in rows] == [
            ("100,00", "19,00", "119,00"),
            ("10,00", "7,00", "10,70"),
        ]
        assert (rows[0]["Belegdatum"], rows[0]["Lieferant"], rows[0]["Belegart"]) == (
            "02.05.2026",
            "Acme GmbH",
            "Rechnung",
        )

    def test_a_template_has_the_notation_that_was_chosen(self) -> None:
        columns = [{"title": title, "source": source} for title, source in (("Wer", "vendor"), ("Summe", "total"))]
        notation = {"separator": "tab", "decimal_sign": "comma", "encoding": "latin-1", "line_end": "lf"}
        content, _ = written(ExportFormat.TEMPLATE, invoice_of("Müller"), columns=columns, **notation)
        assert content == "Wer\tSumme\nMüller\t129,70\n".encode("latin-1")

    def test_a_column_about_postings_makes_a_row_for_each(self) -> None:
        columns = [{"title": "d", "source": "issued_at"}, {"title": "n", "source": "net"}]
        content, _ = written(ExportFormat.TEMPLATE, invoice_of(), columns=columns, has_titles=False, encoding="utf-8")
        assert content == b"2026-05-02,100.00\r\n2026-05-02,10.00\r\n"

    def test_columns_of_coding_and_orders(self) -> None:
        sources = ("account", "code.project", "code.region", "coding_status", "matched_orders", "order_match", "net")
        columns = [{"title": source, "source": source} for source in sources]
        invoice = coded(
            (1, "100.00", {"account": "4930", "project": "P1"}), (2, "10.00", {"account": "4930", "project": "=P2"})
        )
        match = OrderMatch(status=OrderMatchStatus.MATCHED, orders=[MatchedOrder(id=invoice.id, number="PO-9")])
        invoice = invoice.model_copy(update={"order_match": match})
        rows = read_table(written(ExportFormat.TEMPLATE, invoice, columns=columns)[0])
        assert [list(row.values()) for row in rows] == [
            ["4930", "P1", "", "confirmed", "PO-9", "matched", "100.00"],
            ["4930", "'=P2", "", "confirmed", "PO-9", "matched", "10.00"],
        ]

    def test_a_dimension_that_no_column_names_splits_nothing(self) -> None:
        invoice = coded((1, "100.00", {"project": "P1"}), (2, "10.00", {"project": "P2"}))
        bare = [item.model_copy(update={"tax_rate": None}) for item in invoice.line_items]
        rows = read_table(written(ExportFormat.XERO, invoice.model_copy(update={"line_items": bare}))[0])
        assert [row["*UnitAmount"] for row in rows] == ["100.00", "10.00"]

    def test_own_fields_have_the_notation_of_their_types(self) -> None:
        own = [
            OwnField(name="day", label="Day", type=OwnFieldType.DATE),
            OwnField(name="meter", label="Meter", type=OwnFieldType.NUMBER),
            OwnField(name="lot", label="Lot", type=OwnFieldType.TEXT),
        ]
        said = {"day": CustomValue(value="2026-03-01"), "meter": CustomValue(value="-1234.5")}
        invoice = invoice_of(custom=said | {"lot": CustomValue(value="=1+1")})
        settings = TemplateSettings(
            columns=[Column(title=name, source=f"custom.{name}") for name in ("day", "meter", "lot", "gone")],
            dates="dots",
            decimal_sign="comma",
        )
        bill = bill_of(invoice, settings, coder_of(settings), own)
        content = template.FORMAT.write([bill], settings, NOON, Notes())
        assert list(read_table(content)[0].values()) == ["01.03.2026", "-1234,5", "'=1+1", ""]

    def test_a_column_about_lines_makes_a_row_for_each(self) -> None:
        lot = OwnField(name="lot", label="Lot", type=OwnFieldType.TEXT, scope=OwnFieldScope.LINE)
        items = [
            item.model_copy(update={"total": item.unit_price, "custom": {"lot": CustomValue(value=value)}})
            for item, value in zip(invoice_of().line_items, ("=A", None), strict=True)
        ]
        sources = ("number", "line.number", "line.description", "line.total", "line.custom.lot")
        settings = TemplateSettings(columns=[Column(title=name, source=name) for name in sources])

        def rows(*invoices: Invoice) -> list[list[str]]:
            bills = [bill_of(each, settings, coder_of(settings), [lot]) for each in invoices]
            return [list(row.values()) for row in read_table(template.FORMAT.write(bills, settings, NOON, Notes()))]

        assert rows(invoice_of(line_items=items), invoice_of(line_items=[])) == [
            ["2026-17", "1", "Paper", "100", "'=A"],
            ["2026-17", "2", "Book", "10", ""],
            ["2026-17", "", "", "", ""],
        ]
        credit = invoice_of(line_items=items, document_type=DocumentType.CREDIT_NOTE)
        assert [row[3] for row in rows(credit)] == ["-100", "-10"]
        certain = CustomValue(value="A", confidence=Confidence.HIGH)
        read = read_invoice(line_items=[items[0].model_copy(update={"custom": {"lot": certain}})])
        unsure = (read.field_confidence or {}) | {Field.LINE_ITEMS: Confidence.MID}
        assert rows(read.model_copy(update={"field_confidence": unsure}))[0][1:] == ["1", "", "", "A"]

    def test_columns_of_lines_and_of_rates_cannot_be_in_one_file(self) -> None:
        with pytest.raises(ValueError, match="Columns of lines and of tax rates"):
            TemplateSettings(columns=[Column(title=name, source=name) for name in ("net", "line.total")])

    def test_an_uncertain_value_of_an_own_field_is_left_out(self) -> None:
        own = [OwnField(name=name, label=name, type=OwnFieldType.TEXT) for name in ("sure", "unsure")]
        said = {
            "sure": CustomValue(value="A", confidence=Confidence.HIGH),
            "unsure": CustomValue(value="B", confidence=Confidence.MID),
        }
        settings = LedgerSettings()
        bill = bill_of(read_invoice(custom=said), settings, coder_of(settings), own)
        assert bill.own == {"sure": "A"}

    @pytest.mark.parametrize("source", ["code.", "code.a b", "projects", "code.Project", "custom.", "custom.A b"])
    def test_an_unknown_source_is_refused(self, source: str) -> None:
        with pytest.raises(ValueError, match=r"Use one of vendor, .*code\.KEY .*custom\.NAME"):
            written(ExportFormat.TEMPLATE, invoice_of(), columns=[{"title": "x", "source": source}])


def test_odoo() -> None:
    moves = json.loads(written(ExportFormat.ODOO, invoice_of('=A"1'), credit_note())[0])["vals_list"]
    assert [move["move_type"] for move in moves] == ["in_invoice", "in_refund"]
    assert (moves[0]["partner_name"], moves[0]["ref"], moves[0]["invoice_date"]) == ('=A"1', "2026-17", "2026-05-02")
    lines = [line for _, _, line in moves[0]["invoice_line_ids"]]
    assert [(line["price_unit"], line["tax_names"]) for line in lines] == [("100.00", ["9"]), ("10.00", ["8"])]


def test_a_flat_file_has_fixed_widths_and_a_trailer_that_closes() -> None:
    content, _ = written(ExportFormat.FLAT_FILE, invoice_of("Weiß"), credit_note(number="C-1"), encoding="ascii")
    lines = content.decode("ascii").removesuffix("\r\n").split("\r\n")
    records = [read_fixed(line, {"H": HEADER, "P": POSTING, "T": TRAILER}[line[0]]) for line in lines]
    assert [record["record"] for record in records] == list("HPPHPPT")
    assert (records[0]["vendor_name"], records[0]["kind"], records[3]["kind"]) == ("Weiss", "KR", "KG")
    assert [record["net"] for record in records if record["record"] == "P"] == ["100.00", "10.00"] * 2
    assert (records[-1]["bills"], records[-1]["postings"], records[-1]["sum"]) == ("2", "4", "0.00")


@pytest.mark.parametrize("vendor", HOSTILE.values(), ids=HOSTILE)
class TestHostileVendors:
    def test_in_files_that_people_open_in_spreadsheets(self, vendor: str) -> None:
        invoice = invoice_of(vendor)
        shown = " ".join(re.sub("[\x00-\x1f\u202e]", " ", vendor).split())
        found = {
            ExportFormat.XERO: "*ContactName",
            ExportFormat.QUICKBOOKS: "Supplier",
            ExportFormat.TEMPLATE: "vendor",
        }
        for format, column in found.items():
            content, notes = written(format, invoice)
            rows = read_table(content)
            assert len(rows) == 2
            for row in rows:
                assert not any(FORMULA.match(text) for name, text in row.items() if not _is_amount(text))
                read = apostrophe_off(row[column]).replace(";'", ";")
                assert read == shown or (read == shown[: len(read)] and any("was cut" in note for note in notes))

    def test_in_datev(self, vendor: str) -> None:
        content, notes = written(ExportFormat.DATEV, invoice_of(vendor))
        _, bookings = read_extf(content)
        assert [booking.amount for booking in bookings] == [Decimal("119.00"), Decimal("10.70")]
        text = bookings[0].values["Buchungstext"]
        assert len(text) <= 60
        assert not FORMULA.match(text)
        whole = " ".join(re.sub("[\x00-\x1f\u202e]", " ", vendor).split()) + " 2026-17"
        assert text == whole or notes

    def test_in_other_files(self, vendor: str) -> None:
        invoice = invoice_of(vendor)
        assert json.loads(written(ExportFormat.ODOO, invoice)[0])["vals_list"][0]["invoice_date"] == "2026-05-02"
        rows = read_table(written(ExportFormat.LEXWARE, invoice)[0], "cp1252", ";")
        assert [row["Bruttobetrag"] for row in rows] == ["119,00", "10,70"]
        lines = written(ExportFormat.FLAT_FILE, invoice)[0].decode("latin-1").removesuffix("\r\n").split("\r\n")
        assert [len(line) for line in lines] == [147, 122, 122, 37]


@pytest.mark.parametrize("format", [ExportFormat.LEXWARE, ExportFormat.TEMPLATE, ExportFormat.DATEV])
def test_what_becomes_a_formula_only_when_it_is_spelled_is_none(format: ExportFormat) -> None:
    """A hyphen that the encoding lacks is written as a minus sign."""
    more = {"encoding": "cp1252"} if format is not ExportFormat.DATEV else {}
    content, notes = written(format, invoice_of("\u20101+1"), **more)
    assert b";-1" not in content.replace(b'"', b"")
    assert not content.startswith(b"-1")
    assert b",-1" not in content.replace(b"\r\n", b",")
    assert notes


def _is_amount(text: str) -> bool:
    return re.fullmatch(r"-?\d+(\.\d+)?", text) is not None
