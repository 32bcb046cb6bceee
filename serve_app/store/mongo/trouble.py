"""The one place that tells a database out of reach from a fault of the program."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from pymongo.errors import (
    ConnectionFailure,
    ExecutionTimeout,
    OperationFailure,
    PyMongoError,
    WriteConcernError,
)

from serve_app.domain import errors

# https://www.mongodb.com/docs/manual/reference/error-codes/
_CODES = frozenset(
    {
        6,  # HostUnreachable
        7,  # HostNotFound
        24,  # LockTimeout
        43,  # CursorNotFound
        50,  # MaxTimeMSExpired
        64,  # WriteConcernFailed
        89,  # NetworkTimeout
        91,  # ShutdownInProgress
        100,  # UnsatisfiableWriteConcern
        112,  # WriteConflict
        134,  # ReadConcernMajorityNotAvailableYet
        175,  # QueryPlanKilled
        189,  # PrimarySteppedDown
        202,  # NetworkInterfaceExceededTimeLimit
        237,  # CursorKilled
        262,  # ExceededTimeLimit
        9001,  # SocketException
        10058,  # LegacyNotPrimary
        10107,  # NotWritablePrimary
        11600,  # InterruptedAtShutdown
        11601,  # Interrupted
        11602,  # InterruptedDueToReplStateChange
        13435,  # NotPrimaryNoSecondaryOk
        13436,  # NotPrimaryOrSecondary
        14031,  # OutOfDiskSpace
    }
)

log = logging.getLogger(__name__)


def is_out_of_reach(error: PyMongoError) -> bool:
    """Whether it is the database's trouble, which passes, and not the caller's."""
    if isinstance(error, ConnectionFailure | ExecutionTimeout | WriteConcernError):
        return True
    return isinstance(error, OperationFailure) and error.code in _CODES


@contextmanager
def told_as_unavailable() -> Iterator[None]:
    """ServiceError 503 instead of the driver's errors while the database is out of reach; other errors pass."""
    try:
        yield
    except PyMongoError as error:
        if not is_out_of_reach(error):
            raise
        # The driver's messages name hosts, never a password.
        log.error("database out of reach: %s: %.200s", type(error).__name__, error)
        raise errors.service_unavailable() from error


@contextmanager
def left_for_later(step: str) -> Iterator[None]:
    """A step after the write that counts: when it fails, somebody else makes it up, and the write is a success."""
    try:
        yield
    except PyMongoError as error:
        log.warning("%s is left for later: %s: %.200s", step, type(error).__name__, error)
