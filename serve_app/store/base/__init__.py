"""What the services persist, in the domain's language. Every method raises Unavailable while the storage is
unreachable.

Every write method is atomic and durable once it returns: after a crash, either the whole write is there or none of it.
"""

from dataclasses import dataclass

from serve_app.store.base.accounts import Accounts, Keys
from serve_app.store.base.calls import Calls
from serve_app.store.base.candidates import Canaries, Comparisons
from serve_app.store.base.charts import Charts, CodingExamples
from serve_app.store.base.comments import Comments
from serve_app.store.base.deletions import Deletions
from serve_app.store.base.deployment import DeploymentId
from serve_app.store.base.events import Events, Outbox
from serve_app.store.base.export_schedules import ExportSchedules
from serve_app.store.base.exports import Exports
from serve_app.store.base.files import Files
from serve_app.store.base.intake import Intake
from serve_app.store.base.invoices import Invoices, Vendors
from serve_app.store.base.ledger_connections import LedgerConnections
from serve_app.store.base.limits import ApprovalMails, Idempotency, Quotas, RateWindows
from serve_app.store.base.mailboxes import Mailboxes
from serve_app.store.base.mails import AutomaticMails, MailAddresses, MailDocuments, MailPictures, Mails
from serve_app.store.base.operator_keys import OperatorKeys
from serve_app.store.base.own_fields import OwnFieldExamples, OwnFields
from serve_app.store.base.people import AuditLog, Memberships, People, Sessions, SignIns
from serve_app.store.base.pins import Pins
from serve_app.store.base.plans import Plans
from serve_app.store.base.purchase_orders import PurchaseOrders
from serve_app.store.base.queue import Paces, Queue
from serve_app.store.base.retention import RetentionStore
from serve_app.store.base.reviews import Memory, Reviews, Thresholds
from serve_app.store.base.saved_views import SavedViews
from serve_app.store.base.upkeep import Connection, Erasure, Upkeep
from serve_app.store.base.watching import WatchedFolders
from serve_app.store.base.webhooks import Deliveries, Endpoints, Lanes
from serve_app.store.base.work import Work


@dataclass(frozen=True, slots=True)
class Store:
    """Everything durable except the files. Open one per process with `open_store`."""

    accounts: Accounts
    plans: Plans
    keys: Keys
    operator_keys: OperatorKeys
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
    paces: Paces
    invoices: Invoices
    reviews: Reviews
    memory: Memory
    thresholds: Thresholds
    charts: Charts
    coding_examples: CodingExamples
    own_fields: OwnFields
    own_field_examples: OwnFieldExamples
    pins: Pins
    comments: Comments
    saved_views: SavedViews
    comparisons: Comparisons
    canaries: Canaries
    work: Work
    deletions: Deletions
    vendors: Vendors
    purchase_orders: PurchaseOrders
    outbox: Outbox
    events: Events
    endpoints: Endpoints
    lanes: Lanes
    deliveries: Deliveries
    mail_addresses: MailAddresses
    mails: Mails
    mail_documents: MailDocuments
    mail_pictures: MailPictures
    automatic_mails: AutomaticMails
    mailboxes: Mailboxes
    watched_folders: WatchedFolders
    exports: Exports
    export_schedules: ExportSchedules
    ledger_connections: LedgerConnections
    retention: RetentionStore
    erasure: Erasure
    upkeep: Upkeep
    deployment: DeploymentId
    connection: Connection


__all__ = [
    "Accounts",
    "ApprovalMails",
    "AuditLog",
    "AutomaticMails",
    "Calls",
    "Canaries",
    "Charts",
    "CodingExamples",
    "Comments",
    "Comparisons",
    "Connection",
    "Deletions",
    "Deliveries",
    "DeploymentId",
    "Endpoints",
    "Erasure",
    "Events",
    "ExportSchedules",
    "Exports",
    "Files",
    "Idempotency",
    "Intake",
    "Invoices",
    "Keys",
    "Lanes",
    "LedgerConnections",
    "MailAddresses",
    "MailDocuments",
    "MailPictures",
    "Mailboxes",
    "Mails",
    "Memberships",
    "Memory",
    "OperatorKeys",
    "Outbox",
    "OwnFieldExamples",
    "OwnFields",
    "Paces",
    "People",
    "Pins",
    "Plans",
    "PurchaseOrders",
    "Queue",
    "Quotas",
    "RateWindows",
    "RetentionStore",
    "Reviews", "SavedViews",
    "Sessions",
    "SignIns",
    "Store",
    "Thresholds",
    "Upkeep",
    "Vendors",
    "WatchedFolders",
    "Work",
]  # fmt: skip
