"""How fast dispatchers work."""

import json
from datetime import datetime

from serve_app.domain.pace import Pace
from serve_app.store.rows.codec import to_micros
from serve_app.store.rows.paces import costs_of, pace_from
from serve_app.store.sqlite.engine.connection import Database

_NOTE = """
    INSERT INTO paces (id, at, costs, speed) VALUES (?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET at = excluded.at, costs = excluded.costs, speed = excluded.speed
"""
_SINCE = "SELECT id, at, costs, speed FROM paces WHERE at >= ? ORDER BY id"


class SqlitePaces:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def note(self, pace: Pace) -> None:
        values = (pace.worker, to_micros(pace.at), json.dumps(costs_of(pace.costs)), pace.speed)
        await self._database.write(lambda c: c.execute(_NOTE, values))

    async def since(self, moment: datetime) -> list[Pace]:
        rows = await self._database.read(lambda c: c.execute(_SINCE, (to_micros(moment),)).fetchall())
        return [pace_from(row, json.loads(row["costs"])) for row in rows]
