"""MongoDB changes one document at a time, so a process can die between any two changes that belong together, and others
can come in between. The data is consistent in the end, whichever two it is."""

import asyncio
import random
from contextlib import suppress
from decimal import Decimal
from typing import Any

import pytest

from serve_app.domain.account import Account, Plan
from serve_app.domain.batch import Section, records_of
from serve_app.domain.errors import ServiceError
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Extraction, Failure, FailureCode
from serve_app.domain.record import InvoiceRecord
from serve_app.domain.reservation import Reservation
from serve_app.domain.review import Decision
from serve_app.domain.webhook import WebhookEndpoint
from serve_app.store.base import Store
from serve_app.store.base.reviews import NewReview
from serve_app.store.mongo.store import open_mongo
from tests.store.mongo_consistency import check_consistency
from tests.store.mongo_faults import Crash, Fault, FaultyClient, Kind, background_done, patient
from tests.support import LEASE, MONTH, NOON, Clock, make_record
from tests.support.mongomock import mock_client
from tests.support.thorough import part_of

SLOTS = 2
URL = "mongodb://nowhere/invoices"
SAME = Extraction(vendor_name="ACME GmbH", invoice_number="R-1", amount=Decimal("10.10"))
OTHER = Extraction(vendor_name="Acme", invoice_number="R-2", amount=Decimal("0.20"))
FAILURE = Failure(code=FailureCode.NO_TEXT_FOUND, message="-")


class Service:
    """Uses the store as the services do, and continues after a 503 as they do."""

    def __init__(self, client: Any, clock: Clock, account: Account, files: set[str]) -> None:
        self.store: Store = open_mongo(URL, SLOTS, clock, client)
        self.clock = clock
        self.account = account
        self.files = files

    async def submit(self) -> InvoiceRecord | None:
        record = make_record(self.account.id, self.clock.now)
        reservation = await patient(lambda: self.store.intake.reserve(record, MONTH, None), tries=1)
        if reservation is None:
            return None
        self.files.add(record.file_key)
        try:
            await self.store.intake.add(record)
        except ServiceError:
            with suppress(ServiceError):
                await self.end(reservation)
        return record

    async def end(self, reservation: Reservation) -> None:
        """Deletes the file if it is unused, as housekeeping does."""
        if await self.store.intake.give_up(reservation):
            self.files.discard(reservation.file_key)
        await self.store.intake.cancel(reservation)

    async def run(self, extraction: Extraction | None, parts: int = 1) -> bool:
        """Claims the next invoice and ends its run; False where none is due."""
        claim = await patient(lambda: self.store.queue.claim_due_invoice(LEASE))
        if claim is None:
            return False
        if extraction is None:
            await patient(lambda: self.store.queue.fail(claim, FAILURE, self.clock.now))
            return True
        alone = claim.invoice.batch is not None or claim.runs > 1
        sections = [Section(page, page, extraction) for page in range(1, 1 + (1 if alone else parts))]
        first, siblings = records_of(claim, sections, self.clock.now)
        await patient(lambda: self.store.queue.save_result(claim, first, self.clock.now, siblings))
        return True

    async def run_again(self, record: InvoiceRecord | None) -> None:
        if record is None:
            return
        invoice = await patient(lambda: self.store.invoices.get(self.account.id, record.invoice.id))
        if invoice is not None:
            await patient(lambda: self.store.intake.rerun(invoice, self.account.id, MONTH, None))

    async def correct(self, record: InvoiceRecord | None, **values: str) -> None:
        """What a person says, who looks again if somebody else was faster or the document is being read."""
        found = record and await patient(lambda: self.store.invoices.find_record(self.account.id, record.invoice.id))
        if not found:
            return
        review = found.review.changed(
            {name: Decision(value=value, by="Ann", at=self.clock.now) for name, value in values.items()}
        )
        ids = self.account.id, found.invoice.id
        seen, now = found.review_revision, self.clock.now
        await patient(lambda: self.store.reviews.save(*ids, NewReview(review, seen, now)))

    async def erase(self, record: InvoiceRecord | None) -> None:
        """Removes the invoice, unless it is one of several in a file: the check counts those."""
        if record is None:
            return
        found = await patient(lambda: self.store.invoices.find_record(self.account.id, record.invoice.id))
        if found is not None and found.invoice.batch is None:
            await patient(lambda: self.store.erasure.invoice(found, self.clock.now))

    async def sweep(self) -> None:
        for reservation in await self.store.intake.stale(self.clock.now, 1000):
            await self.end(reservation)

    async def recover(self) -> None:
        """The background work, until nothing is left to do."""
        self.clock.advance(3600)
        await self.sweep()
        await self.store.queue.repair()
        while await self.run(OTHER):
            pass
        self.clock.advance(3600)
        while (await self.store.outbox.spread_pending(100)).invoices:
            pass
        await self.sweep()


