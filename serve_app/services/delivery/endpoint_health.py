"""The health of an endpoint while it is served."""

from collections.abc import Callable
from datetime import datetime
from uuid import UUID

from serve_app.domain.webhook import Attempt, Delivery, Health, WebhookEndpoint

HANGING_SECONDS = 1.0
"""An endpoint counts as slow while one of its attempts has been in progress for longer than this."""
SLOW_SECONDS = 5.0
"""An endpoint whose last answer took longer than this is remembered as slow."""


class EndpointHealth:
    """Tracks the attempts of one worker; `monotonic` returns seconds."""

    def __init__(self, endpoint: WebhookEndpoint, monotonic: Callable[[], float]) -> None:
        self._was_slow = endpoint.is_slow
        self._failing_since = endpoint.failing_since
        self._monotonic = monotonic
        # The same delivery may be in progress twice: it can be redelivered at any time.
        self._under_way: dict[tuple[UUID, int], float] = {}

    def began(self, claim: Delivery) -> None:
        """Record the start of an attempt."""
        self._under_way[claim.id, claim.claims] = self._monotonic()

    def ended(self, claim: Delivery, attempt: Attempt, *, succeeded: bool, is_test: bool = False) -> None:
        """Record the end of an attempt. A failed test event does not count as a failure of the endpoint."""
        del self._under_way[claim.id, claim.claims]
        self._was_slow = _was_slow(attempt)
        if succeeded:
            self._failing_since = None
        elif self._failing_since is None and not is_test:
            self._failing_since = attempt.at

    @property
    def was_slow(self) -> bool:
        """Whether the last attempt was slow."""
        return self._was_slow

    @property
    def is_slow(self) -> bool:
        """Whether the last attempt was slow, or one in progress is."""
        now = self._monotonic()
        return self._was_slow or any(now - began > HANGING_SECONDS for began in self._under_way.values())

    @property
    def failing_since(self) -> datetime | None:
        """When the first failure since the last success occurred."""
        return self._failing_since

    @property
    def to_note(self) -> Health:
        """What the store should remember about the endpoint."""
        return Health(self._was_slow, self._failing_since)


def _was_slow(attempt: Attempt) -> bool:
    """Without an answer the lower limit applies, because the timeout may be shorter than `SLOW_SECONDS`."""
    return attempt.seconds > (HANGING_SECONDS if attempt.status is None else SLOW_SECONDS)
