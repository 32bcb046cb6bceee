"""Planned deletions as both stores keep them."""

import json
from typing import Any
from uuid import UUID

from serve_app.domain.audit import Actor, ActorKind
from serve_app.domain.deletion import PlannedDeletion
from serve_app.store.rows.codec import from_micros, to_micros
from serve_app.store.rows.columns import Fields


def fields_of(plan: PlannedDeletion) -> dict[str, Any]:
    """The fields of a plan's row, without its id."""
    actor = {"kind": plan.actor.kind, "person_id": plan.actor.person_id, "name": plan.actor.name}
    return {
        "account_id": str(plan.account_id),
        "invoices": json.dumps([str(id) for id in plan.invoice_ids]),
        "actor": json.dumps(actor, default=str, ensure_ascii=False),
        "due_at": to_micros(plan.due_at),
        "is_begun": 0,
    }


def plan_from(row: Fields) -> PlannedDeletion:
    """The plan of a full row."""
    actor = json.loads(row["actor"])
    person = actor["person_id"]
    return PlannedDeletion(
        id=UUID(row["id"]),
        account_id=UUID(row["account_id"]),
        invoice_ids=tuple(UUID(id) for id in json.loads(row["invoices"])),
        actor=Actor(ActorKind(actor["kind"]), person and UUID(person), actor["name"]),
        due_at=from_micros(row["due_at"]),
    )
