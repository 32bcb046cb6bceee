"""The contents of a store after a run, read from the database file and the files folder themselves."""

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

from serve_app.domain.duplicates import normalise_vendor
from serve_app.domain.event import ENDS_OF_RUNS, EventType
from serve_app.domain.inbound_mail import MAILS, MailState, mail_key_of
from serve_app.domain.record import CUTS, DEPLOYMENT, EVIDENCE, PAGES
from serve_app.store.files.disk import PARTS
from serve_app.store.sqlite.engine.driver import sqlite3
from serve_app.system.folder_lock import NAME as LOCK

Row = Mapping[str, Any] | sqlite3.Row

_LOST_CLAIMS = 3
# `invoices verify` checks those that belong to an invoice.
_BESIDE = (EVIDENCE, PAGES, CUTS, MAILS, DEPLOYMENT, LOCK)
_UNSEEN = (MailState.ARRIVING, MailState.PENDING_DELETION)
_EVENT_OF = {"complete": "invoice.completed", "failed": "invoice.failed"}


@dataclass(frozen=True, slots=True)
class Invoice:
    """A row, as far as the audit needs it. `name` is that of its file as it was sent."""

    id: str
    account_id: str
    status: str
    name: str
    file_key: str
    vendor: str
    amount: Decimal
    is_duplicate: bool
    batch: Mapping[str, object] | None
    units: int
    attempt: int
    failure: str | None
    tag: str | None
    approval: str | None

    @property
    def was_given_up(self) -> bool:
        """Whether it cost three workers, which the service takes for the document's own fault."""
        return self.failure == "extraction_interrupted" and self.lost_claims >= _LOST_CLAIMS

    @property
    def lost_claims(self) -> int:
        """How many claims of it ended without a result. A further extraction counts an attempt when it is asked for and
        one when it is claimed."""
        return max(self.attempt - (2 * self.units - 1), 0)

    @property
    def is_first(self) -> bool:
        """Whether it is the one that was sent, not one split off from it."""
        return self.batch is None or self.batch["index"] == 1


@dataclass(frozen=True, slots=True)
class MailRow:
    """A mail, as far as the audit needs it. `parts` are outcomes, and ids of invoices."""

    id: str
    state: str
    file_key: str
    message_id: str | None
    has_raw: bool
    parts: tuple[tuple[str, str | None], ...]


