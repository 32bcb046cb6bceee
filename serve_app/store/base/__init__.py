"""What the services persist, in the domain's language. Every method raises Unavailable while the storage is
unreachable.

Every write method is atomic and durable once it returns: after a crash, either the whole write is there or none of it.
"""

from dataclasses import dataclass

from serve_app.store.base.accounts import Accounts, Keys
from serve_app.store.base.calls import Calls
from serve_app.store.base.events import Events, Outbox
from serve_app.store.base.files import Files
from serve_app.store.base.intake import Intake
from serve_app.store.base.invoices import Invoices, Vendors
from serve_app.store.base.limits import ApprovalMails, Idempotency, Quotas, RateWindows
from serve_app.store.base.mailboxes import Mailboxes
from serve_app.store.base.mails import AutomaticMails, MailAddresses, MailDocuments, Mails
from serve_app.store.base.people import AuditLog, Memberships, People, Sessions, SignIns
from serve_app.store.base.queue import Queue
from serve_app.store.base.reviews import Memory, Reviews, Thresholds
from serve_app.store.base.upkeep import Connection, Erasure, Upkeep
from serve_app.store.base.webhooks import Deliveries, Endpoints, Lanes
from serve_app.store.base.work import Work


@dataclass(frozen=True, slots=True)
class Store:
    """Everything durable except the files. Open one per process with `open_store`."""

    accounts: Accounts
    keys: Keys
    people: People
    memberships: Memberships
    sessions: Sessions
    sign_ins: SignIns
    audit: AuditLog
    quotas: Quotas
    rate_windows: RateWindows
    approval_mails: ApprovalMails
    calls: Calls
    idempotency: Idempotency
    intake: Intake
    queue: Queue
    invoices: Invoices
    reviews: Reviews
    memory: Memory
    thresholds: Thresholds
    work: Work
    vendors: Vendors
    outbox: Outbox
    events: Events
    endpoints: Endpoints
    lanes: Lanes
    deliveries: Deliveries
    mail_addresses: MailAddresses
    mails: Mails
    mail_documents: MailDocuments
    automatic_mails: AutomaticMails
    mailboxes: Mailboxes
    erasure: Erasure
    upkeep: Upkeep
    connection: Connection


__all__ = [
    "Accounts", "ApprovalMails", "AuditLog", "AutomaticMails", "Calls", "Connection", "Deliveries", "Endpoints",
    "Erasure", "Events", "Files", "Idempotency", "Intake", "Invoices", "Keys", "Lanes", "MailAddresses",
    "MailDocuments", "Mailboxes", "Mails", "Memberships", "Memory", "Outbox", "People", "Queue", "Quotas",
    "RateWindows", "Reviews", "Sessions", "SignIns", "Store", "Thresholds", "Upkeep", "Vendors", "Work",
]  # fmt: skip
