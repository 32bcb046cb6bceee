"""The result of a create call."""

from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from serve_app.domain.idempotency import StoredAnswer
from serve_app.domain.invoice import Invoice


class UnfinishedInvoice(Invoice):
    """An invoice that did not finish while the call waited."""

    wait_timed_out: Literal[True] = True


@dataclass(frozen=True, slots=True)
class Created:
    """A new invoice, as it is after the call has waited for it, or as it was accepted."""

    invoice: Invoice
    has_waited: bool = False

    @property
    def answer(self) -> StoredAnswer:
        """What the caller is told, and what is stored for its idempotency key: 200 if the invoice finished while the
        call waited."""
        if not self.has_waited:
            return StoredAnswer(202, self.invoice.model_dump_json())
        if self.invoice.is_finished:
            return StoredAnswer(200, self.invoice.model_dump_json())
        return StoredAnswer(202, UnfinishedInvoice.model_construct(**dict(self.invoice)).model_dump_json())


@dataclass(frozen=True, slots=True)
class Replay:
    """The answer that the first request with the same idempotency key was given."""

    invoice_id: UUID
    answer: StoredAnswer
