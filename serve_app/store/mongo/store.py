"""Assembles the MongoDB store."""

from typing import Any

from serve_app.domain.clock import Clock
from serve_app.store.base import Store
from serve_app.store.mongo.accounts import MongoAccounts, MongoKeys
from serve_app.store.mongo.approval_mails import MongoApprovalMails
from serve_app.store.mongo.audit import MongoAuditLog
from serve_app.store.mongo.books import MongoBooks
from serve_app.store.mongo.calls import MongoCalls
from serve_app.store.mongo.candidates import MongoCanaries, MongoComparisons
from serve_app.store.mongo.chores import Chores
from serve_app.store.mongo.client import call_seconds, database_name, open_client
from serve_app.store.mongo.comments import MongoComments
from serve_app.store.mongo.database import Database
from serve_app.store.mongo.deletions import MongoDeletions
from serve_app.store.mongo.deliveries import MongoDeliveries
from serve_app.store.mongo.deployment import MongoDeploymentId
from serve_app.store.mongo.endpoints import MongoEndpoints
from serve_app.store.mongo.erasure import MongoErasure
from serve_app.store.mongo.events import MongoEvents, MongoOutbox
from serve_app.store.mongo.idempotency import MongoIdempotency
from serve_app.store.mongo.intake import MongoIntake
from serve_app.store.mongo.invoices import MongoInvoices
from serve_app.store.mongo.lanes import MongoLanes
from serve_app.store.mongo.levels import note_levels
from serve_app.store.mongo.limits import MongoQuotas, MongoRateWindows
from serve_app.store.mongo.mail_addresses import MongoMailAddresses
from serve_app.store.mongo.mail_documents import MongoAutomaticMails, MongoMailDocuments, MongoMailPictures
from serve_app.store.mongo.mail_words import fill_mail_words
from serve_app.store.mongo.mailboxes import MongoMailboxes
from serve_app.store.mongo.mails import MongoMails
from serve_app.store.mongo.memberships import MongoMemberships
from serve_app.store.mongo.memory import MongoMemory
from serve_app.store.mongo.needing_person import note_who_needs_a_person
from serve_app.store.mongo.paces import MongoPaces
from serve_app.store.mongo.people import MongoPeople
from serve_app.store.mongo.pins import MongoPins
from serve_app.store.mongo.queue import MongoQueue
from serve_app.store.mongo.refolding import fold_names, refold_vendors
from serve_app.store.mongo.rejected_shares import drop_shares_of_rejected
from serve_app.store.mongo.retention import MongoRetention
from serve_app.store.mongo.reviews import MongoReviews
from serve_app.store.mongo.saved_views import MongoSavedViews
from serve_app.store.mongo.schema import note_version
from serve_app.store.mongo.seats import Seats
from serve_app.store.mongo.sessions import MongoSessions
from serve_app.store.mongo.sign_ins import MongoSignIns
from serve_app.store.mongo.text_search import add_trigrams
from serve_app.store.mongo.thresholds import MongoThresholds
from serve_app.store.mongo.types import Collections
from serve_app.store.mongo.upkeep import MongoUpkeep
from serve_app.store.mongo.vendors import MongoVendors
from serve_app.store.mongo.work import MongoWork


def open_mongo(url: str, seats: int, clock: Clock | None = None, client: Any = None) -> Store:
    """The store in the database that the URL names; connects on the first operation. Raises ValueError if it is not a
    MongoDB URL. An account has `seats` seats in the queue.

    `clock` measures leases; None means the server's clock. `client` is used instead of a new connection.
    """
    opened = open_client(url) if client is None else client
    database = Database(
        opened, database_name(url), clock, upgrade=_upgrade, call_seconds=call_seconds(url), first=note_version
    )
    shared = Seats(seats, database)
    chores = Chores(database)
    return Store(
        accounts=MongoAccounts(database),
        keys=MongoKeys(database),
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
        intake=MongoIntake(database, shared, chores),
        queue=MongoQueue(database, shared, chores),
        invoices=MongoInvoices(database),
        reviews=MongoReviews(database, chores),
        memory=MongoMemory(database),
        thresholds=MongoThresholds(database),
        pins=MongoPins(database),
        comments=MongoComments(database),
        saved_views=MongoSavedViews(database),
        comparisons=MongoComparisons(database),
        canaries=MongoCanaries(database),
        paces=MongoPaces(database),
        work=MongoWork(database),
        deletions=MongoDeletions(database),
        vendors=MongoVendors(database),
        outbox=MongoOutbox(database, chores),
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
        retention=MongoRetention(database),
        erasure=MongoErasure(database, shared, chores),
        upkeep=MongoUpkeep(database),
        deployment=MongoDeploymentId(database),
        connection=database,
    )


def open_mongo_books(url: str, client: Any = None) -> MongoBooks:
    """The books of the database that the URL names. `client` is used instead of a new connection."""
    opened = open_client(url) if client is None else client
    return MongoBooks(Database(opened, database_name(url), call_seconds=call_seconds(url), first=note_version))


async def _upgrade(collections: Collections) -> None:
    """Bring what earlier versions wrote up to date."""
    await refold_vendors(collections)
    await add_trigrams(collections)
    await note_who_needs_a_person(collections)
    await note_levels(collections)
    await fill_mail_words(collections)
    await fold_names(collections)
    await drop_shares_of_rejected(collections)
