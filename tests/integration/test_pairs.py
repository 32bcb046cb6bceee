"""Two pairs of models side by side, on a real Ray: an account stays on one of them whatever happens to either."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from serve_app.domain.clock import utc_now
from serve_app.services.models.pins import ModelPins
from serve_app.store.factory import open_store
from serve_app.wiring.pins import build_pins
from tests.integration.conftest import Service, replica
from tests.integration.test_swap import LOAD, bundled_verifier, post, steady_load
from tests.support.people import COMMAND_LINE
from tests.support.until import until

pytestmark = pytest.mark.ray


@asynccontextmanager
async def pinned(service: Service) -> AsyncIterator[ModelPins]:
    """The account stays on the older pair meanwhile."""
    store = open_store(service.settings)
    pins = build_pins(store, ["older"])
    await pins.pin(COMMAND_LINE, service.account_id, "older", utc_now().date() + timedelta(days=1))
    try:
        yield pins
    finally:
        await pins.unpin(COMMAND_LINE, service.account_id)
        await store.connection.close()


async def models_of_more(invoices: list[dict[str, Any]]) -> set[str]:
    """The verifiers of the next documents, as many as are in work at a time and some more."""
    seen = len(invoices)
    await until(lambda: len(invoices) >= seen + 2 * LOAD, 120)
    return {invoice["models"]["verifier"] for invoice in invoices[seen:]}


async def test_a_pinned_account_under_load_sees_neither_swaps_nor_refusals_nor_losses(
    service: Service, tmp_path: Path
) -> None:
    older = {"verifier-older"}
    async with pinned(service), steady_load(service) as invoices:
        assert await models_of_more(invoices) == older
        await asyncio.to_thread(service.deploy, {"Verifier": bundled_verifier(tmp_path / "ours")})
        assert await models_of_more(invoices) == older
        await asyncio.to_thread(service.deploy, {"Verifier-older": {"checkpoint": str(tmp_path / "missing")}})
        assert await models_of_more(invoices) == older
        await asyncio.to_thread(service.deploy, {})
        # The first pair reads for as long as the other one is away.
        replica("Verifier-older").kill()
        assert await models_of_more(invoices) <= {"verifier", *older}
    assert {invoice["status"] for invoice in invoices} == {"complete"}
    async with service.client() as client:
        assert (await post(client, service))["models"]["verifier"] == "verifier"
