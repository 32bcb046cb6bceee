"""An account in a MongoDB whose writes may be taken back, and what a caller may rely on."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from pymongo.errors import DuplicateKeyError

from serve_app.domain.account import Account, Plan
from serve_app.domain.errors import ServiceError
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Extraction, Invoice
from serve_app.domain.record import InvoiceRecord
from serve_app.domain.usage import Usage
from serve_app.domain.webhook import Delivery
from serve_app.store.base import Store
from serve_app.store.mongo.store import open_mongo
from tests.store.hooks import add_endpoint, claim_one, emit
from tests.store.mongo_faults import Fault, FaultyClient
from tests.support import NOON, Clock, claim_next, queue_new
from tests.support.mongomock import mock_client

URL = "mongodb://nowhere/invoices"
USAGE = Usage(pages=2, ocr_pages=1, cpu_ms=700, gpu_ms=None)
READ = Extraction(vendor_name="ACME GmbH", invoice_number="R-1", usage=USAGE)
IsKept = Callable[[], Awaitable[bool]]
Verb = Callable[["Scene"], Awaitable[IsKept]]
_TRIES = 3


class NotConfirmed(Exception):
    """The call did not succeed, so it promises nothing."""


@dataclass
class Scene:
    """An account in a store that has a fault (`store`), and the same store without it (`sound`)."""

    fault: Fault
    client: Any = field(default_factory=mock_client)
    account: Account = field(default_factory=lambda: Account(new_id(), Plan.FREE, NOON))

    def __post_init__(self) -> None:
        self.clock = Clock()
        self.store: Store = open_mongo(URL, 2, self.clock, FaultyClient(self.client, self.fault))
        self.sound: Store = open_mongo(URL, 2, self.clock, self.client)

    async def confirmed(self, call: Callable[[], Awaitable[Any]]) -> Any:
        """What the call returns, which is repeated after a 503; NotConfirmed if it has no success."""
        self.fault.arm()
        for _ in range(_TRIES):
            with suppress(ServiceError):
                # That it already exists is not a success either.
                try:
                    result = await call()
                except DuplicateKeyError:
                    break
                self.fault.disarm()
                return result
        raise NotConfirmed

    async def finished(self, invoice_id: Any) -> Invoice:
        found = await self.sound.invoices.get(self.account.id, invoice_id)
        assert found is not None
        return found

    async def completed(self) -> InvoiceRecord:
        """An invoice that is complete."""
        record = await queue_new(self.sound, self.account.id)
        await self.sound.queue.save_result(await claim_next(self.sound), READ, NOON)
        return record

    async def claimed_delivery(self) -> Delivery:
        endpoint = await add_endpoint(self.sound, self.account)
        await emit(self.sound, self.account)
        return await claim_one(self.sound, endpoint)
