"""Assembles the MongoDB store."""

from typing import Any

from serve_app.domain.clock import Clock
from serve_app.store.base import Store
from serve_app.store.mongo.accounts.accounts import MongoAccounts, MongoKeys
from serve_app.store.mongo.accounts.approval_mails import MongoApprovalMails
from serve_app.store.mongo.accounts.calls import MongoCalls
from serve_app.store.mongo.accounts.idempotency import MongoIdempotency
from serve_app.store.mongo.accounts.limits import MongoQuotas, MongoRateWindows
from serve_app.store.mongo.accounts.operator_keys import MongoOperatorKeys
from serve_app.store.mongo.accounts.plans import MongoPlans
from serve_app.store.mongo.backup.store_check import MongoStoreCheck
from serve_app.store.mongo.engine.client import call_seconds, database_name, open_client
from serve_app.store.mongo.engine.database import Database
from serve_app.store.mongo.engine.deployment import MongoDeploymentId
from serve_app.store.mongo.engine.schema import note_version
from serve_app.store.mongo.exports.connections import MongoLedgerConnections
from serve_app.store.mongo.exports.exports import MongoExports
from serve_app.store.mongo.exports.schedules import MongoExportSchedules
from serve_app.store.mongo.invoices.intake import MongoIntake
from serve_app.store.mongo.invoices.invoices import MongoInvoices
from serve_app.store.mongo.mails.addresses import MongoMailAddresses
from serve_app.store.mongo.mails.documents import MongoAutomaticMails, MongoMailDocuments, MongoMailPictures
from serve_app.store.mongo.mails.mailboxes import MongoMailboxes
from serve_app.store.mongo.mails.mails import MongoMails
from serve_app.store.mongo.models.candidates import MongoCanaries, MongoComparisons
from serve_app.store.mongo.models.pins import MongoPins
from serve_app.store.mongo.orders.purchase_orders import MongoPurchaseOrders
from serve_app.store.mongo.people.audit import MongoAuditLog
from serve_app.store.mongo.people.memberships import MongoMemberships
from serve_app.store.mongo.people.people import MongoPeople
from serve_app.store.mongo.people.sessions import MongoSessions
from serve_app.store.mongo.people.sign_ins import MongoSignIns
from serve_app.store.mongo.queue.follow_ups import FollowUps
from serve_app.store.mongo.queue.paces import MongoPaces
from serve_app.store.mongo.queue.queue import MongoQueue
from serve_app.store.mongo.queue.slots import ConcurrencySlots
from serve_app.store.mongo.queue.work import MongoWork
from serve_app.store.mongo.retention.deletions import MongoDeletions
from serve_app.store.mongo.retention.erasure import MongoErasure
from serve_app.store.mongo.retention.retention import MongoRetention
from serve_app.store.mongo.retention.upkeep import MongoUpkeep
from serve_app.store.mongo.reviews.charts import MongoCharts, MongoCodingExamples
from serve_app.store.mongo.reviews.comments import MongoComments
from serve_app.store.mongo.reviews.memory import MongoMemory
from serve_app.store.mongo.reviews.own_fields import MongoOwnFieldExamples, MongoOwnFields
from serve_app.store.mongo.reviews.reviews import MongoReviews
from serve_app.store.mongo.reviews.saved_views import MongoSavedViews
from serve_app.store.mongo.reviews.thresholds import MongoThresholds
from serve_app.store.mongo.upgrades import upgrade
from serve_app.store.mongo.vendors.vendors import MongoVendors
from serve_app.store.mongo.watching.folders import MongoWatchedFolders
from serve_app.store.mongo.webhooks.deliveries import MongoDeliveries
from serve_app.store.mongo.webhooks.endpoints import MongoEndpoints
from serve_app.store.mongo.webhooks.events import MongoEvents, MongoOutbox
from serve_app.store.mongo.webhooks.lanes import MongoLanes


def open_mongo(url: str, slots: int, clock: Clock | None = None, client: Any = None) -> Store:
    """The store in the database that the URL names; connects on the first operation. Raises ValueError if it is not a
    MongoDB URL. An account has `slots` slots in the queue.

    `clock` measures leases; None means the server's clock. `client` is used instead of a new connection.
    """
    opened = open_client(url) if client is None else client
    database = Database(
        opened, database_name(url), clock, upgrade=upgrade, call_seconds=call_seconds(url), first=note_version
    )
    shared = ConcurrencySlots(slots, database)
    follow_ups = FollowUps(database)
    return Store(
        accounts=MongoAccounts(database),
        plans=MongoPlans(database),
        keys=MongoKeys(database),
        operator_keys=MongoOperatorKeys(database),
        people=MongoPeople(database),
        memberships=MongoMemberships(database),
        sessions=MongoSessions(database),
        sign_ins=MongoSignIns(database),
        audit=MongoAuditLog(database),
        quotas=MongoQuotas(database),
        rate_windows=MongoRateWindows(database),
        approval_mails=MongoApprovalMails(database),
        calls=MongoCalls(database),
        idempotency=MongoIdempotency(database),
        intake=MongoIntake(database, shared, follow_ups),
        queue=MongoQueue(database, shared, follow_ups),
        invoices=MongoInvoices(database),
        reviews=MongoReviews(database, follow_ups),
        memory=MongoMemory(database),
        thresholds=MongoThresholds(database),
        charts=MongoCharts(database),
        coding_examples=MongoCodingExamples(database),
        own_fields=MongoOwnFields(database),
        own_field_examples=MongoOwnFieldExamples(database),
        pins=MongoPins(database),
        comments=MongoComments(database),
        saved_views=MongoSavedViews(database),
        comparisons=MongoComparisons(database),
        canaries=MongoCanaries(database),
        paces=MongoPaces(database),
        work=MongoWork(database),
        deletions=MongoDeletions(database),
        vendors=MongoVendors(database),
        purchase_orders=MongoPurchaseOrders(database),
        outbox=MongoOutbox(database, follow_ups),
        events=MongoEvents(database),
        endpoints=MongoEndpoints(database),
        lanes=MongoLanes(database),
        deliveries=MongoDeliveries(database),
        mail_addresses=MongoMailAddresses(database),
        mails=MongoMails(database),
        mail_documents=MongoMailDocuments(database),
        mail_pictures=MongoMailPictures(database),
        automatic_mails=MongoAutomaticMails(database),
        mailboxes=MongoMailboxes(database),
        exports=MongoExports(database),
        export_schedules=MongoExportSchedules(database),
        ledger_connections=MongoLedgerConnections(database),
        watched_folders=MongoWatchedFolders(database),
        retention=MongoRetention(database),
        erasure=MongoErasure(database, shared, follow_ups),
        upkeep=MongoUpkeep(database),
        deployment=MongoDeploymentId(database),
        connection=database,
    )


def open_mongo_check(url: str, client: Any = None) -> MongoStoreCheck:
    """The check of the database that the URL names. `client` is used instead of a new connection."""
    opened = open_client(url) if client is None else client
    return MongoStoreCheck(Database(opened, database_name(url), call_seconds=call_seconds(url), first=note_version))
