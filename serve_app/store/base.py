"""What the services need to keep. Every method raises ServiceError 503 while the storage is out of reach.

Every method that writes is atomic and durable once it returns: after a crash all of it is there or nothing.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID

from serve_app.domain.account import Account, ApiKey, Caller
from serve_app.domain.event import Event
from serve_app.domain.invoice import Extraction, Failure, Invoice
from serve_app.domain.record import InvoiceRecord, Release


class Accounts(Protocol):
    """The owners of everything."""

    async def add(self, account: Account) -> None: ...

    async def get(self, account_id: UUID) -> Account | None: ...


class Keys(Protocol):
    """API keys, known by their hash only."""

    async def add(self, key: ApiKey) -> None: ...

    async def find_caller(self, key_hash: str) -> Caller | None:
        """The key with this hash and its account; None where it is unknown or revoked."""
        ...

    async def of_account(self, account_id: UUID) -> list[ApiKey]:
        """All keys of the account, revoked ones too, newest first."""
        ...

    async def revoke(self, account_id: UUID, key_id: UUID, now: datetime) -> bool:
        """True where the key was valid until now."""
        ...


class Quotas(Protocol):
    """Extractions counted per account and calendar month; a unit is taken by `Invoices.add`."""

    async def used(self, account_id: UUID, month: datetime) -> int:
        """`month` is the moment the month starts."""
        ...


class RateWindows(Protocol):
    """Requests counted per key and fixed window."""

    async def count(self, key_id: UUID, window: datetime) -> int:
        """Count one request in the window that starts at `window`; returns the window's requests with this one."""
        ...


class Invoices(Protocol):
    """Invoices, and the queue that they are. A write of a run takes the record as it was claimed, and does nothing
    (False or None) when the claim is no longer the present one."""

    async def add(self, record: InvoiceRecord, month: datetime, limit: int | None) -> None:
        """Take a quota unit and insert, as one write. ServiceError 429 `monthly_quota_reached` at the limit."""
        ...

    async def get(self, account_id: UUID, invoice_id: UUID) -> Invoice | None:
        """None where the id is unknown or another account's."""
        ...

    async def find_record(self, account_id: UUID, invoice_id: UUID) -> InvoiceRecord | None:
        """The same with what only the service knows of it."""
        ...

    async def finished_among(self, ids: Collection[UUID]) -> set[UUID]:
        """Those of `ids` that are complete or failed."""
        ...

    async def claim_due_invoice(self, now: datetime, lease_until: datetime) -> InvoiceRecord | None:
        """Claim the row that has been due for longest; where its lease ran out, that counts as a lost claim."""
        ...

    async def requeue_lost_claims(self, now: datetime) -> int:
        """Make invoices `queued` again whose lease ran out: a claim would do so as well, but may be long in coming.
        Returns how many there were."""
        ...

    async def renew_lease(self, claim: InvoiceRecord, lease_until: datetime) -> bool: ...

    async def release(self, claim: InvoiceRecord, due: datetime, why: Release) -> bool:
        """Give the claim back: `queued`, to be claimed from `due` on."""
        ...

    async def save_result(
        self, claim: InvoiceRecord, extraction: Extraction, now: datetime, siblings: Sequence[InvoiceRecord] = ()
    ) -> Invoice | None:
        """Result, state, duplicates and the event of it as one write; the invoice as it now is.

        `siblings` are the finished records of the file's further invoices: each is added with an event and a quota unit
        of its own, past the limit, too. Flags duplicates of the account: each names the oldest invoice with the same
        vendor, number and amount.
        """
        ...

    async def fail(self, claim: InvoiceRecord, failure: Failure, now: datetime) -> Invoice | None:
        """Failure, state and the event of it as one write; the invoice as it now is."""
        ...


class Events(Protocol):
    """The event log. A finishing write leaves its event with the invoice; `spread_pending` carries it over."""

    async def spread_pending(self, limit: int) -> int:
        """Move events of up to `limit` invoices into the log, each exactly once; returns how many invoices."""
        ...

    async def newest(self, account_id: UUID, limit: int) -> list[Event]: ...


class Files(Protocol):
    """The bytes of documents. A key is opaque: `<account>/<invoice>`. ServiceError 503 while out of reach."""

    async def write(self, key: str, data: bytes) -> None:
        """Durable once it returns; nothing half-written otherwise."""
        ...

    async def read(self, key: str) -> bytes:
        """FileNotFoundError where there is none."""
        ...

    async def delete(self, key: str) -> None:
        """No error where there is none."""
        ...


class Connection(Protocol):
    """The store as a whole."""

    async def ping(self) -> None:
        """Returns when the store answers."""
        ...

    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Store:
    """Everything durable but the files. Open one per process with `open_store`."""

    accounts: Accounts
    keys: Keys
    quotas: Quotas
    rate_windows: RateWindows
    invoices: Invoices
    events: Events
    connection: Connection
