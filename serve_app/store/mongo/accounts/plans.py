"""The plans that operators add."""

from serve_app.domain.account import Plan
from serve_app.store.mongo.engine.database import Database
from serve_app.store.mongo.engine.types import Collections, Row
from serve_app.store.rows.columns import plan_from, plan_text

_EVERY: Row = {"_id": {"$gt": ""}}


class MongoPlans:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def list_all(self) -> list[Plan]:
        rows = await self._database.read(lambda collections: collections.plans.find(_EVERY).to_list(None))
        return sorted((plan_from(row["_id"], row["limits"]) for row in rows), key=lambda plan: plan.name)

    async def get(self, name: str) -> Plan | None:
        row = await self._database.read(lambda collections: collections.plans.find_one({"_id": name}))
        return None if row is None else plan_from(name, row["limits"])

    async def in_use(self) -> set[str]:
        by_plan: list[Row] = [{"$match": {"plan": {"$gt": ""}}}, {"$group": {"_id": "$plan"}}]
        rows = await self._database.read(lambda collections: collections.accounts.aggregate(by_plan).to_list(None))
        return {row["_id"] for row in rows}

    async def put(self, plan: Plan) -> None:
        values = {"$set": {"limits": plan_text(plan.limits)}}
        await self._database.write(
            lambda collections: collections.plans.update_one({"_id": plan.name}, values, upsert=True)
        )

    async def remove(self, name: str) -> bool:
        """An account that gets the plan meanwhile has what the free one allows, until it gets another."""

        async def remove(collections: Collections) -> bool:
            if await collections.accounts.find_one({"plan": name}, {"_id": 1}) is not None:
                return False
            return (await collections.plans.delete_one({"_id": name})).deleted_count == 1

        return await self._database.write(remove)
