"""How far mailboxes have been read."""

from serve_app.domain.mailbox import MailboxPosition
from serve_app.store.mongo.engine.database import Database
from serve_app.store.mongo.engine.types import Collections, Row
from serve_app.store.rows.codec import from_micros, to_micros


class MongoMailboxes:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def position(self, name: str) -> MailboxPosition | None:
        async def find(collections: Collections) -> Row | None:
            return await collections.mailboxes.find_one({"_id": name})

        row = await self._database.read_confirmed(find)
        return None if row is None else MailboxPosition(row["validity"], row["uid"], from_micros(row["read_at"]))

    async def set_position(self, name: str, position: MailboxPosition) -> None:
        row = {"validity": position.validity, "uid": position.uid, "read_at": to_micros(position.read_at)}
        await self._database.write(
            lambda collections: collections.mailboxes.replace_one({"_id": name}, row, upsert=True)
        )
