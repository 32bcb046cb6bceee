"""Who works on what: opened reviews, assignment, and the list of invoices that need a person."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import UUID

from serve_app.domain.invoice import Invoice
from serve_app.domain.person import Person

LEASE = timedelta(minutes=2)
"""How long an opened review stays its reader's without a sign of life."""
LATEST_END = 2 * LEASE
"""A lease that ends later than this from now began before the clock was set back. Twice a lease, because the clocks of
machines differ."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Somebody who opens reviews. `window` tells two windows of one person apart: neither takes a review from the other
    unseen."""

    person_id: UUID
    name: str
    window: str


@dataclass(frozen=True, slots=True)
class Lease:
    """An opened review is its reader's `until` then; `since` is when the reader opened it (None: unknown)."""

    reader: Reader
    until: datetime
    since: datetime | None = None

    def is_over(self, now: datetime) -> bool:
        """Whether nobody has the review open any longer, or the clock was set back since it was opened."""
        return not now < self.until <= now + LATEST_END

    def seconds_of(self, person_id: UUID | None, now: datetime) -> float | None:
        """How long this person has had the review open; None if another one has it, or nobody now."""
        if self.since is None or self.is_over(now) or self.reader.person_id != person_id:
            return None
        return (now - self.since).total_seconds()


def may_take(held: Lease | None, reader: Reader, now: datetime) -> bool:
    """Whether nobody else has the review open."""
    return held is None or held.is_over(now) or held.reader.window == reader.window


def renewed(held: Lease | None, reader: Reader, now: datetime, length: timedelta) -> Lease:
    """The reader's lease from now on. A window that has the review open already opened it then."""
    is_open = held is not None and not held.is_over(now) and held.reader.window == reader.window
    return Lease(reader, now + length, held.since if held is not None and is_open else now)


class WorkOrder(StrEnum):
    """What comes first; of equals the oldest."""

    DUE = "due"
    """The earliest due date; those without one last."""
    AMOUNT = "amount"
    """The highest amount, whatever its currency."""
    AGE = "age"
    """The oldest."""
    VENDOR = "vendor"
    """By vendor, in alphabetical order."""
    DOUBT = "doubt"
    """The least sure."""


@dataclass(frozen=True, slots=True)
class WorkQuery:
    """Which invoices that need a person to list, and in what order. `vendor` is a part of the name. `assignee` None
    matches any; `unassigned` only those that nobody has. `free_for` leaves out what another window has open. What the
    person `put_off_by` has put off comes after the others, the one of longest ago first."""

    order: WorkOrder = WorkOrder.DUE
    vendor: str | None = None
    assignee: UUID | None = None
    unassigned: bool = False
    free_for: str | None = None
    put_off_by: UUID | None = None


@dataclass(frozen=True, slots=True)
class WorkItem:
    """An invoice that needs a person, who has it open (None: nobody now), and whose it is."""

    invoice: Invoice
    lease: Lease | None
    assignee: UUID | None


@dataclass(frozen=True, slots=True)
class WorkCounts:
    """How many invoices wait for a person, and on how many one has decided since a moment."""

    waiting: int
    decided: int


def reader_of(person: Person, window: str) -> Reader:
    """A person at a window."""
    return Reader(person.id, person.called, window)
