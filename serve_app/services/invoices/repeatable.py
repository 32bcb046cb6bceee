"""Makes changes of invoices at most once per idempotency key."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from uuid import UUID

from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.errors import KeyReused
from serve_app.domain.idempotency import IdempotencyRecord, StoredAnswer
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Invoice
from serve_app.services.idempotency import KeyHolds
from serve_app.services.tasks.background import Background
from serve_app.store.base import Idempotency, Invoices

MakeChange = Callable[[UUID | None], Awaitable[Invoice]]
"""Makes the change with this id, and returns the changed invoice."""
ToAnswer = Callable[[Invoice], StoredAnswer]


@dataclass(frozen=True, slots=True)
class ChangeRequest:
    """A change of an invoice that a caller asks for. `operation` names the kind of change, `fingerprint` stands for
    everything in its body. Without a `key`, a repetition is made again."""

    account_id: UUID
    invoice_id: UUID
    operation: str
    fingerprint: str
    key: str | None

    def record(self, key: str, clock: Clock) -> IdempotencyRecord:
        """What the key is asked to stand for. A key is of one operation on one invoice: keys of other calls, which
        have no line break, never equal it."""
        now, name = clock(), f"{key}\n{self.operation} {self.invoice_id}"
        return IdempotencyRecord(
            self.account_id, name, self.invoice_id, new_id(), now, held_since=now, fingerprint=self.fingerprint
        )


class RepeatableChanges:
    """The change notes its id in the invoice's row, in the write that makes it. So a retry after a crash between the
    change and its answer finds out that it was made."""

    def __init__(self, invoices: Invoices, idempotency: Idempotency, clock: Clock = utc_now) -> None:
        self._invoices = invoices
        self._holds = KeyHolds(idempotency)
        self._clock = clock
        self._background = Background()

    async def make(self, asked: ChangeRequest, change: MakeChange, answer: ToAnswer) -> tuple[StoredAnswer, bool]:
        """The answer, and whether it is that of an earlier request with the key. Raises RequestInFlight, KeyReused if
        that request asked for something else, and what `change` raises."""
        if asked.key is None:
            return answer(await change(None)), False
        requested = asked.record(asked.key, self._clock)
        held = await self._holds.take(requested)
        if held.fingerprint != asked.fingerprint:
            raise KeyReused
        if held.answer is not None:
            return held.answer, True
        # A caller that disconnects must not leave a change without its answer.
        return await self._background.finish(self._make_held(held, change, answer))

    async def _make_held(
        self, hold: IdempotencyRecord, change: MakeChange, answer: ToAnswer
    ) -> tuple[StoredAnswer, bool]:
        made = await self._made_before(hold)
        async with self._holds.released_after_errors(hold):
            invoice = made or await change(hold.change_id)
        given = answer(invoice)
        await self._holds.keep_answer(hold, given)
        return given, made is not None

    async def _made_before(self, hold: IdempotencyRecord) -> Invoice | None:
        """The invoice, if an earlier request changed it and died without answering."""
        if hold.held_since == hold.created_at:
            return None
        record = await self._invoices.find_record(hold.account_id, hold.invoice_id)
        return record.invoice if record is not None and hold.change_id in record.change_ids else None
