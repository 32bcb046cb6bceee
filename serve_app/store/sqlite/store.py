"""Assembles the SQLite store."""

from pathlib import Path

from serve_app.domain.clock import Clock, utc_now
from serve_app.store.base import Store
from serve_app.store.sqlite.accounts import SqliteAccounts, SqliteKeys
from serve_app.store.sqlite.approval_mails import SqliteApprovalMails
from serve_app.store.sqlite.audit import SqliteAuditLog
from serve_app.store.sqlite.calls import SqliteCalls
from serve_app.store.sqlite.candidates import SqliteCanaries, SqliteComparisons
from serve_app.store.sqlite.comments import SqliteComments
from serve_app.store.sqlite.connection import Database
from serve_app.store.sqlite.deletions import SqliteDeletions
from serve_app.store.sqlite.deliveries import SqliteDeliveries
from serve_app.store.sqlite.deployment import SqliteDeploymentId
from serve_app.store.sqlite.driver import refuse_unsound_library
from serve_app.store.sqlite.endpoints import SqliteEndpoints
from serve_app.store.sqlite.erasure import SqliteErasure
from serve_app.store.sqlite.events import SqliteEvents, SqliteOutbox
from serve_app.store.sqlite.idempotency import SqliteIdempotency
from serve_app.store.sqlite.intake import SqliteIntake
from serve_app.store.sqlite.invoices import SqliteInvoices
from serve_app.store.sqlite.lanes import SqliteLanes
from serve_app.store.sqlite.limits import SqliteQuotas, SqliteRateWindows
from serve_app.store.sqlite.mail_addresses import SqliteMailAddresses
from serve_app.store.sqlite.mail_documents import SqliteAutomaticMails, SqliteMailDocuments, SqliteMailPictures
from serve_app.store.sqlite.mailboxes import SqliteMailboxes
from serve_app.store.sqlite.mails import SqliteMails
from serve_app.store.sqlite.memberships import SqliteMemberships
from serve_app.store.sqlite.memory import SqliteMemory
from serve_app.store.sqlite.paces import SqlitePaces
from serve_app.store.sqlite.people import SqlitePeople
from serve_app.store.sqlite.pins import SqlitePins
from serve_app.store.sqlite.placement import refuse_network_file_system
from serve_app.store.sqlite.queue import SqliteQueue
from serve_app.store.sqlite.retention import SqliteRetention
from serve_app.store.sqlite.reviews import SqliteReviews
from serve_app.store.sqlite.saved_views import SqliteSavedViews
from serve_app.store.sqlite.seats import Seats
from serve_app.store.sqlite.sessions import SqliteSessions
from serve_app.store.sqlite.sign_ins import SqliteSignIns
from serve_app.store.sqlite.thresholds import SqliteThresholds
from serve_app.store.sqlite.upkeep import SqliteUpkeep
from serve_app.store.sqlite.vendors import SqliteVendors
from serve_app.store.sqlite.work import SqliteWork


def open_sqlite(path: Path, seats: int, clock: Clock = utc_now) -> Store:
    """Open the file, creating it and its folder if they are missing. Blocks briefly. Raises ValueError on a network
    file system, RuntimeError if SQLite's library or the schema of the file is of the wrong version. An account has
    `seats` seats in the queue; `clock` measures leases, and is the same for all processes of a machine."""
    refuse_unsound_library()
    refuse_network_file_system(path)
    database = Database(path)
    shared = Seats(seats, clock)
    return Store(
        accounts=SqliteAccounts(database),
        keys=SqliteKeys(database),
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
        pins=SqlitePins(database),
        comments=SqliteComments(database),
        saved_views=SqliteSavedViews(database),
        comparisons=SqliteComparisons(database),
        canaries=SqliteCanaries(database),
        paces=SqlitePaces(database),
        work=SqliteWork(database, clock),
        deletions=SqliteDeletions(database),
        vendors=SqliteVendors(database),
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
        retention=SqliteRetention(database),
        erasure=SqliteErasure(database, shared),
        upkeep=SqliteUpkeep(database),
        deployment=SqliteDeploymentId(database),
        connection=database,
    )
