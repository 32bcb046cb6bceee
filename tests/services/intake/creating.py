"""A create call, as the API makes it."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import pytest

from serve_app.domain.account import Account
from serve_app.services.intake.create import InvoiceCreation
from serve_app.services.intake.created import Replay
from serve_app.services.intake.submit import Upload

ReadsUpload = Callable[[], Awaitable[Upload]]


@dataclass(frozen=True)
class Answer:
    """What a create call is told."""

    status: int
    body: str
    invoice_id: str
    is_replayed: bool


async def answer_to_create(
    service: InvoiceCreation, account: Account, source: ReadsUpload, *, key: str | None, wait: bool
) -> Answer:
    """The answer to a call whose document `source` reads."""
    begun = await service.begin(account, key)
    if isinstance(begun, Replay):
        return Answer(begun.answer.status, begun.answer.body, str(begun.invoice_id), True)
    async with service.released_on_failure(begun):
        document = await source()
    created = await service.accept(begun, document, wait=wait)
    return Answer(created.answer.status, created.answer.body, str(created.invoice.id), False)


async def hang_up(call: asyncio.Task[Any]) -> None:
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