async def a_day(service: Service) -> None:
    """A bit of everything."""
    records = [await service.submit() for _ in range(4)]
    await service.run(SAME, parts=3)
    await service.run(SAME)
    await service.run(None)
    await patient(lambda: service.store.outbox.spread_pending(10))
    await service.correct(records[0], vendor="Beta Ltd", amount="7.70")
    await service.correct(records[1], invoice_number="R-9")
    await service.run_again(records[0])
    await service.run_again(records[2])
    for _ in range(2):
        await service.run(OTHER)
    await service.erase(records[1])


async def opened(client: Any, clock: Clock, account: Account, files: set[str]) -> Service:
    service = Service(client, clock, account, files)
    await service.store.accounts.add(account)
    await service.store.endpoints.add(
        WebhookEndpoint(new_id(), account.id, "https://example.com", (), (), NOON), at_most=1
    )
    await background_done()
    return service


async def day_with(fault: Fault) -> None:
    """A day on which the fault happens, and the data after it."""
    client: Any = mock_client()
    clock, account, files = Clock(), Account(new_id(), Plan.FREE, NOON), set[str]()
    service = await opened(FaultyClient(client, fault), clock, account, files)
    fault.arm()
    with suppress(Crash):
        await a_day(service)
    await fault.fail_over()
    heir = Service(client, clock, account, files)
    erased = await finish_erasing(heir, client)
    await heir.recover()
    await check_consistency(client.get_database("invoices"), files, endpoints=1, erased_units=erased)


async def finish_erasing(heir: Service, client: Any) -> int:
    """What an operator does after an interrupted command: repeat it. Returns the units of what was erased in the
    end."""
    collections = client.get_database("invoices")
    pending = {row["_id"] for row in await collections.doomed_files.find({}).to_list(None)}
    for record in await heir.store.erasure.next_invoices(heir.account.id, 100):
        if str(record.invoice.id) in pending:
            await heir.store.erasure.invoice(record, heir.clock.now)
    return len(pending)


@pytest.mark.slow
@pytest.mark.parametrize("kind", list(Kind))
async def test_the_data_is_consistent_wherever_a_day_breaks_off(kind: Kind) -> None:
    quiet = Fault(kind)
    await day_with(quiet)
    assert len(quiet.strikes) > 50
    for at in part_of(quiet.strikes, list(Kind).index(kind)):
        try:
            await day_with(Fault(kind, at))
        except Exception as error:
            raise AssertionError(f"{kind.name} of operation {at}") from error


@pytest.mark.parametrize("seed", range(5))
async def test_the_data_is_consistent_when_many_do_everything_at_once(seed: int) -> None:
    client: Any = mock_client()
    clock, account, files = Clock(), Account(new_id(), Plan.FREE, NOON), set[str]()
    order = random.Random(seed)  # noqa: S311 - no secret
    services = [await opened(FaultyClient(client, Fault(order=order)), clock, account, files)]
    services += [Service(FaultyClient(client, Fault(order=order)), clock, account, files) for _ in range(3)]
    await asyncio.gather(*(_work(service, order) for service in services))
    await services[0].recover()
    await check_consistency(client.get_database("invoices"), files, endpoints=1)


async def _work(service: Service, order: random.Random) -> None:
    records = [await service.submit() for _ in range(3)]
    for _ in range(6):
        await service.run(order.choice([SAME, SAME, OTHER, None]), parts=order.choice([1, 1, 3]))
        await service.run_again(order.choice(records))
        await service.correct(order.choice(records), vendor=order.choice(["ACME", "Beta Ltd"]), amount="10.10")
        await service.store.queue.repair()
        await service.store.outbox.spread_pending(order.choice([1, 5]))
