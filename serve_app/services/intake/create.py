"""Creates an invoice for a caller: at most once per idempotency key, and on request waits until it is finished."""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass

from serve_app.domain.account import Account
from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.errors import OutcomeUnknown, RequestInFlight, ServiceError
from serve_app.domain.idempotency import IdempotencyRecord, StoredAnswer
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Invoice
from serve_app.services.background import Background
from serve_app.services.intake.submit import SubmitInvoice, Upload
from serve_app.services.wait import WaitForInvoice
from serve_app.store.base import Idempotency, Invoices

Source = Callable[[], Awaitable[Upload]]
"""Reads the request's body and returns its document; not called if an answer is replayed, whatever the body is."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Created:
    """The answer to a create call: the HTTP status, the JSON body, and whether it is a replay."""

    status: int
    body: str
    is_replayed: bool = False

    @property
    def invoice_id(self) -> str:
        return str(json.loads(self.body)["id"])


class CreateInvoice:
    """Implements `POST /v1/invoices`."""

    def __init__(
        self,
        submit: SubmitInvoice,
        wait: WaitForInvoice,
        invoices: Invoices,
        idempotency: Idempotency,
        wait_seconds: float,
        clock: Clock = utc_now,
    ) -> None:
        self._submit = submit
        self._wait = wait
        self._invoices = invoices
        self._idempotency = idempotency
        self._wait_seconds = wait_seconds
        self._clock = clock
        self._background = Background()

    async def __call__(self, account: Account, source: Source, *, key: str | None, wait: bool) -> Created:
        """Accept the document; with `wait`, hold the call until the invoice is finished, at most for the wait window.

        Raises the errors of `SubmitInvoice` and `source`, and RequestInFlight.
        """
        if key is None:
            return await self._answered(account, await self._submit(account, await source()), wait)
        now = self._clock()
        wanted = IdempotencyRecord(account.id, key, new_id(), new_id(), created_at=now, held_since=now)
        held = await self._hold(wanted)
        if held.holder == wanted.holder:
            return await self._create_once(account, source, held, wait)
        if held.answer is None:
            raise RequestInFlight
        return Created(held.answer.status, held.answer.body, is_replayed=True)

    async def _hold(self, wanted: IdempotencyRecord) -> IdempotencyRecord:
        try:
            return await self._idempotency.hold(wanted)
        except ServiceError:
            # Perhaps only the answer was lost: until the hold has ended, every retry would be told to wait.
            self._background.start(self._release(wanted))
            raise

    async def _create_once(self, account: Account, source: Source, held: IdempotencyRecord, wait: bool) -> Created:
        # An error in this lookup does not release the key: the invoice may exist, and would be created twice.
        created = await self._resumed(account, held)
        if created is None:
            created = await self._new(account, await self._given(source, held), held, wait)
        await self._keep_answer(held, created)
        return created

    async def _resumed(self, account: Account, held: IdempotencyRecord) -> Created | None:
        """The invoice of an earlier request that died without answering."""
        if held.held_since == held.created_at:
            return None
        invoice = await self._invoices.get(account.id, held.invoice_id)
        return None if invoice is None else Created(202, body_of(invoice), is_replayed=True)

    async def _given(self, source: Source, held: IdempotencyRecord) -> Upload:
        try:
            return await source()
        except (Exception, asyncio.CancelledError):
            # Also if the caller disconnects: no document has been accepted.
            await self._background.finish(self._release(held))
            raise

    async def _new(self, account: Account, upload: Upload, held: IdempotencyRecord, wait: bool) -> Created:
        accepting = self._background.start(self._accepted(account, upload, held))
        try:
            return await self._answered(account, await asyncio.shield(accepting), wait)
        except asyncio.CancelledError:
            # The caller disconnected. A retry need not wait for what this request would have waited for.
            await self._background.finish(self._keep_accepted(held, accepting))
            raise

    async def _accepted(self, account: Account, upload: Upload, held: IdempotencyRecord) -> Invoice:
        try:
            return await self._submit(account, upload, held.invoice_id)
        except OutcomeUnknown:
            # Once this request's hold has expired, a retry finds the invoice or takes the id over.
            raise
        except Exception:
            await self._release(held)
            raise

    async def _keep_accepted(self, held: IdempotencyRecord, accepting: asyncio.Task[Invoice]) -> None:
        with suppress(Exception):
            await self._keep_answer(held, Created(202, body_of(await accepting)))

    async def _keep_answer(self, held: IdempotencyRecord, created: Created) -> None:
        try:
            await self._idempotency.answer(held, StoredAnswer(created.status, created.body))
        except ServiceError as error:
            # The invoice exists under the reserved id: a retry finds it once this request's hold has expired.
            log.warning("answer not kept for its idempotency key: %s", error)

    async def _release(self, held: IdempotencyRecord) -> None:
        """An error is not kept as an answer: the request may be retried."""
        with suppress(ServiceError):
            await self._idempotency.release(held)

    async def _answered(self, account: Account, accepted: Invoice, wait: bool) -> Created:
        if not wait:
            return Created(202, body_of(accepted))
        latest = await self._waited_for(account, accepted)
        if latest.is_finished:
            return Created(200, body_of(latest))
        return Created(202, f'{body_of(latest)[:-1]},"wait_timed_out":true}}')

    async def _waited_for(self, account: Account, accepted: Invoice) -> Invoice:
        """The invoice after waiting. It is already accepted, so an error here only ends the waiting."""
        await self._wait(accepted.id, self._wait_seconds)
        try:
            return await self._invoices.get(account.id, accepted.id) or accepted
        except ServiceError as error:
            log.warning("cannot look at the invoice waited for: %r", error, extra={"invoice_id": str(accepted.id)})
            return accepted


def body_of(invoice: Invoice) -> str:
    """The JSON of an invoice as the API returns it."""
    return invoice.model_dump_json()
