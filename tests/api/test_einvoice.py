"""The electronic invoice of a file, as it was received."""

from dataclasses import replace

import httpx
import pytest

from serve_app.domain.account import Account
from serve_app.domain.invoice import FileInfo
from serve_app.domain.record import InvoiceRecord
from serve_app.store.base import Files, Store
from tests.api.checks import assert_error
from tests.documents.einvoice.samples import ubl
from tests.support import UNKNOWN_ID, make_record, queue_invoice


async def stored(store: Store, files: Files, account: Account, data: bytes, mime_type: str, name: str) -> InvoiceRecord:
    file = FileInfo(name=name, mime_type=mime_type, size_bytes=len(data))
    record = make_record(account.id)
    record = replace(record, invoice=record.invoice.model_copy(update={"file": file}))
    await files.write(record.file_key, data)
    await queue_invoice(store, record)
    return record


async def test_an_xml_file_is_given_as_it_is(
    client: httpx.AsyncClient, store: Store, files: Files, account: Account
) -> None:
    record = await stored(store, files, account, ubl(), "application/xml", "re-118.xml")
    answer = await client.get(f"/v1/invoices/{record.invoice.id}/einvoice")
    assert (answer.status_code, answer.content) == (200, ubl())
    assert answer.headers["Content-Type"] == "application/xml"
    assert answer.headers["Content-Disposition"].startswith('attachment; filename="re-118.xml"')
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


async def test_the_xml_of_a_pdf_is_given(
    client: httpx.AsyncClient, store: Store, files: Files, account: Account
) -> None:
    record = await stored(store, files, account, b"%PDF-1.7", "application/pdf", "scan.pdf")
    answer = await client.get(f"/v1/invoices/{record.invoice.id}/einvoice")
    assert (answer.status_code, answer.content) == (200, b"<Invoice/>")
    assert 'filename="scan.xml"' in answer.headers["Content-Disposition"]


@pytest.mark.parametrize(("data", "mime_type"), [(b"%PDF- damaged", "application/pdf"), (b"\xff\xd8", "image/jpeg")])
async def test_a_file_without_one_is_404(
    client: httpx.AsyncClient, store: Store, files: Files, account: Account, data: bytes, mime_type: str
) -> None:
    record = await stored(store, files, account, data, mime_type, "a.pdf")
    answer = await client.get(f"/v1/invoices/{record.invoice.id}/einvoice")
    assert_error(answer, 404, "not_found", "einvoice_not_found")


async def test_an_unknown_invoice_is_404(client: httpx.AsyncClient) -> None:
    answer = await client.get(f"/v1/invoices/{UNKNOWN_ID}/einvoice")
    assert_error(answer, 404, "not_found", "invoice_not_found")
