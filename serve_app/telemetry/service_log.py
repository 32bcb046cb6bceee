"""One stream for what all processes of the service on a machine log: the standard error of the command that started
them.

Ray gives each of its workers a file of its own, which neither a journal nor a container platform reads.
"""

import contextlib
import os
import sys
import threading

from serve_app.telemetry.logs import configure_logging, log

LOG_VARIABLE = "INVOICES_LOG"
"""The path that workers write to; Pods set it to the standard error of their first process."""
_STDERR = 2
_CHUNK = 1 << 16


def collect_logs() -> bool:
    """Copy to standard error what the processes that this one starts log, for as long as it runs. Call it before they
    start. False: a terminal stays free for the lines of the command, and each process keeps its file."""
    if LOG_VARIABLE in os.environ:
        return True
    if sys.stderr.isatty():
        return False
    reading, writing = os.pipe()
    target = os.dup(_STDERR)
    threading.Thread(target=copy_lines, args=(reading, target), name="service-log", daemon=True).start()
    # Standard error itself cannot be opened by others where it is a socket, as under systemd. A pipe can.
    os.environ[LOG_VARIABLE] = f"/proc/{os.getpid()}/fd/{writing}"
    return True


def copy_lines(source: int, target: int) -> None:
    """Copy whole lines until the source ends. What the target does not take is dropped, so that no writer waits."""
    rest = b""
    while data := os.read(source, _CHUNK):
        lines, newline, rest = (rest + data).rpartition(b"\n")
        with contextlib.suppress(OSError):
            _write_all(target, lines + newline)


def _write_all(target: int, data: bytes) -> None:
    while data:
        data = data[os.write(target, data) :]


def log_in_worker(levels: str) -> None:
    """Log to the stream of the service, from one of Ray's workers. Its standard error as a whole goes there, so that
    the last words of a process that dies are not lost."""
    failure = _join_stream()
    configure_logging(levels)
    if failure:
        log.warning("logs stay in Ray's files: %s cannot be opened (%s)", os.environ[LOG_VARIABLE], failure.strerror)


def _join_stream() -> OSError | None:
    path = os.environ.get(LOG_VARIABLE)
    if not path:
        return None
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND)
    except OSError as error:
        return error
    os.dup2(descriptor, _STDERR)
    os.close(descriptor)
    return None
