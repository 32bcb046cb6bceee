"""The file's lock, which one writer at a time has.

It is polled at short random intervals: SQLite's own waiting sleeps up to 100 ms at a time and lets latecomers pass.
"""

import random
import time

from serve_app.store.sqlite.engine.driver import sqlite3
from serve_app.store.sqlite.engine.errors import BUSY, has_code
from serve_app.store.sqlite.engine.file import DatabaseFile

# Longer after each failed try: many processes that poll often would keep the lock's holder from its work.
_POLL_SECONDS = (0.0005, 0.002)


def begin(connection: sqlite3.Connection, file: DatabaseFile, deadline: float) -> None:
    """Begin a write transaction. Raises sqlite3.OperationalError if that is impossible until the deadline, by the
    monotonic clock; FileGone if the file was moved."""
    pause, longest = _POLL_SECONDS
    while True:
        file.check()
        try:
            connection.execute("BEGIN IMMEDIATE")
            return
        except sqlite3.OperationalError as error:
            # BUSY also while another process recovers the log after a crash.
            if not has_code(error, BUSY) or time.monotonic() > deadline:
                raise
            # For jitter, not for security.
            time.sleep(random.uniform(pause / 2, pause))  # noqa: S311
            pause = min(pause * 1.5, longest)
