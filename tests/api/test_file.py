"""Links to documents."""

from urllib.parse import urlsplit

import httpx
import pytest
from fastapi import FastAPI

from actors.application import create_application
from serve_app.domain.account import Account
from serve_app.domain.batch import Section, records_of
from serve_app.domain.clock import utc_now
from serve_app.domain.invoice import Extraction
from serve_app.domain.record import InvoiceRecord
from serve_app.http.error_table import ErrorType
from serve_app.services.retention.documents import OldDocuments
from serve_app.settings import Settings
from serve_app.store.base import Files, Store
from tests.api.checks import assert_error
from tests.support import NOON, PDF_BYTES, UNKNOWN_ID, Clock, claim_next, make_record, queue_invoice


@pytest.fixture
async def record(store: Store, files: Files, account: Account) -> InvoiceRecord:
    record = make_record(account.id)
    await files.write(record.file_key, PDF_BYTES)
    await queue_invoice(store, record)
    return record


@pytest.fixture
async def part(store: Store, account: Account, record: InvoiceRecord) -> InvoiceRecord:
    """The second invoice of a file of two."""
    claim = await claim_next(store)
    first, (second,) = records_of(claim, [Section(1, 1, Extraction()), Section(3, 4, Extraction())], NOON)
    await store.queue.save_result(claim, first, NOON, [second])
    return second


async def link_of(client: httpx.AsyncClient, record: InvoiceRecord, **parameters: str) -> dict[str, object]:
    answer = await client.get(f"/v1/invoices/{record.invoice.id}/file", params=parameters)
    assert answer.status_code == 200
    return dict(answer.json())


def path(link: dict[str, object]) -> str:
    return urlsplit(str(link["url"])).path


async def test_a_link_downloads_the_document_without_a_key(
    client: httpx.AsyncClient, anyone: httpx.AsyncClient, record: InvoiceRecord
) -> None:
    link = await link_of(client, record)
    assert {name: link[name] for name in ("id", "expires_in", "file_name", "mime_type")} == {
        "id": str(record.invoice.id),
        "expires_in": 3600,
        "file_name": "a.pdf",
        "mime_type": "application/pdf",
    }
    answer = await anyone.get(path(link))
    assert (answer.status_code, answer.content) == (200, PDF_BYTES)
    assert answer.headers["content-type"] == "application/pdf"
    assert answer.headers["content-disposition"].startswith('attachment; filename="a.pdf"')
    assert answer.headers["x-content-type-options"] == "nosniff"


async def test_a_part_of_a_batch_gives_its_own_pages(
    client: httpx.AsyncClient, anyone: httpx.AsyncClient, part: InvoiceRecord
) -> None:
    link = await link_of(client, part)
    assert link["file_name"] == "a-p3-4.pdf"
    assert (await anyone.get(path(link))).content == b"pages 3 to 4"


async def test_the_whole_file_of_a_part_is_there_when_asked_for(
    client: httpx.AsyncClient, anyone: httpx.AsyncClient, part: InvoiceRecord
) -> None:
    link = await link_of(client, part, original="true")
    assert link["file_name"] == "a.pdf"
    assert (await anyone.get(path(link))).content == PDF_BYTES


async def test_a_changed_link_is_refused(
    client: httpx.AsyncClient, anyone: httpx.AsyncClient, record: InvoiceRecord
) -> None:
    whole = path(await link_of(client, record))
    swapped = whole[:-9] + ("A" if whole[-9] != "A" else "B") + whole[-8:]
    for changed in (swapped, whole + "x", "/v1/files/nonsense"):
        assert_error(await anyone.get(changed), 403, ErrorType.AUTHENTICATION, "invalid_file_link")


async def test_a_link_expires_after_an_hour(
    client: httpx.AsyncClient, anyone: httpx.AsyncClient, record: InvoiceRecord, clock: Clock
) -> None:
    link = await link_of(client, record)
    clock.advance(3600)
    assert (await anyone.get(path(link))).status_code == 200
    clock.advance(2)
    assert_error(await anyone.get(path(link)), 403, ErrorType.AUTHENTICATION, "file_link_expired")


@pytest.mark.parametrize("wanted", [UNKNOWN_ID, "nonsense"])
async def test_an_unknown_invoice_is_404(client: httpx.AsyncClient, wanted: str) -> None:
    answer = await client.get(f"/v1/invoices/{wanted}/file")
    assert_error(answer, 404, ErrorType.NOT_FOUND, "invoice_not_found")


async def test_a_part_that_cannot_be_cut_is_never_the_whole_file(
    client: httpx.AsyncClient, anyone: httpx.AsyncClient, part: InvoiceRecord, files: Files
) -> None:
    await files.write(part.file_key, PDF_BYTES + b"damaged")
    message = assert_error(
        await anyone.get(path(await link_of(client, part))), 404, ErrorType.NOT_FOUND, "part_unavailable"
    )
    assert "original" in message
    whole = await anyone.get(path(await link_of(client, part, original="true")))
    assert whole.content == PDF_BYTES + b"damaged"


@pytest.mark.parametrize(
    "header", [{"Host": "evil.example"}, {"X-Forwarded-Host": "evil.example"}, {"Forwarded": "host=evil.example"}]
)
async def test_a_links_host_never_follows_the_caller(
    client: httpx.AsyncClient, part: InvoiceRecord, header: dict[str, str]
) -> None:
    answer = await client.get(f"/v1/invoices/{part.invoice.id}/file", headers=header)
    assert urlsplit(answer.json()["url"]).netloc == "service"


class TestBehindAProxy:
    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        return settings.model_copy(update={"links_follow_host": True})

    async def test_a_links_host_follows_where_the_operator_says_so(
        self, client: httpx.AsyncClient, part: InvoiceRecord
    ) -> None:
        answer = await client.get(f"/v1/invoices/{part.invoice.id}/file", headers={"Host": "invoices.example"})
        assert urlsplit(answer.json()["url"]).netloc == "invoices.example"


class TestAtAPublicUrl:
    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        return settings.model_copy(update={"links_follow_host": True, "public_url": "https://invoices.example/api/"})

    async def test_all_links_begin_with_it(self, app: FastAPI, client: httpx.AsyncClient, part: InvoiceRecord) -> None:
        link = await link_of(client, part)
        assert str(link["url"]).startswith("https://invoices.example/api/v1/files/")
        # An application describes itself once.
        described = create_application(app.state.services).openapi()
        assert described["servers"] == [{"url": "https://invoices.example/api/"}]


async def test_a_document_that_was_removed_before_its_values_is_404(
    client: httpx.AsyncClient, anyone: httpx.AsyncClient, part: InvoiceRecord, store: Store, files: Files
) -> None:
    link = path(await link_of(client, part))
    await OldDocuments(store, files).remove(part.account_id, utc_now())
    invoice = f"/v1/invoices/{part.invoice.id}"
    answers = [
        *[await anyone.get(link), await client.get(f"{invoice}/file"), await client.get(f"{invoice}/pages/1/picture")],
        await client.post(f"{invoice}/extract", json={"force": True}),
    ]
    for answer in answers:
        assert_error(answer, 404, ErrorType.NOT_FOUND, "document_removed")
    assert (await client.get(invoice)).json()["status"] == "complete"
