"""Writes receipts of what is removed for good."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

from serve_app.domain.clock import Clock
from serve_app.domain.erased import Erased
from serve_app.domain.ids import new_id
from serve_app.domain.retention import Receipt, Removal
from serve_app.store.base.retention import RetentionStore


@dataclass(slots=True)
class Removed:
    """What a removal has removed so far."""

    erased: Erased = field(default_factory=Erased)


@asynccontextmanager
async def receipted(
    retention: RetentionStore, clock: Clock, account_id: UUID, why: Removal, before: datetime | None = None
) -> AsyncIterator[Removed]:
    """A receipt of what is removed within: written before, so that a removal that a crash cuts short has one as well,
    and completed after. Note in the value what was removed."""
    receipt = Receipt(new_id(), account_id, why, clock(), before=before)
    await retention.put_receipt(receipt)
    removed = Removed()
    yield removed
    await retention.put_receipt(replace(receipt, done_at=clock(), erased=removed.erased))
