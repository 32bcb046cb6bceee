"""Structured logs: one JSON object per line, with the ids of the request and the invoice that it concerns."""

import json
import logging
import time
import traceback
from contextvars import ContextVar
from datetime import UTC, datetime

from serve_app.telemetry.tracer import trace_id

request_id: ContextVar[str | None] = ContextVar("request_id", default=None)
"""The id of the request in progress; set by the API."""
invoice_id: ContextVar[str | None] = ContextVar("invoice_id", default=None)
"""The id of the invoice in progress; set by the run."""

_PLAIN = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime"}


class JsonFormatter(logging.Formatter):
    """Renders a record with its `extra` fields."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            "request_id": request_id.get(),
            "invoice_id": invoice_id.get(),
            "trace_id": trace_id(),
        }
        # Libraries add private attributes to records (Ray: `_ray_timestamp_ns`).
        extra = {name: value for name, value in record.__dict__.items() if name not in _PLAIN and name[0] != "_"}
        line |= extra
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps({name: value for name, value in line.items() if value is not None}, default=str)


class RepeatedLog:
    """Logs errors that may come many times a second: one in `seconds`, with how many were left out since the last."""

    def __init__(self, log: logging.Logger, seconds: float = 60.0) -> None:
        self._log = log
        self._seconds = seconds
        self._next_at = 0.0
        self._left_out = 0

    def error(self, message: str, *values: object, exc_info: BaseException | None = None) -> None:
        if time.monotonic() < self._next_at:
            self._left_out += 1
            return
        self._next_at = time.monotonic() + self._seconds
        extra = {"left_out": self._left_out} if self._left_out else None
        self._left_out = 0
        self._log.error(message, *values, exc_info=exc_info, extra=extra)


def kind_and_place(error: BaseException) -> str:
    """What to log of an error whose text may repeat what strangers wrote."""
    last = traceback.extract_tb(error.__traceback__, limit=-1)
    return f"{type(error).__name__} at " + ", ".join(f"{frame.filename}:{frame.lineno}" for frame in last)


def configure_logging(level: int = logging.INFO) -> None:
    """Send the service's logs to standard error as JSON; a second call changes only the level."""
    logger = logging.getLogger("serve_app")
    logger.setLevel(level)
    if not logger.handlers:
        handler = logging.StreamHandler()
        handler.setFormatter(JsonFormatter())
        logger.addHandler(handler)
        logger.propagate = False
