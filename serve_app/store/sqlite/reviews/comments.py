"""What people say to each other about invoices."""

import json
from uuid import UUID

from serve_app.domain.comment import Comment
from serve_app.store.rows.codec import from_micros, to_micros
from serve_app.store.sqlite.engine.connection import Database
from serve_app.store.sqlite.engine.driver import sqlite3

_ADD = """
    INSERT INTO comments (id, account_id, invoice_id, at, person_id, author, text, mentions)
    SELECT :id, account_id, id, :at, :person, :author, :text, :mentions FROM invoices
    WHERE id = :invoice AND account_id = :account
"""
_ADD_MENTION = "INSERT OR IGNORE INTO comment_mentions (account_id, person_id, comment_id) VALUES (?, ?, ?)"
_OF_INVOICE = "SELECT * FROM comments WHERE invoice_id = ? AND account_id = ? ORDER BY id DESC LIMIT ?"
_MENTIONING = """
    SELECT comments.* FROM comment_mentions CROSS JOIN comments ON comments.id = comment_id
    WHERE comment_mentions.account_id = ? AND comment_mentions.person_id = ? ORDER BY comment_id DESC LIMIT ?
"""
_REMOVE = (
    "DELETE FROM comment_mentions WHERE comment_id IN (SELECT id FROM comments WHERE invoice_id = ?)",
    "DELETE FROM comments WHERE invoice_id = ?",
)


class SqliteComments:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, comment: Comment) -> bool:
        account, mentions = str(comment.account_id), [str(id) for id in comment.mentions]
        values = {
            **{"id": str(comment.id), "account": account, "invoice": str(comment.invoice_id)},
            **{"at": to_micros(comment.at), "person": str(comment.person_id), "author": comment.author},
            **{"text": comment.text, "mentions": json.dumps(mentions)},
        }

        def add(connection: sqlite3.Connection) -> bool:
            if connection.execute(_ADD, values).rowcount != 1:
                return False
            connection.executemany(_ADD_MENTION, [(account, person, values["id"]) for person in mentions])
            return True

        return await self._database.write(add)

    async def of_invoice(self, account_id: UUID, invoice_id: UUID, limit: int) -> list[Comment]:
        values = (str(invoice_id), str(account_id), limit)
        rows = await self._database.read(lambda c: c.execute(_OF_INVOICE, values).fetchall())
        return [_comment_from(row) for row in reversed(rows)]

    async def mentioning(self, account_id: UUID, person_id: UUID, limit: int) -> list[Comment]:
        values = (str(account_id), str(person_id), limit)
        rows = await self._database.read(lambda c: c.execute(_MENTIONING, values).fetchall())
        return [_comment_from(row) for row in rows]


def remove_comments(connection: sqlite3.Connection, invoice_id: str) -> None:
    """Part of a write: remove all comments of an invoice."""
    for query in _REMOVE:
        connection.execute(query, (invoice_id,))


def _comment_from(row: sqlite3.Row) -> Comment:
    return Comment(
        id=UUID(row["id"]),
        account_id=UUID(row["account_id"]),
        invoice_id=UUID(row["invoice_id"]),
        at=from_micros(row["at"]),
        person_id=UUID(row["person_id"]),
        author=row["author"],
        text=row["text"],
        mentions=tuple(UUID(id) for id in json.loads(row["mentions"])),
    )
