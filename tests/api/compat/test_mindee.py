"""Mindee's own client, unchanged but for its base URL and key, works with the service."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from mindee import PathInput, PollingOptions
from mindee.input import BytesInput
from mindee.v2 import Client
from mindee.v2.error import MindeeHTTPErrorV2
from mindee.v2.product.extraction import ExtractionParameters, ExtractionResponse

from serve_app.domain.account import Account, Plan
from serve_app.domain.errors import DocumentError
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import FailureCode
from serve_app.store.base import Store
from tests.api.compat.conftest import Shelf
from tests.api.compat.readings import NAMES, SAMPLES, sections_of
from tests.api.conftest import MakeKey
from tests.api.live import Live
from tests.support import NOON, PDF_BYTES, UNKNOWN_ID, FakeReader
from tests.support.pdfs import drawn, write_lines

MODEL = "87654321-4321-4321-4321-cba987654321"
PARAMS = ExtractionParameters(MODEL, alias="order 17", polling_options=PollingOptions(1, 1, 10))
ENQUEUE = "/compat/mindee/v2/products/extraction/enqueue"


@pytest.fixture
def mindee(live: Live, monkeypatch: pytest.MonkeyPatch) -> Iterator[Client]:
    monkeypatch.setenv("MINDEE_V2_BASE_URL", f"{live.url}/compat/mindee")
    monkeypatch.setattr("mindee.v2.client.sleep", lambda _: None)
    with httpx.Client() as http, Client(live.full_key, http) as client:
        yield client


def document(name: str) -> PathInput | BytesInput:
    """A sample. The client refuses HTML, so it sends a drawn PDF instead."""
    return BytesInput(drawn(write_lines), "drawn.pdf") if name.endswith(".html") else PathInput(SAMPLES / name)


class TestClient:
    def test_it_reads_the_samples(self, mindee: Client, shelf: Shelf) -> None:
        for name in NAMES:
            shelf.sections = sections_of(name)
            first = shelf.sections[0].extraction
            source = document(name)
            inference = mindee.enqueue_and_get_result(ExtractionResponse, source, PARAMS).inference
            assert (inference.model.id, inference.file.alias) == (MODEL, "order 17")
            assert inference.file.name == source.filename
            assert int(inference.file.page_count) == shelf.sections[-1].last_page
            fields = inference.result.fields
            assert fields.get_simple_field("supplier_name").value == first.vendor_name
            assert fields.get_simple_field("total_amount").value == float(first.amount or 0)
            assert fields.get_simple_field("date").value == str(first.issued_at)
            assert fields.get_object_field("locale").fields.get_simple_field("currency").value == first.currency
            items = fields.get_list_field("line_items").object_items
            assert [item.fields.get_simple_field("quantity").value for item in items] == [
                item.quantity if item.quantity is None else float(item.quantity) for item in first.line_items
            ]
            assert fields.get_simple_field("supplier_email").value is None

    def test_levels_and_places_are_ours(self, mindee: Client, shelf: Shelf) -> None:
        path = PathInput(SAMPLES / "invoice.pdf")
        result = mindee.enqueue_and_get_result(ExtractionResponse, path, PARAMS).inference.result
        total = result.fields.get_simple_field("total_amount")
        place = shelf.sections[0].extraction.citations["amount"]  # type: ignore[index]
        assert str(total.confidence) == "High"
        assert total.locations[0].page == 0
        assert tuple(total.locations[0].polygon[0]) == place.box[:2]  # type: ignore[union-attr]
        assert tuple(total.locations[0].polygon[2]) == place.box[2:]  # type: ignore[union-attr]
        taxes = result.fields.get_list_field("taxes").object_items
        assert taxes[0].fields.get_simple_field("rate").value == 0.08875

    def test_a_wrong_key_raises_its_error(self, live: Live, mindee: Client) -> None:
        with Client("inv_live_wrong") as other, pytest.raises(MindeeHTTPErrorV2) as caught:
            other.enqueue(PathInput(SAMPLES / "invoice.pdf"), PARAMS)
        assert (caught.value.status, caught.value.code) == (401, "401-001")
        with Client(live.read_key) as reader, pytest.raises(MindeeHTTPErrorV2) as caught:
            reader.enqueue(PathInput(SAMPLES / "invoice.pdf"), PARAMS)
        assert caught.value.status == 403

    @pytest.mark.parametrize(("size", "status"), [(10, 415), (2**20 + 1, 413), (2**21, 413)])
    def test_a_wrong_file_raises_its_error(self, mindee: Client, size: int, status: int) -> None:
        # The client looks into PDFs.
        with pytest.raises(MindeeHTTPErrorV2) as caught:
            mindee.enqueue(BytesInput(b"no picture".ljust(size), "a.jpg"), PARAMS)
        assert (caught.value.status, caught.value.code) == (status, f"{status}-001")

    def test_an_unknown_id_raises_its_error(self, mindee: Client) -> None:
        for id in (UNKNOWN_ID, "7"):
            with pytest.raises(MindeeHTTPErrorV2, match="404"):
                mindee.get_job(id)
            with pytest.raises(MindeeHTTPErrorV2, match="404"):
                mindee.get_result(ExtractionResponse, id)


async def send(client: httpx.AsyncClient, **more: Any) -> httpx.Response:
    form = {"data": {"model_id": MODEL}, "files": {"file": ("a.pdf", PDF_BYTES)}, **more}
    return await client.post(ENQUEUE, **form)


@pytest.fixture
async def caller(anyone: httpx.AsyncClient, make_key: MakeKey) -> httpx.AsyncClient:
    anyone.headers["Authorization"] = (await make_key())["Authorization"].removeprefix("Bearer ")
    return anyone


class TestErrors:
    async def test_a_form_without_model_or_file(self, caller: httpx.AsyncClient) -> None:
        answer = await send(caller, data={})
        assert (answer.status_code, answer.json()["code"]) == (422, "422-001")
        assert answer.json()["errors"][0]["pointer"] == "#/model_id"
        assert (await send(caller, files={"file": ("a.pdf", b"")})).status_code == 422
        assert (await send(caller, files=None)).json()["errors"][0]["pointer"] == "#/file"
        assert (await caller.post(ENQUEUE, content=b"{}")).status_code == 422
        long = await send(caller, data={"model_id": MODEL, "alias": "a" * 501})
        assert long.json()["errors"][0]["pointer"] == "#/alias"

    async def test_an_unreachable_url(self, caller: httpx.AsyncClient) -> None:
        answer = await caller.post(ENQUEUE, data={"model_id": MODEL, "url": "http://10.0.0.1/a.pdf"})
        assert answer.status_code == 422
        assert answer.json()["detail"].startswith("`file_url`")

    async def test_no_key(self, anyone: httpx.AsyncClient) -> None:
        answer = await send(anyone)
        assert (answer.status_code, answer.json()["title"]) == (401, "Missing api key")

    async def test_an_unknown_path(self, caller: httpx.AsyncClient) -> None:
        answer = await caller.get("/compat/mindee/v2/products/split/results/1")
        assert (answer.status_code, answer.json()["status"]) == (404, 404)

    async def test_other_accounts_see_nothing(self, caller: httpx.AsyncClient, make_key: MakeKey, store: Store) -> None:
        other = Account(new_id(), Plan.FREE, NOON)
        await store.accounts.add(other)
        job = (await send(caller)).json()["job"]
        key = (await make_key(owner=other))["Authorization"].removeprefix("Bearer ")
        answer = await caller.get(f"/compat/mindee/v2/jobs/{job['id']}", headers={"Authorization": key})
        assert answer.status_code == 404

    async def test_a_name_of_test_mode(self, caller: httpx.AsyncClient, account: Account, app: FastAPI) -> None:
        _, key = await app.state.services.accounts.create_key(account.id, "try", livemode=False)
        caller.headers["Authorization"] = key
        answer = await send(caller, files={"file": ("error-queue_too_long.pdf", PDF_BYTES)})
        assert (answer.status_code, answer.json()["code"]) == (503, "503-001")

    async def test_an_unread_document(self, caller: httpx.AsyncClient, running: None, reader: FakeReader) -> None:
        async def fail() -> None:
            raise DocumentError(FailureCode.DOCUMENT_ENCRYPTED, "The PDF is protected.")

        reader.before = fail
        job = (await send(caller)).json()["job"]
        answer = (await caller.get(job["polling_url"])).json()["job"]
        assert (answer["status"], answer["result_url"]) == ("Failed", None)
        assert answer["error"]["detail"] == "The PDF is protected."
        result = await caller.get(f"/compat/mindee/v2/products/extraction/results/{job['id']}")
        assert (result.status_code, result.json()["title"]) == (422, "Document encrypted")
