"""Mails that came in."""

import json
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from serve_app.domain.clock import Clock
from serve_app.domain.due import Due
from serve_app.domain.folding import folded
from serve_app.domain.inbound_mail import DayLimits, HeldFor, InboundMail, MailQuery, MailState
from serve_app.domain.query import ListPage, page_of
from serve_app.store.rows.codec import optional_micros, optional_moment, to_micros
from serve_app.store.rows.mails import mail_from, mail_row
from serve_app.store.sqlite.engine.connection import Database
from serve_app.store.sqlite.engine.driver import sqlite3

_SHOWN = "state NOT IN ('arriving', 'doomed')"
_KNOWN = "SELECT * FROM mails WHERE address_id = :address_id AND fingerprint = :fingerprint"
_OF_DAY = "SELECT count(*), ifnull(sum(size), 0) FROM mails WHERE address_id = ? AND received_at >= ?"
_COLUMNS = (
    *("id", "account_id", "address_id", "fingerprint", "state", "held_for", "received_at", "size", "due_at"),
    *("care_at", "revision", "claims", "problems", "words", "document"),
)
_ADD = f"INSERT INTO mails ({', '.join(_COLUMNS)}) VALUES (:{', :'.join(_COLUMNS)})"  # noqa: S608 - constants
_TAKE_OVER = "UPDATE mails SET care_at = ?, revision = revision + 1 WHERE id = ? RETURNING *"
_SAVE = """
    UPDATE mails SET state = :state, held_for = :held_for, due_at = :due_at, care_at = :care_at, claims = :claims,
        problems = :problems, words = :words, document = :document, revision = revision + 1
    WHERE id = :id AND revision = :revision
"""
_TURN = (
    "SELECT account_id, id FROM mails WHERE due_at <= :now AND account_id {} ORDER BY account_id, due_at, id LIMIT 1"
)
_DUE = tuple(_TURN.format(part) for part in ("> :after", "<= :after"))
_CLAIM = """
    UPDATE mails SET due_at = :end, claims = claims + 1, revision = revision + 1 WHERE id = :id RETURNING *
"""
_ALL_DUE = "SELECT count(*), min(due_at) FROM mails WHERE due_at <= ?"
_RENEW = "UPDATE mails SET due_at = ? WHERE id = ? AND revision = ?"
_CARE = "SELECT * FROM mails WHERE care_at <= ? ORDER BY care_at, id LIMIT ?"
_REMOVE = "DELETE FROM mails WHERE id = ? AND state = 'doomed'"
_UNLINK = "DELETE FROM mail_invoices WHERE mail_id = ?"
_LINK = "INSERT OR IGNORE INTO mail_invoices (invoice_id, mail_id) VALUES (?, ?)"
_OF_INVOICE = f"""
    SELECT mails.* FROM mail_invoices JOIN mails ON mails.id = mail_id
    WHERE invoice_id = ? AND account_id = ? AND {_SHOWN}
"""  # noqa: S608
_GET = f"SELECT * FROM mails WHERE id = ? AND account_id = ? AND {_SHOWN}"  # noqa: S608
_PAGE = f"""
    SELECT * FROM mails WHERE account_id = :account AND {_SHOWN} AND (:after IS NULL OR id < :after)
        AND (:state IS NULL OR state = :state) AND (:held_for IS NULL OR held_for = :held_for)
        AND (:address IS NULL OR address_id = :address) AND (:words IS NULL OR instr(words, :words) > 0)
        AND (NOT :has_problems OR problems > 0) AND (NOT :awaits_answer OR (state = 'done' AND due_at IS NOT NULL))
        AND (:outcome IS NULL OR EXISTS (
            SELECT 1 FROM json_each(document, '$.parts') WHERE value ->> '$.outcome' = :outcome
        ))
    ORDER BY id DESC LIMIT :limit
"""  # noqa: S608
# With its own condition in the words of the index.
_PROBLEMS = _PAGE.replace("FROM mails", "FROM mails INDEXED BY mails_with_problems").replace(
    "(NOT :has_problems OR problems > 0)", "problems > 0"
)
_OF_ACCOUNT = "SELECT * FROM mails WHERE account_id = ? ORDER BY id LIMIT ?"
_HELD = """
    SELECT DISTINCT account_id FROM mails INDEXED BY mails_held
    WHERE held_for IS NOT NULL AND held_for = ? AND account_id > ? ORDER BY account_id LIMIT ?
"""


