"""A workbook has the values of the CSV with their types, and no formulas, whatever documents say."""

import io
import zipfile
from datetime import datetime
from xml.etree import ElementTree

import openpyxl
import pytest
from openpyxl.utils.escape import unescape

from serve_app.domain.account import Account
from serve_app.domain.errors import StoreUnreachable
from serve_app.domain.invoice import LineItem
from serve_app.domain.query import InvoiceQuery
from serve_app.services.csv import workbook
from serve_app.services.csv.columns import invoice_header
from serve_app.services.csv.export import INCOMPLETE, CsvExport, CsvLayout
from serve_app.services.csv.workbook import WorkbookExport
from serve_app.store.base import Store
from tests.support.mails import READ, complete_invoice

SHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


@pytest.fixture
def export(store: Store) -> WorkbookExport:
    return WorkbookExport(CsvExport(store.invoices))


async def made(export: WorkbookExport, account: Account, layout: CsvLayout = CsvLayout.INVOICES) -> bytes:
    return b"".join([part async for part in export.export_or_say_so(account.id, InvoiceQuery(), layout)])


def sheet_of(file: bytes, number: int = 1) -> ElementTree.Element:
    with zipfile.ZipFile(io.BytesIO(file)) as book:
        return ElementTree.fromstring(book.read(f"xl/worksheets/sheet{number}.xml"))  # noqa: S314 - our own file


def rows_of(file: bytes, number: int = 1) -> list[list[tuple[str, str]]]:
    """The type and the text of each cell that is not empty."""
    rows = sheet_of(file, number).iter(f"{SHEET}row")
    return [[(cell.get("t", "n"), "".join(cell.itertext())) for cell in row] for row in rows]


async def test_values_keep_their_types(export: WorkbookExport, store: Store, account: Account) -> None:
    await complete_invoice(store, account.id)
    header, row = rows_of(await made(export, account))
    assert [text for _, text in header] == invoice_header()
    assert ("inlineStr", "ACME GmbH") in row
    assert any(kind == "n" and text.startswith("1190.5") for kind, text in row)
    # Days since 1900, as sheets count them: 2 May 2026.
    assert ("n", "46144") in row
    assert ("b", "0") in row


async def test_another_program_reads_what_the_export_says(
    export: WorkbookExport, store: Store, account: Account
) -> None:
    read = READ.model_copy(update={"vendor_name": "A & B <_x0041_> \ufffe \U0001f600", "invoice_number": "00417"})
    invoice = await complete_invoice(store, account.id, read)
    book = openpyxl.load_workbook(io.BytesIO(await made(export, account)))
    assert book.sheetnames == ["invoices"]
    sheet = book.active
    assert sheet.freeze_panes == "A2"
    names, values = [[cell.value for cell in row] for row in sheet.iter_rows()]
    found = dict(zip(names, values, strict=True))
    assert unescape(found["vendor_name"]) == "A & B <_x0041_> \ufffd \U0001f600"
    assert found["invoice_number"] == "00417"
    assert found["amount"] == pytest.approx(1190.5)
    assert found["issued_at"] == datetime(2026, 5, 2)  # noqa: DTZ001 - sheets have no time zones
    assert found["created_at"] == invoice.created_at.replace(tzinfo=None, microsecond=0)


@pytest.mark.parametrize("text", ["=1+1", "+1", "@SUM(A1)", "-1", "https://evil.example", "00417", "\t=1", "\x00=1"])
async def test_no_text_becomes_a_formula_a_link_or_a_number(
    export: WorkbookExport, store: Store, account: Account, text: str
) -> None:
    item = LineItem(description=text, quantity=None, unit_price=None, confidence=None)
    read = READ.model_copy(update={"vendor_name": text, "invoice_number": text, "line_items": [item]})
    await complete_invoice(store, account.id, read)
    for layout in CsvLayout:
        file = await made(export, account, layout)
        assert not list(sheet_of(file).iter(f"{SHEET}f"))
        assert not list(sheet_of(file).iter(f"{SHEET}hyperlink"))
        shown = " ".join(text.replace("\x00", " ").split())
        assert rows_of(file)[1].count(("inlineStr", shown)) >= 2


@pytest.mark.parametrize("limit", [{"MOST_ROWS": 3}, {"_MOST_BYTES": 3000}])
async def test_what_one_sheet_cannot_take_goes_on_in_the_next(
    export: WorkbookExport, store: Store, account: Account, monkeypatch: pytest.MonkeyPatch, limit: dict[str, int]
) -> None:
    """No row is lost where the format ends, which a reader would not notice."""
    assert workbook.MOST_ROWS == 2**20
    for name, value in limit.items():
        monkeypatch.setattr(workbook, name, value)
    done = [await complete_invoice(store, account.id) for _ in range(5)]
    file = await made(export, account)
    book = openpyxl.load_workbook(io.BytesIO(file))
    assert len(book.sheetnames) > 1
    assert book.sheetnames == ["invoices", *(f"invoices {number}" for number in range(2, len(book.sheetnames) + 1))]
    sheets = [rows_of(file, number) for number in range(1, len(book.sheetnames) + 1)]
    assert [[text for _, text in rows[0]] for rows in sheets] == [invoice_header()] * len(sheets)
    ids = [row[0][1] for rows in sheets for row in rows[1:]]
    assert ids == [str(invoice.id) for invoice in reversed(done)]


async def test_a_failure_in_the_middle_is_seen_at_the_end(
    export: WorkbookExport, store: Store, account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(101):
        await complete_invoice(store, account.id)
    page, calls = store.invoices.page, []

    async def breaks(*values: object) -> object:
        calls.append(values)
        if len(calls) == 2:
            raise StoreUnreachable
        return await page(*values)  # type: ignore[arg-type]

    monkeypatch.setattr(store.invoices, "page", breaks)
    file = await made(export, account)
    assert INCOMPLETE.encode() in file[-200:]
    rows = rows_of(file)
    assert len(rows) == 102
    assert rows[-1][0][1].startswith(INCOMPLETE)


async def test_it_is_sent_while_it_is_made(
    export: WorkbookExport, store: Store, account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long the list is, its beginning is on the way; and who leaves takes nothing with them."""
    monkeypatch.setattr(workbook, "_PART_LENGTH", 1)
    for _ in range(201):
        await complete_invoice(store, account.id)
    parts = export.export_or_say_so(account.id, InvoiceQuery())
    first = await anext(parts)
    assert first.startswith(b"PK")
    await parts.aclose()  # type: ignore[attr-defined]