class StoreContents:
    """A consistent look at everything durable."""

    def __init__(self, database: Path, files: Path) -> None:
        with _reading(database) as connection:
            self.invoices = [
                invoice_of(row, json.loads(row["document"]))
                for row in connection.execute("SELECT * FROM invoices ORDER BY id")
            ]
            self._tables = {
                name: connection.execute(query).fetchall()
                for name, query in {
                    "events": "SELECT id, account_id, invoice_id, type FROM events ORDER BY created_at",
                    "deliveries": "SELECT event_id, endpoint_id FROM deliveries",
                    "endpoints": "SELECT id, account_id, types FROM endpoints",
                    "quotas": "SELECT account_id, used FROM quotas",
                    "vendors": "SELECT account_id, key, invoice_count, total FROM vendors",
                }.items()
            }
            self.mails = visible(
                mail_of(row, json.loads(row["document"])) for row in connection.execute("SELECT * FROM mails")
            )
            self.open_outboxes = _count(connection, "invoices WHERE outbox != '[]'")
            self.reservations = _count(connection, "reservations")
            self.slots = _count(connection, "invoices WHERE turn IS NOT NULL")
            self.integrity = str(connection.execute("PRAGMA integrity_check").fetchone()[0])
        stored = {path.relative_to(files) for path in files.rglob("*") if path.is_file()}
        self._sort({str(path) for path in stored if path.parts[0] != PARTS})
        self.parts = sum(path.parts[0] == PARTS for path in stored)

    def _sort(self, stored: Iterable[str]) -> None:
        """Tell the files of documents and of mails from what is kept beside them."""
        folders = {key: key.partition("/")[0] for key in stored}
        self.stored_files = {key for key, folder in folders.items() if folder not in _BESIDE}
        self.mail_files = {key for key, folder in folders.items() if folder == MAILS}

    def unfinished(self) -> list[Invoice]:
        """Those that are neither complete nor failed."""
        return [invoice for invoice in self.invoices if invoice.status not in ("complete", "failed")]

    def wrong_events(self) -> list[str]:
        """Ids of invoices that have not exactly one event for each of their runs, or whose last one is of another kind
        than their state; and of events without an invoice."""
        ends = self._events_of(*ENDS_OF_RUNS)
        due = {invoice.id: (invoice.units, _EVENT_OF.get(invoice.status, "")) for invoice in self.invoices}
        wrong = {id for id, (runs, last) in due.items() if len(ends[id]) != runs or ends[id][-1] != last}
        return sorted(wrong | (ends.keys() - due.keys()))

    def wrong_changes(self, changed: Collection[UUID], deleted: Collection[UUID]) -> list[str]:
        """Ids of changed invoices without an event of it, and of deleted ones that have not exactly one. Others may
        have events: of changes whose callers got no answer."""
        updates, deletions = self._events_of(EventType.UPDATED), self._events_of(EventType.DELETED)
        missing = [str(id) for id in changed if str(id) not in updates]
        return missing + [str(id) for id in deleted if len(deletions[str(id)]) != 1]

    def _events_of(self, *types: EventType) -> dict[str, list[str]]:
        """Their types by invoice, oldest first."""
        found: dict[str, list[str]] = defaultdict(list)
        for row in self._tables["events"]:
            if row["type"] in types:
                found[row["invoice_id"]].append(row["type"])
        return found

    def wrong_deliveries(self) -> list[str]:
        """Pairs of event and endpoint that have not exactly one delivery."""
        made = Counter((row["event_id"], row["endpoint_id"]) for row in self._tables["deliveries"])
        due = Counter(
            (event["id"], endpoint["id"])
            for event in self._tables["events"]
            for endpoint in self._tables["endpoints"]
            if endpoint["account_id"] == event["account_id"] and _wants(endpoint, event["type"])
        )
        return [str(pair) for pair in made.keys() | due.keys() if made[pair] != due[pair]]

    def wrong_quotas(self, of_deleted: Mapping[str, int]) -> list[str]:
        """Accounts whose used units are not those of their invoices. `of_deleted` are the units, by account, of those
        that were deleted: they stay used."""
        used, due = Counter[str](), Counter[str](of_deleted)
        for row in self._tables["quotas"]:
            used[row["account_id"]] += row["used"]
        for invoice in self.invoices:
            due[invoice.account_id] += invoice.units
        return [
            f"{account}: {used[account]} used, {due[account]} due"
            for account in used.keys() | due.keys()
            if used[account] != due[account]
        ]

    def wrong_files(self) -> tuple[set[str], set[str]]:
        """Files without an invoice, and files that an invoice lacks."""
        wanted = {invoice.file_key for invoice in self.invoices}
        return self.stored_files - wanted, wanted - self.stored_files

    def wrong_vendors(self) -> list[str]:
        """Vendors whose count or total is not what their invoices add up to."""
        count, total = Counter[tuple[str, str]](), defaultdict[tuple[str, str], Decimal](Decimal)
        for invoice in self.invoices:
            if invoice.status == "complete" and invoice.vendor:
                count[invoice.account_id, invoice.vendor] += 1
                total[invoice.account_id, invoice.vendor] += 0 if invoice.is_duplicate else invoice.amount
        kept = {(row["account_id"], row["key"]): row for row in self._tables["vendors"]}
        return [
            f"{key}: {count[key]}, {total[key]}"
            for key in kept.keys() | count.keys()
            if key not in kept or (count[key], total[key]) != (kept[key]["invoice_count"], Decimal(kept[key]["total"]))
        ]

    def wrong_batches(self) -> list[str]:
        """Files of several invoices of which one is missing, or there twice."""
        found: dict[object, list[Mapping[str, object]]] = defaultdict(list)
        for invoice in self.invoices:
            if invoice.batch is not None:
                found[invoice.batch["id"]].append(invoice.batch)
        return [
            str(batch)
            for batch, parts in found.items()
            if sorted(int(str(part["index"])) for part in parts) != list(range(1, int(str(parts[0]["count"])) + 1))
        ]

    @property
    def batches(self) -> int:
        """Files of several invoices that were split."""
        return len({invoice.batch["id"] for invoice in self.invoices if invoice.batch is not None})

    @property
    def events(self) -> int:
        return len(self._tables["events"])

    @property
    def deliveries(self) -> int:
        return len(self._tables["deliveries"])

    @property
    def vendors(self) -> int:
        return len(self._tables["vendors"])


@contextmanager
def _reading(database: Path) -> Iterator[sqlite3.Connection]:
    """One transaction: all statements see the same moment."""
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=10, isolation_level=None)
    connection.row_factory = sqlite3.Row
    try:
        connection.execute("BEGIN")
        yield connection
    finally:
        connection.close()


def _count(connection: sqlite3.Connection, what: str) -> int:
    return int(connection.execute(f"SELECT count(*) FROM {what}").fetchone()[0])  # noqa: S608 - names of this file


def _sum(connection: sqlite3.Connection, what: str, table: str) -> int:
    query = f"SELECT ifnull(sum({what}), 0) FROM {table}"  # noqa: S608 - names of this file
    return int(connection.execute(query).fetchone()[0])


def _wants(endpoint: Row, type: str) -> bool:
    return type in (json.loads(endpoint["types"]) or ENDS_OF_RUNS)


def mail_of(row: Row, document: Mapping[str, Any]) -> MailRow:
    """The mail of a row and its document, of either store."""
    return MailRow(
        id=row["id"],
        state=row["state"],
        file_key=mail_key_of(UUID(row["account_id"]), UUID(row["id"])),
        message_id=document["heading"]["message_id"],
        has_raw=document["has_raw"],
        parts=tuple((part["outcome"], part["invoice_id"]) for part in document["parts"]),
    )


def visible(mails: Iterable[MailRow]) -> list[MailRow]:
    """Those that were accepted."""
    return [mail for mail in mails if mail.state not in _UNSEEN]


def invoice_of(row: Row, document: Mapping[str, Any]) -> Invoice:
    """The invoice of a row and its document, of either store."""
    return Invoice(
        id=row["id"],
        account_id=row["account_id"],
        status=row["status"],
        name=document["file"]["name"],
        file_key=row["file_key"],
        vendor=normalise_vendor(document["vendor_name"] or ""),
        amount=Decimal(document["amount"] or 0),
        is_duplicate=row["duplicate_of"] is not None,
        batch=document["batch"],
        units=row["runs"],
        attempt=row["attempt"],
        failure=(document["failure"] or {}).get("code"),
        tag=row["entity_tag"],
        approval=row["approval_status"],
    )
