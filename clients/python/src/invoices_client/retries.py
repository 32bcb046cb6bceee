"""When a call is repeated, and after how long."""

import random

import httpx

from invoices_client.errors import APIConnectionError, APIError, APITimeoutError
from invoices_client.options import Options

_LONGEST_PAUSE = 8.0
# A longer `Retry-After` is not a matter of patience: the next day's limit, or a queue that is full.
_LONGEST_RETRY_AFTER = 120.0
# The service lets an unanswered call hold its idempotency key for up to two minutes.
_LONGEST_HOLD = 150.0
_REPEATABLE_METHODS = {"GET", "PATCH", "DELETE"}
_NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.UnsupportedProtocol)


def is_repeatable(method: str, headers: dict[str, str]) -> bool:
    """Whether a call that was received twice does the same as one that was received once."""
    return method in _REPEATABLE_METHODS or "Idempotency-Key" in headers


def connection_error(error: httpx.TransportError) -> APIConnectionError:
    kind = APITimeoutError if isinstance(error, httpx.TimeoutException) else APIConnectionError
    return kind(f"{type(error).__name__}: {error}", is_uncertain=not isinstance(error, _NOT_SENT))


class Retries:
    """Those of one call."""

    def __init__(self, options: Options, *, repeatable: bool) -> None:
        self._options = options
        self._repeatable = repeatable
        self._attempt = 0
        self._hold_left = _LONGEST_HOLD if options.max_retries else 0.0
        self._is_uncertain = False

    def pause(self, error: APIError | APIConnectionError) -> float | None:
        """Seconds until the call is repeated after this error; None if it is not."""
        error.is_uncertain = self._is_uncertain = self._is_uncertain or error.is_uncertain
        asked = error.retry_after if isinstance(error, APIError) else None
        if isinstance(error, APIError) and error.code == "idempotency_in_flight":
            # No fault: an earlier attempt, perhaps of a service that was killed, still holds the key.
            self._hold_left -= asked or 1.0
            return (asked or 1.0) if self._hold_left >= 0 else None
        self._attempt += 1
        if self._attempt > self._options.max_retries or not self._may_be_repeated(error):
            return None
        if asked is not None and asked > _LONGEST_RETRY_AFTER:
            return None
        grown = min(self._options.backoff * 2.0 ** (self._attempt - 1), max(_LONGEST_PAUSE, self._options.backoff))
        # Clients that failed together do not come back together.
        return max(asked or 0.0, grown * random.uniform(0.5, 1.0))  # noqa: S311

    def _may_be_repeated(self, error: APIError | APIConnectionError) -> bool:
        return _is_transient(error) and (self._repeatable or not error.is_uncertain)


def _is_transient(error: APIError | APIConnectionError) -> bool:
    if isinstance(error, APIConnectionError):
        return True
    if error.status == 429:
        return error.type != "quota_exceeded"
    return error.status == 408 or error.status >= 500
