"""Threads that write.

Writes that wait at the same time go into one transaction, each in its own savepoint, so that all of them wait for the
disk only once ("group commit").
"""

import logging
from contextlib import suppress

from serve_app.domain.errors import StoreUnreachable
from serve_app.store.sqlite.engine.driver import sqlite3
from serve_app.store.sqlite.engine.errors import FileGone, is_of_storage
from serve_app.store.sqlite.engine.file import DatabaseFile
from serve_app.store.sqlite.engine.jobs import Job
from serve_app.store.sqlite.engine.lock import begin
from serve_app.store.sqlite.engine.log import WriteAheadLog
from serve_app.store.sqlite.engine.worker import Worker

log = logging.getLogger(__name__)

_MOST_TOGETHER = 64


class Writer(Worker):
    """Runs functions in transactions: all that one wrote is durable, or, after an exception, none of it. Cancelling the
    caller does not undo it: once requested, the write happens."""

    def __init__(
        self, connection: sqlite3.Connection, log: WriteAheadLog, file: DatabaseFile, name: str, timeout_seconds: float
    ) -> None:
        super().__init__(connection, name, most_together=_MOST_TOGETHER, timeout_seconds=timeout_seconds)
        self._file = file
        self._log = log
        connection.execute("PRAGMA busy_timeout = 0")
        self.start()

    def _do(self, jobs: list[Job]) -> None:
        """Run one transaction with these jobs and all others that wait."""
        try:
            begin(self._connection, self._file, jobs[0].deadline)
            # After the wait for the lock, so that jobs that arrived meanwhile are included, and nothing is written to a
            # file that was moved meanwhile.
            self._gather(jobs)
            self._file.check()
            self._log.begin()
            for job in jobs:
                self._run(job)
            self._connection.execute("COMMIT")
        except BaseException as error:
            # Whatever the error, no caller may wait forever.
            self._fail(jobs, error)

    def _rest(self) -> None:
        try:
            self._file.check()
            self._log.keep_short()
        except FileGone:
            self._log.leave()
        except sqlite3.Error as error:
            log.warning("the write-ahead log could not be shortened: %s", error)

    def _run(self, job: Job) -> None:
        self._connection.execute("SAVEPOINT job")
        try:
            job.result = job.work(self._connection)
        except BaseException as error:
            job.error = error
            # After some errors SQLite has ended the transaction, with everything in it.
            if is_of_storage(error) or not self._connection.in_transaction:
                raise
            self._connection.execute("ROLLBACK TO job")
        self._connection.execute("RELEASE job")

    def _fail(self, jobs: list[Job], error: BaseException) -> None:
        """Fail all jobs: nothing of this transaction was written."""
        log.error("nothing was written: %s", error)
        with suppress(sqlite3.Error):
            self._connection.execute("ROLLBACK")
        for job in jobs:
            # Only the statement that made SQLite end the transaction has its own error.
            if job.error is not error or is_of_storage(error):
                job.error = StoreUnreachable()
