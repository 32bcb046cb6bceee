"""Claims of invoices. If the answer to a claim is lost, the claim's token serves to give it back: no worker runs that
invoice, and the claim must not count as one that a worker lost."""

from datetime import timedelta
from uuid import uuid4

from pymongo import ASCENDING
from pymongo.errors import PyMongoError

from serve_app.domain.invoice import Status
from serve_app.store.mongo.engine.claim_window import ClaimWindow
from serve_app.store.mongo.engine.database import Database
from serve_app.store.mongo.engine.errors import defer_on_failure
from serve_app.store.mongo.engine.types import Collections, Row
from serve_app.store.rows.codec import to_micros

_BY_TURN = [("turn", ASCENDING), ("_id", ASCENDING)]
_HAS_SLOT: Row = {"seat": {"$exists": True}}


class Claims:
    """The claims that one process makes."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._window = ClaimWindow()
        self._unanswered: dict[str, Row] = {}

    async def take(self, collections: Collections, lease: timedelta, most: int) -> list[Row]:
        """Up to `most` rows whose turn it is, claimed for the length of the lease; none if none is due."""
        await self._give_back(collections)
        now = await self._database.now()
        token = uuid4().hex
        claim = {
            "status": str(Status.PROCESSING),
            "next_run_at": to_micros(now + lease),
            "claim": token,
            "stage": "reading",
        }
        try:
            return await self._take(collections, claim, to_micros(now), most)
        except PyMongoError:
            self._unanswered[token] = claim
            with defer_on_failure("the end of claims without an answer"):
                await self._give_back(collections)
            raise

    async def _take(self, collections: Collections, claim: Row, now: int, most: int) -> list[Row]:
        """Concurrent claims get different rows; tries again if other claims took all that were chosen."""
        queued = {"status": str(Status.QUEUED), **_HAS_SLOT, "next_run_at": {"$lte": now}}
        change = {"$set": {**claim, "updated_at": now}, "$inc": {"attempt": 1, "revision": 1}}
        rows: list[Row] = []
        while not rows:
            first = collections.invoices.find(queued, {"account_id": 1}, sort=_BY_TURN, limit=self._window.rows(most))
            if not (found := await first.to_list(None)):
                break
            chosen = self._window.choose(found, most)
            accounts = sorted({row["account_id"] for row in chosen})
            these = {"_id": {"$in": [row["_id"] for row in chosen]}, "account_id": {"$in": accounts}}
            await collections.invoices.update_many(queued | these, change)
            rows = await collections.invoices.find(these | claim, {"outbox": 0}).sort(_BY_TURN).to_list(None)
            self._window.adapt(most, len(found), len(chosen), len(rows))
        return rows

    async def _give_back(self, collections: Collections) -> None:
        """Give back the claims without an answer, any of which may hold invoices. Raises the driver's error if that
        fails as well."""
        for token, claim in tuple(self._unanswered.items()):
            queued = {"status": str(Status.QUEUED), "next_run_at": 0}
            await collections.invoices.update_many({**claim, **_HAS_SLOT}, {"$set": queued, "$inc": {"revision": 1}})
            self._unanswered.pop(token, None)
