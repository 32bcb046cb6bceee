"""Private mail addresses."""

import json
from typing import Any
from uuid import UUID

from serve_app.domain.mail_address import MailAddress
from serve_app.store.rows.mails import address_from, address_row
from serve_app.store.sqlite.engine.connection import Database
from serve_app.store.sqlite.engine.driver import sqlite3

_ADD = """
    INSERT INTO mail_addresses (id, account_id, local, created_at, ends_at, revision, document)
    VALUES (:id, :account_id, :local, :created_at, :ends_at, :revision, :document)
"""
_FIND = "SELECT * FROM mail_addresses WHERE local = ?"
_GET = "SELECT * FROM mail_addresses WHERE account_id = ? AND id = ?"
_OF_ACCOUNT = "SELECT * FROM mail_addresses WHERE account_id = ? ORDER BY id DESC"
_SAVE = """
    UPDATE mail_addresses SET ends_at = :ends_at, document = :document, revision = revision + 1
    WHERE id = :id AND revision = :revision
"""


class SqliteMailAddresses:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, address: MailAddress) -> None:
        row = _row(address)
        await self._database.write(lambda c: c.execute(_ADD, row).rowcount)

    async def find(self, local: str) -> MailAddress | None:
        return await self._one(_FIND, local)

    async def get(self, account_id: UUID, address_id: UUID) -> MailAddress | None:
        return await self._one(_GET, str(account_id), str(address_id))

    async def of_account(self, account_id: UUID) -> list[MailAddress]:
        rows = await self._database.read(lambda c: c.execute(_OF_ACCOUNT, (str(account_id),)).fetchall())
        return [_address_from(row) for row in rows]

    async def save(self, address: MailAddress) -> bool:
        row = _row(address)
        return await self._database.write(lambda c: c.execute(_SAVE, row).rowcount == 1)

    async def _one(self, query: str, *values: str) -> MailAddress | None:
        row = await self._database.read(lambda c: c.execute(query, values).fetchone())
        return None if row is None else _address_from(row)


def _row(address: MailAddress) -> dict[str, Any]:
    row = address_row(address)
    return row | {"document": json.dumps(row["document"])}


def _address_from(row: sqlite3.Row) -> MailAddress:
    return address_from(row, json.loads(row["document"]))
