"""Claims of invoices. If the answer to a claim is lost, the claim's token serves to give it back: no worker runs that
invoice, and the claim must not count as one that a worker lost."""

from datetime import timedelta
from uuid import uuid4

from pymongo import ASCENDING, ReturnDocument
from pymongo.errors import PyMongoError

from serve_app.domain.invoice import Status
from serve_app.store.codec import to_micros
from serve_app.store.mongo.database import Database
from serve_app.store.mongo.trouble import left_for_later
from serve_app.store.mongo.types import Collections, Row

_BY_TURN = [("turn", ASCENDING), ("_id", ASCENDING)]
_SEATED: Row = {"seat": {"$exists": True}}


class Claims:
    """The claims that one process makes."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._unanswered: dict[str, Row] = {}

    async def take(self, collections: Collections, lease: timedelta) -> Row | None:
        """The row whose turn it is, claimed for the length of the lease; None if none is due."""
        await self._give_back(collections)
        now = await self._database.now()
        queued = {"status": str(Status.QUEUED), **_SEATED, "next_run_at": {"$lte": to_micros(now)}}
        token = uuid4().hex
        claim = {"status": str(Status.PROCESSING), "next_run_at": to_micros(now + lease), "claim": token}
        try:
            row: Row | None = await collections.invoices.find_one_and_update(
                queued,
                {"$set": {**claim, "updated_at": to_micros(now)}, "$inc": {"attempt": 1, "revision": 1}},
                projection={"outbox": 0},
                sort=_BY_TURN,
                return_document=ReturnDocument.AFTER,
            )
        except PyMongoError:
            self._unanswered[token] = claim
            with left_for_later("the end of a claim without an answer"):
                await self._give_back(collections)
            raise
        return row

    async def _give_back(self, collections: Collections) -> None:
        """Give back the claims without an answer, any of which may hold an invoice. Raises the driver's error if that
        fails as well."""
        for token, claim in tuple(self._unanswered.items()):
            queued = {"status": str(Status.QUEUED), "next_run_at": 0}
            await collections.invoices.update_one({**claim, **_SEATED}, {"$set": queued, "$inc": {"revision": 1}})
            self._unanswered.pop(token, None)
