"""A request that takes over what another left for the same invoice may die, too, or the other be at it still. The data
is right in the end: one unit for the invoice, or neither."""

import asyncio
import random
from contextlib import suppress
from datetime import datetime
from typing import Any

import pytest

from serve_app.domain.errors import ServiceError, StoreUnreachable
from serve_app.domain.ids import new_id
from serve_app.domain.record import InvoiceRecord
from serve_app.domain.reservation import Reservation
from serve_app.store.base import Store
from serve_app.store.mongo.store import open_mongo
from tests.store.mongo_faults import Crash, Fault, FaultyClient, Kind, background_done
from tests.support import MONTH, Clock, make_record
from tests.support.mongomock import mock_client

URL = "mongodb://nowhere/invoices"
JUNE = MONTH.replace(month=6)


class Service:
    """Takes documents in as the services do; `files` are the keys of what is written."""

    def __init__(self, client: Any, clock: Clock, files: set[str]) -> None:
        self.store: Store = open_mongo(URL, 2, clock, client)
        self.clock = clock
        self.files = files

    async def submit(self, record: InvoiceRecord, *, fails: bool = False) -> None:
        with suppress(ServiceError):
            reservation = await self.store.intake.reserve(record, MONTH, 5)
            try:
                self.files.add(record.file_key)
                await asyncio.sleep(0)
                if fails:
                    raise StoreUnreachable
                await self.store.intake.add(record)
            except ServiceError:
                await self.end(reservation)

    async def end_all(self, reservations: list[Reservation]) -> None:
        for reservation in reservations:
            with suppress(ServiceError):
                await self.end(reservation)

    async def end(self, reservation: Reservation) -> None:
        if await self.store.intake.give_up(reservation):
            await asyncio.sleep(0)
            self.files.discard(reservation.file_key)
        await self.store.intake.cancel(reservation)

    async def tidy_up(self) -> None:
        for _ in range(2):
            self.clock.advance(3600)
            await self.end_all(await self.store.intake.stale(self.clock.now, 100))

    async def check_consistency(self, client: Any, record: InvoiceRecord) -> int:
        """How many invoices there are: one or none, with a unit and a file for it and no more."""
        collections = client.get_database("invoices")
        quotas = await collections.quotas.find({}).to_list(None)
        rows = await collections.invoices.find({}).to_list(None)
        assert [entry for quota in quotas for entry in quota["open"]] == []
        assert sum(quota["used"] for quota in quotas) == len(rows) <= 1
        assert self.files == {row["file_key"] for row in rows}
        assert await collections.doomed_files.find({}).to_list(None) == []
        return len(rows)


async def taken_over(fault: Fault, left_in: datetime) -> int:
    """A crash, a repetition on which the fault happens, and the data; the operations of the repetition."""
    client: Any = mock_client()
    clock, files, record = Clock(), set[str](), make_record(new_id())
    healthy, faulty = Service(client, clock, files), Service(FaultyClient(client, fault), clock, files)
    await healthy.store.intake.reserve(record, left_in, 5)
    files.add(record.file_key)
    await faulty.store.quotas.used(record.account_id, MONTH)
    await background_done()
    clock.advance(120)
    fault.arm()
    with suppress(Crash):
        await faulty.submit(record)
    count = fault.count
    await healthy.tidy_up()
    await healthy.check_consistency(client, record)
    return count


@pytest.mark.parametrize("left_in", [MONTH, JUNE])
@pytest.mark.parametrize("kind", [Kind.CRASH, Kind.LOST_REQUEST, Kind.LOST_ANSWER])
async def test_a_fault_in_any_step_of_a_repetition_leaves_consistent_data(kind: Kind, left_in: datetime) -> None:
    steps = await taken_over(Fault(kind), left_in)
    assert steps > 5
    for step in range(1, steps + 1):
        await taken_over(Fault(kind, at=step), left_in)


@pytest.mark.parametrize("fails", [(False, False), (True, False), (False, True)])
async def test_two_at_once_make_one_invoice_whatever_the_order(fails: tuple[bool, bool]) -> None:
    made = 0
    for seed in range(150):
        client: Any = mock_client()
        clock, files, record = Clock(), set[str](), make_record(new_id())
        fault = Fault(order=random.Random(seed))  # noqa: S311 - no secret
        service = Service(FaultyClient(client, fault), clock, files)
        await service.store.quotas.used(record.account_id, MONTH)
        await background_done()

        async def later(service: Service = service, record: InvoiceRecord = record, seed: int = seed) -> None:
            for _ in range(seed % 50):
                await asyncio.sleep(0)
            service.clock.advance(0 if seed % 2 else 120)
            await service.submit(record, fails=fails[1])

        await asyncio.gather(service.submit(record, fails=fails[0]), later())
        await service.tidy_up()
        made += await service.check_consistency(client, record)
    assert made == 150 if fails == (False, False) else made > 50