class SqliteMails:
    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def reserve(self, mail: InboundMail, since: datetime, limits: DayLimits) -> InboundMail | None:
        def reserve(connection: sqlite3.Connection) -> InboundMail | None:
            row = _row(mail)
            known = connection.execute(_KNOWN, row).fetchone()
            if known is not None:
                return _taken_over(connection, known, mail)
            if not _has_room(connection, mail.address_id, mail.size, since, limits):
                return None
            connection.execute(_ADD, row)
            return mail

        return await self._database.write(reserve)

    async def has_room(self, address_id: UUID, size: int, since: datetime, limits: DayLimits) -> bool:
        return await self._database.read(lambda c: _has_room(c, address_id, size, since, limits))

    async def save(self, mail: InboundMail) -> InboundMail | None:
        row = _row(mail)

        def save(connection: sqlite3.Connection) -> bool:
            if connection.execute(_SAVE, row).rowcount == 0:
                return False
            connection.execute(_UNLINK, (row["id"],))
            links = [(str(part.invoice_id), row["id"]) for part in mail.parts if part.invoice_id]
            connection.executemany(_LINK, links)
            return True

        return replace(mail, revision=mail.revision + 1) if await self._database.write(save) else None

    async def claim_due(self, lease: timedelta, after: UUID | None = None) -> InboundMail | None:
        now = self._clock()
        values = {"now": to_micros(now), "end": to_micros(now + lease), "after": str(after or "")}

        def claim(connection: sqlite3.Connection) -> sqlite3.Row | None:
            found = _next_due(connection, values)
            return None if found is None else connection.execute(_CLAIM, values | {"id": found}).fetchone()

        # Called often and mostly with nothing to do, and a write costs a disk sync: look before writing.
        if await self._database.read(lambda c: _next_due(c, values)) is None:
            return None
        row = await self._database.write(claim)
        return None if row is None else _mail_from(row)

    async def due(self) -> Due:
        now = to_micros(self._clock())
        number, since = await self._database.read(lambda c: c.execute(_ALL_DUE, (now,)).fetchone())
        return Due(number, optional_moment(since))

    async def renew(self, claim: InboundMail, lease: timedelta) -> bool:
        values = (to_micros(self._clock() + lease), str(claim.id), claim.revision)
        return await self._database.write(lambda c: c.execute(_RENEW, values).rowcount == 1)

    async def due_for_cleanup(self, now: datetime, limit: int) -> list[InboundMail]:
        return await self._many(_CARE, (to_micros(now), limit))

    async def remove(self, mail: InboundMail) -> bool:
        def remove(connection: sqlite3.Connection) -> bool:
            is_removed = connection.execute(_REMOVE, (str(mail.id),)).rowcount == 1
            if is_removed:
                connection.execute(_UNLINK, (str(mail.id),))
                connection.execute("DELETE FROM mail_documents WHERE mail_id = ?", (str(mail.id),))
            return is_removed

        return await self._database.write(remove)

    async def get(self, account_id: UUID, mail_id: UUID) -> InboundMail | None:
        found = await self._many(_GET, (str(mail_id), str(account_id)))
        return found[0] if found else None

    async def page(
        self, account_id: UUID, query: MailQuery, limit: int, after: UUID | None = None
    ) -> ListPage[InboundMail]:
        values = {
            "account": str(account_id),
            "after": after and str(after),
            "state": query.state and str(query.state),
            "held_for": query.held_for and str(query.held_for),
            "address": query.address_id and str(query.address_id),
            "words": folded(query.words) if query.words else None,
            "has_problems": query.has_problems,
            "awaits_answer": query.awaits_answer,
            "outcome": query.outcome and str(query.outcome),
            "limit": limit + 1,
        }
        page = _PROBLEMS if query.has_problems else _PAGE
        rows = await self._database.rows(page, values, is_search=True)
        return page_of([_mail_from(row) for row in rows], limit)

    async def of_invoice(self, account_id: UUID, invoice_id: UUID) -> list[InboundMail]:
        return await self._many(_OF_INVOICE, (str(invoice_id), str(account_id)))

    async def of_account(self, account_id: UUID, limit: int) -> list[InboundMail]:
        return await self._many(_OF_ACCOUNT, (str(account_id), limit))

    async def accounts_with_held(self, limit: int, after: UUID | None = None) -> list[UUID]:
        values = (str(HeldFor.SENDER), str(after or ""), limit)
        rows = await self._database.read(lambda c: c.execute(_HELD, values).fetchall())
        return [UUID(row["account_id"]) for row in rows]

    async def _many(self, query: str, values: tuple[object, ...]) -> list[InboundMail]:
        rows = await self._database.read(lambda c: c.execute(query, values).fetchall())
        return [_mail_from(row) for row in rows]


def _next_due(connection: sqlite3.Connection, values: dict[str, Any]) -> str | None:
    for query in _DUE:
        if (row := connection.execute(query, values).fetchone()) is not None:
            return str(row["id"])
    return None


def _has_room(connection: sqlite3.Connection, address_id: UUID, size: int, since: datetime, limits: DayLimits) -> bool:
    mails, bytes_ = connection.execute(_OF_DAY, (str(address_id), to_micros(since))).fetchone()
    return bool(mails < limits.mails and bytes_ + size <= limits.size)


def _taken_over(connection: sqlite3.Connection, known: sqlite3.Row, mail: InboundMail) -> InboundMail:
    if known["state"] == MailState.ARRIVING:
        (known,) = connection.execute(_TAKE_OVER, (optional_micros(mail.care_at), known["id"])).fetchall()
    return _mail_from(known)


def _row(mail: InboundMail) -> dict[str, Any]:
    row = mail_row(mail)
    return row | {"document": json.dumps(row["document"])}


def _mail_from(row: sqlite3.Row) -> InboundMail:
    return mail_from(row, json.loads(row["document"]))
