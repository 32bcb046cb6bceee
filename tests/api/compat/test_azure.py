"""Azure's own clients, unchanged but for their endpoint and key, work with the service."""

from collections.abc import Iterator
from io import BytesIO
from typing import Any

import httpx
import pytest
from azure.ai.documentintelligence import DocumentIntelligenceClient
from azure.ai.documentintelligence.models import AnalyzeDocumentRequest
from azure.ai.formrecognizer import DocumentAnalysisClient
from azure.core.credentials import AzureKeyCredential
from azure.core.exceptions import ClientAuthenticationError, HttpResponseError, ResourceNotFoundError

from serve_app.domain.account import Account
from serve_app.domain.errors import DocumentError
from serve_app.domain.invoice import FailureCode
from serve_app.store.base import Store
from tests.api.compat.conftest import Shelf
from tests.api.compat.readings import NAMES, SAMPLES, sections_of
from tests.api.conftest import MakeKey
from tests.api.live import Live
from tests.support import MONTH, PDF_BYTES, UNKNOWN_ID, FakeReader

MODEL = "prebuilt-invoice"
HOME = "/compat/azure/documentintelligence/documentModels/prebuilt-invoice"


def client_of(live: Live, key: str) -> DocumentIntelligenceClient:
    return DocumentIntelligenceClient(f"{live.url}/compat/azure", AzureKeyCredential(key), polling_interval=0)


@pytest.fixture
def azure(live: Live) -> Iterator[DocumentIntelligenceClient]:
    with client_of(live, live.full_key) as client:
        yield client


class TestDocumentIntelligence:
    def test_it_reads_the_samples(self, azure: DocumentIntelligenceClient, shelf: Shelf) -> None:
        for name in NAMES:
            shelf.sections = sections_of(name)
            result = azure.begin_analyze_document(MODEL, BytesIO((SAMPLES / name).read_bytes())).result()
            assert len(result.pages) == shelf.sections[-1].last_page
            assert len(result.documents or ()) == len(shelf.sections)
            for document, section in zip(result.documents or (), shelf.sections, strict=True):
                fields: Any = document.fields
                read = section.extraction
                assert fields["VendorName"].value_string == read.vendor_name
                assert fields["InvoiceTotal"].value_currency.amount == float(read.amount or 0)
                assert fields["InvoiceTotal"].value_currency.currency_code == read.currency
                dates = {name: fields[name].value_date for name in ("InvoiceDate", "DueDate") if name in fields}
                known = {"InvoiceDate": read.issued_at, "DueDate": read.due_at}
                assert dates == {name: day for name, day in known.items() if day is not None}
                assert len(fields["Items"].value_array or ()) == len(read.line_items)
                assert fields.get("VendorAddress") is None

    def test_levels_and_places_are_ours(self, azure: DocumentIntelligenceClient, shelf: Shelf) -> None:
        data = (SAMPLES / "invoice.pdf").read_bytes()
        result = azure.begin_analyze_document(MODEL, AnalyzeDocumentRequest(bytes_source=data)).result()
        fields: Any = (result.documents or [])[0].fields
        total = fields["InvoiceTotal"]
        citations: Any = shelf.sections[0].extraction.citations
        place = citations["amount"]
        assert total.confidence == 0.99
        assert total.content == place.text
        region = (total.bounding_regions or [])[0]
        assert (region.page_number, tuple(region.polygon[:2])) == (1, place.box[:2])
        tax = (fields["TaxDetails"].value_array or [])[0].value_object or {}
        assert tax["Rate"].value_string == "8.875%"

    def test_a_wrong_key_raises_its_error(self, live: Live) -> None:
        with client_of(live, "inv_live_wrong") as other, pytest.raises(ClientAuthenticationError):
            other.begin_analyze_document(MODEL, BytesIO(PDF_BYTES))
        with client_of(live, live.read_key) as reader, pytest.raises(HttpResponseError) as caught:
            reader.begin_analyze_document(MODEL, BytesIO(PDF_BYTES))
        assert caught.value.status_code == 403

    @pytest.mark.parametrize(
        ("data", "inner"), [(b"no document", "InvalidContent"), (b"%PDF".ljust(2**21), "InvalidContentLength")]
    )
    def test_a_wrong_file_raises_its_error(self, azure: DocumentIntelligenceClient, data: bytes, inner: str) -> None:
        with pytest.raises(HttpResponseError) as caught:
            azure.begin_analyze_document(MODEL, BytesIO(data))
        model: Any = caught.value.model
        error = model.error
        assert (caught.value.status_code, error.code, error.innererror.code) == (400, "InvalidRequest", inner)

    def test_another_model_raises_its_error(self, azure: DocumentIntelligenceClient) -> None:
        with pytest.raises(ResourceNotFoundError):
            azure.begin_analyze_document("prebuilt-receipt", BytesIO(PDF_BYTES))


