"""Deletions that can still be undone."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from serve_app.domain.audit import Actor

UNDO = timedelta(seconds=10)
"""How long a deletion waits before anything is deleted."""


@dataclass(frozen=True, slots=True)
class PlannedDeletion:
    """Invoices that a person wants deleted. They are as they were until `due_at`, and whoever may review can undo the
    plan until it is carried out."""

    id: UUID
    account_id: UUID
    invoice_ids: tuple[UUID, ...]
    actor: Actor
    due_at: datetime
