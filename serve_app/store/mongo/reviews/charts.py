"""What accounts book their invoices on, and what was decided."""

from contextlib import suppress
from uuid import UUID

from pymongo import DESCENDING
from pymongo.errors import DuplicateKeyError

from serve_app.domain.chart import NO_CHART, Chart
from serve_app.domain.coding import CodingExample
from serve_app.store.base.charts import ExamplesState
from serve_app.store.mongo.engine.database import Database
from serve_app.store.mongo.engine.types import Collections, Row
from serve_app.store.rows.charts import chart_from, chart_text
from serve_app.store.rows.codec import optional_moment


class MongoCharts:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def of_account(self, account_id: UUID) -> Chart:
        row = await self._database.read(lambda collections: collections.charts.find_one({"_id": str(account_id)}))
        return NO_CHART if row is None else chart_from(row["revision"], row["document"])

    async def put(self, account_id: UUID, chart: Chart, over: int) -> Chart | None:
        this: Row = {"_id": str(account_id)}
        values: Row = {"revision": over + 1, "document": chart_text(chart)}

        async def put(collections: Collections) -> bool:
            # No chart may outlive its account.
            if await collections.accounts.find_one(this, {"_id": 1}) is None:
                return False
            if over:
                replaced = await collections.charts.update_one(this | {"revision": over}, {"$set": values})
                return replaced.matched_count == 1
            with suppress(DuplicateKeyError):
                await collections.charts.insert_one(this | values)
                return True
            return False

        is_put = await self._database.write(put)
        return chart.model_copy(update={"revision": over + 1}) if is_put else None


class MongoCodingExamples:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def newest(self, account_id: UUID, limit: int) -> list[CodingExample]:
        return [CodingExample.decoded(row["coding_example"]) for row in await self._newest(account_id, limit)]

    async def state(self, account_id: UUID) -> ExamplesState:
        rows = await self._newest(account_id, 1)
        where = _coded(account_id)
        count = await self._database.read(lambda collections: collections.invoices.count_documents(where))
        return ExamplesState(count, optional_moment(rows[0]["coded_at"]) if rows else None)

    async def _newest(self, account_id: UUID, limit: int) -> list[Row]:
        where = _coded(account_id)

        async def find(collections: Collections) -> list[Row]:
            found = collections.invoices.find(where, {"coding_example": 1, "coded_at": 1})
            return await found.sort([("coded_at", DESCENDING), ("_id", DESCENDING)]).limit(limit).to_list(None)

        return await self._database.read(find)


def _coded(account_id: UUID) -> Row:
    return {"account_id": str(account_id), "coded_at": {"$gt": 0}}
