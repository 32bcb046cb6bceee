"""What claims cost on MongoDB when hundreds of dispatchers claim at one moment, in commands for each claimed row.

Each dispatcher has a queue object of its own, as in a process of its own; they share one connection, so that opening
hundreds of stores is not measured.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import timedelta
from itertools import chain
from typing import Any
from uuid import UUID

from motor.motor_asyncio import AsyncIOMotorClient
from pymongo import MongoClient
from pymongo.monitoring import CommandFailedEvent, CommandListener, CommandStartedEvent, CommandSucceededEvent

from benchmarks.store.report import Result, table
from scripts.mongo_server import mongo_server
from serve_app.domain.account import Account, Plan
from serve_app.domain.clock import utc_now
from serve_app.domain.ids import new_id
from serve_app.domain.record import InvoiceRecord
from serve_app.store.base.queue import Queue
from serve_app.store.mongo.engine.database import Database
from serve_app.store.mongo.queue.follow_ups import FollowUps
from serve_app.store.mongo.queue.queue import MongoQueue
from serve_app.store.mongo.queue.slots import ConcurrencySlots
from serve_app.store.mongo.store import open_mongo
from tests.support import queue_new
from tests.support.databases import create_collections

_ACCOUNTS, _ROUNDS = 50, 3
_NAME = "claims"
_CALL_SECONDS = 300.0
"""The server works through one command after the other, slowly."""
_LEASE = timedelta(minutes=10)


class Commands(CommandListener):
    """Counts the commands that read or change invoices."""

    def __init__(self) -> None:
        self.count = 0

    def started(self, event: CommandStartedEvent) -> None:
        """Called by the driver."""
        self.count += event.command.get(event.command_name) == "invoices"

    def succeeded(self, event: CommandSucceededEvent) -> None:
        """Called by the driver."""

    def failed(self, event: CommandFailedEvent) -> None:
        """Called by the driver."""


def measure_commands(dispatchers: Iterable[int], most: int) -> Result:
    """On a server of MongoDB's protocol that is started here."""
    with mongo_server() as url:
        return asyncio.run(_measure(f"{url}/{_NAME}?timeoutMS={_CALL_SECONDS * 1000:.0f}", list(dispatchers), most))


async def _measure(url: str, dispatchers: Sequence[int], most: int) -> Result:
    create_collections(MongoClient[dict[str, Any]](url)[_NAME])
    commands = Commands()
    client: Any = AsyncIOMotorClient(url, event_listeners=[commands])
    slots = most * _ROUNDS * max(dispatchers)
    store = open_mongo(url, slots, None, client)
    accounts = [Account(new_id(), Plan.UNLIMITED, utc_now()) for _ in range(_ACCOUNTS)]
    for account in accounts:
        await store.accounts.add(account)
    rows, twice = list[Sequence[object]](), 0
    for number in dispatchers:
        for position in range(most * _ROUNDS * number):
            await queue_new(store, accounts[position % _ACCOUNTS].id, utc_now())
        queues = _queues(client, slots, number)
        claimed = [await _claim_together(queues, most, commands) for _ in range(_ROUNDS)]
        ids = Counter[UUID](chain.from_iterable(ids for ids, _, _ in claimed))
        twice += sum(count > 1 for count in ids.values())
        rows.append((number, *(f"{count / len(ids):.1f}" for ids, count, _ in claimed), f"{claimed[-1][2]:.1f}"))
        await client[_NAME].invoices.delete_many({})
    await store.connection.close()
    head = ["dispatchers", *(f"round {number + 1}" for number in range(_ROUNDS)), "seconds of the last"]
    title = f"### Claims at one moment on MongoDB, up to {most} a dispatcher: commands a claimed row"
    return Result([title, "", *table(head, rows), f"Claimed twice: {twice}.", ""], not twice)


def _queues(client: Any, slots: int, number: int) -> list[Queue]:
    database = Database(client, _NAME, None, call_seconds=_CALL_SECONDS)
    shared, follow_ups = ConcurrencySlots(slots, database), FollowUps(database)
    return [MongoQueue(database, shared, follow_ups) for _ in range(number)]


async def _claim_together(queues: Sequence[Queue], most: int, commands: Commands) -> tuple[list[UUID], int, float]:
    """What was claimed, with how many commands, in how many seconds."""
    before, began = commands.count, time.perf_counter()
    found: list[list[InvoiceRecord]] = await asyncio.gather(
        *(queue.claim_due_invoices(_LEASE, most) for queue in queues)
    )
    ids = [claim.invoice.id for claim in chain.from_iterable(found)]
    return ids, commands.count - before, time.perf_counter() - began
