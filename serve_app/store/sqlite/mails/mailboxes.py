"""How far mailboxes have been read."""

from serve_app.domain.mailbox import MailboxPosition
from serve_app.store.rows.codec import from_micros, to_micros
from serve_app.store.sqlite.engine.connection import Database

_GET = "SELECT validity, uid, read_at FROM mailboxes WHERE name = ?"
_SET = "INSERT OR REPLACE INTO mailboxes (name, validity, uid, read_at) VALUES (?, ?, ?, ?)"


class SqliteMailboxes:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def position(self, name: str) -> MailboxPosition | None:
        row = await self._database.read(lambda c: c.execute(_GET, (name,)).fetchone())
        return None if row is None else MailboxPosition(row["validity"], row["uid"], from_micros(row["read_at"]))

    async def set_position(self, name: str, position: MailboxPosition) -> None:
        values = (name, position.validity, position.uid, to_micros(position.read_at))
        await self._database.write(lambda c: c.execute(_SET, values).rowcount)
