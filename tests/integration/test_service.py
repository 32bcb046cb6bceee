"""Documents through the whole service, on a real Ray."""

import asyncio
from typing import Any

import httpx
import pytest

from tests.integration.conftest import Service, replica
from tests.support.checkpoints import write_layout_checkpoint

pytestmark = pytest.mark.ray

FINISHED_WITHIN_S = 300


async def post(client: httpx.AsyncClient, service: Service, number: int = 0, wait: bool = True) -> dict[str, Any]:
    answer = await client.post("/v1/invoices", params={"wait": wait}, files=service.upload(number))
    assert answer.status_code == (200 if wait else 202), answer.text
    body: dict[str, Any] = answer.json()
    return body


async def finished(client: httpx.AsyncClient, invoice_id: str) -> dict[str, Any]:
    async with asyncio.timeout(FINISHED_WITHIN_S):
        while True:
            body: dict[str, Any] = (await client.get(f"/v1/invoices/{invoice_id}")).json()
            if body["status"] in {"complete", "failed"}:
                return body
            await asyncio.sleep(0.2)


async def test_a_document_is_read_while_the_call_is_held(service: Service) -> None:
    async with service.client() as client:
        invoice = await post(client, service)
    assert invoice["status"] == "complete"
    assert invoice["pages"] == 1
    assert invoice["models"] == {"extractor": "extractor", "verifier": "verifier"}
    assert invoice["file"]["name"] == "invoice-0.pdf"


async def test_ten_documents_at_once_all_finish(service: Service) -> None:
    async with service.client() as client:
        invoices = await asyncio.gather(*(post(client, service, number) for number in range(10)))
    assert [invoice["status"] for invoice in invoices] == ["complete"] * 10
    assert len({invoice["id"] for invoice in invoices}) == 10


async def test_a_document_that_cannot_be_read_fails_with_its_code(service: Service) -> None:
    async with service.client() as client:
        answer = await client.post(
            "/v1/invoices",
            params={"wait": True},
            files={"file": ("broken.pdf", b"%PDF-1.7 nothing", "application/pdf")},
        )
    assert answer.status_code == 200
    assert answer.json()["status"] == "failed"
    assert answer.json()["failure"]["code"] == "document_unreadable"


async def test_a_client_cannot_steer_serve(service: Service) -> None:
    async with service.client() as client:
        answer = await client.get(
            "/v1/me", headers={"x-request-timeout-seconds": "0.000001", "X-Request-Id": "mine", "Connection": "close"}
        )
    assert answer.status_code == 200
    assert answer.headers.get_list("x-request-id") == ["mine"]


# Of the dispatcher: tests/integration/test_telemetry.py.
async def test_killed_workers_lose_no_document(service: Service) -> None:
    async with service.client() as client:
        accepted = await asyncio.gather(*(post(client, service, number, wait=False) for number in range(10)))
        for victim in [replica(name) for name in ("Extractor", "Reader", "Reconciler")]:
            victim.kill()
        invoices = await asyncio.gather(*(finished(client, invoice["id"]) for invoice in accepted))
    assert [invoice["status"] for invoice in invoices] == ["complete"] * 10


async def test_a_model_is_swapped_in_place_without_a_failed_document(service: Service) -> None:
    other = write_layout_checkpoint(service.pdf.parent / "swapped", seed=7)
    before = replica("Extractor").pid
    async with service.client() as client:
        in_flight = [asyncio.create_task(post(client, service, number)) for number in range(5)]
        await asyncio.to_thread(service.deploy, {"Extractor": {"checkpoint": str(other)}})
        assert {(await task)["status"] for task in in_flight} == {"complete"}
        assert (await post(client, service))["models"]["extractor"] == "swapped"
    assert replica("Extractor").pid == before


async def test_a_refused_model_leaves_the_service_as_it_was(service: Service) -> None:
    before = replica("Extractor").pid
    await asyncio.to_thread(service.deploy, {"Extractor": {"checkpoint": str(service.pdf.parent / "missing")}})
    async with service.client() as client:
        invoice = await post(client, service)
    assert invoice["status"] == "complete"
    assert replica("Extractor").pid == before
