"""Purchase orders as rows of both stores."""

import json
from datetime import date
from typing import Any
from uuid import UUID

from pydantic import TypeAdapter

from serve_app.domain.order_rules import OrderRules
from serve_app.domain.purchase_order import OrderLine, OrderStatus, PurchaseOrder
from serve_app.store.rows.codec import from_micros, to_micros
from serve_app.store.rows.columns import Fields

_LINES = TypeAdapter(tuple[OrderLine, ...])


def order_row(order: PurchaseOrder) -> dict[str, Any]:
    """The row without its id."""
    # A Decimal becomes its exact text.
    lines = json.dumps([line.model_dump(exclude_defaults=True) for line in order.lines], default=str)
    return {
        "account_id": str(order.account_id),
        "number": order.number,
        "number_key": order.key,
        "vendor": order.vendor,
        "vendor_key": order.vendor_key,
        "currency": order.currency,
        "ordered_on": None if order.ordered_on is None else order.ordered_on.isoformat(),
        "status": str(order.status),
        "lines": lines,
        "created_at": to_micros(order.created_at),
        "updated_at": to_micros(order.updated_at),
        "revision": order.revision,
        "check_at": check_micros(order),
        "changes": json.dumps([str(id) for id in order.changes]),
    }


def check_micros(order: PurchaseOrder) -> int:
    """Its moment to compare invoices again; 0 for none, which is before every other."""
    return 0 if order.check_at is None else to_micros(order.check_at)


def rules_from(kept: str | None) -> OrderRules:
    """The tolerances that an account keeps; those of everybody if it chose none."""
    return OrderRules() if kept is None else OrderRules.model_validate_json(kept)


def order_from(row: Fields) -> PurchaseOrder:
    """The order of a row that has its `id`."""
    return PurchaseOrder(
        id=UUID(row["id"]),
        account_id=UUID(row["account_id"]),
        number=row["number"],
        vendor=row["vendor"],
        currency=row["currency"],
        lines=_LINES.validate_json(row["lines"]),
        created_at=from_micros(row["created_at"]),
        updated_at=from_micros(row["updated_at"]),
        ordered_on=None if row["ordered_on"] is None else date.fromisoformat(row["ordered_on"]),
        status=OrderStatus(row["status"]),
        revision=row["revision"],
        check_at=from_micros(row["check_at"]) if row["check_at"] else None,
        changes=tuple(UUID(id) for id in json.loads(row["changes"])),
    )
