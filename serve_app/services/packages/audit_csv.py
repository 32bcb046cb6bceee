"""The audit trail as CSV."""

import csv
import io
import json
from collections.abc import AsyncIterator
from uuid import UUID

from serve_app.domain.audit import AuditEntry
from serve_app.services.csv.cells import cell
from serve_app.store.base import AuditLog

HEADER = ("id", "at", "actor_kind", "actor", "action", "target", "details")
_PAGE = 500


async def audit_table(log: AuditLog, account_id: UUID | None) -> AsyncIterator[str]:
    """The lines of an account's trail, or of the deployment's: the header, then the newest entry first."""
    yield _csv_line(*HEADER)
    async for entry in _entries(log, account_id):
        yield _line(entry)


async def _entries(log: AuditLog, account_id: UUID | None) -> AsyncIterator[AuditEntry]:
    after: UUID | None = None
    while True:
        page = await log.page(account_id, _PAGE, after)
        for entry in page.items:
            yield entry
            after = entry.id
        if not page.has_more:
            return


def _csv_line(*cells: str) -> str:
    """One line, which ends with CRLF."""
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\r\n").writerow(cells)
    return text.getvalue()


def _line(entry: AuditEntry) -> str:
    """An entry; no text becomes a formula in a spreadsheet."""
    details = json.dumps(dict(entry.details), ensure_ascii=False, sort_keys=True) if entry.details else None
    actor = (entry.actor.kind, entry.actor.name)
    values = (entry.id, entry.at, *actor, entry.action, entry.target, details)
    return _csv_line(*(cell(value) for value in values))
