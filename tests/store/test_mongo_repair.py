"""Mending costs the same however much waits."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import pytest

from serve_app.domain.account import Account, Plan
from serve_app.domain.ids import new_id
from serve_app.store.mongo.engine import repair
from serve_app.store.mongo.store import open_mongo
from tests.store.mongo_faults import Fault, FaultyClient, background_done
from tests.support import LEASE, NOON, Clock, queue_new
from tests.support.mongomock import mock_client

SLOTS = 2
ALL = frozenset({"distinct", "aggregate", "count_documents"})


@dataclass
class Watched(Fault):
    """Counts what is asked for by the method's name."""

    asked_for: Counter[str] = field(default_factory=Counter)

    def asked(self, collection: Any, name: str, values: tuple[Any, ...], options: dict[str, Any]) -> None:
        # An account and its plan are read by their ids.
        if (collection.name, name) != ("accounts", "aggregate"):
            self.asked_for[name] += 1


async def repairing_with(waiting: int, accounts: int = 3) -> Counter[str]:
    """The queries of the repair while this many invoices of each account wait."""
    client: Any = mock_client()
    watched = Watched()
    sound, store = (
        open_mongo("mongodb://nowhere/a", SLOTS, Clock(), c) for c in (client, FaultyClient(client, watched))
    )
    for _ in range(accounts):
        account = Account(new_id(), Plan.FREE, NOON)
        for _ in range(SLOTS + waiting):
            await queue_new(sound, account.id)
    await store.connection.ping()
    await background_done()
    watched.asked_for.clear()
    await store.queue.repair()
    return watched.asked_for


async def test_a_longer_queue_asks_for_no_more() -> None:
    few, many = await repairing_with(1), await repairing_with(30)
    assert few == many
    assert not ALL & many.keys()


async def test_every_account_is_reached_round_by_round(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repair, "_ACCOUNTS", 2)
    monkeypatch.setattr(repair, "_PAUSE", 0.0)
    client: Any = mock_client()
    store = open_mongo("mongodb://nowhere/a", SLOTS, Clock(), client)
    for _ in range(5):
        await queue_new(store, new_id())
    # As if each process had died before it gave the invoice its slot.
    without_slot = {"$set": {"waiting": True}, "$unset": {"seat": "", "turn": "", "next_run_at": ""}}
    await client.get_database("a").invoices.update_many({}, without_slot)
    assert [await store.queue.repair() for _ in range(3)] == [2, 2, 1]
    assert len([await store.queue.claim_due_invoice(LEASE) for _ in range(5)]) == 5
