"""A caller that traces its request finds there what became of its document."""

import httpx

from serve_app.store.base import Store
from tests.support import PDF_BYTES, claim_next
from tests.support.meters import CALLER, installed_tracer

FILES = {"file": ("a.pdf", PDF_BYTES)}


async def test_the_trace_of_the_request_goes_on_in_the_row(client: httpx.AsyncClient, store: Store) -> None:
    with installed_tracer() as traced:
        answer = await client.post("/v1/invoices", files=FILES, headers={"traceparent": CALLER})
    assert answer.status_code == 202
    assert traced.named("request").parent == CALLER
    assert (await claim_next(store)).trace == traced.named("request").traceparent


async def test_a_request_without_a_trace_begins_one(client: httpx.AsyncClient, store: Store) -> None:
    with installed_tracer() as traced:
        await client.post("/v1/invoices", files=FILES, headers={"traceparent": "nonsense"})
        await client.get("/v1/invoices")
    (request,) = traced.spans
    assert request.parent is None
    assert (await claim_next(store)).trace == request.traceparent


async def test_nothing_is_kept_while_nothing_is_traced(client: httpx.AsyncClient, store: Store) -> None:
    await client.post("/v1/invoices", files=FILES, headers={"traceparent": CALLER})
    assert (await claim_next(store)).trace is None