class TestFormRecognizer:
    def test_it_reads_the_samples(self, live: Live, shelf: Shelf) -> None:
        key = AzureKeyCredential(live.full_key)
        with DocumentAnalysisClient(f"{live.url}/compat/azure", key, polling_interval=0) as client:
            for name in NAMES:
                shelf.sections = sections_of(name)
                documents: Any = client.begin_analyze_document(MODEL, (SAMPLES / name).read_bytes()).result().documents
                for document, section in zip(documents, shelf.sections, strict=True):
                    read = section.extraction
                    assert document.fields["VendorName"].value == read.vendor_name
                    assert document.fields["InvoiceTotal"].value.amount == float(read.amount or 0)
                    items = document.fields["Items"].value
                    assert [item.value["Description"].value for item in items] == [
                        item.description for item in read.line_items
                    ]

    def test_a_wrong_key_and_a_wrong_file_raise_their_errors(self, live: Live) -> None:
        with (
            DocumentAnalysisClient(f"{live.url}/compat/azure", AzureKeyCredential("wrong")) as client,
            pytest.raises(ClientAuthenticationError),
        ):
            client.begin_analyze_document(MODEL, PDF_BYTES)
        with (
            DocumentAnalysisClient(f"{live.url}/compat/azure", AzureKeyCredential(live.full_key)) as client,
            pytest.raises(HttpResponseError, match="InvalidContent"),
        ):
            client.begin_analyze_document(MODEL, b"no document")


@pytest.fixture
async def caller(anyone: httpx.AsyncClient, make_key: MakeKey) -> httpx.AsyncClient:
    anyone.headers["Ocp-Apim-Subscription-Key"] = (await make_key())["Authorization"].removeprefix("Bearer ")
    return anyone


class TestCalls:
    async def test_a_repeated_call_makes_no_second_invoice(self, caller: httpx.AsyncClient) -> None:
        places = [
            (await caller.post(f"{HOME}:analyze", content=data, headers={"x-ms-client-request-id": "7"})).headers
            for data in (PDF_BYTES, PDF_BYTES, PDF_BYTES + b"another")
        ]
        first, second, third = (each["operation-location"] for each in places)
        assert first == second != third

    async def test_an_unread_document_has_failed(
        self, caller: httpx.AsyncClient, running: None, reader: FakeReader
    ) -> None:
        async def fail() -> None:
            raise DocumentError(FailureCode.DOCUMENT_ENCRYPTED, "The PDF is protected.")

        reader.before = fail
        place = (await caller.post(f"{HOME}:analyze", content=PDF_BYTES)).headers["operation-location"]
        answer = (await caller.get(place)).json()
        assert (answer["status"], answer["error"]["message"]) == ("failed", "The PDF is protected.")

    async def test_a_used_up_quota_is_not_waited_for(
        self, caller: httpx.AsyncClient, account: Account, store: Store
    ) -> None:
        limit = account.plan.monthly_limit or 0
        for _ in range(limit):
            answer = await caller.post(f"{HOME}:analyze", content=PDF_BYTES)
            assert answer.status_code == 202
        assert await store.quotas.used(account.id, MONTH) == limit
        answer = await caller.post(f"{HOME}:analyze", content=PDF_BYTES)
        assert (answer.status_code, answer.headers.get("retry-after")) == (403, None)

    async def test_errors_have_azures_envelope(self, caller: httpx.AsyncClient) -> None:
        for content, inner in [
            (b"{", "InvalidParameter"),
            (b"{}", "InvalidContent"),
            (b'{"base64Source": "?"}', "InvalidContent"),
            (b'{"urlSource": "https://10.0.0.1/a.pdf"}', "ContentSourceNotAccessible"),
        ]:
            answer = await caller.post(f"{HOME}:analyze", content=content, headers={"Content-Type": "application/json"})
            assert (answer.status_code, answer.json()["error"]["innererror"]["code"]) == (400, inner)
        for path in (f"{HOME}/analyzeResults/{UNKNOWN_ID}", f"{HOME}/analyzeResults/7", "/compat/azure/vision/x"):
            assert (await caller.get(path)).json()["error"]["code"] == "NotFound"
        other = "/compat/azure/vision/documentModels/prebuilt-invoice:analyze"
        assert (await caller.post(other, content=PDF_BYTES)).json()["error"]["code"] == "NotFound"
