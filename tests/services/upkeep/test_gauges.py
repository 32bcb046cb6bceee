"""What the store says about its queue is told as numbers."""

from datetime import timedelta

from serve_app.domain.account import Account
from serve_app.services.upkeep.gauges import publish_queue
from serve_app.store.base import Store
from tests.support import NOON, Clock, claim_next, queue_new
from tests.support.meters import installed_meter


async def test_how_long_the_oldest_document_has_waited_and_run(store: Store, account: Account, clock: Clock) -> None:
    with installed_meter() as meter:
        await publish_queue(store, clock)
        ages = {state: meter.values["invoices_queue_oldest_seconds", state] for state in ("waiting", "running")}
        assert ages == {"waiting": 0, "running": 0}
        for minutes in (2, 1):
            await queue_new(store, account.id, NOON - timedelta(minutes=minutes))
        await claim_next(store)
        clock.advance(20)
        await publish_queue(store, clock)
    assert meter.values["invoices_queue_oldest_seconds", "waiting"] == 80
    assert meter.values["invoices_queue_oldest_seconds", "running"] == 20
