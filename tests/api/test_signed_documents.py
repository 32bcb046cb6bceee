"""Signed files through the API: what they hold, where the operator takes electronic invoices."""

from collections.abc import AsyncIterator

import httpx
import pytest

from serve_app.domain.account import Account
from serve_app.settings import Settings
from serve_app.store.base import Files, Store
from serve_app.wiring.services import build_services
from tests.api.checks import assert_error
from tests.api.conftest import MakeKey
from tests.documents.einvoice.samples import facturae, fatturapa
from tests.support import PDF_BYTES, FakeCutter, FakeModels, FakeNotifier
from tests.support.mail_corpus import signed, zipped
from tests.support.openers import DirectOpener
from tests.support.shared_api import api_of


@pytest.fixture(params=[True])
def accepts_xml(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.fixture
async def client(
    store: Store, files: Files, settings: Settings, make_key: MakeKey, accepts_xml: bool
) -> AsyncIterator[httpx.AsyncClient]:
    settings = settings.model_copy(update={"accept_xml": accepts_xml, "max_file_bytes": 100_000})
    services = build_services(store, files, FakeNotifier(), FakeCutter(), FakeModels(), settings, opener=DirectOpener())
    transport = httpx.ASGITransport(app=api_of(services))
    async with httpx.AsyncClient(transport=transport, base_url="http://service", headers=await make_key()) as client:
        yield client


async def send(client: httpx.AsyncClient, data: bytes, name: str = "fattura.xml.p7m") -> httpx.Response:
    return await client.post("/v1/invoices", files={"file": (name, data)})


@pytest.mark.parametrize(
    ("inside", "name", "mime_type"),
    [(fatturapa(), "fattura.xml", "application/xml"), (PDF_BYTES, "a.pdf", "application/pdf")],
)
async def test_what_was_signed_is_the_document(
    client: httpx.AsyncClient, store: Store, files: Files, account: Account, inside: bytes, name: str, mime_type: str
) -> None:
    answer = await send(client, signed(inside), f"{name}.p7m")
    assert (answer.status_code, answer.json()["file"]["name"]) == (202, name)
    assert answer.json()["file"]["mime_type"] == mime_type
    record = await store.invoices.find_record(account.id, answer.json()["id"])
    assert record is not None
    assert await files.read(record.file_key) == inside


@pytest.mark.parametrize("accepts_xml", [False], indirect=True)
async def test_by_default_signed_files_are_refused(client: httpx.AsyncClient) -> None:
    assert_error(await send(client, signed(fatturapa())), 415, "invalid_request_error", "unsupported_file_type")


@pytest.mark.parametrize(
    ("inside", "message"),
    [
        (fatturapa(3), "The file contains 3 documents. Send each one by itself."),
        (
            zipped(("a.xml", facturae()), ("b.xml", fatturapa())),
            "The file contains 2 documents. Send each one by itself.",
        ),
        (b"<?xml version='1.0'?><Order xmlns='urn:o'/>", "Its root element is Order (urn:o)"),
        (b"", "It is a signature."),
    ],
    ids=["three invoices", "a ZIP", "an order", "nothing"],
)
async def test_what_is_not_one_document_is_refused_by_name(
    client: httpx.AsyncClient, inside: bytes, message: str
) -> None:
    answer = await send(client, signed(inside))
    assert_error(answer, 415, "invalid_request_error", "unsupported_file_type")
    assert message in answer.json()["error"]["message"]
