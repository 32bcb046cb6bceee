"""Assembles the SQLite store."""

from pathlib import Path

from serve_app.domain.clock import Clock, utc_now
from serve_app.store.base import Store
from serve_app.store.sqlite.accounts.accounts import SqliteAccounts, SqliteKeys
from serve_app.store.sqlite.accounts.approval_mails import SqliteApprovalMails
from serve_app.store.sqlite.accounts.calls import SqliteCalls
from serve_app.store.sqlite.accounts.idempotency import SqliteIdempotency
from serve_app.store.sqlite.accounts.limits import SqliteQuotas, SqliteRateWindows
from serve_app.store.sqlite.accounts.operator_keys import SqliteOperatorKeys
from serve_app.store.sqlite.accounts.plans import SqlitePlans
from serve_app.store.sqlite.engine.connection import Database
from serve_app.store.sqlite.engine.deployment import SqliteDeploymentId
from serve_app.store.sqlite.engine.driver import refuse_unsound_library
from serve_app.store.sqlite.engine.placement import refuse_network_file_system
from serve_app.store.sqlite.exports.connections import SqliteLedgerConnections
from serve_app.store.sqlite.exports.exports import SqliteExports
from serve_app.store.sqlite.exports.schedules import SqliteExportSchedules
from serve_app.store.sqlite.invoices.intake import SqliteIntake
from serve_app.store.sqlite.invoices.invoices import SqliteInvoices
from serve_app.store.sqlite.mails.addresses import SqliteMailAddresses
from serve_app.store.sqlite.mails.documents import SqliteAutomaticMails, SqliteMailDocuments, SqliteMailPictures
from serve_app.store.sqlite.mails.mailboxes import SqliteMailboxes
from serve_app.store.sqlite.mails.mails import SqliteMails
from serve_app.store.sqlite.models.candidates import SqliteCanaries, SqliteComparisons
from serve_app.store.sqlite.models.pins import SqlitePins
from serve_app.store.sqlite.orders.purchase_orders import SqlitePurchaseOrders
from serve_app.store.sqlite.people.audit import SqliteAuditLog
from serve_app.store.sqlite.people.memberships import SqliteMemberships
from serve_app.store.sqlite.people.people import SqlitePeople
from serve_app.store.sqlite.people.sessions import SqliteSessions
from serve_app.store.sqlite.people.sign_ins import SqliteSignIns
from serve_app.store.sqlite.queue.paces import SqlitePaces
from serve_app.store.sqlite.queue.queue import SqliteQueue
from serve_app.store.sqlite.queue.slots import ConcurrencySlots
from serve_app.store.sqlite.queue.work import SqliteWork
from serve_app.store.sqlite.retention.deletions import SqliteDeletions
from serve_app.store.sqlite.retention.erasure import SqliteErasure
from serve_app.store.sqlite.retention.retention import SqliteRetention
from serve_app.store.sqlite.retention.upkeep import SqliteUpkeep
from serve_app.store.sqlite.reviews.charts import SqliteCharts, SqliteCodingExamples
from serve_app.store.sqlite.reviews.comments import SqliteComments
from serve_app.store.sqlite.reviews.memory import SqliteMemory
from serve_app.store.sqlite.reviews.own_fields import SqliteOwnFieldExamples, SqliteOwnFields
from serve_app.store.sqlite.reviews.reviews import SqliteReviews
from serve_app.store.sqlite.reviews.saved_views import SqliteSavedViews
from serve_app.store.sqlite.reviews.thresholds import SqliteThresholds
from serve_app.store.sqlite.vendors.vendors import SqliteVendors
from serve_app.store.sqlite.watching.folders import SqliteWatchedFolders
from serve_app.store.sqlite.webhooks.deliveries import SqliteDeliveries
from serve_app.store.sqlite.webhooks.endpoints import SqliteEndpoints
from serve_app.store.sqlite.webhooks.events import SqliteEvents, SqliteOutbox
from serve_app.store.sqlite.webhooks.lanes import SqliteLanes


def open_sqlite(path: Path, slots: int, clock: Clock = utc_now) -> Store:
    """Open the file, creating it and its folder if they are missing. Blocks briefly. Raises ValueError on a network
    file system, RuntimeError if SQLite's library or the schema of the file is of the wrong version. An account has
    `slots` slots in the queue; `clock` measures leases, and is the same for all processes of a machine."""
    refuse_unsound_library()
    refuse_network_file_system(path)
    database = Database(path)
    shared = ConcurrencySlots(slots, clock)
    return Store(
        accounts=SqliteAccounts(database),
        plans=SqlitePlans(database),
        keys=SqliteKeys(database),
        operator_keys=SqliteOperatorKeys(database),
        people=SqlitePeople(database),
        memberships=SqliteMemberships(database),
        sessions=SqliteSessions(database),
        sign_ins=SqliteSignIns(database),
        audit=SqliteAuditLog(database),
        quotas=SqliteQuotas(database),
        rate_windows=SqliteRateWindows(database),
        approval_mails=SqliteApprovalMails(database),
        calls=SqliteCalls(database),
        idempotency=SqliteIdempotency(database),
        intake=SqliteIntake(database, shared),
        queue=SqliteQueue(database, shared),
        invoices=SqliteInvoices(database),
        reviews=SqliteReviews(database),
        memory=SqliteMemory(database),
        thresholds=SqliteThresholds(database),
        charts=SqliteCharts(database),
        coding_examples=SqliteCodingExamples(database),
        own_fields=SqliteOwnFields(database),
        own_field_examples=SqliteOwnFieldExamples(database),
        pins=SqlitePins(database),
        comments=SqliteComments(database),
        saved_views=SqliteSavedViews(database),
        comparisons=SqliteComparisons(database),
        canaries=SqliteCanaries(database),
        paces=SqlitePaces(database),
        work=SqliteWork(database, clock),
        deletions=SqliteDeletions(database),
        vendors=SqliteVendors(database),
        purchase_orders=SqlitePurchaseOrders(database),
        outbox=SqliteOutbox(database, clock),
        events=SqliteEvents(database),
        endpoints=SqliteEndpoints(database, clock),
        lanes=SqliteLanes(database, clock),
        deliveries=SqliteDeliveries(database, clock),
        mail_addresses=SqliteMailAddresses(database),
        mails=SqliteMails(database, clock),
        mail_documents=SqliteMailDocuments(database),
        mail_pictures=SqliteMailPictures(database),
        automatic_mails=SqliteAutomaticMails(database),
        mailboxes=SqliteMailboxes(database),
        watched_folders=SqliteWatchedFolders(database),
        exports=SqliteExports(database),
        export_schedules=SqliteExportSchedules(database),
        ledger_connections=SqliteLedgerConnections(database),
        retention=SqliteRetention(database),
        erasure=SqliteErasure(database, shared),
        upkeep=SqliteUpkeep(database),
        deployment=SqliteDeploymentId(database),
        connection=database,
    )
