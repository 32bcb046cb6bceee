"""The plans that operators add."""

from serve_app.domain.account import Plan
from serve_app.store.rows.columns import plan_from, plan_text
from serve_app.store.sqlite.engine.connection import Database

_PUT = "INSERT INTO plans (name, limits) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET limits = excluded.limits"
_REMOVE = "DELETE FROM plans WHERE name = :name AND NOT EXISTS (SELECT 1 FROM accounts WHERE plan = :name)"


class SqlitePlans:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def list_all(self) -> list[Plan]:
        rows = await self._database.read(lambda c: c.execute("SELECT * FROM plans ORDER BY name").fetchall())
        return [plan_from(row["name"], row["limits"]) for row in rows]

    async def get(self, name: str) -> Plan | None:
        query = "SELECT * FROM plans WHERE name = ?"
        row = await self._database.read(lambda c: c.execute(query, (name,)).fetchone())
        return None if row is None else plan_from(name, row["limits"])

    async def in_use(self) -> set[str]:
        rows = await self._database.read(lambda c: c.execute("SELECT DISTINCT plan FROM accounts").fetchall())
        return {row["plan"] for row in rows}

    async def put(self, plan: Plan) -> None:
        values = (plan.name, plan_text(plan.limits))
        await self._database.write(lambda c: c.execute(_PUT, values))

    async def remove(self, name: str) -> bool:
        return await self._database.write(lambda c: c.execute(_REMOVE, {"name": name}).rowcount == 1)
