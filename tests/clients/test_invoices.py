"""The asynchronous client, against the service."""

import base64
import io
from datetime import date
from decimal import Decimal
from pathlib import Path

import httpx
import pytest

from invoices_client import AsyncClient, InvalidRequestError, NotFoundError, WaitTimeoutError
from invoices_client.models import Confidence, Event, Invoice, Source, Status
from invoices_client.models.parameters import FieldBody
from tests.support import PDF_BYTES, UNKNOWN_ID


@pytest.fixture
def document(tmp_path: Path) -> Path:
    path = tmp_path / "bill.pdf"
    path.write_bytes(PDF_BYTES)
    return path


@pytest.fixture
async def invoice(client: AsyncClient, document: Path) -> Invoice:
    return await client.invoices.create_and_wait(path=document, metadata={"order": "PO-4711"})


async def test_an_invoice_has_exact_sums_dates_and_levels(invoice: Invoice) -> None:
    assert (invoice.status, invoice.source, invoice.file.name) == (Status.COMPLETE, Source.API, "bill.pdf")
    assert (invoice.amount, invoice.tax, invoice.issued_at) == (Decimal("1190.5"), Decimal("190"), date(2026, 5, 2))
    assert isinstance(invoice.amount, Decimal)
    assert invoice.field_confidence == {"amount": Confidence.HIGH}
    assert invoice.metadata == {"order": "PO-4711"}


async def test_a_document_is_sent_in_each_way(client: AsyncClient, document: Path) -> None:
    opened = io.BytesIO(PDF_BYTES)
    by_path = await client.invoices.create(path=document)
    by_bytes = await client.invoices.create(file=PDF_BYTES, file_name="a.pdf")
    by_file = await client.invoices.create(file=opened, wait=True)
    by_text = await client.invoices.create(base64=base64.b64encode(PDF_BYTES).decode(), file_name="b.pdf")
    names = [each.file.name for each in (by_path, by_bytes, by_file, by_text)]
    assert names == ["bill.pdf", "a.pdf", "document", "b.pdf"]
    assert by_file.status is Status.COMPLETE
    with pytest.raises(InvalidRequestError, match="file_url"):
        await client.invoices.create(url="http://example.com/b.pdf")
    with pytest.raises(TypeError, match="exactly one of"):
        await client.invoices.create(path=document, url="https://example.com/b.pdf")


async def test_the_life_of_an_invoice(client: AsyncClient, invoice: Invoice, tmp_path: Path) -> None:
    changed = await client.invoices.update(invoice.id, paid=True, entity_tag="north")
    assert (changed.paid, changed.entity_tag) == (True, "north")
    assert (await client.invoices.update(invoice.id, entity_tag=None)).entity_tag is None
    review = await client.invoices.review(invoice.id)
    fields: dict[str, FieldBody | None] = {"amount": {"value": "1190.55"}}
    done = await client.invoices.update_review(invoice.id, revision=review.revision, fields=fields, status="confirmed")
    assert done.fields["amount"].value == "1190.55"
    assert (await client.invoices.retrieve(invoice.id)).amount == Decimal("1190.55")
    link = await client.invoices.file(invoice.id, to=tmp_path / "copy.pdf")
    assert ((tmp_path / "copy.pdf").read_bytes(), link.file_name) == (PDF_BYTES, "bill.pdf")
    assert isinstance(await client.invoices.einvoice(invoice.id), bytes)
    with pytest.raises(InvalidRequestError, match="already_complete"):
        await client.invoices.extract(invoice.id)
    again = await client.invoices.extract(invoice.id, force=True)
    assert (await client.invoices.wait(again.id)).status == "complete"
    await client.invoices.delete(invoice.id)
    with pytest.raises(NotFoundError) as error:
        await client.invoices.retrieve(invoice.id)
    assert (error.value.code, error.value.status, bool(error.value.request_id)) == ("invoice_not_found", 404, True)


async def test_pages_and_their_pictures(client: AsyncClient, invoice: Invoice) -> None:
    assert (await client.invoices.page(invoice.id, 1)).page == 1
    assert (await client.invoices.picture(invoice.id, 1)).startswith(b"\xff\xd8")


async def test_a_list_is_requested_page_by_page(client: AsyncClient, http: httpx.AsyncClient) -> None:
    for number in range(5):
        await client.invoices.create(file=PDF_BYTES, file_name=f"{number}.pdf", wait=True)
    asked: list[str] = []

    async def note(request: httpx.Request) -> None:
        asked.append(request.url.query.decode())

    http.event_hooks = {"request": [note]}
    found = client.invoices.list(status="complete", min_amount=Decimal("1190.5"), paid=False, limit=2)
    names = []
    async for each in found:
        names.append(each.file.name)
        if len(names) == 3:
            break
    assert names == ["4.pdf", "3.pdf", "2.pdf"]
    assert len(asked) == 2
    assert asked[0] == "status=complete&min_amount=1190.5&paid=false&limit=2"
    assert [each.file.name async for each in client.invoices.list(limit=2, source=Source.API)][-1] == "0.pdf"
    assert [len(page) async for page in found.pages()] == [2, 2, 1]


async def test_a_list_by_time_of_change_is_followed(client: AsyncClient, invoice: Invoice) -> None:
    """Changes of the last seconds are left out."""
    assert [each.id async for each in client.invoices.list(sort="updated_at", limit=1)] == []


async def test_everything_beside_invoices(client: AsyncClient, invoice: Invoice) -> None:
    assert [vendor.name async for vendor in client.vendors.list(include="totals")] == ["ACME GmbH"]
    (event,) = [each async for each in client.events.list(type="invoice.completed")]
    assert isinstance(event, Event)
    assert event.data.invoice.id == invoice.id
    assert await client.events.retrieve(event.id) == event
    me = await client.me()
    assert (me.key.name, me.quota.used) == ("till", 1)
    assert (await client.quality()).decided == 0
    assert [mail async for mail in client.mails.list(limit=10)] == []
    assert [hook async for hook in client.webhook_endpoints.list()] == []


async def test_a_wait_ends_at_its_deadline(client: AsyncClient, document: Path, settings: object) -> None:
    with pytest.raises(NotFoundError):
        await client.invoices.wait(UNKNOWN_ID)
    queued = Invoice.model_validate({**(await client.invoices.create(path=document)).model_dump(), "status": "queued"})
    with pytest.raises(WaitTimeoutError) as error:
        await client.invoices._finish(queued, 0, 1)
    assert error.value.invoice is queued


async def test_any_request_can_be_made_as_it_is(client: AsyncClient, invoice: Invoice) -> None:
    response = await client.request("GET", "/v1/invoices", params={"paid": False, "limit": 1})
    assert response.headers["X-RateLimit-Limit"] == "100000"
    assert response.json()["data"][0]["id"] == invoice.id


async def test_a_shared_http_client_stays_open(http: httpx.AsyncClient, key: str) -> None:
    async with AsyncClient(api_key=key, url="http://service", http_client=http) as client:
        await client.me()
    assert not http.is_closed
    assert key not in repr(client._transport.options)
