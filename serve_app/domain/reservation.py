"""What a document takes before its invoice exists: a unit of the quota, and the place of its bytes."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Reservation:
    """A note made before a document's bytes are written; it ends with the write that queues its invoice.

    One that stays was left by a crash: then the file `file_key` may have no invoice, and the unit taken from the month
    that starts at `month` may have no run. `month` is None if no unit was taken: the file's invoice is being deleted.
    `run` is the number of the invoice's run that the unit is for: 1 for its first. `token` distinguishes it from the
    reservations of other requests for the same invoice, even of the same moment; None if there can be no other request.
    """

    invoice_id: UUID
    account_id: UUID
    file_key: str
    month: datetime | None
    run: int
    made_at: datetime
    token: str | None = None
