"""The ids of what was erased, so that a list can be continued from them."""

from serve_app.store.sqlite.engine.driver import sqlite3

_ERASED = "SELECT 1 FROM erased_ids WHERE account_id = ? AND id = ?"
_NOTE = """
    INSERT INTO erased_ids (id, account_id, erased_at)
    SELECT id, account_id, :now FROM invoices WHERE id = :invoice
    UNION ALL SELECT id, account_id, :now FROM events WHERE invoice_id = :invoice AND is_test = 0
"""


def was_erased(connection: sqlite3.Connection, account_id: object, id: object) -> bool:
    """Whether the account had an invoice or an event with this id."""
    return connection.execute(_ERASED, (str(account_id), str(id))).fetchone() is not None


def note_erased(connection: sqlite3.Connection, invoice_id: str, now: int) -> None:
    """Part of a write: note the ids of an invoice and its events, which are about to be removed; `now` in
    microseconds."""
    connection.execute(_NOTE, {"invoice": invoice_id, "now": now})
