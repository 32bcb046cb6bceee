"""How an endpoint does while it is served."""

from collections.abc import Callable
from datetime import datetime
from uuid import UUID

from serve_app.domain.webhook import Attempt, Delivery, Health, WebhookEndpoint

HANGING_SECONDS = 1.0
"""While an attempt takes longer, its endpoint counts as slow."""
SLOW_SECONDS = 5.0
"""An endpoint that took longer to answer is remembered as slow."""


class EndpointHealth:
    """Follows the attempts of one worker; `monotonic` gives seconds."""

    def __init__(self, endpoint: WebhookEndpoint, monotonic: Callable[[], float]) -> None:
        self._was_slow = endpoint.is_slow
        self._failing_since = endpoint.failing_since
        self._monotonic = monotonic
        # The same delivery may be under way twice: it can be redelivered at any time.
        self._under_way: dict[tuple[UUID, int], float] = {}

    def began(self, claim: Delivery) -> None:
        """An attempt began."""
        self._under_way[claim.id, claim.claims] = self._monotonic()

    def ended(self, claim: Delivery, attempt: Attempt, *, succeeded: bool, is_test: bool = False) -> None:
        """The attempt came to its end. One that only tries the endpoint out is no failure of the endpoint's."""
        del self._under_way[claim.id, claim.claims]
        self._was_slow = _was_slow(attempt)
        if succeeded:
            self._failing_since = None
        elif self._failing_since is None and not is_test:
            self._failing_since = attempt.at

    @property
    def was_slow(self) -> bool:
        """By its last attempt."""
        return self._was_slow

    @property
    def is_slow(self) -> bool:
        """By its last attempt, or by one that is under way."""
        now = self._monotonic()
        return self._was_slow or any(now - began > HANGING_SECONDS for began in self._under_way.values())

    @property
    def failing_since(self) -> datetime | None:
        """The first failure since the last success."""
        return self._failing_since

    @property
    def to_note(self) -> Health:
        """What is to be remembered of it."""
        return Health(self._was_slow, self._failing_since)


def _was_slow(attempt: Attempt) -> bool:
    """Where no answer came in time, which may be less than what an answer may take."""
    return attempt.seconds > (HANGING_SECONDS if attempt.status is None else SLOW_SECONDS)
