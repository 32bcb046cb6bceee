"""The records of an account: what a store holds about it, as far as one part must agree with another."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID

from serve_app.domain.deletion import PlannedDeletion


@dataclass(frozen=True, slots=True)
class InvoiceEntry:
    """`is_settled` is False while follow-up work of its last change is still to be done. `billed` is what it adds to
    its vendor, `runs` counts the runs that were requested; `has_document` is False once its file was removed before its
    values."""

    id: str
    status: str
    is_settled: bool
    runs: int
    file_key: str
    has_document: bool
    evidence_key: str | None
    vendor_id: str | None
    vendor_key: str | None
    billed: Decimal
    duplicate_key: str | None
    duplicate_of: str | None
    batch: tuple[str, int, int] | None
    """The id of the file's set of invoices, the place in it and the size of the set."""
    export_id: str | None = None

    @property
    def is_finished(self) -> bool:
        return self.status in ("complete", "failed")


@dataclass(frozen=True, slots=True)
class EventEntry:
    """An event about an invoice; test events are not among them."""

    id: str
    invoice_id: str
    type: str


@dataclass(frozen=True, slots=True)
class EndpointEntry:
    """`is_as_made` tells that it has never been changed since its registration, so every event since is due to it."""

    id: str
    is_as_made: bool
    types: Sequence[str]
    """The types of events that it wants, all spelled out."""
    since: str
    """The smallest id that an event made after it can have."""


@dataclass(frozen=True, slots=True)
class VendorEntry:
    """`merged_into` is the id of the vendor that it counts for; None: itself."""

    id: str
    key: str
    invoice_count: int
    total: Decimal
    merged_into: str | None = None


@dataclass(frozen=True, slots=True)
class ExportEntry:
    """`is_intact` is False if the file has another hash than its receipt says."""

    id: str
    invoices: frozenset[str]
    is_intact: bool


@dataclass(frozen=True, slots=True)
class AccountRecords:
    """All of one account, as it was at one moment, or nearly so. `deliveries` are pairs of event and endpoint, those of
    test events left out; `units` were taken in all months; `reserved` are the files, and `reserved_units` the units, of
    documents that are just being accepted or removed; `mails` are the files of mails, `plans` deletions that are still
    to be carried out."""

    account_id: UUID
    invoices: Sequence[InvoiceEntry]
    events: Sequence[EventEntry]
    endpoints: Sequence[EndpointEntry]
    deliveries: Sequence[tuple[str, str]]
    vendors: Sequence[VendorEntry]
    units: int
    reserved: frozenset[str]
    reserved_units: int
    mails: frozenset[str]
    plans: Sequence[PlannedDeletion] = ()
    exports: Sequence[ExportEntry] = ()


@dataclass(frozen=True, slots=True, order=True)
class Difference:
    """Something that the other records contradict. It can be repaired if it is derived from the rest."""

    kind: str
    what: str
    is_derived: bool = False
