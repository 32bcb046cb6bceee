"""The rows of vendors whose invoices were filled in past the store."""

from collections import defaultdict
from decimal import Decimal
from uuid import UUID

from serve_app.domain.ids import new_id
from serve_app.store.sqlite.engine.driver import sqlite3

_OF_ACCOUNT = "SELECT vendor_key, billed, seen_on FROM invoices WHERE account_id = ? AND vendor_key IS NOT NULL"
_ADD = """
    INSERT INTO vendors (id, account_id, key, name, invoice_count, total, spend, last_seen)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
"""


def write_vendors(connection: sqlite3.Connection, account_id: UUID) -> None:
    """Write the account's vendors anew, with the sums of its invoices; none of these is a duplicate."""
    billed: dict[str, list[Decimal]] = defaultdict(list)
    last: dict[str, str] = defaultdict(str)
    for row in connection.execute(_OF_ACCOUNT, (str(account_id),)):
        billed[row["vendor_key"]].append(Decimal(row["billed"]))
        last[row["vendor_key"]] = max(last[row["vendor_key"]], row["seen_on"])
    sums = {key: sum(amounts, Decimal(0)) for key, amounts in billed.items()}
    rows = [
        (str(new_id()), str(account_id), key, key, len(billed[key]), str(total), float(total), last[key])
        for key, total in sums.items()
    ]
    connection.execute("BEGIN")
    connection.execute("DELETE FROM vendors WHERE account_id = ?", (str(account_id),))
    connection.executemany(_ADD, rows)
    connection.execute("COMMIT")
