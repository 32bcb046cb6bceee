"""The service's lines as a platform collects them."""

import io
import logging
from collections.abc import Iterator
from contextlib import contextmanager

from serve_app.commands.diagnosis import Diagnosis, from_lines
from serve_app.commands.logs import about, parse_lines
from serve_app.telemetry.logs import JsonFormatter


@contextmanager
def collected_logs() -> Iterator[io.StringIO]:
    """What the service logs in the block, as it writes it to standard error."""
    stderr, logger = io.StringIO(), logging.getLogger("serve_app")
    handler, level = logging.StreamHandler(stderr), logger.level
    handler.setFormatter(JsonFormatter())
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        yield stderr
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)


def diagnosed(identifier: str, logs: io.StringIO) -> Diagnosis | None:
    """What `invoices why` finds in these lines."""
    return from_lines(about(identifier, [*parse_lines(logs.getvalue().splitlines())]))
