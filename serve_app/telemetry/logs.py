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

# Serve's own fields say which of its handlers write the record.
_OF_SERVE = {"log_to_stderr", "serve_access_log", "skip_context_filter"}
_PLAIN = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime"} | _OF_SERVE
LEVELS = ("debug", "info", "warning", "error")
# The loggers whose level is set without a name.
_GENERAL = ("serve_app", "ray.serve")

log = logging.getLogger(__name__)


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


def parse_levels(text: str) -> dict[str, int]:
    """The level of each logger: `warning,serve_app.store=debug` is WARNING for the service and for Serve, DEBUG for one
    logger. Raises ValueError."""
    levels = dict.fromkeys(_GENERAL, logging.INFO)
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, _, level = part.rpartition("=")
        if level.strip().lower() not in LEVELS:
            raise ValueError(f"{part!r}: write one of {', '.join(LEVELS)}, for one logger as LOGGER=LEVEL")
        number = logging.getLevelNamesMapping()[level.strip().upper()]
        levels |= {name.strip(): number} if name else dict.fromkeys(_GENERAL, number)
    return levels


def configure_logging(levels: str = "info") -> None:
    """Send the logs of this process to standard error as JSON: those of the service and of libraries, and what Ray and
    Serve write there. A second call changes only levels."""
    for name in ("", "serve_app"):
        logger = logging.getLogger(name)
        if not logger.handlers:
            stderr = logging.StreamHandler()
            stderr.setFormatter(JsonFormatter())
            logger.addHandler(stderr)
        logger.propagate = False
    for handler in [*logging.getLogger("ray").handlers, *logging.getLogger("ray.serve").handlers]:
        # Files of Ray keep their own form.
        if isinstance(handler, logging.StreamHandler) and not isinstance(handler, logging.FileHandler):
            handler.setFormatter(JsonFormatter())
    logging.captureWarnings(capture=True)
    set_levels(levels)


def set_levels(levels: str) -> None:
    """Set the level of each logger, as `parse_levels` reads them."""
    for name, level in parse_levels(levels).items():
        logging.getLogger(name).setLevel(level)
