"""Receipts as rows, and back: the same in both stores."""

import json
from dataclasses import asdict
from typing import Any
from uuid import UUID

from serve_app.domain.erased import Erased
from serve_app.domain.retention import Receipt, Removal
from serve_app.store.rows.codec import from_micros, optional_micros, optional_moment, to_micros
from serve_app.store.rows.columns import Fields


def receipt_row(receipt: Receipt) -> dict[str, Any]:
    counts = {kind: count for kind, count in asdict(receipt.erased).items() if count}
    return {
        "id": str(receipt.id),
        "account_id": str(receipt.account_id),
        "why": str(receipt.why),
        "begun_at": to_micros(receipt.begun_at),
        "done_at": optional_micros(receipt.done_at),
        "before": optional_micros(receipt.before),
        "erased": json.dumps(counts),
    }


def receipt_from(row: Fields) -> Receipt:
    return Receipt(
        id=UUID(row["id"]),
        account_id=UUID(row["account_id"]),
        why=Removal(row["why"]),
        begun_at=from_micros(row["begun_at"]),
        done_at=optional_moment(row["done_at"]),
        before=optional_moment(row["before"]),
        erased=Erased(**json.loads(row["erased"])),
    )
