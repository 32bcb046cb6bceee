"""A workbook has the values of the CSV with their types, and no formulas, whatever documents say."""

import os
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest

from serve_app.domain.account import Account
from serve_app.domain.errors import StoreUnreachable, Unavailable
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


def sheet_of(path: Path) -> ElementTree.Element:
    with zipfile.ZipFile(path) as book:
        return ElementTree.fromstring(book.read("xl/worksheets/sheet1.xml"))  # noqa: S314 - our own file


def rows_of(path: Path) -> list[list[tuple[str, str]]]:
    """The type and the text of each cell that is not empty."""
    return [
        [(cell.get("t", "n"), "".join(cell.itertext())) for cell in row] for row in sheet_of(path).iter(f"{SHEET}row")
    ]


async def test_values_keep_their_types(export: WorkbookExport, store: Store, account: Account, tmp_path: Path) -> None:
    await complete_invoice(store, account.id)
    await export.write(tmp_path / "a.xlsx", account.id, InvoiceQuery())
    header, row = rows_of(tmp_path / "a.xlsx")
    assert [text for _, text in header] == invoice_header()
    assert ("inlineStr", "ACME GmbH") in row
    assert ("n", "1190.5") in row
    # Days since 1900, as sheets count them: 2 May 2026.
    assert ("n", "46144") in row
    assert ("b", "0") in row


@pytest.mark.parametrize("text", ["=1+1", "+1", "@SUM(A1)", "-1", "https://evil.example", "00417", "\t=1", "\x00=1"])
async def test_no_text_becomes_a_formula_a_link_or_a_number(
    export: WorkbookExport, store: Store, account: Account, tmp_path: Path, text: str
) -> None:
    item = LineItem(description=text, quantity=None, unit_price=None, confidence=None)
    read = READ.model_copy(update={"vendor_name": text, "invoice_number": text, "line_items": [item]})
    await complete_invoice(store, account.id, read)
    for layout in CsvLayout:
        path = tmp_path / f"{layout.value}.xlsx"
        await export.write(path, account.id, InvoiceQuery(), layout)
        assert not list(sheet_of(path).iter(f"{SHEET}f"))
        assert not list(sheet_of(path).iter(f"{SHEET}hyperlink"))
        shown = " ".join(text.replace("\x00", " ").split())
        assert rows_of(path)[1].count(("inlineStr", shown)) >= 2


async def test_a_sheet_that_is_full_says_so_at_its_end(
    export: WorkbookExport, store: Store, account: Account, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workbook, "MOST_ROWS", 3)
    for _ in range(4):
        await complete_invoice(store, account.id)
    await export.write(tmp_path / "a.xlsx", account.id, InvoiceQuery())
    rows = rows_of(tmp_path / "a.xlsx")
    assert len(rows) == 4
    assert rows[-1][0][1].startswith(INCOMPLETE)


async def test_a_failure_in_the_middle_leaves_no_file(
    export: WorkbookExport, store: Store, account: Account, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
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
    folder = tmp_path / "made"
    os.mkdir(folder)
    with pytest.raises(Unavailable):
        await export.write(folder / "a.xlsx", account.id, InvoiceQuery())
    assert os.listdir(folder) == []
