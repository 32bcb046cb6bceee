"""How long the store takes is recorded by operation."""

from datetime import timedelta
from pathlib import Path

import pytest

from serve_app.domain.due import Due
from serve_app.domain.errors import StoreUnreachable
from serve_app.store.sqlite.store import open_sqlite
from serve_app.store.timed import timed_store
from serve_app.telemetry.roles import CHILDREN, observed_operations
from tests.support.meters import installed_meter


async def test_calls_are_distinguished_as_far_as_the_process_does(tmp_path: Path) -> None:
    store = timed_store(open_sqlite(tmp_path / "invoices.db", 8), observed_operations("Dispatcher"))
    with installed_meter() as meter:
        assert await store.queue.claim_due_invoice(timedelta(seconds=30)) is None
        assert await store.mails.due() == Due(0, None)
        assert await store.deliveries.due() == Due(0, None)
    await store.connection.close()
    times = {labels[1]: len(seen) for labels, seen in meter.seen.items()}
    assert times == {"claim": 1, "other": 2}


async def test_calls_that_fail_are_counted(tmp_path: Path) -> None:
    store = open_sqlite(tmp_path / "invoices.db", 8)

    async def unreachable() -> None:
        raise StoreUnreachable

    store.mails.due = unreachable  # type: ignore[method-assign,assignment]
    timed = timed_store(store, observed_operations("Mailroom"))
    with installed_meter() as meter, pytest.raises(StoreUnreachable):
        await timed.mails.due()
    await store.connection.close()
    assert meter.counts["invoices_store_errors_total",] == 1
    assert len(meter.seen["invoices_store_seconds", "other"]) == 1


@pytest.mark.parametrize("deployment", CHILDREN)
def test_every_process_with_a_store_has_a_place_for_all_other_calls(deployment: str) -> None:
    assert observed_operations(deployment) == frozenset() or "other" in observed_operations(deployment)
