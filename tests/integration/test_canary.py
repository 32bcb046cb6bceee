"""A pair of models that reads along, and one that answers some documents, on a real Ray: no answer is lost."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any
from uuid import UUID

import pytest

from serve_app.domain.canary import CanaryState
from serve_app.domain.clock import utc_now
from serve_app.domain.comparison import Comparison, Signs
from serve_app.store.base import Store
from serve_app.store.factory import open_store
from serve_app.wiring.candidates import build_candidate_service
from tests.integration.conftest import Service, replica
from tests.integration.test_swap import post, steady_load
from tests.support.people import COMMAND_LINE
from tests.support.until import until

pytestmark = pytest.mark.ray

PAIR = "older"
OWN = ("id", "created_at", "updated_at", "file", "duplicate_of", "usage")
"""What no two answers have in common."""
# After a failure, nothing is read along for half a minute.
READ_ALONG_SECONDS = 120


@asynccontextmanager
async def opened(service: Service) -> AsyncIterator[Store]:
    store = open_store(service.settings)
    try:
        yield store
    finally:
        await store.connection.close()


async def answers(service: Service, number: int) -> list[dict[str, Any]]:
    """What is answered, one after the other, without what is each answer's own."""
    async with service.client() as client:
        found = [await post(client, service) for _ in range(number)]
    return [{name: value for name, value in each.items() if name not in OWN} for each in found]


async def test_a_shadow_changes_no_answer_and_neither_does_its_death(service: Service) -> None:
    await answers(service, 1)
    (plain,) = await answers(service, 1)
    await asyncio.to_thread(service.deploy, {}, shadow={"pair": PAIR, "share": 1.0})
    async with opened(service) as store:

        async def has_read(more_than: int) -> bool:
            return len(await store.comparisons.newest(PAIR, 100)) > more_than

        assert await answers(service, 2) == [plain] * 2
        await until(lambda: has_read(1), READ_ALONG_SECONDS)
        replica("Verifier-older").kill()
        assert await answers(service, 2) == [plain] * 2
    await asyncio.to_thread(service.deploy, {})
    assert await answers(service, 1) == [plain]


async def test_steps_and_a_rollback_under_load_fail_no_document(service: Service) -> None:
    async with opened(service) as store, AsyncExitStack() as cleanup, steady_load(service) as invoices:
        canaries = build_candidate_service(store)

        async def answered(model: str, number: int = 3) -> None:
            """The next documents are answered by this model."""

            async def seen() -> bool:
                newest = [invoice["models"]["verifier"] for invoice in invoices[-number:]]
                return newest == [model] * number

            await until(seen, READ_ALONG_SECONDS)

        await answered("verifier")
        canary = await canaries.start(PAIR, COMMAND_LINE, 0.5)
        cleanup.push_async_callback(canaries.stop, COMMAND_LINE)
        await until(lambda: _any_of(invoices, "verifier-older"), READ_ALONG_SECONDS)
        canary = await canaries.step(COMMAND_LINE)
        await answered("verifier-older")
        worse = Signs(-1, 0, 0)

        async def gives_up() -> bool:
            """Whether it was rolled back, now that the candidate was worse on every document."""
            # The service may write what it found itself at any time after an answer.
            compared = {each.invoice_id for each in await store.comparisons.newest(PAIR, 1000) if each.signs == worse}
            missing = {UUID(invoice["id"]) for invoice in invoices} - compared
            await store.comparisons.put(
                [Comparison(each, service.account_id, PAIR, utc_now(), True, canary.id, worse) for each in missing]
            )
            present = await canaries.present()
            return present is not None and present.state is CanaryState.ROLLED_BACK

        await until(gives_up, READ_ALONG_SECONDS)
        await answered("verifier")
    assert {invoice["status"] for invoice in invoices} == {"complete"}


async def _any_of(invoices: list[dict[str, Any]], model: str) -> bool:
    return any(invoice["models"]["verifier"] == model for invoice in invoices)
