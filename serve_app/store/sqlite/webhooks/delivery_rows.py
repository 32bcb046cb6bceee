"""From deliveries and attempts to rows and back."""

import json
from typing import Any

from serve_app.domain.webhook import Attempt, Delivery
from serve_app.store.rows import webhooks as webhook_rows
from serve_app.store.rows.codec import from_micros, to_micros
from serve_app.store.sqlite.engine.driver import sqlite3


def attempt_json(attempt: Attempt) -> str:
    """An attempt as stored in the list of attempts."""
    headers = None if attempt.headers is None else dict(attempt.headers)
    return json.dumps([to_micros(attempt.at), attempt.seconds, attempt.status, attempt.error, attempt.body, headers])


def _attempt_from(values: list[Any]) -> Attempt:
    # Those of earlier versions have no headers.
    at, *others = values
    return Attempt(from_micros(at), *others)


def delivery_from(row: sqlite3.Row) -> Delivery:
    """The delivery of a full row."""
    return webhook_rows.delivery_from(row, (_attempt_from(values) for values in json.loads(row["attempts"])))
