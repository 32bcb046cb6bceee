"""Electronic invoices that are written of an invoice."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from decimal import Decimal

import httpx
import pytest

from serve_app.documents.einvoice import einvoice_file, parse_einvoice
from serve_app.documents.einvoice.writers import write_ubl
from serve_app.domain.account import Account, Plan, Scope
from serve_app.domain.einvoice import EInvoice
from serve_app.domain.embedded_data import EInvoiceCheck
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Confidence, DocumentType, Extraction, Field, FileInfo, Invoice, Status, TaxLine
from serve_app.domain.vendor import NOTHING_KNOWN
from serve_app.store.base import Files, Store
from tests.api.checks import assert_error
from tests.api.conftest import MakeKey
from tests.documents.einvoice.hybrid import pdf_with
from tests.documents.einvoice.records import full_record
from tests.domain.test_einvoice_from_values import item, read_invoice, with_details
from tests.support import NOON, UNKNOWN_ID, claim_next, make_record, queue_invoice

Keep = Callable[[Invoice, bytes, str, str], Awaitable[str]]

COUNTRIES = {"seller_country": "DE", "buyer_country": "FR"}
MATCHING = EInvoiceCheck(profile="EN 16931", matches_page=True, differences=[])


@pytest.fixture
def keep(store: Store, files: Files, account: Account) -> Keep:
    """Stores an invoice with its file; answers the path of its electronic invoice."""

    async def keep(invoice: Invoice, data: bytes, mime_type: str, name: str) -> str:
        file = FileInfo(name=name, mime_type=mime_type, size_bytes=len(data))
        record = make_record(account.id)
        record = replace(record, invoice=record.invoice.model_copy(update={"file": file}))
        await files.write(record.file_key, data)
        await queue_invoice(store, record)
        if invoice.status is Status.COMPLETE:
            extraction = Extraction.model_validate(invoice.model_dump(include=set(Extraction.model_fields)))
            await store.queue.save_result(await claim_next(store), extraction, NOON, (), NOTHING_KNOWN, None)
        return f"/v1/invoices/{record.invoice.id}/einvoice"

    return keep


def read(xml: bytes) -> EInvoice:
    return parse_einvoice(xml)


@pytest.mark.parametrize("syntax", ["ubl", "cii"])
async def test_an_invoice_that_was_read_is_written(client: httpx.AsyncClient, keep: Keep, syntax: str) -> None:
    path = await keep(read_invoice(), b"<html>", "text/html", "bill.html")
    answer = await client.get(path, params={"format": syntax, **COUNTRIES})
    assert answer.status_code == 200, answer.text
    assert answer.headers["Content-Type"] == "application/xml"
    assert answer.headers["Content-Disposition"].startswith('attachment; filename="bill.xml"')
    record = read(answer.content)
    assert (record.syntax, record.number, record.type_code) == (syntax, "TA-9", "380")
    assert [record.totals.gross, record.totals.due, record.lines[0].unit] == [119, 119, "C62"]
    assert record.payment.accounts[0].number == "DE75512108001245126199"


async def test_a_credit_note_is_one(client: httpx.AsyncClient, keep: Keep) -> None:
    path = await keep(read_invoice(document_type=DocumentType.CREDIT_NOTE), b"", "image/png", "a.png")
    answer = await client.get(path, params={"format": "ubl", **COUNTRIES})
    assert read(answer.content).is_credit_note


async def test_a_zero_rate_has_the_callers_category(client: httpx.AsyncClient, keep: Keep) -> None:
    free = read_invoice(amount=Decimal(100), tax=Decimal(0), line_items=[item("100", "0")])
    tax_lines = [TaxLine(rate=Decimal(0), base=Decimal(100), amount=Decimal(0))]
    free = with_details(free, tax_lines=tax_lines, buyer_tax_id="FR40303265045")
    path = await keep(free, b"", "image/png", "a.png")
    answer = await client.get(path, params={"format": "ubl", "zero_rate": "AE", **COUNTRIES})
    assert answer.status_code == 200, answer.text
    assert [each.category for each in read(answer.content).vat] == ["AE"]


async def test_factur_x_is_the_pdf_with_the_xml(client: httpx.AsyncClient, keep: Keep) -> None:
    pdf = pdf_with(("plan.txt", b"north"))
    path = await keep(read_invoice(), pdf, "application/pdf", "bill.pdf")
    answer = await client.get(path, params={"format": "facturx", **COUNTRIES})
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "application/pdf")
    assert answer.content.startswith(pdf)
    xml = einvoice_file(answer.content)
    assert xml is not None
    assert read(xml).number == "TA-9"


async def test_factur_x_needs_a_pdf(client: httpx.AsyncClient, keep: Keep) -> None:
    path = await keep(read_invoice(), b"", "image/png", "a.png")
    answer = await client.get(path, params={"format": "facturx", **COUNTRIES})
    assert_error(answer, 400, "invalid_request_error", "invalid_parameter")
    assert answer.json()["error"]["param"] == "format"


async def test_an_electronic_invoice_keeps_all_its_terms(client: httpx.AsyncClient, keep: Keep) -> None:
    path = await keep(read_invoice(einvoice=MATCHING), write_ubl(full_record()), "application/xml", "a.xml")
    record = read((await client.get(path, params={"format": "cii"})).content)
    assert replace(record, syntax=full_record().syntax, profile=full_record().profile) == full_record()


async def test_but_has_the_values_that_a_person_has_entered(client: httpx.AsyncClient, keep: Keep) -> None:
    path = await keep(read_invoice(einvoice=MATCHING), write_ubl(full_record()), "application/xml", "a.xml")
    correction = {"revision": 0, "fields": {"invoice_number": {"value": "TA-10"}}}
    reviewed = await client.put(path.replace("einvoice", "review"), json=correction)
    assert reviewed.status_code == 200, reviewed.text
    answer = await client.get(path, params={"format": "cii", **COUNTRIES})
    assert read(answer.content).number == "TA-10"


async def test_missing_terms_are_named(client: httpx.AsyncClient, keep: Keep) -> None:
    levels = dict.fromkeys(Field, Confidence.HIGH) | {Field.INVOICE_NUMBER: Confidence.MID}
    path = await keep(read_invoice(field_confidence=levels), b"", "image/png", "a.png")
    answer = await client.get(path, params={"format": "ubl"})
    assert_error(answer, 422, "invalid_request_error", "einvoice_incomplete")
    message = answer.json()["error"]["message"]
    assert "BT-1 Invoice number; BT-40 Seller country code; BT-55 Buyer country code." in message


async def test_broken_rules_are_named(client: httpx.AsyncClient, keep: Keep) -> None:
    with_tax = read_invoice(line_items=[item("119", "19", price="59.50")], amount=Decimal(119))
    path = await keep(with_tax, b"", "image/png", "a.png")
    answer = await client.get(path, params={"format": "ubl", **COUNTRIES})
    assert_error(answer, 422, "invalid_request_error", "einvoice_invalid")
    assert "BR-CO-13" in answer.json()["error"]["message"]


async def test_an_invoice_that_is_not_read_yet_has_none(client: httpx.AsyncClient, keep: Keep) -> None:
    path = await keep(read_invoice(status=Status.QUEUED), b"", "image/png", "a.png")
    answer = await client.get(path, params={"format": "ubl"})
    assert_error(answer, 400, "invalid_request_error", "invoice_not_complete")


async def test_a_reading_key_may_have_it_and_others_not(
    client: httpx.AsyncClient, anyone: httpx.AsyncClient, make_key: MakeKey, store: Store, keep: Keep
) -> None:
    path = await keep(read_invoice(), b"", "image/png", "a.png")
    params = {"format": "ubl", **COUNTRIES}
    other = Account(new_id(), Plan.PRO, NOON)
    await store.accounts.add(other)
    reading = await client.get(path, params=params, headers=await make_key(Scope.READ))
    assert reading.status_code == 200
    others = await client.get(path, params=params, headers=await make_key(Scope.FULL, other))
    assert_error(others, 404, "not_found", "invoice_not_found")
    unknown = await client.get(f"/v1/invoices/{UNKNOWN_ID}/einvoice", params=params)
    assert_error(unknown, 404, "not_found", "invoice_not_found")
