"""The only place that distinguishes an unreachable database from a program error."""

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

from serve_app.domain.errors import OutcomeUnknown, StoreUnreachable
from serve_app.telemetry.logs import RepeatedLog

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


def outage_log() -> RepeatedLog:
    """What one connection logs while the database is out of reach."""
    return RepeatedLog(log)


def is_out_of_reach(error: PyMongoError) -> bool:
    """Whether the error is a temporary problem of the database, not a mistake of the caller."""
    if isinstance(error, ConnectionFailure | ExecutionTimeout | WriteConcernError):
        return True
    return isinstance(error, OperationFailure) and error.code in _CODES


@contextmanager
def translate_errors(outage_log: RepeatedLog, *, is_change: bool = False) -> Iterator[None]:
    """Raises Unavailable instead of the driver's errors while the database is unreachable; other errors pass
    through. With `is_change`, a step that was not confirmed may have been done."""
    try:
        yield
    except PyMongoError as error:
        if not is_out_of_reach(error):
            raise
        # The driver's messages name hosts, never a password.
        outage_log.error("database out of reach: %s: %.200s", type(error).__name__, error)
        raise OutcomeUnknown() if is_change else StoreUnreachable() from error


@contextmanager
def defer_on_failure(step: str) -> Iterator[None]:
    """For a step after the decisive write: if the step fails, another process does it later, and the write still
    succeeds."""
    try:
        yield
    except PyMongoError as error:
        log.warning("%s is left for later: %s: %.200s", step, type(error).__name__, error)
